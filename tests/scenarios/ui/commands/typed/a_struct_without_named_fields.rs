//! What has no named fields declares no arguments.

use drawloom::prelude::*;

#[derive(CommandArguments)]
struct Tuple(String, u8);

#[derive(CommandArguments)]
enum OpenNote {
    ByPath { path: String },
    ByNumber { number: u32 },
}

#[derive(CommandArguments)]
union Either {
    yes: bool,
    number: u8,
}

fn main() {}
