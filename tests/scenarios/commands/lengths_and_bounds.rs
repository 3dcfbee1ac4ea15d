//! How long a text may be, and how large a number.
//!
//! A text MAY have a least and a greatest length in characters, and a number a least and a greatest value; both
//! SHALL be checked and published.

use drawloom::command::Argument;
use drawloom::workbench::RegisterError;
use serde_json::json;

use super::support::{assert_invalid, bench, callable, wire};

/// - **GIVEN** the text argument `title` of 2 to 3 characters.
/// - **WHEN** the command is invoked with `ä`, `äö`, three emoji and `abcd`.
/// - **THEN** the first and the last are refused as `invalid-arguments`, naming `title`, and the others are answered.
#[test]
fn lengths_count_characters() {
    let bench = bench();
    let runs = bench.register_idle(callable("notes.add").argument(Argument::text("title").length(2..=3)));
    let invoke = |title: &str| bench.invoke("notes.add", &json!({ "title": title }).to_string());

    assert_invalid(&invoke("ä"), &["title"]);
    assert_invalid(&invoke("abcd"), &["title"]);
    assert_eq!(runs.count(), 0);
    for fits in ["äö", "😀😀😀"] {
        assert_eq!(wire(&invoke(fits)), r#"{"outcome":"answered"}"#, "{fits}");
    }
}

/// - **WHEN** a command with a text of 1 to 200 characters, a list of texts of at most 40, a whole number of at least 1
///   and a number from 0 to 1 is made a schema.
/// - **THEN** it holds `minLength`, `maxLength`, `minimum` and `maximum` as declared, and no other bound.
#[test]
fn both_are_published() {
    let bench = bench();
    bench.register_idle(
        callable("notes.add")
            .argument(Argument::text("title").length(1..=200))
            .argument(Argument::text("tags").list().length(..=40))
            .argument(Argument::integer("line", i128::MIN..=i128::MAX).range(1..))
            .argument(Argument::number("share").range(0.0..=1.0)),
    );

    assert_eq!(
        bench.entry("notes.add").parameters().get("properties"),
        Some(&json!({
            "title": { "type": "string", "minLength": 1, "maxLength": 200 },
            "tags": { "type": "array", "items": { "type": "string", "maxLength": 40 } },
            "line": { "type": "integer", "minimum": 1 },
            "share": { "type": "number", "minimum": 0.0, "maximum": 1.0 },
        }))
    );
}

/// - **WHEN** commands are registered with a length of a number, bounds of a text, and a least length above the greatest.
/// - **THEN** each registration is an error that names the command and the argument.
#[test]
#[expect(clippy::reversed_empty_ranges, reason = "the scenario is about such a range")]
fn bounds_of_another_kind() {
    let bench = bench();
    for wrong in [
        Argument::number("title").length(1..),
        Argument::text("title").range(1..=9),
        Argument::text("title").length(9..=1),
    ] {
        let refused = bench.try_register(callable("notes.add").argument(wrong)).unwrap_err();
        let RegisterError::Declaration(error) = refused else { panic!("{refused}") };
        let text = error.to_string();
        assert!(text.contains("\"notes.add\"") && text.contains("\"title\""), "{text}");
    }
}
