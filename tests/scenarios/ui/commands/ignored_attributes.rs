use drawloom::prelude::*;
use serde::Deserialize;

#[derive(CommandArguments, Deserialize)]
struct OpenNote {
    #[serde(rename = "file")]
    path: String,
    #[serde(default)]
    line: u32,
    #[serde(flatten)]
    rest: String,
}

#[derive(Choice, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    Preview,
}

fn main() {}
