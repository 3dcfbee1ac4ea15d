//! What a policy remembers SHALL belong to that policy alone and SHALL end with it.

use super::support::{Person, agent_behind, bench, call_each, times_run};

/// - **GIVEN** two policies, the first of which remembers an approval of `notes.delete`.
/// - **WHEN** an agent calls `notes.delete` through the second.
/// - **THEN** the confirmation of the second is asked.
#[test]
fn two_policies_share_nothing() {
    let bench = bench();
    let (ada, bob) = (Person::who_agrees(), Person::who_agrees());
    let (mut of_ada, mut of_bob) = (agent_behind(&bench, ada.policy()), agent_behind(&bench, bob.policy()));
    call_each(&mut of_ada, &["notes__delete"; 2]);
    assert_eq!((ada.times_asked(), bob.times_asked()), (1, 0));
    call_each(&mut of_bob, &["notes__delete"]);
    assert_eq!((ada.times_asked(), bob.times_asked()), (1, 1));
    assert_eq!(times_run(&bench, "notes.delete"), 3);
}

/// - **GIVEN** a policy that remembered an approval of `notes.delete` and was dropped.
/// - **WHEN** a new policy on the same workbench gets a call of `notes.delete`.
/// - **THEN** the confirmation is asked again.
#[test]
fn nothing_outlives_the_policy() {
    let (bench, person) = (bench(), Person::who_agrees());
    let mut agent = agent_behind(&bench, person.policy());
    call_each(&mut agent, &["notes__delete"; 2]);
    assert_eq!(person.times_asked(), 1);
    drop(agent);
    call_each(&mut agent_behind(&bench, person.policy()), &["notes__delete"]);
    assert_eq!(person.times_asked(), 2);
}
