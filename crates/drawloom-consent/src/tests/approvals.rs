//! What is recorded about a decision, and the approvals that are remembered: listed and withdrawn.

use std::future::ready;

use drawloom_command::{DecisionBasis, DecisionSource, QuestionEnd};

use super::*;

fn basis(policy: &ConsentPolicy, call: &PendingCall) -> DecisionBasis {
    Task::new(policy, call).poll_response().unwrap().basis
}

fn ada() -> ConsentPolicy {
    ConsentPolicy::new(|call: PendingCall| {
        let question = format!("Let the agent use {}?", call.command_id);
        ready(Confirmation::Yes.decided_by("ada").shown(question))
    })
}

#[test]
fn a_decision_says_how_it_was_made_by_whom_and_what_was_shown() {
    let policy = ada();
    let rule = DecisionBasis::new(DecisionSource::Rule);
    assert_eq!(basis(&policy, &call("notes.open", None)), rule);
    assert_eq!(basis(&policy, &call("notes.open", AgentConsent::Allow)), rule);
    let never = rule.reason("agents may not run this command");
    assert_eq!(basis(&policy, &call("notes.open", AgentConsent::Never)), never);

    let said = |source| DecisionBasis::new(source).decided_by("ada").shown("Let the agent use notes.open?");
    let asked = said(DecisionSource::Asked).answer(QuestionEnd::Yes);
    let open = ask("notes.open");
    assert_eq!(basis(&policy, &open), asked);
    assert_eq!(basis(&policy, &open), said(DecisionSource::Remembered));
    let always = call("notes.open", AgentConsent::AskAlways);
    assert_eq!(basis(&policy, &always), asked);
}

#[test]
fn a_no_is_recorded_with_its_reason() {
    let asked = DecisionBasis::new(DecisionSource::Asked);
    for (answer, end, reason) in [
        (Confirmation::No, QuestionEnd::No, "the user declined the call"),
        (
            Confirmation::NoBecause("not today".into()),
            QuestionEnd::No,
            "the user declined the call: not today",
        ),
        (
            Confirmation::Errored("no window".into()),
            QuestionEnd::Errored,
            "the confirmation failed: no window",
        ),
        (Confirmation::Cancelled, QuestionEnd::Cancelled, "the confirmation was cancelled"),
        (Confirmation::TimedOut, QuestionEnd::TimedOut, "the confirmation timed out"),
    ] {
        let policy = ConsentPolicy::new(move |_: PendingCall| ready(answer.clone()));
        assert_eq!(basis(&policy, &ask("notes.open")), asked.clone().answer(end).reason(reason));
    }
    let policy = ConsentPolicy::new(|_: PendingCall| async { panic!("broken") as Confirmation });
    let panicked = asked.clone().answer(QuestionEnd::Panicked).reason("the confirmation panicked");
    assert_eq!(basis(&policy, &ask("notes.open")), panicked);
    let edited = Confirmation::YesWith(CommandArguments::new()).decided_by("ada");
    let policy = ConsentPolicy::new(move |_: PendingCall| ready(edited.clone()));
    assert_eq!(basis(&policy, &ask("notes.open")), asked.answer(QuestionEnd::Edited).decided_by("ada"));
}

#[test]
fn a_call_that_shares_an_answer_is_recorded_as_such() {
    for (answer, end, reason) in [
        (Confirmation::Yes, QuestionEnd::Yes, None),
        (Confirmation::No, QuestionEnd::No, Some("the user declined the call")),
    ] {
        let (desk, policy) = Desk::policy();
        let open = ask("notes.open");
        let (mut first, mut second) = (Task::waiting(&policy, &open), Task::waiting(&policy, &open));
        desk.answer(0, answer.decided_by("ada"));
        // Whichever is polled first.
        let shared = second.poll_response().unwrap().basis;
        let asked = first.poll_response().unwrap().basis;
        let expected = |source| {
            let basis = DecisionBasis::new(source).answer(end).decided_by("ada");
            reason.map_or(basis.clone(), |reason| basis.reason(reason))
        };
        assert_eq!(asked, expected(DecisionSource::Asked));
        assert_eq!(shared, expected(DecisionSource::Shared));
    }
}

#[test]
fn a_call_that_an_edit_does_not_apply_to_gets_its_own_question() {
    let (desk, policy) = Desk::policy();
    let open = ask("notes.open");
    let (mut first, mut second) = (Task::waiting(&policy, &open), Task::waiting(&policy, &open));
    desk.answer(0, Confirmation::YesWith(CommandArguments::new()));
    assert_eq!(first.poll_response().unwrap().basis.source, DecisionSource::Asked);
    assert_eq!(second.poll_response(), None);
    desk.answer(1, true);
    assert_eq!(second.poll_response().unwrap().basis.source, DecisionSource::Asked);
}

#[test]
fn approvals_are_listed_and_withdrawn() {
    let policy = ada();
    let approvals = policy.approvals();
    let (open, close) = (ask("notes.open"), ask("notes.close"));
    decide(&policy, &open);
    decide(&policy, &close);
    let listed = approvals.list();
    let ids: Vec<_> = listed.iter().map(|approval| approval.command_id.as_str()).collect();
    assert_eq!(ids, ["notes.close", "notes.open"]);
    assert_eq!(listed[1].registration, open.registration);
    assert_eq!((&*listed[1].call_id, listed[1].decided_by.as_deref()), ("call-1", Some("ada")));
    assert_eq!(listed[1].shown.as_deref(), Some("Let the agent use notes.open?"));

    assert!(approvals.withdraw("notes.open"));
    assert!(!approvals.withdraw("notes.open"), "it was withdrawn");
    assert_eq!(basis(&policy, &open).source, DecisionSource::Asked);
    assert_eq!(basis(&policy, &close).source, DecisionSource::Remembered);

    let clone = approvals.clone();
    clone.withdraw_all();
    assert_eq!(approvals.list(), []);
}

#[test]
fn an_approval_belongs_to_the_call_that_was_asked_about_whichever_is_polled_first() {
    let (desk, policy) = Desk::policy();
    let first = ask("notes.open");
    let mut second = first.clone();
    second.call_id = "call-2".into();
    let (mut one, mut two) = (Task::waiting(&policy, &first), Task::waiting(&policy, &second));
    desk.answer(0, true);
    assert_eq!((two.poll(), one.poll()), (Some(Decision::Run), Some(Decision::Run)));
    assert_eq!(&*policy.approvals().list()[0].call_id, "call-1");
}

#[test]
fn approvals_end_with_their_policy() {
    let policy = ada();
    decide(&policy, &ask("notes.open"));
    let approvals = policy.approvals();
    assert_eq!(approvals.list().len(), 1);
    drop(policy);
    assert_eq!(approvals.list(), []);
    assert!(!approvals.withdraw("notes.open"));
}
