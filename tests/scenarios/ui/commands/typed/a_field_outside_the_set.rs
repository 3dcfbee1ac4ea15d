//! Fields of types that no argument has.

use std::collections::BTreeMap;

use drawloom::prelude::*;

struct Date;

#[derive(CommandArguments)]
struct OpenNote<'a> {
    path: String,
    due: Date,
    labels: BTreeMap<String, String>,
    key: char,
    title: &'a str,
    nested: Option<Option<String>>,
    rows: Vec<Vec<u8>>,
    gaps: Vec<Option<bool>>,
    maybe: Option<Date>,
    nothing: (),
    #[argument(default)]
    later: std::time::Duration,
}

fn main() {}
