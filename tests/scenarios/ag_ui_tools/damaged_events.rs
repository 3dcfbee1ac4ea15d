//! A call SHALL run only if every event of it was read completely: an event of which a deciding member has a wrong
//! type or is repeated SHALL tear the calls that it may have concerned, and a frame that cannot be read SHALL tear
//! all open calls.

use drawloom::ag_ui::UnofferedCalls;
use serde_json::{Value, json};

use super::support::events::{args, chunk, end, of_subagent, result, run_finished, start};
use super::support::{
    Agent, Bench, answered_calls, assert_holds, assert_refused_calls, bench, content, refusal,
};

/// An agent with `c1` for `notes__ping` started.
fn agent_with_a_call(bench: &Bench) -> Agent {
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__ping")]);
    agent
}

/// An agent with `c1` for `notes__ping` started, and `c2` of its subagent `s`.
fn agent_with_a_subagent(bench: &Bench) -> Agent {
    let mut agent = agent_with_a_call(bench);
    agent.says_nothing_to(&[of_subagent("s", start("c2", "notes__ping"))]);
    agent
}

/// An agent whose calls to what is not offered are left to its backend, with `c1` for `server_clock` started.
fn agent_with_a_backend(bench: &Bench) -> Agent {
    let mut agent = bench.agent_with(|tools| tools.unoffered_calls(UnofferedCalls::LeaveToBackend));
    agent.says_nothing_to(&[start("c1", "server_clock")]);
    agent
}

/// An ARGS for a call whose piece is not text.
fn damaged_args(id: &str) -> Value {
    json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": { "path": "inbox" } })
}

/// - **GIVEN** `c1` for `notes__ping`, started.
/// - **WHEN** an ARGS for `c1` has the object `{"path":"inbox"}` as `delta`, and `c1` ends.
/// - **THEN** the END refuses `c1` with a text that asks to send the call again, and nothing has run.
#[test]
fn arguments_that_are_not_text() {
    let bench = bench();
    let mut agent = agent_with_a_call(&bench);
    agent.says_nothing_to(&[damaged_args("c1")]);
    assert_holds(refusal(&agent.ends("c1")), &["send the call again"]);
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__ping`, started.
/// - **WHEN** an ARGS for `c1` repeats the member `delta`, and `c1` ends.
/// - **THEN** the END refuses `c1`, and nothing has run.
#[test]
fn a_repeated_member() {
    let bench = bench();
    let mut agent = agent_with_a_call(&bench);
    // The two pieces are the same: that does not matter.
    let repeated = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}","delta":"{}"}"#;
    assert_eq!(agent.sends_text(repeated), None);
    refusal(&agent.ends("c1"));
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__ping`, started.
/// - **WHEN** an ARGS for `c1` has null as `delta` and as `subagentRunId`, and `c1` ends.
/// - **THEN** `notes.ping` has run.
#[test]
fn a_null_is_absent() {
    let bench = bench();
    let mut agent = agent_with_a_call(&bench);
    let nulls = json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": null, "subagentRunId": null });
    agent.says_nothing_to(&[nulls]);
    assert_eq!(content(&agent.ends("c1")), "The command ran.");
    assert_eq!(bench.ran().len(), 1);
}

/// - **GIVEN** `c1` for `notes__ping`, started.
/// - **WHEN** STATE_DELTA with a list as `delta` and CUSTOM with a number as `toolCallId` arrive, and `c1`
///   ends.
/// - **THEN** `notes.ping` has run.
#[test]
fn members_of_other_events() {
    let bench = bench();
    let mut agent = agent_with_a_call(&bench);
    agent.says_nothing_to(&[
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/open/-", "value": "inbox" }] }),
        json!({ "type": "CUSTOM", "name": "progress", "value": 1, "toolCallId": 7 }),
    ]);
    assert_eq!(content(&agent.ends("c1")), "The command ran.");
    assert_eq!(agent.reports(), [""; 0]);
}

/// - **GIVEN** `c1` of the agent and `c2` of the subagent `s`, both started for `notes__ping`.
/// - **WHEN** an ARGS of `s` has a number as `toolCallId`, and both end.
/// - **THEN** `c1` has run and `c2` is refused.
#[test]
fn damage_without_an_id() {
    let bench = bench();
    let mut agent = agent_with_a_subagent(&bench);
    agent.says_nothing_to(&[of_subagent(
        "s",
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": 7, "delta": "{}" }),
    )]);
    assert_eq!(content(&agent.ends("c1")), "The command ran.");
    refusal(&agent.ends("c2"));
    assert_eq!(bench.ran().len(), 1);
}

/// - **GIVEN** `c1` of the agent, started for `notes__ping`.
/// - **WHEN** an ARGS without `toolCallId` brings `{}`, and `c1` ends.
/// - **THEN** `c1` is refused, and nothing has run.
#[test]
fn arguments_that_name_no_call() {
    let bench = bench();
    let mut agent = agent_with_a_call(&bench);
    agent.says_nothing_to(&[json!({ "type": "TOOL_CALL_ARGS", "delta": "{}" })]);
    refusal(&agent.ends("c1"));
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` of the agent and `c2` of the subagent `s`, both started for `notes__ping`.
/// - **WHEN** an event with the list `["TOOL_CALL_ARGS"]` as its type and no id arrives, and both end.
/// - **THEN** both are refused and nothing has run.
#[test]
fn damage_without_a_type() {
    let bench = bench();
    let mut agent = agent_with_a_subagent(&bench);
    agent.says_nothing_to(&[json!({ "type": ["TOOL_CALL_ARGS"], "delta": "{}" })]);
    let messages = ["c1", "c2"].map(|id| agent.ends(id));
    assert_refused_calls(&messages, &["c1", "c2"]);
    bench.assert_nothing_ran();
}

/// - **WHEN** a START for `c1` has a number as `toolCallName`, and ARGS and END for `c1` arrive.
/// - **THEN** the END refuses `c1`, and nothing has run.
#[test]
fn a_damaged_start() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": 7 }),
        args("c1", "{}"),
    ]);
    refusal(&agent.ends("c1"));
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__ping`, started and torn by a damaged ARGS.
/// - **WHEN** `c1` is started again and ends.
/// - **THEN** `notes.ping` has run.
#[test]
fn a_new_start_after_damage() {
    let bench = bench();
    let mut agent = agent_with_a_call(&bench);
    agent.says_nothing_to(&[damaged_args("c1"), start("c1", "notes__ping")]);
    assert_eq!(content(&agent.ends("c1")), "The command ran.");
    assert_eq!(bench.ran().len(), 1);
}

/// - **GIVEN** `a` and `b` for `notes__ping`, started.
/// - **WHEN** a frame is lost, `a` and `b` end, and `c` is called.
/// - **THEN** `a` and `b` are refused and `c` has run.
#[test]
fn a_lost_frame() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&["a", "b"].map(|id| start(id, "notes__ping")));
    agent.loses_a_frame();
    let messages = ["a", "b"].map(|id| agent.ends(id));
    assert_refused_calls(&messages, &["a", "b"]);
    assert_eq!(content(&agent.calls("c", "notes__ping", "{}")), "The command ran.");
    assert_eq!(bench.ran().len(), 1);
}

