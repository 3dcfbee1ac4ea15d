//! A call that an interrupt of the run's outcome names SHALL belong to the agent from then on: it SHALL NOT run here,
//! in whatever form it is sent again, and SHALL NOT be answered by the adapter unless it ran before.

use drawloom::ag_ui::UnofferedCalls;
use serde_json::{Value, json};

use super::support::events::{
    args, chunk, end, run_finished_of, run_finished_with, run_started, start, text,
};
use super::support::{Agent, Bench, assert_refused_calls, bench};

const ARGUMENTS: &str = r#"{"path":"inbox"}"#;

/// The end of the run, with an interrupt for each of these calls.
fn interrupted_over(calls: &[&str]) -> Value {
    let interrupt =
        |call: &&str| json!({ "id": format!("i-{call}"), "reason": "tool_call", "toolCallId": call });
    let interrupts: Vec<_> = calls.iter().map(interrupt).collect();
    run_finished_with(json!({ "type": "interrupt", "interrupts": interrupts }))
}

/// - **GIVEN** calls left to the backend, `c1` and `c2` for `notes__open`, not ended, and `c3` for `delete_note`,
///   ended.
/// - **WHEN** the run finishes with interrupts for `c1` and `c3`, and `flush` is called until it gives nothing.
/// - **THEN** `c2` was refused and nothing was given for `c1` and `c3`.
#[test]
fn calls_of_an_interrupt() {
    let bench = bench();
    let mut agent = bench.agent_with(|tools| tools.unoffered_calls(UnofferedCalls::LeaveToBackend));
    for id in ["c1", "c2"] {
        agent.says_nothing_to(&[start(id, "notes__open"), args(id, ARGUMENTS)]);
    }
    agent.says_nothing_to(&[start("c3", "delete_note"), end("c3")]);
    let mut messages = agent.plays(&[interrupted_over(&["c1", "c3"])]);
    messages.extend(agent.flush_all());
    assert_refused_calls(&messages, &["c2"]);
    bench.assert_nothing_ran();
}

/// An agent in the run `r2`, whose `c1` for `notes__open` an interrupt of the run `r1` named.
fn agent_after_an_interrupt(bench: &Bench) -> Agent {
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", ARGUMENTS), interrupted_over(&["c1"])]);
    assert_eq!(agent.flush_all(), []);
    agent.says_nothing_to(&[run_started("r2")]);
    agent
}

/// - **GIVEN** `c1` for `notes__open`, which an interrupt of the run `r1` named.
/// - **WHEN** RUN_STARTED for `r2` arrives, `c1` is called, the agent sends the text `Done.` and the run
///   finishes.
/// - **THEN** nothing is given for `c1`, and `notes.open` has not run.
#[test]
fn a_call_that_is_sent_again() {
    let bench = bench();
    let mut agent = agent_after_an_interrupt(&bench);
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", ARGUMENTS), end("c1"), text("Done.")]);
    agent.says_nothing_to(&[run_finished_of("r2")]);
    assert_eq!(agent.flush_all(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__open`, which an interrupt of the run `r1` named.
/// - **WHEN** RUN_STARTED for `r2` arrives, `c1` is called in chunks and the run finishes.
/// - **THEN** RUN_FINISHED answers `c1` with an error, and `notes.open` has not run.
#[test]
fn sent_again_without_a_result() {
    let bench = bench();
    let mut agent = agent_after_an_interrupt(&bench);
    agent.says_nothing_to(&[chunk("c1", "notes__open", ARGUMENTS)]);
    let message = agent.is_answered(&run_finished_of("r2"));
    assert_eq!((message.tool_call_id.as_str(), message.error.is_some()), ("c1", true));
    assert_eq!(agent.flush_all(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__open`, which ran and was answered.
/// - **WHEN** the run finishes with an interrupt for `c1`.
/// - **THEN** the adapter gives the outcome of `c1` for the interrupt, and no further message is given for it.
#[test]
fn a_call_that_ran_before() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.calls("c1", "notes__open", ARGUMENTS);
    agent.says_nothing_to(&[interrupted_over(&["c1"])]);
    assert_eq!(agent.flush_all(), []);
    let outcome = serde_json::to_value(agent.tools.outcome("c1").unwrap()).unwrap();
    assert_eq!(outcome, json!({ "outcome": "answered", "value": { "path": "inbox" } }));
    bench.assert_opened(&["inbox"]);
}
