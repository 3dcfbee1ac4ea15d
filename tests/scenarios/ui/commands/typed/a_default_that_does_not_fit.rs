//! Defaults that are of no use, or of another type.

use drawloom::prelude::*;

#[derive(CommandArguments)]
struct Optional {
    #[argument(default)]
    path: Option<String>,
}

type Maybe = Option<String>;

#[derive(CommandArguments)]
struct OptionalByAnotherName {
    #[argument(default)]
    path: Maybe,
}

#[derive(CommandArguments)]
struct OfAnotherType {
    #[argument(default = "ten")]
    limit: u8,
}

#[derive(Choice)]
enum OpenMode {
    Preview,
    Permanent,
}

#[derive(CommandArguments)]
struct WithoutDefault {
    #[argument(default)]
    mode: OpenMode,
}

fn main() {}
