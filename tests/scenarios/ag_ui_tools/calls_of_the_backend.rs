//! Calls that the agent's own backend answers.

use drawloom::ag_ui::UnofferedCalls;
use serde_json::json;

use super::support::events::{args, end, result, run_finished, snapshot, start};
use super::support::{Agent, assert_refused_calls, bench, content};

/// An agent whose calls to what is not on offer are left to its backend.
fn agent_with_a_backend() -> Agent {
    bench().agent_with(|tools| tools.unoffered_calls(UnofferedCalls::LeaveToBackend))
}

/// - **GIVEN** `c1` and `c2` for `notes__open`, started and not ended.
/// - **WHEN** a TOOL_CALL_RESULT for `c1` and a MESSAGES_SNAPSHOT with a tool message for `c2` arrive, then
///   both ENDs.
/// - **THEN** nothing is answered and `notes.open` has not run when the run has finished.
#[test]
fn a_result_for_an_open_call() {
    let bench = bench();
    let mut agent = bench.agent();
    for id in ["c1", "c2"] {
        agent.says_nothing_to(&[start(id, "notes__open"), args(id, r#"{"path":"inbox"}"#)]);
    }
    let answers_c2 = json!([
        { "id": "m1", "role": "user", "content": "Open my inbox" },
        { "id": "m2", "role": "tool", "toolCallId": "c2", "content": "12:00" },
    ]);
    agent.says_nothing_to(&[result("c1"), snapshot(answers_c2), end("c1"), end("c2")]);
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
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

/// - **GIVEN** the option to leave unoffered calls to the backend.
/// - **WHEN** `c1` and `c2` for `server_clock` end, TOOL_CALL_RESULT for `c1` arrives and the run finishes.
/// - **THEN** the ENDs give nothing, RUN_FINISHED refuses `c2`, and nothing is given for `c1`.
#[test]
fn left_until_the_run_ends() {
    let mut agent = agent_with_a_backend();
    for id in ["c1", "c2"] {
        agent.says_nothing_to(&[start(id, "server_clock"), end(id)]);
    }
    agent.says_nothing_to(&[result("c1")]);
    assert_refused_calls(&[agent.is_answered(&run_finished())], &["c2"]);
    assert_eq!(agent.flush(), None);
}
