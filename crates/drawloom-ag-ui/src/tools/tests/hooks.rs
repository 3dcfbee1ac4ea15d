//! Hooks that break, and hooks that use what they stand in front of.

use std::future::{Ready, poll_fn, ready};
use std::pin::Pin;
use std::sync::Mutex;

use drawloom_command::{BoxFuture, Decision, HookResponse, PendingCall};

use super::*;

/// Plays the calls `a` and `b` behind a hook, and gives how they were answered and what has run.
fn two_calls(hook: impl BeforeCall + 'static) -> (Vec<String>, Vec<String>) {
    let fake = Fake::offering(["ping"]);
    let mut tools = CommandTools::builder(fake.clone()).before(hook).build();
    let answers = ["a", "b"].map(|id| play(&mut tools, &[start(id, "ping"), end(id)]).remove(1)).to_vec();
    assert_eq!(flush_all(&mut tools), [""; 0]);
    (answers, fake.ran())
}

/// Panics before it has a future, for the call `a`.
struct PanicsAtOnce;

impl BeforeCall for PanicsAtOnce {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        assert_ne!(&*call.call_id, "a", "on purpose");
        Box::pin(ready(Decision::Run.into()))
    }
}

#[test]
fn a_hook_that_panics_declines_that_call_alone() {
    let declined = (vec!["a refused".to_owned(), "b ok".to_owned()], vec!["ping {}".to_owned()]);
    assert_eq!(two_calls(PanicsAtOnce), declined);
    let panics_later = |call: PendingCall| async move {
        ready(()).await;
        assert_ne!(&*call.call_id, "a", "on purpose");
        Decision::Run
    };
    assert_eq!(two_calls(panics_later), declined);
}

#[test]
fn a_hook_that_panics_when_it_is_polled_again_declines() {
    let hook = |_: PendingCall| {
        let mut polls = 0;
        poll_fn(move |_| {
            polls += 1;
            assert_eq!(polls, 1, "on purpose");
            Poll::<Decision>::Pending
        })
    };
    let mut tools = CommandTools::builder(Fake::offering(["ping"])).before(hook).build();
    play(&mut tools, &[start("a", "ping")]);
    let mut answer = std::pin::pin!(tools.receive(&end("a")));
    let cx = &mut Context::from_waker(Waker::noop());
    assert_eq!(answer.as_mut().poll(cx), Poll::Pending);
    let Poll::Ready(Some(message)) = answer.as_mut().poll(cx) else { panic!("it waits") };
    assert_eq!(message.error.as_deref(), Some("The command did not run: the approval hook panicked."));
}

/// A future that panics, or answers, when it is polled and panics when it is dropped.
struct PanicsWhenDropped(Option<HookResponse>);

impl Future for PanicsWhenDropped {
    type Output = HookResponse;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<HookResponse> {
        Poll::Ready(self.0.take().expect("on purpose"))
    }
}

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("on purpose, in drop");
    }
}

struct DropsBadly(Option<Decision>);

impl BeforeCall for DropsBadly {
    fn before<'a>(&'a self, _: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        Box::pin(PanicsWhenDropped(self.0.clone().map(Into::into)))
    }
}

#[test]
fn a_hook_that_panics_when_it_is_dropped_declines() {
    let refused = vec!["a refused".to_owned(), "b refused".to_owned()];
    // After a panic, where another would abort the process, and after saying run.
    assert_eq!(two_calls(DropsBadly(None)), (refused.clone(), vec![]));
    assert_eq!(two_calls(DropsBadly(Some(Decision::Run))), (refused, vec![]));
}

#[test]
fn a_hook_that_panics_with_something_that_panics_when_it_is_dropped_declines() {
    let hook = |_: PendingCall| -> Ready<HookResponse> {
        std::panic::panic_any(PanicsWhenDropped(None));
    };
    assert_eq!(two_calls(hook).0, ["a refused", "b refused"]);
}

#[test]
fn a_hook_may_execute_another_call_of_the_same_adapter() {
    let fake = Fake::offering(["2fa", "3d"]);
    let other: Arc<Mutex<Option<ReadyCall>>> = Arc::default();
    let finished: Arc<Mutex<Option<FinishedCall>>> = Arc::default();
    let (waiting, done) = (other.clone(), finished.clone());
    let hook = move |_: PendingCall| {
        let (other, done) = (waiting.lock().unwrap().take(), done.clone());
        async move {
            if let Some(other) = other {
                let call = other.start().await;
                *done.lock().unwrap() = Some(call);
            }
            Decision::Run
        }
    };
    let mut tools = CommandTools::builder(fake.clone()).before(hook).build();
    let names: Vec<String> = tools.list().into_iter().map(|tool| tool.name).collect();
    for event in [start("a", &names[0]), start("b", &names[1]), end("b"), end("a")] {
        tools.accept(&event);
    }
    *other.lock().unwrap() = tools.next_call();
    let a = now(tools.next_call().unwrap().start());
    assert_eq!(tools.finished(a).as_ref().map(line).as_deref(), Some("a ok"));
    let b = finished.lock().unwrap().take().unwrap();
    assert_eq!(tools.finished(b).as_ref().map(line).as_deref(), Some("b ok"));
    assert_eq!(fake.ran(), ["3d {}", "2fa {}"]);
}

#[test]
fn a_hook_may_change_what_is_offered() {
    let fake = Fake::offering(["ping"]);
    let changed = fake.clone();
    let hook = move |call: PendingCall| {
        match &*call.call_id {
            "a" => changed.offer("ping", Behaviour::Ping),
            _ => changed.withdraw("ping"),
        }
        ready(Decision::Run)
    };
    let mut tools = CommandTools::builder(fake.clone()).before(hook).build();
    let calls = ["a", "b"].map(|id| [start(id, "ping"), end(id)]).concat();
    assert_eq!(play(&mut tools, &calls), ["-", "a refused", "-", "b refused"]);
    assert_eq!(fake.ran(), [""; 0]);
}
