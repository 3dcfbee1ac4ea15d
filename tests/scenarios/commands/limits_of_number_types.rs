//! The limit of a number type beyond ±(2⁵³−1) SHALL be checked and SHALL NOT be published, unless the author of the
//! command wrote it as a bound.

use drawloom::command::Argument;
use drawloom::prelude::CommandArguments;
use serde_json::json;

use super::support::{Shared, assert_invalid, bench, callable, wire};

/// - **GIVEN** `notes.show`, whose struct has the field `line` of the type `u64`.
/// - **WHEN** it is described, and invoked with `line` as 18446744073709551615 and as -1.
/// - **THEN** the published schema of `line` has the minimum 0 and no maximum, the first call runs, and
///   the second is refused.
#[test]
fn limits_are_checked_and_not_published() {
    #[derive(Debug, PartialEq, CommandArguments)]
    struct Show {
        line: u64,
    }
    let bench = bench();
    let received = Shared::new(Vec::new());
    let lines = received.clone();
    let handler = move |show: Show, _| {
        lines.lock().push(show);
        std::future::ready(Ok(()))
    };
    bench.notes.register_typed(callable("notes.show"), handler).unwrap().keep();

    let last = bench.invoke("notes.show", r#"{"line":18446744073709551615}"#);
    let below = bench.invoke("notes.show", r#"{"line":-1}"#);

    let schema = bench.entry("notes.show").parameters();
    assert_eq!(schema["properties"]["line"], json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(wire(&last), r#"{"outcome":"answered"}"#);
    assert_invalid(&below, &["line"]);
    assert_eq!(*received.lock(), [Show { line: u64::MAX }]);
}

/// - **GIVEN** an argument that its author declared as a whole number from 0 to 9007199254740993.
/// - **WHEN** the command is described.
/// - **THEN** the published schema has the maximum 9007199254740993.
#[test]
fn a_written_bound_is_published() {
    let bench = bench();
    bench
        .register_idle(callable("notes.show").argument(Argument::integer("line", 0..=9_007_199_254_740_993)));

    let schema = bench.entry("notes.show").parameters();

    assert_eq!(schema["properties"]["line"]["maximum"], json!(9_007_199_254_740_993_u64));
}
