//! A product SHALL be able to give the policy a rule that says what a call needs at least, by the effects that the
//! command states or by anything else that is known of the call. The policy SHALL act on what the command states or on
//! the rule, whichever is stricter; `allow`, `ask`, `ask-always` and `never` are in the order of their strictness, and
//! nothing is as `allow`.

use drawloom::command::{AgentConsent, EffectKind, Effects};
use drawloom::consent::ConsentPolicy;

use super::support::{Person, agent_behind, assert_ran, bench, call_each, callable, refusal, times_run};

/// - **GIVEN** a rule that returns `ask` for commands that destroy something or act outside the application, and a
///   confirmation that answers yes.
/// - **WHEN** the agent calls a command that reads, one that destroys and one that changes something outside, twice each,
///   and none of them states a consent.
/// - **THEN** all calls have run, and the confirmation was asked once about the second command and once about the third.
#[test]
fn a_rule_by_effects() {
    let (bench, person) = (bench(), Person::who_agrees());
    bench.declare("notes.find", callable("notes.find").effects(Effects::reads()));
    bench.declare("notes.clear", callable("notes.clear").effects(Effects::destroys()));
    bench.declare("notes.mail", callable("notes.mail").effects(Effects::changes().outside()));
    let policy = ConsentPolicy::builder(person.confirms()).rule(|call| match call.effects {
        Some(effects) if effects.kind() == EffectKind::Destroys || effects.acts_outside() => {
            AgentConsent::Ask
        }
        _ => AgentConsent::Allow,
    });
    let tools = ["notes__find", "notes__clear", "notes__mail", "notes__find", "notes__clear", "notes__mail"];
    let messages = call_each(&mut agent_behind(&bench, policy.build()), &tools);
    messages.iter().for_each(assert_ran);
    let asked: Vec<_> = person.asked().iter().map(|call| call.command_id.to_string()).collect();
    assert_eq!(asked, ["notes.clear", "notes.mail"]);
}

/// - **GIVEN** a rule that returns `allow` for every call.
/// - **WHEN** the agent calls each command of the purpose twice, and the confirmation answers yes.
/// - **THEN** the confirmation was asked once about `notes.delete` and twice about `notes.wipe`, and `notes.reset` has not
///   run.
#[test]
fn never_less_strict_than_the_statement() {
    let (bench, person) = (bench(), Person::who_agrees());
    let policy = ConsentPolicy::builder(person.confirms()).rule(|_| AgentConsent::Allow).build();
    let tools = ["notes__delete", "notes__wipe", "notes__reset", "notes__open", "notes__ping"];
    call_each(&mut agent_behind(&bench, policy), &[tools, tools].concat());
    let asked: Vec<_> = person.asked().iter().map(|call| call.command_id.to_string()).collect();
    assert_eq!(asked, ["notes.delete", "notes.wipe", "notes.wipe"]);
    assert_eq!(times_run(&bench, "notes.reset"), 0);
}

/// - **GIVEN** a rule that panics.
/// - **WHEN** the agent calls `notes.open`.
/// - **THEN** the call is declined, the agent is told that the consent rule panicked, and nobody was asked.
#[test]
fn a_rule_that_panics() {
    let (bench, person) = (bench(), Person::who_agrees());
    let policy = ConsentPolicy::builder(person.confirms()).rule(|_| panic!("no rule")).build();
    let messages = call_each(&mut agent_behind(&bench, policy), &["notes__open"]);
    let told = refusal(&messages[0]);
    assert!(told.contains("the consent rule panicked"), "{told}");
    assert_eq!(person.times_asked(), 0);
    bench.assert_nothing_ran();
}

/// - **GIVEN** a rule that returns `ask-always` for every call.
/// - **WHEN** the agent calls a command that is not registered.
/// - **THEN** the call is refused as unavailable and nobody was asked.
#[test]
fn no_rule_for_what_is_not_offered() {
    let (bench, person) = (bench(), Person::who_agrees());
    let policy = ConsentPolicy::builder(person.confirms()).rule(|_| AgentConsent::AskAlways).build();
    let messages = call_each(&mut agent_behind(&bench, policy), &["notes__gone"]);
    assert!(refusal(&messages[0]).contains("no such command is available"), "{:?}", messages[0]);
    assert_eq!(person.times_asked(), 0);
}
