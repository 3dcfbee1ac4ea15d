//! User-supplied code may call the policy at any point at which it runs.

use std::future::{pending, poll_fn, ready};
use std::sync::{OnceLock, Weak};

use super::*;

/// A policy that its own confirmation can call.
fn knotted(make: impl FnOnce(Knot) -> ConsentPolicy) -> Arc<ConsentPolicy> {
    let knot = Knot(Arc::default());
    let policy = Arc::new(make(knot.clone()));
    knot.0.set(Arc::downgrade(&policy)).unwrap();
    policy
}

#[derive(Clone)]
struct Knot(Arc<OnceLock<Weak<ConsentPolicy>>>);

impl Knot {
    fn policy(&self) -> Arc<ConsentPolicy> {
        self.0.get().and_then(Weak::upgrade).unwrap()
    }
}

/// Polls a decision once, with nobody to wake, and drops it.
fn glance(policy: &ConsentPolicy, call: &PendingCall) -> Option<Decision> {
    Task::new(policy, call).poll()
}

#[test]
fn a_confirmation_may_wait_for_a_decision_about_another_command() {
    let policy = knotted(|knot| {
        ConsentPolicy::new(move |call: PendingCall| {
            let policy = knot.policy();
            async move {
                call.command_id == "dialogs.show"
                    || policy.before(&ask("dialogs.show")).await == Decision::Run
            }
        })
    });
    assert_eq!(decide(&policy, &ask("notes.open")), Decision::Run);
    assert_eq!(policy.size(), (2, 0));
}

#[test]
fn the_policy_may_be_called_while_a_confirmation_is_made_polled_and_dropped() {
    /// Calls the policy when it is dropped, but not again for its own call.
    struct Calls(Arc<ConsentPolicy>, PendingCall, Arc<Mutex<usize>>);
    impl Drop for Calls {
        fn drop(&mut self) {
            if let Ok(mut count) = self.2.try_lock() {
                *count += 1;
                glance(&self.0, &self.1);
            }
        }
    }
    let (open, drops) = (ask("notes.open"), Arc::new(Mutex::new(0)));
    let (asked, count) = (open.clone(), drops.clone());
    let policy = knotted(|knot| {
        let (timed, timed_count) = (knot.clone(), count.clone());
        ConsentPolicy::builder(move |call: PendingCall| {
            let calls = Calls(knot.policy(), call, count.clone());
            // Another call to the same command may come at any of these moments, and waits.
            assert_eq!(glance(&calls.0, &calls.1), None);
            let mut polls = 0;
            poll_fn(move |cx| {
                polls += 1;
                assert_eq!(glance(&calls.0, &calls.1), None);
                cx.waker().wake_by_ref();
                if polls == 2 { Poll::Ready(true) } else { Poll::Pending }
            })
        })
        .deadline(move || {
            let calls = Calls(timed.policy(), asked.clone(), timed_count.clone());
            assert_eq!(glance(&calls.0, &calls.1), None);
            async move {
                let _calls = calls;
                pending().await
            }
        })
        .build()
    });
    // Each case is tried with a confirmation that answers, and with one that does not.
    drop(Task::waiting(&policy, &open));
    assert_eq!(*drops.lock().unwrap(), 2);
    assert_eq!(policy.size(), (0, 0));
    assert_eq!(decide(&policy, &open), Decision::Run);
    assert_eq!(*drops.lock().unwrap(), 4);
    assert_eq!(policy.size(), (1, 0));
}

#[test]
fn a_confirmation_that_waits_for_its_own_answer_ends_with_the_deadline() {
    let (end, ended) = oneshot::channel();
    let ended = Mutex::new(Some(ended));
    let policy = knotted(|knot| {
        ConsentPolicy::builder(move |call: PendingCall| {
            let policy = knot.policy();
            async move { policy.before(&call).await == Decision::Run }
        })
        .deadline(move || {
            let ended = ended.lock().unwrap().take().unwrap();
            async move { ended.await.unwrap() }
        })
        .build()
    });
    let open = ask("notes.open");
    let mut task = Task::waiting(&policy, &open);
    end.send(()).unwrap();
    assert_eq!(task.poll_if_woken(), Some(declined("the confirmation timed out")));
    assert_eq!(policy.size(), (0, 0));
}

#[test]
fn a_call_polled_inside_the_confirmation_waits_for_it_and_is_woken() {
    // A dialog with its own event loop polls other tasks of its thread from inside the confirmation.
    type Inner = Arc<Mutex<Option<Task<'static>>>>;
    let inner: Inner = Arc::default();
    let seen = inner.clone();
    let policy: &'static ConsentPolicy = Box::leak(Box::new(ConsentPolicy::new(move |_: PendingCall| {
        let (seen, mut polls) = (seen.clone(), 0);
        poll_fn(move |cx| {
            polls += 1;
            // It is woken before the other call polls, so that nothing else wakes that call.
            cx.waker().wake_by_ref();
            let mut inner = seen.lock().unwrap();
            if polls == 1 {
                assert_eq!(inner.as_mut().unwrap().poll(), None);
                return Poll::Pending;
            }
            Poll::Ready(true)
        })
    })));
    let open: &'static PendingCall = Box::leak(Box::new(ask("notes.open")));
    *inner.lock().unwrap() = Some(Task::new(policy, open));
    let outer = Task::waiting(policy, open);
    // The call that could have polled the confirmation again is dropped.
    drop(outer);
    let mut task = inner.lock().unwrap().take().unwrap();
    assert_eq!(task.poll_if_woken(), Some(Decision::Run));
}

