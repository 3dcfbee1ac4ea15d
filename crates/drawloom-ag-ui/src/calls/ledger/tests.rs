//! What the random sequences of `calls::model` do not reach: declared runs one behaviour at a time, and the bounds.

use super::*;
use crate::calls::runs::REMEMBERED_CALLS;
use crate::calls::short::*;
use crate::protocol::Event;

fn ledger(unoffered: UnofferedCalls) -> Ledger {
    Ledger::new(AssemblerLimits::default().with_calls_per_run(usize::MAX), unoffered)
}

/// Plays events while every tool but `x` is offered, and gives the calls that became due.
fn accept(ledger: &mut Ledger, events: &[Event<'_>]) -> Vec<String> {
    for event in events {
        ledger.accept(event);
        decide(ledger);
    }
    let mut due = Vec::new();
    while let Some(call) = ledger.first_due(0).and_then(|key| ledger.give_away(key)) {
        due.push(match call.treatment {
            Treatment::Run { .. } => format!("{} runs", call.id),
            Treatment::Unoffered { .. } => format!("{} unoffered", call.id),
            Treatment::NoResult { arguments, .. } => format!("{} no-result {}", call.id, arguments.is_some()),
            Treatment::Refuse(reason) => format!("{} {}", call.id, reason.code()),
        });
    }
    due
}

fn decide(ledger: &mut Ledger) {
    while let Some(closed) = ledger.undecided() {
        let offered = if closed.tool() == "x" { Offered::No } else { Offered::Yes };
        ledger.decide(offered);
    }
}

fn declare(ledger: &mut Ledger, run: &str) {
    ledger.begin_run("t", run, std::iter::empty());
    decide(ledger);
}

fn call(id: &str) -> [Event<'static>; 2] {
    [start(id, "n"), end(id)]
}

#[test]
fn the_first_start_after_a_declared_run_only_says_what_the_agent_calls_it() {
    let mut ledger = ledger(UnofferedCalls::Refuse);
    declare(&mut ledger, "r");
    assert_eq!(accept(&mut ledger, &call("a")), ["a runs"]);
    // The run goes on under either name.
    for name in ["foreign", "r", "foreign"] {
        assert_eq!(accept(&mut ledger, &[&[run(name)], &call("a")[..]].concat()), [""; 0]);
    }
    let finished = event(&serde_json::json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "foreign"}));
    assert_eq!(accept(&mut ledger, &[chunk("b", "n", ""), finished]), ["b runs"]);
    // A third name is another run.
    assert_eq!(accept(&mut ledger, &[&[run("third")], &call("a")[..]].concat()), ["a runs"]);
}

#[test]
fn a_declared_run_is_new_whatever_its_ids() {
    let mut ledger = ledger(UnofferedCalls::Refuse);
    for _ in 0..3 {
        declare(&mut ledger, "r");
        let events = [&[run("always")], &call("a")[..], &[finished()]].concat();
        assert_eq!(accept(&mut ledger, &events), ["a runs"]);
    }
    // But what the agent sends again itself is the same run.
    assert_eq!(accept(&mut ledger, &[&[run("always")], &call("a")[..]].concat()), [""; 0]);
}

#[test]
fn another_start_after_the_end_of_a_run_that_the_agent_called_otherwise_is_the_run_that_was_declared() {
    let mut ledger = ledger(UnofferedCalls::LeaveToBackend);
    declare(&mut ledger, "r");
    accept(&mut ledger, &[run("old"), start("q", "x"), end("q"), interrupted(&["q"])]);
    assert_eq!(ledger.state("q", |_| false), Some(CallState::Bound));
    assert_eq!(accept(&mut ledger, &[run("r"), result("q")]), [""; 0]);
    assert_eq!(ledger.state("q", |_| false), Some(CallState::AnsweredByBackend));
    assert_eq!(accept(&mut ledger, &call("a")), ["a runs"]);
}

#[test]
fn the_outcome_of_an_id_is_that_of_its_latest_call_whichever_is_finished_first() {
    let mut ledger = ledger(UnofferedCalls::Refuse);
    ledger.begin_turn();
    let mut begin = |events: &[Event<'_>]| {
        for event in events {
            ledger.accept(event);
            decide(&mut ledger);
        }
        let key = ledger.first_due(0).unwrap();
        ledger.begin(key).map(|call| call.key)
    };
    let first = begin(&[&[run("r")], &call("a")[..]].concat()).unwrap();
    let second = begin(&[&[finished(), run("s")], &call("a")[..]].concat()).unwrap();
    ledger.finish(second, CallEnd::DidNotRun).unwrap();
    let answered = CommandOutcome::Answered { value: None };
    ledger.finish(first, CallEnd::Ran(Arc::new(answered))).unwrap();
    assert_eq!(ledger.outcome("a"), None);
}

