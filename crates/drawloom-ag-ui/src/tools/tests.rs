//! The adapter over an access of its own, where what happens between two polls can be chosen.

mod apart;
mod backend;
mod dropping;
mod fake;
mod hooks;
mod properties;

use std::task::{Context, Poll, Waker};

use super::*;
use crate::calls::short::*;
use crate::calls::{AssemblerLimits, UnofferedCalls};
use fake::{Behaviour, Fake};

/// Polls a future once, and drops it.
fn poll_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Awaits what is ready.
#[track_caller]
fn now<T>(future: impl Future<Output = T>) -> T {
    poll_once(future).expect("it waits for something")
}

/// A message on one line: the call, and `ok`, `refused`, `failed`, `cancelled` or `no-result`.
fn line(message: &ToolMessage) -> String {
    let what = match message.error.as_deref() {
        None => "ok",
        Some(error) if error.starts_with("The command did not run: ") => "refused",
        Some(error) if error.starts_with("The command ran and failed: ") => "failed",
        Some(error) if error.starts_with("The command was cancelled and may have done a part") => "cancelled",
        Some(error) if error.starts_with("Nobody here offers this tool, and ") => "no-result",
        Some(error) => error,
    };
    format!("{} {what}", message.tool_call_id)
}

/// Plays events, and gives what each was answered with, `-` for nothing.
fn play(tools: &mut CommandTools, events: &[Event<'_>]) -> Vec<String> {
    let answer = |event| now(tools.receive(event)).map_or_else(|| "-".to_owned(), |message| line(&message));
    events.iter().map(answer).collect()
}

fn flush_all(tools: &mut CommandTools) -> Vec<String> {
    std::iter::from_fn(|| now(tools.flush())).map(|message| line(&message)).collect()
}

#[test]
fn the_second_call_of_one_event_waits_for_flush() {
    let limits = AssemblerLimits::default().with_argument_bytes(4);
    let mut tools = CommandTools::builder(Fake::offering(["ping"])).limits(limits).build();
    let events = [chunk("a", "ping", "{}"), chunk("b", "ping", "12345"), start("c", "ping")];
    assert_eq!(play(&mut tools, &events), ["-", "a ok", "-"]);
    // The event that ends the run answers what it completes itself.
    assert_eq!(play(&mut tools, &[finished()]), ["c refused"]);
    assert_eq!(flush_all(&mut tools), ["b refused"]);
}

#[test]
fn asking_flush_once_too_often_ends_nothing() {
    let mut tools = CommandTools::builder(Fake::offering(["ping"])).build();
    assert_eq!(play(&mut tools, &[run("r"), start("a", "ping"), end("a")]), ["-", "-", "a ok"]);
    assert_eq!(flush_all(&mut tools), [""; 0]);
    // The run goes on: a new call of it is not late, and the old one is known.
    assert_eq!(
        play(&mut tools, &[start("a", "ping"), end("a"), start("b", "ping"), end("b")]),
        ["-", "-", "-", "b ok"]
    );
}

#[test]
fn a_digest_name_is_resolved_to_its_command_while_that_is_offered() {
    let fake = Fake::offering(["2fa"]);
    let mut tools = CommandTools::builder(fake.clone()).build();
    let name = tools.list().remove(0).name;
    let call = |tools: &mut CommandTools, id| play(tools, &[start(id, &name), end(id)]).remove(1);
    assert_eq!(call(&mut tools, "a"), "a ok");
    fake.withdraw("2fa");
    assert_eq!(call(&mut tools, "b"), "b refused");
    fake.offer("2fa", Behaviour::Ping);
    assert_eq!(call(&mut tools, "c"), "c ok");
    assert_eq!(fake.ran(), ["2fa {}", "2fa {}"]);
}

#[test]
fn what_was_refused_as_not_offered_is_recorded_under_the_id_that_the_agent_meant() {
    let fake = Fake::offering([]);
    let mut tools = CommandTools::builder(fake.clone()).build();
    play(&mut tools, &[start("a", "notes__open"), end("a"), start("b", "not a name"), end("b")]);
    // A torn call is not offered either, and its arguments are not known.
    play(&mut tools, &[start("c", "notes__open")]);
    tools.frame_lost("cut");
    play(&mut tools, &[end("c")]);
    assert_eq!(fake.refused(), ["notes.open", "not a name", "notes.open"]);
}

#[test]
fn a_torn_call_is_refused_if_its_tool_is_offered() {
    let fake = Fake::offering(["ping"]);
    let mut tools = CommandTools::builder(fake.clone()).build();
    play(&mut tools, &[run("r"), start("a", "ping"), args("a", "{}")]);
    tools.frame_lost("line 3 is not a JSON object");
    let error = now(tools.receive(&end("a"))).unwrap().error;
    assert_eq!(
        error.as_deref(),
        Some("The command did not run: an event about the call was lost or damaged; send the call again.")
    );
    assert_eq!(fake.ran(), [""; 0]);
    let report = tools.next_report().unwrap();
    assert_eq!(report.code(), "frame-lost");
    assert!(report.to_string().contains("line 3 is not a JSON object"), "{report}");
    assert_eq!(tools.next_report(), None);
}

#[test]
fn the_state_can_be_looked_at() {
    let (fake, _) = with_never();
    let mut tools = CommandTools::builder(fake).unoffered_calls(UnofferedCalls::LeaveToBackend).build();
    drop_half_way(&mut tools, "a");
    play(&mut tools, &[start("b", "ghost"), end("b"), start("c", "never")]);
    assert_eq!(format!("{tools:?}"), "CommandTools { open: 1, left_to_backend: 1, due: 0, begun: 1, .. }");
    let states = ["a", "b", "c", "d"].map(|id| tools.call_state(id));
    assert_eq!(
        states,
        [Some(CallState::Running), Some(CallState::LeftToBackend), Some(CallState::Open), None]
    );
}

/// Plays a call to `never`, and drops its answer.
fn drop_half_way(tools: &mut CommandTools, id: &str) {
    play(tools, &[start(id, "never")]);
    assert_eq!(poll_once(tools.receive(&end(id))), None);
}

/// An adapter for a command `ping` and one that never ends.
fn with_never() -> (Fake, CommandTools) {
    let fake = Fake::offering(["ping"]);
    fake.offer("never", Behaviour::Never);
    (fake.clone(), CommandTools::builder(fake).build())
}
