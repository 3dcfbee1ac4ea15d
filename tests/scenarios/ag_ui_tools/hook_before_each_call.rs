//! A hook SHALL see each call that could run and each call to a command that is not offered, and decide about it
//! without a time limit. Its decision SHALL never allow more than the seam allows.

use std::future::ready;
use std::task::Poll;

use drawloom::ag_ui::{Event, ToolMessage, UnofferedCalls};
use drawloom::command::{AgentConsent, CommandArguments, Decision, PendingCall};
use futures::channel::oneshot;
use futures::executor::block_on;
use futures::{FutureExt, poll};

use super::support::events::{args, end, run_finished, start};
use super::support::{Bench, Log, assert_holds, bench, content, open, refusal};

const INBOX: &str = r#"{"path":"inbox"}"#;

/// Calls `notes__open` with `path` as `inbox`, behind a hook that decides like this.
fn call_behind(bench: &Bench, decision: Decision) -> ToolMessage {
    let (mut agent, _) = bench.agent_behind(move |_| decision.clone());
    agent.calls("c1", "notes__open", INBOX)
}

/// - **GIVEN** `notes.open`, which states `ask`, and a hook that records what it sees.
/// - **WHEN** the agent calls `c1` for `notes__open` with `path` as `inbox`.
/// - **THEN** the hook has seen the call `c1`, the command `notes.open`, `path` as `inbox` and the statement `ask`.
#[test]
fn what_the_hook_sees() {
    let bench = bench();
    bench.declare("notes.open", open().agent_consent(AgentConsent::Ask));
    let (mut agent, seen) = bench.agent_behind(|_| Decision::Run);
    agent.calls("c1", "notes__open", INBOX);
    let seen = seen.only();
    assert_eq!((&*seen.call_id, seen.command_id.as_str()), ("c1", "notes.open"));
    assert_eq!(seen.arguments, CommandArguments::new().with("path", "inbox"));
    assert_eq!(seen.agent_consent, Some(AgentConsent::Ask));
}

/// - **GIVEN** `notes.open`, re-declared from `allow` to stating nothing after the list was read.
/// - **WHEN** the agent calls `notes__open`.
/// - **THEN** the hook sees no statement.
#[test]
fn consent_of_the_moment() {
    let bench = bench();
    bench.declare("notes.open", open().agent_consent(AgentConsent::Allow));
    let (mut agent, seen) = bench.agent_behind(|_| Decision::Run);
    assert!(agent.list()[0].metadata.is_some());
    bench.declare("notes.open", open());
    agent.calls("c1", "notes__open", INBOX);
    assert_eq!(seen.only().agent_consent, None);
}

