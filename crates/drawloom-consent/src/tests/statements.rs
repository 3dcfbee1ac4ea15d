//! The effect of each statement on consecutive calls.

use super::*;
use crate::ConsentWording;

/// A policy whose person always gives the same answer, and how often they gave it.
fn always(answer: impl Into<Confirmation>) -> (ConsentPolicy, impl Fn() -> usize) {
    let asked = Arc::new(Mutex::new(0));
    let (count, answer) = (asked.clone(), answer.into());
    let policy = ConsentPolicy::new(move |_: PendingCall| {
        *count.lock().unwrap() += 1;
        std::future::ready(answer.clone())
    });
    (policy, move || *asked.lock().unwrap())
}

#[test]
fn never_declines_and_nobody_is_asked() {
    let (policy, asked) = always(true);
    let wipe = call("notes.wipe", AgentConsent::Never);
    assert_eq!(decide(&policy, &wipe), declined("agents may not run this command"));
    assert_eq!(asked(), 0);
}

#[test]
fn allow_and_nothing_let_the_call_through_and_nobody_is_asked() {
    let (policy, asked) = always(false);
    assert_eq!(decide(&policy, &call("notes.open", AgentConsent::Allow)), Decision::Run);
    assert_eq!(decide(&policy, &call("notes.open", None)), Decision::Run);
    assert_eq!(asked(), 0);
}

#[test]
fn a_yes_to_ask_is_remembered() {
    let (policy, asked) = always(true);
    let open = ask("notes.open");
    for _ in 0..3 {
        assert_eq!(decide(&policy, &open), Decision::Run);
    }
    assert_eq!(asked(), 1);
    assert_eq!(decide(&policy, &ask("notes.close")), Decision::Run);
    assert_eq!(asked(), 2, "a yes is for one command");
}

#[test]
fn ask_always_asks_each_time() {
    let (policy, asked) = always(true);
    let open = call("notes.open", AgentConsent::AskAlways);
    for _ in 0..3 {
        assert_eq!(decide(&policy, &open), Decision::Run);
    }
    assert_eq!(asked(), 3);
    assert_eq!(policy.size(), (0, 0));
}

#[test]
fn a_yes_to_ask_does_not_apply_to_ask_always() {
    let (policy, asked) = always(true);
    let open = ask("notes.open");
    decide(&policy, &open);
    decide(&policy, &call_to("notes.open", open.registration.unwrap(), AgentConsent::AskAlways));
    assert_eq!(asked(), 2);
}

#[test]
fn a_no_declines_and_is_not_remembered() {
    for states in [AgentConsent::Ask, AgentConsent::AskAlways] {
        let (policy, asked) = always(false);
        let open = call("notes.open", states);
        for _ in 0..2 {
            assert_eq!(decide(&policy, &open), declined("the user declined the call"));
        }
        assert_eq!(asked(), 2);
        assert_eq!(policy.size(), (0, 0));
    }
}

#[test]
fn a_no_may_be_followed_by_a_yes() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    for (question, answer) in [(0, false), (1, true)] {
        let mut task = Task::waiting(&policy, &open);
        desk.answer(question, answer);
        task.poll().unwrap();
    }
    assert_eq!(decide(&policy, &open), Decision::Run);
    assert_eq!(desk.asked(), 2);
}

#[test]
fn an_edit_applies_to_one_call_and_is_not_remembered() {
    for states in [AgentConsent::Ask, AgentConsent::AskAlways] {
        let inbox = CommandArguments::new().with("path", "inbox");
        let (policy, asked) = always(Confirmation::YesWith(inbox.clone()));
        let open = call("notes.open", states);
        for _ in 0..2 {
            assert_eq!(decide(&policy, &open), Decision::RunWith(inbox.clone()));
        }
        assert_eq!(asked(), 2);
        assert_eq!(policy.size(), (0, 0));
    }
}

#[test]
fn the_product_sets_the_text_for_the_agent() {
    let policy = ConsentPolicy::builder(|_: PendingCall| {
        std::future::ready(Confirmation::NoBecause("not today".into()))
    })
    .wording(ConsentWording::new().never("agents cannot").refused("Ada declined"))
    .build();
    assert_eq!(decide(&policy, &call("notes.wipe", AgentConsent::Never)), declined("agents cannot"));
    assert_eq!(decide(&policy, &ask("notes.open")), declined("Ada declined: not today"));
}

#[test]
fn the_person_sees_the_call() {
    let (desk, policy) = Desk::policy();
    let mut open = ask("notes.open");
    open.arguments = CommandArguments::new().with("path", "inbox");
    let _task = Task::waiting(&policy, &open);
    assert_eq!(desk.call(0), open);
}

#[test]
fn a_command_registered_again_is_asked_about_again() {
    let (policy, asked) = always(true);
    let (before, after) = (ask("notes.open"), ask("notes.open"));
    decide(&policy, &before);
    decide(&policy, &after);
    assert_eq!(asked(), 2);
    decide(&policy, &after);
    assert_eq!(asked(), 2);
}

#[test]
fn registering_a_command_repeatedly_needs_no_more_memory() {
    let (policy, _) = always(true);
    for _ in 0..100 {
        decide(&policy, &ask("notes.open"));
        decide(&policy, &ask("notes.close"));
    }
    assert_eq!(policy.size(), (2, 0));
}

#[test]
fn a_registration_of_another_command_differs() {
    let (policy, asked) = always(true);
    let open = ask("notes.open");
    decide(&policy, &open);
    decide(&policy, &call_to("notes.close", open.registration.unwrap(), AgentConsent::Ask));
    assert_eq!(asked(), 2);
}

#[test]
fn two_policies_never_share_an_answer() {
    let desk = Arc::new(Desk::default());
    let (one, other) = (ConsentPolicy::new(desk.clone()), ConsentPolicy::new(desk.clone()));
    let open = ask("notes.open");
    let mut first = Task::waiting(&one, &open);
    let mut second = Task::waiting(&other, &open);
    assert_eq!(desk.asked(), 2, "not even one that is still to come");
    desk.answer(0, true);
    desk.answer(1, false);
    assert_eq!(first.poll(), Some(Decision::Run));
    assert_eq!(second.poll(), Some(declined("the user declined the call")));
    let _third = Task::waiting(&other, &open);
    assert_eq!(desk.asked(), 3);
}

#[test]
fn a_decision_that_is_never_polled_asks_nobody() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    drop(policy.before(&open));
    assert_eq!(desk.asked(), 0);
}
