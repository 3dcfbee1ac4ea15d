//! A call SHALL end as answered, as refused without having run, or as failed after running, with nothing between
//! them, and each SHALL have its own wire form.

use drawloom::command::{CommandOutcome, Failure, FailureKind, Refusal, RefusalReason};

use super::support::wire;

/// - **WHEN** an outcome answered with `"inbox"` and one answered with no value are serialized.
/// - **THEN** they read `{"outcome":"answered","value":"inbox"}` and `{"outcome":"answered"}`.
#[test]
fn answered_on_the_wire() {
    let with_value = CommandOutcome::Answered { value: Some("inbox".into()) };
    let without = CommandOutcome::Answered { value: None };

    assert_eq!(wire(&with_value), r#"{"outcome":"answered","value":"inbox"}"#);
    assert_eq!(wire(&without), r#"{"outcome":"answered"}"#);
}

/// - **WHEN** an outcome refused for each of the three reasons and one failed, each with the message
///   `m`, are serialized.
/// - **THEN** the first reads `{"outcome":"refused","reason":"unavailable","message":"m"}`.
/// - **AND** the next two have the reasons `invalid-arguments` and `too-deep` in its place.
/// - **AND** the last reads `{"outcome":"failed","message":"m"}`.
#[test]
fn refused_and_failed_on_the_wire() {
    let refused = |reason| wire(&CommandOutcome::Refused(Refusal::new(reason, "m")));

    assert_eq!(
        refused(RefusalReason::Unavailable),
        r#"{"outcome":"refused","reason":"unavailable","message":"m"}"#
    );
    assert_eq!(
        refused(RefusalReason::InvalidArguments),
        r#"{"outcome":"refused","reason":"invalid-arguments","message":"m"}"#
    );
    assert_eq!(refused(RefusalReason::TooDeep), r#"{"outcome":"refused","reason":"too-deep","message":"m"}"#);
    let failed = CommandOutcome::failed("m");
    assert_eq!(wire(&failed), r#"{"outcome":"failed","message":"m"}"#);
}

/// - **WHEN** an outcome failed with `m` and a cancelled one are compared and serialized.
/// - **THEN** they differ in their kind, and the wire has `failed` for both.
/// - **AND** the message of the second says that the command was cancelled and may have done a part of its
///   work.
#[test]
fn cancelled_on_the_wire() {
    let (failed, cancelled) = (Failure::new("m"), Failure::cancelled());
    assert_eq!((failed.kind, cancelled.kind), (FailureKind::Error, FailureKind::Cancelled));

    assert_eq!(wire(&failed.into()), r#"{"outcome":"failed","message":"m"}"#);
    let message = "the command was cancelled and may have done a part of its work";
    assert_eq!(wire(&cancelled.into()), format!(r#"{{"outcome":"failed","message":"{message}"}}"#));
}
