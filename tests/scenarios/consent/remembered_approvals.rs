//! The product SHALL be able to list the approvals that a policy remembers, and to withdraw them.

use std::future::ready;

use drawloom::command::PendingCall;
use drawloom::consent::{Confirmation, ConsentPolicy};

use super::support::{Person, agent_behind, bench, call_each, times_run};

/// - **GIVEN** a confirmation that answers yes as `ada`.
/// - **WHEN** the agent calls `notes.delete` and `notes.wipe`, and the approvals are listed.
/// - **THEN** the list names `notes.delete` and `ada`, and nothing else.
#[test]
fn approvals_are_listed() {
    let bench = bench();
    let policy = ConsentPolicy::new(|_: PendingCall| ready(Confirmation::Yes.decided_by("ada")));
    let approvals = policy.approvals();
    let mut agent = agent_behind(&bench, policy);
    call_each(&mut agent, &["notes__delete", "notes__wipe"]);
    let listed = approvals.list();
    let [approval] = listed.as_slice() else { panic!("one approval: {listed:?}") };
    assert_eq!((approval.command_id.as_str(), approval.decided_by.as_deref()), ("notes.delete", Some("ada")));
}

/// - **GIVEN** a remembered approval of `notes.delete`.
/// - **WHEN** it is withdrawn and the agent calls `notes.delete`.
/// - **THEN** the confirmation is asked again, and the approvals list `notes.delete` again.
#[test]
fn a_withdrawn_approval_asks_again() {
    let (bench, person) = (bench(), Person::who_agrees());
    let policy = person.policy();
    let approvals = policy.approvals();
    let mut agent = agent_behind(&bench, policy);
    call_each(&mut agent, &["notes__delete"; 2]);
    assert_eq!(person.times_asked(), 1);
    assert!(approvals.withdraw("notes.delete"));
    assert_eq!(approvals.list(), []);
    agent.calls("again", "notes__delete", "");
    assert_eq!((person.times_asked(), times_run(&bench, "notes.delete")), (2, 3));
    assert_eq!(approvals.list().len(), 1);
}
