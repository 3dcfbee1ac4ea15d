//! Futures that are dropped, at each point where they can be.

use std::future::pending;

use drawloom_command::{Decision, PendingCall};

use super::*;

#[test]
fn a_receive_that_was_never_polled_has_taken_its_event() {
    let fake = Fake::offering(["ping"]);
    let mut tools = CommandTools::builder(fake.clone()).build();
    drop(tools.receive(&start("a", "ping")));
    drop(tools.receive(&end("a")));
    let error = now(tools.flush()).unwrap().error;
    assert_eq!(error.as_deref(), Some("The command did not run: the call was cancelled."));
    assert_eq!(now(tools.flush()), None);
    assert_eq!(fake.ran(), [""; 0]);
}

#[test]
fn a_flush_that_was_never_polled_has_taken_nothing() {
    let mut tools = CommandTools::builder(Fake::offering(["ping"])).build();
    play(&mut tools, &[start("a", "ping"), start("b", "ping"), finished()]);
    drop(tools.flush());
    assert_eq!(flush_all(&mut tools), ["b refused"]);
}

#[test]
fn a_flush_dropped_while_the_command_runs_is_answered_by_the_next() {
    let fake = Fake::offering(["ping"]);
    fake.offer("never", Behaviour::Never);
    let mut tools = CommandTools::builder(fake.clone()).build();
    let events = [start("a", "ping"), start("b", "ping"), chunk("c", "never", "{}"), finished()];
    assert_eq!(play(&mut tools, &events), ["-", "-", "-", "a refused"]);
    assert_eq!(now(tools.flush()).as_ref().map(line).as_deref(), Some("b refused"));
    assert_eq!(poll_once(tools.flush()), None);
    assert_eq!(flush_all(&mut tools), ["c cancelled"]);
    assert_eq!(fake.ran(), ["never {}"]);
}

#[test]
fn a_flush_dropped_while_the_hook_asks_is_answered_by_the_next() {
    let fake = Fake::offering(["ping"]);
    let mut tools =
        CommandTools::builder(fake.clone()).before(|_: PendingCall| pending::<Decision>()).build();
    let events = [start("a", "ping"), chunk("b", "ping", "{}"), finished()];
    assert_eq!(play(&mut tools, &events), ["-", "-", "a refused"]);
    assert_eq!(poll_once(tools.flush()), None);
    assert_eq!(flush_all(&mut tools), ["b refused"]);
    assert_eq!(fake.ran(), [""; 0]);
}

#[test]
fn several_dropped_calls_come_first_and_in_order_and_each_has_the_id_it_would_have_had() {
    let (_, mut tools) = with_never();
    play(&mut tools, &[run("r")]);
    drop_half_way(&mut tools, "a");
    play(&mut tools, &[start("b", "never"), start("c", "never")]);
    drop_half_way(&mut tools, "d");
    let left: Vec<ToolMessage> = std::iter::from_fn(|| now(tools.flush())).collect();
    let lines: Vec<String> = left.iter().map(line).collect();
    assert_eq!(lines, ["a cancelled", "d cancelled", "b refused", "c refused"]);

    let mut undropped = CommandTools::builder(Fake::offering(["never"])).build();
    play(&mut undropped, &[run("r"), start("a", "never")]);
    assert_eq!(now(undropped.receive(&end("a"))).unwrap().id, left[0].id);
}

#[test]
fn a_dropped_call_comes_before_what_has_waited_longer() {
    let limits = AssemblerLimits::default().with_argument_bytes(4);
    let (fake, _) = with_never();
    let mut tools = CommandTools::builder(fake).limits(limits).build();
    play(&mut tools, &[chunk("a", "ping", "{}"), chunk("b", "ping", "12345")]);
    drop_half_way(&mut tools, "c");
    assert_eq!(flush_all(&mut tools), ["c cancelled", "b refused"]);
}

#[test]
fn a_dropped_call_is_done_and_the_run_goes_on() {
    let (fake, mut tools) = with_never();
    drop_half_way(&mut tools, "a");
    let replayed = [start("a", "ping"), end("a"), start("b", "ping"), end("b"), finished()];
    assert_eq!(play(&mut tools, &replayed), ["-", "-", "-", "b ok", "-"]);
    assert_eq!(flush_all(&mut tools), ["a cancelled"]);
    assert_eq!(fake.ran(), ["never {}", "ping {}"]);
}
