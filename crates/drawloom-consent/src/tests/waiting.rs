//! Calls that wait side by side for one answer, polled by hand.

use std::future::poll_fn;

use futures::future::{join, join3};

use super::*;

fn numbered(of: &PendingCall, number: i32) -> PendingCall {
    let mut call = of.clone();
    call.call_id = format!("call-{number}").into();
    call.arguments = CommandArguments::new().with("number", number);
    call
}

#[test]
fn a_yes_applies_to_all_waiting_calls() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let mut tasks: Vec<_> = (0..3).map(|_| Task::waiting(&policy, &open)).collect();
    assert_eq!(desk.asked(), 1);
    desk.answer(0, true);
    for task in &mut tasks {
        assert_eq!(task.poll_if_woken(), Some(Decision::Run));
    }
    assert_eq!(policy.size(), (1, 0));
    assert_eq!(decide(&policy, &open), Decision::Run);
    assert_eq!(desk.asked(), 1);
}

#[test]
fn a_no_applies_to_all_waiting_calls_and_to_no_later_call() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let mut tasks = [Task::waiting(&policy, &open), Task::waiting(&policy, &open)];
    desk.answer(0, Confirmation::NoBecause("not today".into()));
    assert_eq!(tasks[1].poll_if_woken(), Some(declined("the user declined the call: not today")));
    let mut late = Task::waiting(&policy, &open);
    assert_eq!(desk.asked(), 2, "the first question is over, though one that waits has yet to hear it");
    assert_eq!(tasks[0].poll_if_woken(), Some(declined("the user declined the call: not today")));
    drop(tasks);
    assert_eq!(policy.size(), (0, 1), "those of the first question leave the second alone");
    desk.answer(1, true);
    assert_eq!(late.poll_if_woken(), Some(Decision::Run));
}

#[test]
fn a_waker_that_panics_does_not_prevent_other_wakeups() {
    struct Broken;
    impl Wake for Broken {
        fn wake(self: Arc<Self>) {
            panic!("woken")
        }
    }
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let waker = Waker::from(Arc::new(Broken));
    let mut first = policy.before(&open);
    assert!(first.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    let mut tasks = [Task::waiting(&policy, &open), Task::waiting(&policy, &open)];
    desk.answer(0, true);
    for task in &mut tasks {
        assert_eq!(task.poll_if_woken(), Some(Decision::Run));
    }
}

#[test]
fn joined_calls_of_one_task_are_asked_about_once() {
    let (desk, policy) = Desk::policy();
    let (one, other) = (ask("notes.open"), ask("notes.close"));
    let answering = async {
        assert_eq!(desk.asked(), 2);
        desk.answer(0, true);
        desk.answer(1, false);
    };
    let calls = async {
        join(
            join(policy.before(&one), policy.before(&one)),
            join(policy.before(&other), policy.before(&other)),
        )
        .await
    };
    let ((opened, closed), ()) = block_on(join(calls, answering));
    assert_eq!([opened.0.decision, opened.1.decision], [Decision::Run, Decision::Run]);
    assert_eq!(
        [closed.0.decision, closed.1.decision],
        [(); 2].map(|()| declined("the user declined the call"))
    );
}

#[test]
fn ask_always_asks_about_each_waiting_call() {
    let (desk, policy) = Desk::policy();
    let open = call("notes.open", AgentConsent::AskAlways);
    let mut tasks = [Task::waiting(&policy, &open), Task::waiting(&policy, &open)];
    assert_eq!(desk.asked(), 2);
    desk.answer(1, false);
    desk.answer(0, true);
    assert_eq!(tasks[0].poll_if_woken(), Some(Decision::Run));
    assert_eq!(tasks[1].poll_if_woken(), Some(declined("the user declined the call")));
}

#[test]
fn an_edit_applies_only_to_the_call_that_was_asked_about() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let calls = [1, 2, 3].map(|number| numbered(&open, number));
    let mut tasks = calls.each_ref().map(|call| Task::waiting(&policy, call));
    let edited = CommandArguments::new().with("number", 0);
    desk.answer(0, Confirmation::YesWith(edited.clone()));
    // The call that was asked about is not the first one that is polled.
    assert_eq!(tasks[1].poll_if_woken(), None);
    assert_eq!(tasks[0].poll_if_woken(), Some(Decision::RunWith(edited)));
    assert_eq!(tasks[2].poll_if_woken(), None);
    assert_eq!(desk.asked(), 2, "the others share the next question");
    assert_eq!(desk.call(1), calls[1]);
    desk.answer(1, true);
    assert_eq!(tasks[1].poll_if_woken(), Some(Decision::Run));
    assert_eq!(tasks[2].poll_if_woken(), Some(Decision::Run));
    assert_eq!(policy.size(), (1, 0));
}

#[test]
fn an_edit_of_a_dropped_call_applies_to_no_call() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let first = Task::waiting(&policy, &open);
    let second = numbered(&open, 2);
    let mut task = Task::waiting(&policy, &second);
    drop(first);
    desk.answer(0, Confirmation::YesWith(CommandArguments::new()));
    assert_eq!(task.poll_if_woken(), None);
    assert_eq!(desk.call(1), second);
    desk.answer(1, true);
    assert_eq!(task.poll_if_woken(), Some(Decision::Run));
}

