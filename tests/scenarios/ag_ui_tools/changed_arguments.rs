//! If somebody changed the arguments of a call, the answer SHALL first say so and with which arguments the command
//! ran, unless an option leaves this out.

use std::future::ready;

use drawloom::ag_ui::EditReport;
use drawloom::command::{AgentConsent, Argument, CommandArguments, Decision, PendingCall};
use drawloom::consent::{Confirmation, ConsentPolicy};

use super::support::{assert_holds, bench, callable, content, empty_bench, open};

fn path(path: &str) -> CommandArguments {
    CommandArguments::new().with("path", path)
}

/// - **GIVEN** a consent policy whose person approves `notes.open`, which states `ask`, with `path` as
///   `archive` instead.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** the `content` starts with a sentence that says the user changed the arguments and holds
///   `{"path":"archive"}`.
/// - **AND** the answer of the command follows on the next line.
#[test]
fn changed_by_the_person() {
    let bench = bench();
    bench.declare("notes.open", open().agent_consent(AgentConsent::Ask));
    let policy = ConsentPolicy::new(|_: PendingCall| ready(Confirmation::YesWith(path("archive"))));
    let mut agent = bench.agent_with(|tools| tools.before(policy));
    let message = agent.calls("c1", "notes__open", r#"{"path":"inbox"}"#);
    let (note, answer) = content(&message).split_once('\n').unwrap();
    assert_holds(note, &["user changed the arguments", r#"{"path":"archive"}"#]);
    assert_eq!(answer, r#"{"path":"archive"}"#);
    bench.assert_opened(&["archive"]);
}

/// - **GIVEN** `notes.mark` (optional text `path`, no answer), and a hook that runs it with `path` as
///   `archive`.
/// - **WHEN** the agent calls `notes__mark` with `path` as `inbox`.
/// - **THEN** the `content` says that the arguments were changed, holds `{"path":"archive"}` and then says
///   that the command ran.
#[test]
fn changed_without_an_answer() {
    let bench = empty_bench();
    bench.has(callable("notes.mark").argument(Argument::text("path")));
    let mut agent = bench.agent_behind(|_| Decision::RunWith(path("archive"))).0;
    let message = agent.calls("c1", "notes__mark", r#"{"path":"inbox"}"#);
    let (note, answer) = content(&message).split_once('\n').unwrap();
    assert_holds(note, &["changed the arguments", r#"{"path":"archive"}"#]);
    assert_eq!(answer, "The command ran.");
}

/// - **GIVEN** a hook that runs `notes.open` with the same arguments as the call.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** the `content` is `{"path":"inbox"}`.
#[test]
fn the_same_arguments() {
    let bench = bench();
    let mut agent = bench.agent_behind(|_| Decision::RunWith(path("inbox"))).0;
    assert_eq!(content(&agent.calls("c1", "notes__open", r#"{"path":"inbox"}"#)), r#"{"path":"inbox"}"#);
}

/// - **GIVEN** the option that leaves this out, and a hook that runs `notes.open` with `path` as `archive`.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** the `content` is `{"path":"archive"}`.
#[test]
fn left_out_by_option() {
    let bench = bench();
    let hook = |_: PendingCall| ready(Decision::RunWith(path("archive")));
    let mut agent = bench.agent_with(|tools| tools.before(hook).edit_report(EditReport::Omit));
    assert_eq!(content(&agent.calls("c1", "notes__open", r#"{"path":"inbox"}"#)), r#"{"path":"archive"}"#);
}
