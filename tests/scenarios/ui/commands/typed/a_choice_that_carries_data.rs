//! A choice is a text and nothing beside it.

use drawloom::prelude::*;

#[derive(Choice)]
enum OpenMode {
    Preview,
    AtLine(u32),
    Between { first: u32, last: u32 },
    Nothing(),
}

fn main() {}
