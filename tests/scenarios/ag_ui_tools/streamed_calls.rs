//! A call that arrives as a start, parts of the arguments and an end SHALL run at its end with the parts joined,
//! however many calls are open.

use serde_json::json;

use super::support::events::{args, end, result, start};
use super::support::{bench, content, refusal};

/// - **WHEN** `c1` for `notes__open` gets the parts `{"pa` and `th":"inbox"}` and, later, its END.
/// - **THEN** `notes.open` has run once with `path` as `inbox`, and not before the END.
#[test]
fn parts_are_joined() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        start("c1", "notes__open"),
        args("c1", r#"{"pa"#),
        args("c1", r#"th":"inbox"}"#),
    ]);
    bench.assert_nothing_ran();
    agent.ends("c1");
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** `a` and `b` for `notes__open`, started one after the other.
/// - **WHEN** their parts arrive in turns, `b` ends with `path` as `second` and then `a` with `path` as `first`.
/// - **THEN** `b` is answered with `second` and then `a` with `first`.
#[test]
fn calls_interleave() {
    let mut agent = bench().agent();
    let messages = agent.plays(&[
        start("a", "notes__open"),
        start("b", "notes__open"),
        args("a", r#"{"path":"#),
        args("b", r#"{"path":"#),
        args("a", r#""first"}"#),
        args("b", r#""second"}"#),
        end("b"),
        end("a"),
    ]);
    assert_eq!(messages.len(), 2);
    assert_eq!((&messages[0].tool_call_id, &messages[1].tool_call_id), (&"b".into(), &"a".into()));
    assert_eq!(content(&messages[0]), r#"{"path":"second"}"#);
    assert_eq!(content(&messages[1]), r#"{"path":"first"}"#);
}

/// - **WHEN** `c1` gets the parts `{"path":"\ud83d` and `\ude00"}` and ends.
/// - **THEN** `notes.open` has run with `path` as `😀`.
#[test]
fn a_cut_inside_an_escape() {
    let bench = bench();
    let mut agent = bench.agent();
    let pieces = [r#"{"path":"\ud83d"#, r#"\ude00"}"#].map(|piece| args("c1", piece));
    agent.says_nothing_to(&[start("c1", "notes__open")]);
    agent.says_nothing_to(&pieces);
    agent.ends("c1");
    bench.assert_opened(&["😀"]);
}

/// - **GIVEN** `c1`, open with the part `{"path":"old`.
/// - **WHEN** `c1` is started again, gets `{"path":"new"}` and ends.
/// - **THEN** `notes.open` has run once, with `path` as `new`.
#[test]
fn a_second_start_begins_the_call_again() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", r#"{"path":"old"#)]);
    agent.calls("c1", "notes__open", r#"{"path":"new"}"#);
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&["new"]);
}

/// - **WHEN** a START without `toolCallId`, and ARGS, END and a result for `ghost` arrive.
/// - **THEN** nothing is answered and nothing has run when the run has finished.
#[test]
fn events_without_a_start() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        json!({ "type": "TOOL_CALL_START", "toolCallName": "notes__ping" }),
        args("ghost", "{}"),
        end("ghost"),
        result("ghost"),
    ]);
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **WHEN** a START for `c1` without `toolCallName`, ARGS with `{}` and END for `c1` arrive.
/// - **THEN** the END refuses `c1` as a call to a command that is not available, and nothing has run.
#[test]
fn a_start_without_a_name() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[json!({ "type": "TOOL_CALL_START", "toolCallId": "c1" }), args("c1", "{}")]);
    assert_eq!(refusal(&agent.ends("c1")), "The command did not run: no such command is available.");
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}