/// A waker that calls the policy when it is woken and when it is dropped, and that owns another waiting call.
struct Busy {
    held: Mutex<Option<Task<'static>>>,
    policy: &'static ConsentPolicy,
    call: &'static PendingCall,
}

impl Busy {
    fn waker(
        policy: &'static ConsentPolicy,
        call: &'static PendingCall,
        held: Option<Task<'static>>,
    ) -> Waker {
        Waker::from(Arc::new(Self { held: Mutex::new(held), policy, call }))
    }
}

impl Wake for Busy {
    fn wake(self: Arc<Self>) {
        glance(self.policy, self.call);
        let held = self.held.lock().unwrap().take();
        drop(held);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        glance(self.policy, self.call);
    }
}

#[test]
fn waking_and_dropping_a_waker_may_call_the_policy() {
    let desk = Arc::new(Desk::default());
    let policy: &'static ConsentPolicy = Box::leak(Box::new(ConsentPolicy::new(desk.clone())));
    let open: &'static PendingCall = Box::leak(Box::new(ask("notes.open")));
    let busy = |held| Busy::waker(policy, open, held);

    let mut first = policy.before(open);
    assert!(first.as_mut().poll(&mut Context::from_waker(&busy(None))).is_pending());
    // The previous waker is dropped, and one that owns another waiting call replaces it.
    let held = busy(Some(Task::waiting(policy, open)));
    assert!(first.as_mut().poll(&mut Context::from_waker(&held)).is_pending());
    drop(held);
    desk.answer(0, true);
    assert_eq!(block_on(first), Decision::Run);

    // Dropping a call drops its waker, and so the call that the waker owns.
    let close: &'static PendingCall = Box::leak(Box::new(ask("notes.close")));
    let mut second = policy.before(close);
    let held = busy(Some(Task::waiting(policy, close)));
    assert!(second.as_mut().poll(&mut Context::from_waker(&held)).is_pending());
    drop(held);
    drop(second);
    assert_eq!(policy.size(), (1, 0));
}

#[test]
fn waking_calls_that_arrived_while_the_confirmation_was_polled_may_call_the_policy() {
    let guest = Arc::new(Mutex::new(None::<BoxFuture<'static, HookResponse>>));
    let inside = guest.clone();
    let open: &'static PendingCall = Box::leak(Box::new(ask("notes.open")));
    let reach = Arc::new(OnceLock::<&'static ConsentPolicy>::new());
    let reached = reach.clone();
    let policy: &'static ConsentPolicy = Box::leak(Box::new(ConsentPolicy::new(move |_: PendingCall| {
        let (inside, policy, mut polls) = (inside.clone(), *reached.get().unwrap(), 0);
        poll_fn(move |cx| {
            polls += 1;
            let busy = Busy::waker(policy, open, Some(Task::waiting(policy, open)));
            let mut guest = inside.lock().unwrap();
            assert!(guest.as_mut().unwrap().as_mut().poll(&mut Context::from_waker(&busy)).is_pending());
            if polls == 2 {
                return Poll::Ready(true);
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
    })));
    reach.set(policy).unwrap();
    *guest.lock().unwrap() = Some(policy.before(open));
    assert_eq!(block_on(policy.before(open)), Decision::Run);
    let guest = guest.lock().unwrap().take().unwrap();
    assert_eq!(block_on(guest), Decision::Run);
    assert_eq!(policy.size(), (1, 0));
}

#[test]
fn a_question_is_closed_before_any_call_gets_the_answer() {
    let (guest, asked) =
        (Arc::new(Mutex::new(None::<BoxFuture<'static, HookResponse>>)), Arc::new(Mutex::new(0)));
    let (inside, count, first) = (guest.clone(), asked.clone(), Arc::new(AtomicBool::new(true)));
    let open: &'static PendingCall = Box::leak(Box::new(ask("notes.open")));
    let reach = Arc::new(OnceLock::<&'static ConsentPolicy>::new());
    let reached = reach.clone();
    let policy: &'static ConsentPolicy = Box::leak(Box::new(ConsentPolicy::new(move |_: PendingCall| {
        *count.lock().unwrap() += 1;
        let (inside, first, policy) = (inside.clone(), first.clone(), *reached.get().unwrap());
        poll_fn(move |_| {
            // When it gets the answer, it makes another call at once.
            if first.swap(false, Ordering::SeqCst) {
                let busy = Busy::waker(policy, open, None);
                let mut guest = inside.lock().unwrap();
                assert!(guest.as_mut().unwrap().as_mut().poll(&mut Context::from_waker(&busy)).is_pending());
            }
            Poll::Ready(false)
        })
    })));
    reach.set(policy).unwrap();
    *guest.lock().unwrap() = Some(policy.before(open));
    assert_eq!(block_on(policy.before(open)), declined("the user declined the call"));
    assert!(*asked.lock().unwrap() > 1, "a call that comes after a no is asked about");
}

#[test]
fn another_hook_may_run_before_the_policy() {
    let policy = Arc::new(ConsentPolicy::new(|_: PendingCall| ready(true)));
    let hook = move |call: PendingCall| {
        let policy = policy.clone();
        async move { policy.before(&call).await }
    };
    assert_eq!(block_on(hook.before(&ask("notes.open"))), Decision::Run);
}
