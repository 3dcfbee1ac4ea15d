//! Calls that an interrupt is about.

use drawloom::ag_ui::UnofferedCalls;
use serde_json::json;

use super::support::events::{args, end, run_finished_with, start};
use super::support::{assert_refused_calls, bench};

/// - **GIVEN** the option to leave unoffered calls to the backend, `c1` and `c2` not ended, and `c3` for
///   `delete_note` ended.
/// - **WHEN** the run finishes with interrupts for `c1` and `c3`, and `flush` is asked until it gives
///   nothing.
/// - **THEN** `c2` was refused and nothing was given for `c1` and `c3`.
#[test]
fn calls_of_an_interrupt() {
    let bench = bench();
    let mut agent = bench.agent_with(|tools| tools.unoffered_calls(UnofferedCalls::LeaveToBackend));
    for id in ["c1", "c2"] {
        agent.says_nothing_to(&[start(id, "notes__open"), args(id, r#"{"path":"inbox"}"#)]);
    }
    agent.says_nothing_to(&[start("c3", "delete_note"), end("c3")]);
    let interrupts = json!([
        { "id": "i1", "reason": "tool_call", "toolCallId": "c1" },
        { "id": "i2", "reason": "tool_call", "toolCallId": "c3" },
    ]);
    let interrupted = json!({ "type": "interrupt", "interrupts": interrupts });
    let mut messages = agent.plays(&[run_finished_with(interrupted)]);
    messages.extend(agent.flush_all());
    assert_refused_calls(&messages, &["c2"]);
    bench.assert_nothing_ran();
}
