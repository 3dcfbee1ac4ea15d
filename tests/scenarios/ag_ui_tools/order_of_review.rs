//! A call SHALL be checked in this order: whether it is offered, whether its arguments can be read, whether they
//! match the declaration, then the hook, and last the seam.

use drawloom::command::{Decision, PendingCall};

use super::support::{Agent, Log, assert_holds, bench, refusal};

/// An agent behind a hook that answers every call itself.
fn agent_answered_by_the_hook() -> (Agent, Log<PendingCall>) {
    bench().agent_behind(|_| Decision::Answer { content: "The hook was asked.".into() })
}

/// - **GIVEN** a hook that answers every call itself.
/// - **WHEN** the agent calls `notes__open` with `{"path":`.
/// - **THEN** the hook was not asked and the call is refused.
#[test]
fn the_hook_does_not_see_unreadable_arguments() {
    let (mut agent, seen) = agent_answered_by_the_hook();
    refusal(&agent.calls("c1", "notes__open", r#"{"path":"#));
    assert_eq!(seen.all(), []);
}

/// - **GIVEN** a hook that answers every call itself.
/// - **WHEN** the agent calls `notes__open` with `{"path":"a","mode":"sideways"}`.
/// - **THEN** the hook was not asked and the call is refused, naming `mode`.
#[test]
fn the_hook_does_not_see_mismatched_arguments() {
    let (mut agent, seen) = agent_answered_by_the_hook();
    let message = agent.calls("c1", "notes__open", r#"{"path":"a","mode":"sideways"}"#);
    assert_holds(refusal(&message), &["\"mode\""]);
    assert_eq!(seen.all(), []);
}
