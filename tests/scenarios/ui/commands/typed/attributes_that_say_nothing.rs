//! Attributes that are unknown, this is repeated, or empty.

use drawloom::prelude::*;

#[derive(CommandArguments)]
struct OnFields {
    #[argument(descripton = "Where the note is")]
    misspelt: String,
    #[argument(rename = "a", rename = "b")]
    twice: String,
    #[argument(default)]
    #[argument(default = 1)]
    apart: u8,
    #[argument(description = "")]
    empty: String,
    #[argument(rename = 7)]
    number: String,
    #[argument(rename)]
    bare: String,
    #[argument]
    alone: String,
    #[argument = "path"]
    assigned: String,
    #[argument(rename_all = "kebab-case")]
    elsewhere: String,
}

#[derive(CommandArguments)]
#[argument(rename_all = "Kebab-Case")]
struct NoSuchCase {
    path: String,
}

#[derive(CommandArguments)]
#[argument(rename = "open")]
struct RenamedItself {
    path: String,
}

#[derive(CommandArguments)]
#[argument(crate = "not a path")]
struct NoPath {
    path: String,
}

#[derive(Choice)]
enum OpenMode {
    #[choice(name = "preview")]
    Preview,
    #[choice(rename = "a", rename = "b")]
    Permanent,
}

#[derive(Choice)]
#[choice(rename_all = "kebab")]
enum NoCase {
    Preview,
}

fn main() {}