#[test]
fn a_dropped_call_leaves_the_question_to_the_others() {
    for given_up in 0..3 {
        let (desk, policy) = Desk::policy();
        let open = ask("notes.open");
        let mut tasks: Vec<_> = (0..3).map(|_| Task::waiting(&policy, &open)).collect();
        drop(tasks.remove(given_up));
        assert!(!desk.is_taken_back(0));
        desk.answer(0, true);
        for task in &mut tasks {
            assert_eq!(task.poll_if_woken(), Some(Decision::Run));
        }
        assert_eq!(desk.asked(), 1);
    }
}

#[test]
fn a_call_dropped_after_it_was_woken_leaves_the_question_to_the_others() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let first = Task::waiting(&policy, &open);
    let mut second = Task::waiting(&policy, &open);
    desk.answer(0, true);
    assert!(first.is_woken());
    drop(first);
    assert_eq!(second.poll_if_woken(), Some(Decision::Run));
}

#[test]
fn a_question_without_a_waiting_call_is_dropped_and_the_next_call_asks_again() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let tasks = [Task::waiting(&policy, &open), Task::waiting(&policy, &open)];
    drop(tasks);
    assert!(desk.is_taken_back(0));
    assert_eq!(policy.size(), (0, 0));
    let mut again = Task::waiting(&policy, &open);
    assert_eq!(desk.asked(), 2);
    desk.answer(1, true);
    assert_eq!(again.poll_if_woken(), Some(Decision::Run));
}

#[test]
fn an_answer_that_reached_no_call_does_not_count() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let task = Task::waiting(&policy, &open);
    desk.answer(0, true);
    drop(task);
    let _again = Task::waiting(&policy, &open);
    assert_eq!(desk.asked(), 2);
}

#[test]
fn a_command_registered_again_during_a_question_gets_its_own_question() {
    let (desk, policy) = Desk::policy();
    let (before, after) = (ask("notes.open"), ask("notes.open"));
    let mut old = [Task::waiting(&policy, &before), Task::waiting(&policy, &before)];
    let mut new = [Task::waiting(&policy, &after), Task::waiting(&policy, &after)];
    let mut older = Task::waiting(&policy, &before);
    assert_eq!(desk.asked(), 2);
    desk.answer(0, true);
    assert_eq!(old[0].poll_if_woken(), Some(Decision::Run));
    assert_eq!(new[0].poll_if_woken(), None);
    desk.answer(1, false);
    assert_eq!(new[0].poll_if_woken(), Some(declined("the user declined the call")));
    assert_eq!(new[1].poll_if_woken(), Some(declined("the user declined the call")));
    assert_eq!(old[1].poll_if_woken(), Some(Decision::Run));
    assert_eq!(older.poll_if_woken(), Some(Decision::Run));
}

/// A confirmation that runs a script each time it is polled, and never answers by itself.
fn scripted(script: impl FnMut(&Waker) -> Poll<bool> + Send + 'static) -> (Arc<Mutex<usize>>, ConsentPolicy) {
    let (polls, script) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(script)));
    let count = polls.clone();
    let policy = ConsentPolicy::new(move |_: PendingCall| {
        let (script, count) = (script.clone(), count.clone());
        poll_fn(move |cx| {
            *count.lock().unwrap() += 1;
            script.lock().unwrap()(cx.waker())
        })
    });
    (polls, policy)
}

#[test]
fn a_confirmation_is_polled_when_it_is_woken_and_not_for_each_waiting_call() {
    let kept = Arc::new(Mutex::new(None));
    let keep = kept.clone();
    let (polls, policy) = scripted(move |waker| {
        *keep.lock().unwrap() = Some(waker.clone());
        Poll::Pending
    });
    let open = ask("notes.open");
    let mut tasks: Vec<_> = (0..5).map(|_| Task::waiting(&policy, &open)).collect();
    assert_eq!(*polls.lock().unwrap(), 1);
    let waker: Waker = kept.lock().unwrap().take().unwrap();
    waker.wake();
    for task in &mut tasks {
        assert!(task.is_woken(), "any of them may be the one that is polled");
        assert_eq!(task.poll(), None);
    }
    assert_eq!(*polls.lock().unwrap(), 2);
}

#[test]
fn a_confirmation_that_wakes_itself_while_it_is_polled_is_polled_again() {
    let mut left = 3;
    let (polls, policy) = scripted(move |waker| {
        left -= 1;
        waker.wake_by_ref();
        if left == 0 { Poll::Ready(true) } else { Poll::Pending }
    });
    let open = ask("notes.open");
    let (one, two, three) = block_on(join3(policy.before(&open), policy.before(&open), policy.before(&open)));
    assert_eq!([one, two, three].map(|response| response.decision), [(); 3].map(|()| Decision::Run));
    assert_eq!(*polls.lock().unwrap(), 3);
}

#[test]
fn a_waker_is_dropped_with_its_call() {
    let (_desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let _first = Task::waiting(&policy, &open);
    let second = Task::waiting(&policy, &open);
    let flag = Arc::downgrade(&second.flag);
    drop(second);
    assert!(flag.upgrade().is_none());
}

#[test]
fn a_call_that_moves_to_another_task_is_woken_there() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let mut task = Task::waiting(&policy, &open);
    let before = std::mem::replace(&mut task.flag, Arc::new(Flag(AtomicBool::new(false))));
    assert_eq!(task.poll(), None);
    desk.answer(0, true);
    assert!(!before.0.load(Ordering::SeqCst));
    assert_eq!(task.poll_if_woken(), Some(Decision::Run));
}
