//! The policy SHALL decline `never` without asking, let `allow` and commands without a statement through without
//! asking, ask once for `ask` and remember an approval, ask each time for `ask-always`, and treat a rejection as a
//! decline that it does not remember.

use drawloom::command::{AgentConsent, CommandArguments};
use drawloom::consent::Confirmation;
use serde_json::json;

use super::support::{Person, agent_behind, assert_ran, bench, call_each, refusal, times_run};

/// - **WHEN** the agent calls `notes.reset`.
/// - **THEN** it is declined, nobody was asked and it has not run.
#[test]
fn never_is_declined_unasked() {
    let (bench, person) = (bench(), Person::who_agrees());
    let messages = call_each(&mut agent_behind(&bench, person.policy()), &["notes__reset"]);
    refusal(&messages[0]);
    assert_eq!(person.times_asked(), 0);
    bench.assert_nothing_ran();
}

/// - **WHEN** the agent calls `notes.open` and `notes.ping`.
/// - **THEN** both have run and nobody was asked.
#[test]
fn allow_and_silence_pass_unasked() {
    let (bench, person) = (bench(), Person::who_says([Confirmation::No]));
    let messages = call_each(&mut agent_behind(&bench, person.policy()), &["notes__open", "notes__ping"]);
    messages.iter().for_each(assert_ran);
    assert_eq!((times_run(&bench, "notes.open"), times_run(&bench, "notes.ping")), (1, 1));
    assert_eq!(person.times_asked(), 0);
}

/// - **GIVEN** a confirmation that answers yes.
/// - **WHEN** the agent calls `notes.delete` three times.
/// - **THEN** it has run three times and the confirmation was asked once.
#[test]
fn ask_remembers_an_approval() {
    let (bench, person) = (bench(), Person::who_agrees());
    call_each(&mut agent_behind(&bench, person.policy()), &["notes__delete"; 3]);
    assert_eq!((times_run(&bench, "notes.delete"), person.times_asked()), (3, 1));
}

/// - **GIVEN** a confirmation that answers yes.
/// - **WHEN** the agent calls `notes.wipe` three times.
/// - **THEN** it has run three times and the confirmation was asked three times.
#[test]
fn ask_always_asks_each_time() {
    let (bench, person) = (bench(), Person::who_agrees());
    call_each(&mut agent_behind(&bench, person.policy()), &["notes__wipe"; 3]);
    assert_eq!((times_run(&bench, "notes.wipe"), person.times_asked()), (3, 3));
}

/// - **GIVEN** a confirmation that answers no and then yes.
/// - **WHEN** the agent calls `notes.delete` twice.
/// - **THEN** the first call is declined, the second has run, and the confirmation was asked twice.
#[test]
fn a_rejection_is_not_remembered() {
    let (bench, person) = (bench(), Person::who_says([Confirmation::No, Confirmation::Yes]));
    let messages = call_each(&mut agent_behind(&bench, person.policy()), &["notes__delete"; 2]);
    refusal(&messages[0]);
    assert_ran(&messages[1]);
    assert_eq!((times_run(&bench, "notes.delete"), person.times_asked()), (1, 2));
}

/// - **GIVEN** a confirmation that records what it is given.
/// - **WHEN** the agent calls `c1` for `notes.delete` with `id` as `n1`.
/// - **THEN** it was given the call `c1`, the command `notes.delete`, `id` as `n1` and the statement
///   `ask`.
#[test]
fn the_confirmation_knows_the_call() {
    let (bench, person) = (bench(), Person::who_agrees());
    agent_behind(&bench, person.policy()).calls("c1", "notes__delete", r#"{"id":"n1"}"#);
    let asked = person.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!((&*asked[0].call_id, asked[0].command_id.as_str()), ("c1", "notes.delete"));
    assert_eq!(asked[0].arguments, CommandArguments::new().with("id", "n1"));
    assert_eq!(asked[0].agent_consent, Some(AgentConsent::Ask));
}

/// - **GIVEN** a confirmation that answers yes with `id` as `n2` instead.
/// - **WHEN** the agent calls `notes.delete` with `id` as `n1` twice.
/// - **THEN** it has run twice with `id` as `n2`, and the confirmation was asked twice.
#[test]
fn an_edited_approval_counts_once() {
    let edited = Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
    let (bench, person) = (bench(), Person::who_says([edited]));
    let mut agent = agent_behind(&bench, person.policy());
    for call in ["c1", "c2"] {
        agent.calls(call, "notes__delete", r#"{"id":"n1"}"#);
    }
    assert_eq!(bench.ran(), vec![("notes.delete".to_owned(), json!({ "id": "n2" })); 2]);
    assert_eq!(person.times_asked(), 2);
}
