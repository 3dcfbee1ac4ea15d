//! Two arguments with one name, and names that are none.

use drawloom::prelude::*;

#[derive(CommandArguments)]
struct Renamed {
    path: String,
    #[argument(rename = "path")]
    other: String,
}

#[derive(CommandArguments)]
#[argument(rename_all = "camelCase")]
struct RenamedAll {
    note_path: String,
    #[allow(non_snake_case)]
    notePath: String,
}

#[derive(CommandArguments)]
struct Nameless {
    #[argument(rename = "")]
    path: String,
}

fn main() {}
