//! Confirmations that fail, in each possible way.

use std::fmt;
use std::future::{pending, poll_fn, ready};
use std::panic::panic_any;
use std::sync::atomic::AtomicUsize;

use super::*;

const BOTH: [AgentConsent; 2] = [AgentConsent::Ask, AgentConsent::AskAlways];

/// Panics when it is dropped.
struct Mine;

impl Drop for Mine {
    fn drop(&mut self) {
        panic!("secret: dropped");
    }
}

/// A future that owns a value that panics when it is dropped.
fn mined<T: Send + 'static>(
    mut poll: impl FnMut() -> Poll<T> + Send + 'static,
) -> impl Future<Output = T> + Send + 'static {
    let mine = Mine;
    poll_fn(move |_| {
        let _ = &mine;
        poll()
    })
}

/// Asserts that a call and the next one are declined with this reason, and that no state remains.
fn assert_declines(policy: &ConsentPolicy, reason: &str) {
    for states in BOTH {
        let open = call("notes.open", states);
        for _ in 0..2 {
            assert_eq!(decide(policy, &open), declined(reason), "{states:?}");
            assert_eq!(policy.size(), (0, 0), "{states:?}");
        }
    }
}

#[test]
fn an_error_is_a_no_that_names_the_error() {
    let policy = ConsentPolicy::new(|_: PendingCall| ready(Err::<bool, _>("the window is gone")));
    assert_declines(&policy, "the confirmation failed: the window is gone");
}

#[test]
fn cancelled_and_timed_out_are_a_no_that_names_the_cause() {
    let policy = ConsentPolicy::new(|_: PendingCall| ready(Confirmation::Cancelled));
    assert_declines(&policy, "the confirmation was cancelled");
    let policy = ConsentPolicy::new(|_: PendingCall| ready(Confirmation::TimedOut));
    assert_declines(&policy, "the confirmation timed out");
}

#[test]
fn a_confirmation_that_panics_while_it_is_made() {
    let policy = ConsentPolicy::new(|call: PendingCall| {
        if call.call_id.starts_with("call") {
            panic!("secret: made");
        }
        ready(true)
    });
    assert_declines(&policy, "the confirmation panicked");
}

#[test]
fn a_confirmation_that_panics_while_it_is_polled() {
    let policy = ConsentPolicy::new(|_: PendingCall| poll_fn(|_| -> Poll<bool> { panic!("secret: polled") }));
    assert_declines(&policy, "the confirmation panicked");
}

#[test]
fn a_confirmation_that_panics_when_it_is_dropped_after_a_yes() {
    let policy = ConsentPolicy::new(|_: PendingCall| mined(|| Poll::Ready(true)));
    assert_declines(&policy, "the confirmation panicked");
}

#[test]
fn a_type_of_the_products_own_whose_future_panics_when_it_is_dropped() {
    struct Own(Confirmation);
    impl Confirm for Own {
        fn confirm(&self, _: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
            let answer = self.0.clone();
            Box::pin(mined(move || Poll::Ready(answer.clone().into())))
        }
    }
    assert_declines(&ConsentPolicy::new(Own(Confirmation::Yes)), "the confirmation panicked");
    let edited = Confirmation::YesWith(CommandArguments::new());
    assert_declines(&ConsentPolicy::new(Own(edited)), "the confirmation panicked");
    // A no stays a no.
    assert_declines(&ConsentPolicy::new(Own(Confirmation::No)), "the user declined the call");
}

#[test]
fn a_confirmation_that_panics_when_polled_and_again_when_dropped() {
    let policy = ConsentPolicy::new(|_: PendingCall| mined(|| -> Poll<bool> { panic!("secret: polled") }));
    assert_declines(&policy, "the confirmation panicked");
}

#[test]
fn a_panic_whose_payload_panics_when_it_is_dropped() {
    let policy = ConsentPolicy::new(|_: PendingCall| poll_fn(|_| -> Poll<bool> { panic_any(Mine) }));
    assert_declines(&policy, "the confirmation panicked");
}

#[test]
fn an_answer_that_panics_while_it_is_read() {
    struct Odd;
    impl fmt::Display for Odd {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("secret: shown")
        }
    }
    let policy = ConsentPolicy::new(|_: PendingCall| ready(Err::<bool, _>(Odd)));
    assert_declines(&policy, "the confirmation panicked");
}

#[test]
fn a_call_that_is_given_up_while_its_confirmation_panics_in_its_drop() {
    let policy = ConsentPolicy::new(|_: PendingCall| mined(|| Poll::<bool>::Pending));
    for states in BOTH {
        let open = call("notes.open", states);
        drop(Task::waiting(&policy, &open));
        assert_eq!(policy.size(), (0, 0));
    }
}