/// - **WHEN** a frame is lost, a chunk carries `c1` for `notes__open` with `{"path":"a"}`, one carries `c2`
///   with `{"path":"b"}`, and the run finishes.
/// - **THEN** `c1` is refused and `c2` has run.
#[test]
fn the_first_chunk_after_a_lost_frame() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.loses_a_frame();
    let mut messages = agent.plays(&[
        chunk("c1", "notes__open", r#"{"path":"a"}"#),
        chunk("c2", "notes__open", r#"{"path":"b"}"#),
    ]);
    messages.extend(agent.finishes());
    assert_eq!(answered_calls(&messages), ["c1", "c2"]);
    refusal(&messages[0]);
    assert_eq!(content(&messages[1]), r#"{"path":"b"}"#);
    bench.assert_opened(&["b"]);
}

/// - **WHEN** a frame is lost and END for `c1`, of which no earlier event was read, arrives.
/// - **THEN** it refuses `c1`.
#[test]
fn an_end_after_a_lost_frame() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.loses_a_frame();
    refusal(&agent.ends("c1"));
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** calls left to the backend, and `c1` for `server_clock`, ended.
/// - **WHEN** a TOOL_CALL_RESULT has `c1` twice as `toolCallId`, and the run finishes.
/// - **THEN** RUN_FINISHED answers `c1` with an error.
#[test]
fn a_damaged_result() {
    let bench = bench();
    let mut agent = agent_with_a_backend(&bench);
    agent.says_nothing_to(&[end("c1")]);
    let damaged = r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","toolCallId":"c1","content":"12:00"}"#;
    assert_eq!(agent.sends_text(damaged), None);
    let message = agent.is_answered(&run_finished());
    assert_eq!((message.tool_call_id.as_str(), message.error.is_some()), ("c1", true));
}

/// - **GIVEN** calls left to the backend, and `c1` for `server_clock`, started and torn by a damaged ARGS.
/// - **WHEN** `c1` ends, TOOL_CALL_RESULT for `c1` arrives and the run finishes.
/// - **THEN** nothing is given for `c1`.
#[test]
fn a_torn_call_to_what_is_not_offered() {
    let bench = bench();
    let mut agent = agent_with_a_backend(&bench);
    agent.says_nothing_to(&[damaged_args("c1"), end("c1"), result("c1")]);
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **WHEN** a frame is lost and a damaged ARGS for `c1` arrives.
/// - **THEN** there are two reports, the second naming `delta`, and no more when they are asked for again.
#[test]
fn each_loss_is_reported_once() {
    let bench = bench();
    let mut agent = agent_with_a_call(&bench);
    agent.loses_a_frame();
    agent.says_nothing_to(&[damaged_args("c1")]);
    let reports = agent.reports();
    assert_eq!(reports.len(), 2, "{reports:?}");
    assert_holds(&reports[1], &["delta"]);
    assert_eq!(agent.reports(), [""; 0]);
}
