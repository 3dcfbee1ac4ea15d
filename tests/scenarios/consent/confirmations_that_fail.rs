//! A confirmation that gives no answer SHALL count as a rejection that is not remembered, and the agent SHALL be told
//! what happened to it.

use std::sync::atomic::{AtomicUsize, Ordering};

use drawloom::ag_ui::Event;
use drawloom::command::{BoxFuture, PendingCall};
use drawloom::consent::{Confirmation, ConsentPolicy};
use futures::channel::oneshot;
use futures::executor::block_on;
use futures::{FutureExt, poll};

use super::support::{
    Person, agent_behind, assert_holds, assert_ran, bench, call_each, events, never, refusal, times_run,
};

/// Asserts that a call of `notes.delete` behind this policy is declined in words that hold this, and does not run; nor
/// does the next one without being asked about.
#[track_caller]
fn assert_declined(policy: ConsentPolicy, words: &str) {
    let bench = bench();
    let messages = call_each(&mut agent_behind(&bench, policy), &["notes__delete"; 2]);
    for message in messages {
        assert_holds(refusal(&message), &[words]);
    }
    bench.assert_nothing_ran();
}

/// - **GIVEN** a confirmation that returns the error `no screen`.
/// - **WHEN** the agent calls `notes.delete`.
/// - **THEN** it is declined with a text that contains `no screen`, and it has not run.
#[test]
fn an_error_is_a_rejection() {
    assert_declined(ConsentPolicy::new(|_: PendingCall| async { Err::<bool, _>("no screen") }), "no screen");
}

/// - **GIVEN** a confirmation that panics.
/// - **WHEN** the agent calls `notes.delete`.
/// - **THEN** it is declined with a text saying that the confirmation panicked, and the next call is
///   served.
#[test]
fn a_panic_is_a_rejection() {
    // One that panics before there is a future, and one whose future panics; each says yes when it is asked again.
    let at_once = |asked: usize| -> BoxFuture<'static, bool> {
        assert_ne!(asked, 0, "on purpose");
        Box::pin(async { true })
    };
    let later = |asked: usize| -> BoxFuture<'static, bool> {
        Box::pin(async move {
            assert_ne!(asked, 0, "on purpose");
            true
        })
    };
    let panics: [fn(usize) -> BoxFuture<'static, bool>; 2] = [at_once, later];
    for panics in panics {
        let (bench, asked) = (bench(), AtomicUsize::new(0));
        let policy = ConsentPolicy::new(move |_: PendingCall| panics(asked.fetch_add(1, Ordering::SeqCst)));
        let messages = call_each(&mut agent_behind(&bench, policy), &["notes__delete"; 2]);
        assert_holds(refusal(&messages[0]), &["the confirmation panicked"]);
        assert_ran(&messages[1]);
        assert_eq!(times_run(&bench, "notes.delete"), 1);
    }
}

/// - **GIVEN** a confirmation that reports that it was cancelled.
/// - **WHEN** the agent calls `notes.delete`.
/// - **THEN** it is declined with a text that contains `cancelled`, and it has not run.
#[test]
fn a_cancellation_is_a_rejection() {
    assert_declined(Person::who_says([Confirmation::Cancelled]).policy(), "cancelled");
}

/// - **GIVEN** a deadline supplied as a future that completes, and a confirmation that never answers.
/// - **WHEN** the agent calls `notes.delete`.
/// - **THEN** it is declined with a text that contains `timed out`, and it has not run.
#[test]
fn a_missed_deadline_is_a_rejection() {
    let bench = bench();
    let (passes, passed) = oneshot::channel::<()>();
    let passed = passed.shared();
    let policy = ConsentPolicy::builder(|_: PendingCall| never::<bool>())
        .deadline(move || passed.clone().map(|passed| passed.expect("the deadline passes")))
        .build();
    let mut agent = agent_behind(&bench, policy);
    agent.says_nothing_to(&[events::start("c1", "notes__delete")]);
    let end = events::end("c1").to_string();
    let message = block_on(async {
        let event = Event::parse(&end).unwrap();
        let mut answer = Box::pin(agent.tools.receive(&event));
        assert!(poll!(&mut answer).is_pending(), "it did not wait for the deadline");
        passes.send(()).unwrap();
        answer.await.unwrap()
    });
    assert_holds(refusal(&message), &["timed out"]);
    bench.assert_nothing_ran();
}
