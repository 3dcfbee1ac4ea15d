//! The adapter over an access of its own, where what happens between two polls can be chosen.

mod backend;
mod dropping;
mod fake;
mod hooks;
mod properties;

use std::task::{Context, Poll, Waker};

use super::*;
use crate::event::Event;
use crate::event::short::*;
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

/// A message on one line: the call, and `ok`, `refused` or `failed`.
fn line(message: &ToolMessage) -> String {
    let what = match message.error.as_deref() {
        None => "ok",
        Some(error) if error.starts_with("The command did not run: ") => "refused",
        Some(error) if error.starts_with("The command ran and failed: ") => "failed",
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
    let mut tools = CommandTools::new(Fake::offering(["ping"])).limits(limits);
    let events = [chunk("a", "ping", "{}"), chunk("b", "ping", "12345"), start("c", "ping")];
    assert_eq!(play(&mut tools, &events), ["-", "a ok", "-"]);
    // The event that ends the run answers what it completes itself.
    assert_eq!(play(&mut tools, &[finished()]), ["c refused"]);
    assert_eq!(flush_all(&mut tools), ["b refused"]);
}

#[test]
fn asking_flush_once_too_often_ends_nothing() {
    let mut tools = CommandTools::new(Fake::offering(["ping"]));
    assert_eq!(play(&mut tools, &[run("r"), start("a", "ping"), end("a")]), ["-", "-", "a ok"]);
    assert_eq!(flush_all(&mut tools), [""; 0]);
    // The run goes on: this is no new one, in which the id would be free.
    assert_eq!(play(&mut tools, &[run("r"), start("a", "ping"), end("a")]), ["-", "-", "-"]);
}

#[test]
fn calls_may_be_answered_apart_from_the_adapter_and_in_any_order() {
    let mut tools = CommandTools::new(Fake::offering(["ping"]));
    let accept = |tools: &mut CommandTools, event| tools.accept(&event);
    assert!(accept(&mut tools, start("a", "ping")).is_none());
    assert!(accept(&mut tools, chunk("b", "ping", "")).is_none());
    let a = accept(&mut tools, end("a")).unwrap();
    assert!(accept(&mut tools, start("c", "ghost")).is_none());
    let b = accept(&mut tools, finished()).unwrap();
    let c = tools.accept_left().unwrap();
    assert!(tools.accept_left().is_none());
    assert_eq!((a.id().as_str(), a.tool(), c.id().as_str(), c.tool()), ("a", "ping", "c", "ghost"));
    let answers = [c, b, a].map(|ready| line(&now(ready.answer())));
    assert_eq!(answers, ["c refused", "b ok", "a ok"]);
    assert_eq!(flush_all(&mut tools), [""; 0]);
}

#[test]
fn a_call_handed_out_has_the_message_it_would_have_had_anyway() {
    let events = [run("r"), start("a", "ping"), end("a")];
    let mut tools = CommandTools::new(Fake::offering(["ping"]));
    let received = events.iter().find_map(|event| now(tools.receive(event)));
    let mut tools = CommandTools::new(Fake::offering(["ping"]));
    let handed_out = events.iter().find_map(|event| tools.accept(event));
    assert_eq!(received, Some(now(handed_out.unwrap().answer())));
}

#[test]
fn a_digest_name_is_resolved_to_its_command_while_that_is_offered() {
    let fake = Fake::offering(["2fa"]);
    let mut tools = CommandTools::new(fake.clone());
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
fn what_was_refused_as_not_offered_is_recorded_under_the_id_the_agent_meant() {
    let fake = Fake::offering([]);
    let mut tools = CommandTools::new(fake.clone());
    play(&mut tools, &[start("a", "notes__open"), end("a"), start("b", "not a name"), end("b")]);
    assert_eq!(fake.refused(), ["notes.open", "not a name"]);
}

#[test]
fn the_state_can_be_looked_at() {
    let mut tools =
        CommandTools::new(Fake::offering(["never"])).unoffered_calls(UnofferedCalls::LeaveToBackend);
    drop_half_way(&mut tools, "a");
    play(&mut tools, &[start("b", "ghost"), end("b"), start("c", "never")]);
    assert_eq!(format!("{tools:?}"), "CommandTools { open: 1, left_to_backend: 1, due: 0, begun: 1, .. }");
}

/// Plays a call to `never`, and drops its answer.
fn drop_half_way(tools: &mut CommandTools, id: &str) {
    tools.access().offer("never", Behaviour::Never);
    play(tools, &[start(id, "never")]);
    assert_eq!(poll_once(tools.receive(&end(id))), None);
}