/// - **GIVEN** a hook that waits until it is released.
/// - **WHEN** the agent calls `notes__open`, and later the hook is released to let it run.
/// - **THEN** `notes.open` ran only after the release.
#[test]
fn the_hook_may_wait() {
    let bench = bench();
    let (release, released) = oneshot::channel();
    let released = released.shared();
    let hook = move |_: PendingCall| released.clone().map(|released| released.unwrap());
    let mut agent = bench.agent_with(|tools| tools.before(hook));
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", INBOX)]);
    let text = end("c1").to_string();
    let end = Event::parse(&text).unwrap();
    block_on(async {
        let mut answer = Box::pin(agent.tools.receive(&end));
        assert_eq!(poll!(&mut answer), Poll::Pending);
        assert_eq!(poll!(&mut answer), Poll::Pending);
        bench.assert_nothing_ran();
        release.send(Decision::Run).unwrap();
        assert_eq!(content(&answer.await.unwrap()), INBOX);
    });
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** a hook that decides to run with `path` as `archive`.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** `notes.open` has run with `path` as `archive`.
#[test]
fn running_with_other_arguments() {
    let bench = bench();
    call_behind(&bench, Decision::RunWith(CommandArguments::new().with("path", "archive")));
    bench.assert_opened(&["archive"]);
}

/// - **GIVEN** a hook that decides to run with `path` as 7.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** it is refused, naming `path`, and `notes.open` has not run.
#[test]
fn other_arguments_are_checked() {
    let bench = bench();
    let message = call_behind(&bench, Decision::RunWith(CommandArguments::new().with("path", 7)));
    assert_holds(refusal(&message), &["\"path\""]);
    bench.assert_nothing_ran();
}

/// - **GIVEN** a hook that declines with `not during the audit`.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** it is refused with a text that contains `not during the audit`, and `notes.open` has not run.
#[test]
fn declining_with_a_reason() {
    let bench = bench();
    let message = call_behind(&bench, Decision::Decline { reason: "not during the audit".into() });
    assert_holds(refusal(&message), &["not during the audit"]);
    bench.assert_nothing_ran();
}

/// - **GIVEN** a hook that answers `Exports run from the menu.` itself.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** the `content` is `Exports run from the menu.` without an `error`, and `notes.open` has not run.
#[test]
fn the_hook_answers() {
    let bench = bench();
    let message = call_behind(&bench, Decision::Answer { content: "Exports run from the menu.".into() });
    assert_eq!(content(&message), "Exports run from the menu.");
    bench.assert_nothing_ran();
}

/// - **GIVEN** a hook that answers `Ask the menu.` to `notes.ghost`, which is not registered, and lets everything
///   else run.
/// - **WHEN** the agent calls `notes__ghost` and `notes__phantom` with `path` as `inbox`.
/// - **THEN** the hook has seen both without a consent statement, the first is answered with `Ask the menu.` and
///   the second refused.
#[test]
fn calls_to_what_is_not_offered() {
    let bench = bench();
    let seen = Log::default();
    let noted = seen.clone();
    let hook = move |call: PendingCall| {
        noted.add((call.command_id.to_string(), call.agent_consent, call.arguments.clone()));
        ready(match call.command_id.as_str() {
            "notes.ghost" => Decision::Answer { content: "Ask the menu.".into() },
            _ => Decision::Run,
        })
    };
    let mut agent = bench.agent_with(|tools| tools.before(hook));
    assert_eq!(content(&agent.calls("a", "notes__ghost", INBOX)), "Ask the menu.");
    let refused = agent.calls("b", "notes__phantom", INBOX);
    assert_eq!(refusal(&refused), "The command did not run: no such command is available.");
    let arguments = CommandArguments::new().with("path", "inbox");
    let expected =
        ["notes.ghost", "notes.phantom"].map(|id| (id.to_owned(), None::<AgentConsent>, arguments.clone()));
    assert_eq!(seen.all(), expected);
    bench.assert_nothing_ran();
}

/// - **GIVEN** calls left to the backend, and a hook that answers `12:00` to `server_clock`.
/// - **WHEN** the agent calls `server_clock` and the run finishes.
/// - **THEN** the hook is asked when the run finishes, and the call is answered with `12:00`.
#[test]
fn left_calls_are_seen_at_the_end() {
    let seen = Log::default();
    let noted = seen.clone();
    let hook = move |call: PendingCall| {
        noted.add(call.command_id.to_string());
        ready(Decision::Answer { content: "12:00".into() })
    };
    let bench = bench();
    let mut agent =
        bench.agent_with(|tools| tools.before(hook).unoffered_calls(UnofferedCalls::LeaveToBackend));
    agent.says_nothing_to(&[start("c1", "server_clock"), args("c1", "{}"), end("c1")]);
    assert_eq!(seen.all(), [""; 0]);
    let message = agent.is_answered(&run_finished());
    assert_eq!((message.tool_call_id.as_str(), content(&message)), ("c1", "12:00"));
    assert_eq!(seen.only(), "server_clock");
}

/// - **GIVEN** a hook that panics.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** it is refused with a text that contains `hook panicked`, and `notes.open` has not run.
#[test]
fn a_hook_that_panics() {
    let bench = bench();
    let hook = |_: PendingCall| -> std::future::Ready<Decision> { panic!("out of order") };
    let mut agent = bench.agent_with(|tools| tools.before(hook));
    let message = agent.calls("c1", "notes__open", INBOX);
    assert_holds(refusal(&message), &["hook panicked"]);
    bench.assert_nothing_ran();
}
