//! Calls that are executed beside the stream.

use drawloom_command::{Decision, PendingCall};

use super::*;

/// Plays events, and takes what they made ready.
fn accept(tools: &mut CommandTools, events: &[Event<'_>]) -> Vec<ReadyCall> {
    events.iter().for_each(|event| tools.accept(event));
    std::iter::from_fn(|| tools.next_call()).collect()
}

fn finish(tools: &mut CommandTools, call: ReadyCall) -> Option<String> {
    let finished = now(call.start());
    tools.finished(finished).as_ref().map(line)
}

#[test]
fn calls_may_be_executed_in_any_order() {
    let (_, mut tools) = with_never();
    let events = [start("a", "ping"), chunk("b", "ping", ""), end("a"), start("c", "ghost"), finished()];
    let [a, b, c] = accept(&mut tools, &events).try_into().unwrap();
    assert_eq!((a.id().as_str(), a.tool(), c.id().as_str(), c.tool()), ("a", "ping", "c", "ghost"));
    assert_eq!(tools.call_state("a"), Some(CallState::Asked));
    assert_eq!(finish(&mut tools, c).as_deref(), Some("c refused"));
    assert_eq!(finish(&mut tools, b).as_deref(), Some("b ok"));
    assert_eq!(finish(&mut tools, a).as_deref(), Some("a ok"));
    assert_eq!(flush_all(&mut tools), [""; 0]);
    assert_eq!(tools.call_state("a"), Some(CallState::Answered));
    assert_eq!(tools.outcome("a"), Some(&CommandOutcome::Answered { value: None }));
    assert_eq!(tools.outcome("c"), None);
}

#[test]
fn a_call_has_the_same_message_apart_from_the_stream() {
    let events = [run("r"), start("a", "ping"), end("a")];
    let (_, mut tools) = with_never();
    let received = events.iter().find_map(|event| now(tools.receive(event)));
    let (_, mut tools) = with_never();
    let call = accept(&mut tools, &events).remove(0);
    let finished = now(call.start());
    assert_eq!(received, tools.finished(finished));
}

#[test]
fn a_call_that_is_cancelled_says_how_far_it_came() {
    let (fake, mut tools) = with_never();
    let events = [start("a", "never"), end("a"), start("b", "never"), end("b")];
    let [a, b] = accept(&mut tools, &events).try_into().unwrap();
    let mut a = a.start();
    assert!(poll_once(&mut a).is_none());
    assert_eq!(tools.call_state("a"), Some(CallState::Running));
    let message = tools.finished(a.cancel()).unwrap();
    assert_eq!(line(&message), "a cancelled");
    let message = tools.finished(b.cancel()).unwrap();
    assert_eq!(message.error.as_deref(), Some("The command did not run: the call was cancelled."));
    let states = ["a", "b"].map(|id| tools.call_state(id));
    assert_eq!(states, [Some(CallState::Answered), Some(CallState::Cancelled)]);
    assert_eq!(fake.ran(), ["never {}"]);
}

#[test]
fn an_interrupt_withdraws_the_question_about_a_call_but_not_a_call_that_runs() {
    let fake = Fake::offering(["ping"]);
    fake.offer("never", Behaviour::Never);
    let hook = |call: PendingCall| async move {
        if &*call.call_id == "asked" {
            std::future::pending::<()>().await;
        }
        Decision::Run
    };
    let mut tools = CommandTools::builder(fake.clone()).before(hook).build();
    let calls = ["asked", "running"].map(|id| [start(id, "never"), end(id)]).concat();
    let mut running: Vec<_> = accept(&mut tools, &calls).into_iter().map(ReadyCall::start).collect();
    running.iter_mut().for_each(|call| assert!(poll_once(call).is_none()));

    assert_eq!(accept(&mut tools, &[interrupted(&["asked", "running"])]).len(), 0);
    let withdrawn = tools.next_withdrawn().unwrap();
    assert_eq!((withdrawn.id.as_str(), withdrawn.what), ("asked", Withdrawn::Question));
    assert_eq!(tools.next_withdrawn(), None);
    // Who finishes it nevertheless gets no message.
    let asked = running.remove(0).cancel();
    assert_eq!(tools.finished(asked), None);
    assert_eq!(tools.call_state("asked"), Some(CallState::Bound));
    let ran = running.remove(0).cancel();
    assert_eq!(tools.finished(ran).as_ref().map(line).as_deref(), Some("running cancelled"));
    assert!(matches!(tools.outcome("running"), Some(CommandOutcome::Failed(_))));
    assert_eq!(fake.ran(), ["never {}"]);
}

#[test]
fn an_interrupt_takes_back_the_message_of_a_call_that_did_not_run_and_no_other() {
    let (fake, mut tools) = with_never();
    play(&mut tools, &[run("r"), start("ran", "ping"), end("ran"), start("not", "ghost")]);
    let refused = now(tools.receive(&end("not"))).unwrap();
    play(&mut tools, &[interrupted(&["ran", "not"])]);
    let withdrawn = tools.next_withdrawn().unwrap();
    assert_eq!((withdrawn.what, withdrawn.message_id), (Withdrawn::Message, refused.id));
    assert_eq!(tools.next_withdrawn(), None);
    assert_eq!(tools.outcome("ran"), Some(&CommandOutcome::Answered { value: None }));
    // Neither runs again in this turn, in whatever form it comes.
    let again =
        [run("s"), start("ran", "ping"), end("ran"), chunk("not", "ping", "{}"), text(), ended("success")];
    assert_eq!(play(&mut tools, &again), ["-"; 6]);
    assert_eq!(flush_all(&mut tools), [""; 0]);
    assert_eq!(fake.ran(), ["ping {}"]);
    // In the next turn an id is as good as any other.
    tools.begin_turn();
    assert_eq!(play(&mut tools, &[run("u"), start("ran", "ping"), end("ran")]), ["-", "-", "ran ok"]);
}

#[test]
fn what_the_agent_left_without_a_result_is_listed_for_the_next_history() {
    let mut tools =
        CommandTools::builder(Fake::offering([])).unoffered_calls(UnofferedCalls::LeaveToBackend).build();
    tools.begin_run("t", "r", &[]);
    let events = ["a", "b"].map(|id| [start(id, "x"), end(id)]).concat();
    assert_eq!(accept(&mut tools, &[&events[..], &[text(), finished()]].concat()).len(), 0);
    let listed: Vec<_> = tools.unreported().into_iter().map(|message| message.tool_call_id).collect();
    assert_eq!(listed, ["a", "b"]);
    assert_eq!(tools.unreported()[0].content, "No result was reported for this call.");
    // A result that comes nevertheless settles it.
    tools.accept(&result("a"));
    assert_eq!(tools.unreported().len(), 1);
    tools.begin_run("t", "s", &[]);
    assert_eq!(tools.unreported(), []);
}

#[test]
fn an_event_costs_the_same_however_many_calls_wait() {
    let limits = AssemblerLimits::default().with_calls_per_run(usize::MAX);
    let mut tools = CommandTools::builder(Fake::offering(["ping"])).limits(limits).build();
    let mut waiting = Vec::new();
    for at in 0..20_000 {
        let id = at.to_string();
        waiting.extend(accept(&mut tools, &[start(&id, "ping"), end(&id)]));
    }
    accept(&mut tools, &[finished(), run("r")]);
    // If each event looks at each call that waits, this takes minutes.
    let event = interrupted(&["other"]);
    for _ in 0..100_000 {
        tools.accept(&event);
        assert!(matches!(tools.call_state("nobody"), None | Some(CallState::Bound)));
    }
    assert_eq!(waiting.len(), 20_000);
}
