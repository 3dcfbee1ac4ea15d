//! An argument SHALL be text, a number, a boolean or a choice, each as a single value or as a list, and the types
//! SHALL leave no room for another kind.

use drawloom::command::Argument;
use serde_json::{Value, json};

use super::support::{answering, bench, wire};

/// - **GIVEN** `notes.echo`, which answers its arguments, with a single and a list argument of each of
///   the four kinds.
/// - **WHEN** it is invoked with `"inbox"`, `1.5`, `true` and `"preview"`, and with lists of two such
///   values each.
/// - **THEN** it answers the same eight arguments.
#[test]
fn each_kind_single_and_listed() {
    let bench = bench();
    let modes = ["preview", "permanent"];
    let echo = answering("notes.echo")
        .argument(Argument::text("path"))
        .argument(Argument::text("paths").list())
        .argument(Argument::number("scale"))
        .argument(Argument::number("scales").list())
        .argument(Argument::boolean("pinned"))
        .argument(Argument::boolean("pins").list())
        .argument(Argument::choice("mode", modes))
        .argument(Argument::choice("modes", modes).list());
    bench.register(echo, |call| async move { Ok(call.into_arguments()) });

    let arguments = json!({
        "path": "inbox", "scale": 1.5, "pinned": true, "mode": "preview",
        "paths": ["inbox", "today"], "scales": [1.5, 2], "pins": [true, false],
        "modes": ["preview", "permanent"],
    });
    let outcome = bench.invoke("notes.echo", &arguments.to_string());

    let told: Value = serde_json::from_str(&wire(&outcome)).unwrap();
    assert_eq!(told, json!({ "outcome": "answered", "value": arguments }));
}

/// - **WHEN** a program declares an argument of a kind named `Date`.
/// - **THEN** it does not compile.
#[test]
fn a_fifth_kind_fails_compilation() {
    trybuild::TestCases::new().compile_fail("scenarios/ui/commands/a_fifth_kind.rs");
}
