//! A tool message in a MESSAGES_SNAPSHOT SHALL answer a call only if it follows the last message that contains a call
//! with its id and the snapshot contains the id more often than it was known before the call began; a call that only
//! a snapshot contains, without an answer, SHALL count as closed at the end of that run.

use serde_json::{Value, json};

use super::support::events::{args, end, run_error, run_finished_of, run_started, snapshot, start};
use super::support::{Agent, Bench, assert_refused_calls, bench, content};

const ARGUMENTS: &str = r#"{"path":"inbox"}"#;

/// A message of the assistant with the call `c1`.
fn with_call() -> Value {
    let function = json!({ "name": "notes__open", "arguments": ARGUMENTS });
    let call = json!({ "id": "c1", "type": "function", "function": function });
    json!({ "id": "m1", "role": "assistant", "toolCalls": [call] })
}

/// A tool message for the call `c1`.
fn with_answer() -> Value {
    json!({ "id": "m2", "role": "tool", "toolCallId": "c1", "content": "12:00" })
}

/// A user's message, as the history begins.
fn with_question() -> Value {
    json!({ "id": "m0", "role": "user", "content": "Open my inbox" })
}

/// An agent with `c1` for `notes__open` started in the run.
fn agent_with_an_open_call(bench: &Bench) -> Agent {
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", ARGUMENTS)]);
    agent
}

/// An agent whose `c1` was answered in the run `r1`, with `c1` of the run `r2` started.
fn agent_with_a_second_call(bench: &Bench) -> Agent {
    let mut agent = bench.agent();
    agent.calls("c1", "notes__open", ARGUMENTS);
    agent.says_nothing_to(&[run_finished_of("r1"), run_started("r2")]);
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", ARGUMENTS)]);
    agent
}

/// - **GIVEN** `c1` for `notes__open`, started and not ended.
/// - **WHEN** a MESSAGES_SNAPSHOT contains a message with the call `c1` and behind it a tool message for `c1`, and
///   `c1` ends.
/// - **THEN** nothing is answered and `notes.open` has not run when the run has finished.
#[test]
fn an_answer_behind_the_call() {
    let bench = bench();
    let mut agent = agent_with_an_open_call(&bench);
    agent.says_nothing_to(&[snapshot(json!([with_question(), with_call(), with_answer()])), end("c1")]);
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__open`, started and not ended.
/// - **WHEN** a MESSAGES_SNAPSHOT contains a tool message for `c1` and no message with the call, and `c1` ends.
/// - **THEN** `c1` has run and is answered.
#[test]
fn an_answer_without_its_call() {
    let bench = bench();
    let mut agent = agent_with_an_open_call(&bench);
    agent.says_nothing_to(&[snapshot(json!([with_question(), with_answer()]))]);
    assert_eq!(content(&agent.ends("c1")), ARGUMENTS);
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** `c1`, answered in the run `r1`, and `c1` of the run `r2`, started and not ended.
/// - **WHEN** a MESSAGES_SNAPSHOT contains one message with the call `c1` and behind it a tool message for `c1`,
///   and `c1` ends.
/// - **THEN** `c1` of `r2` has run and is answered.
#[test]
fn the_answer_of_an_earlier_run() {
    let bench = bench();
    let mut agent = agent_with_a_second_call(&bench);
    agent.says_nothing_to(&[snapshot(json!([with_call(), with_answer()]))]);
    assert_eq!(content(&agent.ends("c1")), ARGUMENTS);
    bench.assert_opened(&["inbox", "inbox"]);
}

/// - **GIVEN** `c1`, answered in the run `r1`, and `c1` of the run `r2`, started and not ended.
/// - **WHEN** a MESSAGES_SNAPSHOT contains the call `c1` and an answer twice, one behind the other, and `c1` ends.
/// - **THEN** nothing is given for `c1` of `r2`, and it has not run.
#[test]
fn the_answer_of_this_run_behind_an_earlier_one() {
    let bench = bench();
    let mut agent = agent_with_a_second_call(&bench);
    let twice = json!([with_call(), with_answer(), with_call(), with_answer()]);
    agent.says_nothing_to(&[snapshot(twice), end("c1")]);
    assert_eq!(agent.plays(&[run_finished_of("r2")]), []);
    assert_eq!(agent.flush_all(), []);
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** a declared run whose history contains the call `c1` and its answer, and `c1` of the run, started and
///   not ended.
/// - **WHEN** a MESSAGES_SNAPSHOT repeats that history and `c1` ends.
/// - **THEN** `c1` has run and is answered.
#[test]
fn known_from_the_request() {
    let bench = bench();
    let mut agent = bench.agent();
    let history = json!([with_question(), with_call(), with_answer()]);
    agent.begins_run("t1", "r2", &history);
    agent.says_nothing_to(&[run_started("r2"), start("c1", "notes__open"), args("c1", ARGUMENTS)]);
    agent.says_nothing_to(&[snapshot(history)]);
    assert_eq!(content(&agent.ends("c1")), ARGUMENTS);
    bench.assert_opened(&["inbox"]);
}

/// - **WHEN** a MESSAGES_SNAPSHOT contains a message with the call `c1` to `notes__open`, and the run finishes.
/// - **THEN** RUN_FINISHED answers `c1`, and `notes.open` has run with the arguments of the snapshot.
#[test]
fn a_call_only_in_a_snapshot() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[snapshot(json!([with_question(), with_call()]))]);
    let message = agent.is_answered(&run_finished_of("r1"));
    assert_eq!((&message.tool_call_id, content(&message)), (&"c1".into(), ARGUMENTS));
    assert_eq!(agent.flush_all(), []);
    bench.assert_opened(&["inbox"]);
}

/// - **WHEN** a MESSAGES_SNAPSHOT contains a message with the call `c1` to `notes__open`, and RUN_ERROR arrives.
/// - **THEN** RUN_ERROR refuses `c1`, and `notes.open` has not run.
#[test]
fn a_call_only_in_a_snapshot_of_a_failed_run() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[snapshot(json!([with_question(), with_call()]))]);
    assert_refused_calls(&[agent.is_answered(&run_error())], &["c1"]);
    assert_eq!(agent.flush_all(), []);
    bench.assert_nothing_ran();
}

/// - **WHEN** a MESSAGES_SNAPSHOT contains a message with the call `c1` to `notes__open` and its answer, and the
///   run finishes.
/// - **THEN** nothing is answered and nothing has run.
#[test]
fn an_answered_call_in_a_snapshot() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[snapshot(json!([with_question(), with_call(), with_answer()]))]);
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}