#[test]
fn all_waiting_calls_are_declined_after_a_panic() {
    let (tell, told) = oneshot::channel::<()>();
    let told = Mutex::new(Some(told));
    let policy = ConsentPolicy::new(move |_: PendingCall| {
        let told = told.lock().unwrap().take().unwrap();
        async move {
            let _ = told.await;
            if true {
                panic!("secret: woken");
            }
            true
        }
    });
    let open = ask("notes.open");
    let mut tasks = [Task::waiting(&policy, &open), Task::waiting(&policy, &open)];
    tell.send(()).unwrap();
    for task in &mut tasks {
        assert_eq!(task.poll_if_woken(), Some(declined("the confirmation panicked")));
    }
}

/// A deadline that the test controls, and how often it was started.
fn deadline() -> (oneshot::Sender<()>, impl Fn() -> BoxFuture<'static, ()> + Send + Sync, Arc<AtomicUsize>) {
    let (end, ended) = oneshot::channel();
    let (ended, started) = (Mutex::new(Some(ended)), Arc::new(AtomicUsize::new(0)));
    let count = started.clone();
    let start = move || {
        count.fetch_add(1, Ordering::Relaxed);
        let ended = ended.lock().unwrap().take();
        let deadline: BoxFuture<'static, ()> = Box::pin(async move {
            match ended {
                Some(ended) => ended.await.unwrap(),
                None => pending().await,
            }
        });
        deadline
    };
    (end, start, started)
}

#[test]
fn nobody_answers_in_time() {
    let (desk, builder) = Desk::builder();
    let (end, start, _) = deadline();
    let policy = builder.deadline(start).build();
    let open = ask("notes.open");
    let mut tasks = [Task::waiting(&policy, &open), Task::waiting(&policy, &open)];
    end.send(()).unwrap();
    for task in &mut tasks {
        assert_eq!(task.poll_if_woken(), Some(declined("the confirmation timed out")));
    }
    assert!(desk.is_taken_back(0), "the question is taken back");
    // It is not remembered, and the next question has its own deadline.
    let mut again = Task::waiting(&policy, &open);
    desk.answer(1, true);
    assert_eq!(again.poll_if_woken(), Some(Decision::Run));
}

#[test]
fn nobody_answers_in_time_each_time() {
    let (desk, builder) = Desk::builder();
    let policy = builder.deadline(|| ready(())).build();
    let open = call("notes.open", AgentConsent::AskAlways);
    for question in 0..2 {
        assert_eq!(decide(&policy, &open), declined("the confirmation timed out"));
        assert!(desk.is_taken_back(question));
    }
}

#[test]
fn an_answer_that_exists_at_the_deadline_counts() {
    let (desk, builder) = Desk::builder();
    let (end, start, _) = deadline();
    let policy = builder.deadline(start).build();
    let open = ask("notes.open");
    let mut task = Task::waiting(&policy, &open);
    end.send(()).unwrap();
    desk.answer(0, true);
    assert_eq!(task.poll(), Some(Decision::Run));
}

#[test]
fn a_deadline_is_started_only_if_somebody_is_asked() {
    let (_end, start, started) = deadline();
    let policy = ConsentPolicy::builder(|_: PendingCall| ready(true)).deadline(start).build();
    decide(&policy, &call("notes.open", None));
    decide(&policy, &call("notes.open", AgentConsent::Never));
    assert_eq!(started.load(Ordering::Relaxed), 0);
    let open = ask("notes.open");
    decide(&policy, &open);
    decide(&policy, &open);
    assert_eq!(started.load(Ordering::Relaxed), 1);
}

#[test]
fn a_deadline_that_panics_is_a_no_and_nobody_is_asked() {
    let (desk, builder) = Desk::builder();
    let policy = builder.deadline(|| -> BoxFuture<'static, ()> { panic!("secret: started") }).build();
    assert_declines(&policy, "the confirmation panicked");
    assert_eq!(desk.asked(), 0);

    let (_desk, builder) = Desk::builder();
    let policy = builder.deadline(|| poll_fn(|_| panic!("secret: polled"))).build();
    assert_declines(&policy, "the confirmation panicked");

    let policy = ConsentPolicy::builder(|_: PendingCall| ready(true))
        .deadline(|| mined(|| Poll::<()>::Pending))
        .build();
    assert_declines(&policy, "the confirmation panicked");
}

#[test]
fn a_confirmation_that_panics_in_its_drop_at_the_deadline_timed_out() {
    let policy = ConsentPolicy::builder(|_: PendingCall| mined(|| Poll::<bool>::Pending))
        .deadline(|| ready(()))
        .build();
    assert_declines(&policy, "the confirmation timed out");
}
