//! The value a handler returns SHALL be the answer where the command declares one, and SHALL be dropped if it does
//! not.

use drawloom::command::{CommandAnswer, CommandOutcome};

use super::support::{answering, bench, callable, wire};

/// - **GIVEN** `notes.count`, which declares an answer and returns 3.
/// - **WHEN** it is invoked.
/// - **THEN** it is answered with the value 3.
#[test]
fn a_declared_answer_arrives() {
    let bench = bench();
    bench.register_returning(answering("notes.count"), 3);

    let outcome = bench.invoke("notes.count", "{}");

    assert_eq!(outcome, CommandOutcome::Answered { value: Some(CommandAnswer::Number(3.into())) });
}

/// - **GIVEN** two commands that declare no answer, one returning `"kept back"` and one returning NaN.
/// - **WHEN** each is invoked.
/// - **THEN** both are answered with no value.
#[test]
fn an_undeclared_answer_is_dropped() {
    let bench = bench();
    bench.register_returning(callable("notes.keep"), "kept back");
    bench.register_returning(callable("notes.measure"), f64::NAN);

    for id in ["notes.keep", "notes.measure"] {
        assert_eq!(bench.invoke(id, "{}"), CommandOutcome::Answered { value: None }, "{id}");
    }
}

/// - **GIVEN** `notes.find`, which declares an answer and returns null.
/// - **WHEN** it is invoked.
/// - **THEN** it is answered with the value null, which is not the same as no value.
#[test]
fn null_is_a_value() {
    let bench = bench();
    bench.register_returning(answering("notes.find"), None::<String>);

    let outcome = bench.invoke("notes.find", "{}");

    assert_eq!(outcome, CommandOutcome::Answered { value: Some(CommandAnswer::Null) });
    assert_ne!(outcome, CommandOutcome::Answered { value: None });
    assert_eq!(wire(&outcome), r#"{"outcome":"answered","value":null}"#);
}
