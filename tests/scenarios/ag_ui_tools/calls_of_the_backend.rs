//! Which side answers a call SHALL be decided when the call closes, never by which side is faster: the backend if it
//! has answered by then, the adapter if the command is offered, and otherwise, by option, the backend until the end
//! of the run.

use drawloom::ag_ui::UnofferedCalls;
use serde_json::json;

use super::support::events::{args, end, result, run_error, run_finished, snapshot, start, text};
use super::support::{Agent, assert_holds, assert_refused_calls, bench, content};

/// An agent whose calls to what is not on offer are left to its backend.
fn agent_with_a_backend() -> Agent {
    bench().agent_with(|tools| tools.unoffered_calls(UnofferedCalls::LeaveToBackend))
}

/// - **GIVEN** `c1` for `notes__open`, started and not ended.
/// - **WHEN** a TOOL_CALL_RESULT for `c1` arrives and then its END.
/// - **THEN** nothing is answered and `notes.open` has not run when the run has finished.
#[test]
fn a_result_for_an_open_call() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", r#"{"path":"inbox"}"#)]);
    agent.says_nothing_to(&[result("c1"), end("c1")]);
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__open`, answered at its END.
/// - **WHEN** a TOOL_CALL_RESULT for `c1` arrives.
/// - **THEN** no further message is given for `c1`, and a report says that the result is ignored.
#[test]
fn a_result_that_comes_too_late() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.calls("c1", "notes__open", r#"{"path":"inbox"}"#);
    agent.says_nothing_to(&[result("c1")]);
    let reports = agent.reports();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert_holds(&reports[0], &["c1", "ignored"]);
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** `c1` for `notes__open`, started and not ended.
/// - **WHEN** MESSAGES_SNAPSHOT with an assistant message that lists the call `c1` arrives and `c1` ends.
/// - **THEN** `c1` is answered.
#[test]
fn a_snapshot_without_tool_message() {
    let mut agent = bench().agent();
    let arguments = r#"{"path":"inbox"}"#;
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", arguments)]);
    let function = json!({ "name": "notes__open", "arguments": arguments });
    let calls = json!([{ "id": "c1", "type": "function", "function": function }]);
    agent.says_nothing_to(&[snapshot(json!([{ "id": "m1", "role": "assistant", "toolCalls": calls }]))]);
    assert_eq!(content(&agent.ends("c1")), arguments);
}

/// - **WHEN** `c1` for `server_clock`, which was never offered, ends and TOOL_CALL_RESULT for it arrives.
/// - **THEN** the END refuses `c1` and no further message is given for it.
#[test]
fn refused_at_once_by_default() {
    let mut agent = bench().agent();
    assert_refused_calls(&[agent.calls("c1", "server_clock", "{}")], &["c1"]);
    agent.says_nothing_to(&[result("c1")]);
    assert_eq!(agent.finishes(), []);
}

/// - **GIVEN** calls left to the backend.
/// - **WHEN** `c1` and `c2` for `server_clock` end, TOOL_CALL_RESULT for `c1` arrives and the run finishes.
/// - **THEN** the ENDs give nothing, and nothing is given for `c1`.
/// - **AND** RUN_FINISHED answers `c2` with an `error` that says nobody here offers the tool and does not
///   claim that it did not run.
#[test]
fn left_until_the_run_ends() {
    let mut agent = agent_with_a_backend();
    for id in ["c1", "c2"] {
        agent.says_nothing_to(&[start(id, "server_clock"), end(id)]);
    }
    agent.says_nothing_to(&[result("c1")]);
    let message = agent.is_answered(&run_finished());
    assert_eq!(message.tool_call_id, "c2");
    let error = message.error.unwrap();
    assert_holds(&error, &["Nobody here offers"]);
    assert!(!error.contains("did not run"), "{error}");
    assert_eq!(agent.flush(), None);
}

/// An agent with a backend, whose `c1` for `server_clock` has ended.
fn agent_with_a_left_call() -> Agent {
    let mut agent = agent_with_a_backend();
    agent.says_nothing_to(&[start("c1", "server_clock"), end("c1")]);
    agent
}

/// - **GIVEN** calls left to the backend.
/// - **WHEN** `c1` for `server_clock` ends, the agent sends the text `It is noon.` and the run finishes.
/// - **THEN** nothing is given for `c1`.
#[test]
fn the_agent_continued() {
    let mut agent = agent_with_a_left_call();
    agent.says_nothing_to(&[text("It is noon.")]);
    assert_eq!(agent.finishes(), []);
}

/// - **GIVEN** calls left to the backend.
/// - **WHEN** `c1` for `server_clock` ends, a text message starts and ends without text, and the run
///   finishes.
/// - **THEN** RUN_FINISHED answers `c1` with an error.
#[test]
fn an_empty_text_does_not_continue_the_run() {
    let mut agent = agent_with_a_left_call();
    agent.says_nothing_to(&[
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "m1", "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "m1" }),
        text(""),
    ]);
    let message = agent.is_answered(&run_finished());
    assert_eq!((message.tool_call_id.as_str(), message.error.is_some()), ("c1", true));
}

/// - **GIVEN** calls left to the backend.
/// - **WHEN** `c1` for `server_clock` ends, the agent sends the text `One moment.` and RUN_ERROR arrives.
/// - **THEN** RUN_ERROR answers `c1` with an error.
#[test]
fn left_in_a_run_that_fails() {
    let mut agent = agent_with_a_left_call();
    agent.says_nothing_to(&[text("One moment.")]);
    let message = agent.is_answered(&run_error());
    assert_eq!((message.tool_call_id.as_str(), message.error.is_some()), ("c1", true));
}
