//! A call whose `receive` was dropped SHALL be answered by the next `flush`, which says whether the call may have
//! run.

use drawloom::ag_ui::Event;
use drawloom::command::{Decision, PendingCall};

use super::support::events::{end, start};
use super::support::{
    Agent, assert_holds, assert_refused_calls, bench, callable, never, polled_once_and_dropped,
};

/// Plays the END of a call, and drops `receive` while it waits.
#[track_caller]
fn drops_the_end(agent: &mut Agent, id: &str) {
    let text = end(id).to_string();
    let event = Event::parse(&text).unwrap();
    assert_eq!(polled_once_and_dropped(agent.tools.receive(&event)), None, "it did not wait");
}

/// - **GIVEN** a `receive` that is waiting in the handler of `notes.slow`.
/// - **WHEN** it is dropped and `flush` is called twice.
/// - **THEN** the first answers the call as failed, saying that it may have run, and the second gives nothing.
#[test]
fn dropped_while_the_command_runs() {
    let bench = bench();
    bench.register(callable("notes.slow"), |_| never::<Result<(), _>>()).keep();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__slow")]);
    drops_the_end(&mut agent, "c1");
    assert_eq!(bench.ran().len(), 1);
    let message = agent.flush().unwrap();
    assert_eq!(message.tool_call_id, "c1");
    assert_holds(message.error.as_deref().unwrap(), &["was cancelled", "may have"]);
    assert_eq!(agent.flush(), None);
}

/// - **GIVEN** a `receive` that is waiting in the hook.
/// - **WHEN** it is dropped and `flush` is called twice.
/// - **THEN** the first refuses the call and the second gives nothing, and nothing has run.
#[test]
fn dropped_while_the_hook_asks() {
    let bench = bench();
    let mut agent = bench.agent_with(|tools| tools.before(|_: PendingCall| never::<Decision>()));
    agent.says_nothing_to(&[start("c1", "notes__ping")]);
    drops_the_end(&mut agent, "c1");
    assert_refused_calls(&[agent.flush().unwrap()], &["c1"]);
    assert_eq!(agent.flush(), None);
    bench.assert_nothing_ran();
}
