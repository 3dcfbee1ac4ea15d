//! A remembered approval SHALL apply to the command as it was declared.

use super::support::{Person, agent_behind, bench, call_each, delete, times_run};

/// - **GIVEN** a remembered approval of `notes.delete`.
/// - **WHEN** `notes.delete` is registered again with another description and the agent calls it.
/// - **THEN** the confirmation is asked again.
#[test]
fn registered_again_is_asked_again() {
    let (bench, person) = (bench(), Person::who_agrees());
    let mut agent = agent_behind(&bench, person.policy());
    call_each(&mut agent, &["notes__delete"; 2]);
    assert_eq!(person.times_asked(), 1);
    bench.declare("notes.delete", delete().description("Deletes for good."));
    agent.calls("again", "notes__delete", "");
    assert_eq!((person.times_asked(), times_run(&bench, "notes.delete")), (2, 3));
}
