//! Two variants with one name, and a name that is none.

use drawloom::prelude::*;

#[derive(Choice)]
enum Renamed {
    Preview,
    #[choice(rename = "preview")]
    Permanent,
}

#[derive(Choice)]
#[choice(rename_all = "lowercase")]
enum RenamedAll {
    ForGood,
    Forgood,
}

#[derive(Choice)]
enum Nameless {
    Preview,
    #[choice(rename = "")]
    Permanent,
}

fn main() {}