#[test]
fn after_a_million_calls_in_one_run_no_more_are_looked_at() {
    let mut ledger = ledger(UnofferedCalls::Refuse);
    accept(&mut ledger, &[start("open", "n")]);
    // As if that many calls had been made, whose ids hash to these numbers.
    ledger.run.earlier.extend((0_u64..).take(REMEMBERED_CALLS - 2));
    assert_eq!(accept(&mut ledger, &call("last")), ["last runs"]);
    let ignored =
        [start("late", "n"), args("late", "1"), end("late"), chunk("later", "n", "1"), start("last", "n")];
    assert_eq!(accept(&mut ledger, &ignored), [""; 0]);
    let codes: Vec<_> = std::iter::from_fn(|| ledger.next_report()).map(|report| report.code()).collect();
    assert_eq!(codes, ["too-many-calls-to-remember", "unknown-call"]);
    let next = [&[end("open"), run("r")], &call("late")[..]].concat();
    assert_eq!(accept(&mut ledger, &next), ["open runs", "late runs"]);
}

#[test]
fn the_arguments_of_all_calls_that_are_left_to_the_backend_are_bounded_together() {
    let limits = AssemblerLimits::default().with_argument_bytes(10);
    let mut ledger = Ledger::new(limits, UnofferedCalls::LeaveToBackend);
    for at in 0..20 {
        let id = format!("c{at}");
        accept(&mut ledger, &[start(&id, "x"), args(&id, "0123456789"), end(&id)]);
        assert!(ledger.left_bytes <= 160);
    }
    let due = accept(&mut ledger, &[finished()]);
    assert_eq!(due.len(), 20);
    assert_eq!((&*due[15], &*due[16]), ("c15 no-result true", "c16 no-result false"));
    assert_eq!(ledger.left_bytes, 0);
}

#[test]
fn nothing_is_kept_of_the_calls_of_many_runs_but_what_is_remembered() {
    let mut ledger = ledger(UnofferedCalls::LeaveToBackend);
    for at in 0..300 {
        let (id, name) = (format!("c{at}"), format!("r{at}"));
        let events =
            [&[run(&name)], &call(&id)[..], &[start("left", "x"), end("left"), text(), finished()]].concat();
        assert_eq!(accept(&mut ledger, &events), [format!("{id} runs")]);
    }
    assert_eq!(ledger.run.known.len(), 2);
    assert!(
        ledger.open.is_empty() && ledger.due.is_empty() && ledger.begun.is_empty() && ledger.left.is_empty()
    );
    assert!(ledger.answered.is_empty() && ledger.bound.is_empty());
    // The last 64 runs: each had a call of its own, and all had one with the same id.
    assert_eq!(ledger.history.known(ledger.hash("left")), 64);
}

#[test]
fn a_turn_that_never_ends_keeps_the_outcomes_of_its_last_runs_and_a_million_calls_that_are_bound() {
    let mut ledger = ledger(UnofferedCalls::LeaveToBackend);
    ledger.begin_turn();
    let play = |ledger: &mut Ledger, at: usize| {
        let (id, bound, name) = (format!("c{at}"), format!("b{at}"), format!("r{at}"));
        let events =
            [&[run(&name)], &call(&id)[..], &[start(&bound, "x"), end(&bound), interrupted(&[&bound])]]
                .concat();
        assert_eq!(accept(ledger, &events), [format!("{id} runs")]);
    };
    for at in 0..300 {
        play(&mut ledger, at);
        // The last 64 runs, and those since it was last looked at.
        assert!(ledger.answered.len() < 128, "{}", ledger.answered.len());
    }
    assert_eq!(ledger.bound.len(), 300);
    assert_eq!(ledger.state("b0", |_| false), Some(CallState::Bound));
    // As if that many calls had been bound in the first run.
    let old = || BoundCall { run: 1, baseline: 0, is_answered: false };
    ledger.bound.extend((0_u64..).take(REMEMBERED_CALLS).map(|hash| (hash, old())));
    for at in 300..400 {
        play(&mut ledger, at);
    }
    assert!(ledger.bound.len() < 200, "{}", ledger.bound.len());
    assert_eq!(ledger.state("b399", |_| false), Some(CallState::Bound));
}
