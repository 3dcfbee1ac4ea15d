//! A choice needs something to choose.

use drawloom::prelude::*;

#[derive(Choice)]
enum Nothing {}

#[derive(Choice)]
struct OpenMode {
    preview: bool,
}

#[derive(Choice)]
struct Unit;

fn main() {}
