//! What is told, answered and left undone when a turn is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drawloom::client::{Client, Ending, Update};
use drawloom::command::PendingCall;
use futures::future;

use super::support::{Agent, call, ending, finished, notes, rest, run, spoken, turn};
use crate::support::callable;

/// Says so where it is dropped.
struct Told(Arc<AtomicBool>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// - **GIVEN** an agent that calls `notes.wait`, which goes on for ever, then `notes.open`, and opens one more call.
/// - **WHEN** the turn is cancelled while `notes.wait` runs.
/// - **THEN** `notes.wait` was dropped, and its call is answered as cancelled when it may have done a part of its work.
/// - **AND** the call that was open is answered as cancelled before it ran, and every call has one answer.
/// - **AND** there was no follow-up run, and the turn ends as cancelled.
#[tokio::test]
async fn a_command_that_runs_is_told() {
    let (says, agent) = spoken();
    let notes = notes();
    let is_dropped = Arc::new(AtomicBool::new(false));
    let tells = is_dropped.clone();
    notes.bench.does(callable("notes.wait"), move |_| {
        let told = Told(tells.clone());
        async move {
            let _told = told;
            future::pending().await
        }
    });
    let mut client = Client::new(agent, notes.bench.copilot.clone());
    let canceller = client.canceller();
    let open = call("c3", "notes__open").into_iter().take(2);
    for event in call("c1", "notes__wait").into_iter().chain(call("c2", "notes__open")).chain(open) {
        says.unbounded_send(event).unwrap();
    }

    client.say("Please.");
    while !matches!(client.next().await, Some(Update::CallArguments { call_id, .. }) if call_id == "c3") {}
    canceller.cancel();
    assert_eq!(ending(&rest(&mut client).await), &Ending::Cancelled);
    assert!(is_dropped.load(Ordering::SeqCst));
    let error = |call| client.conversation().answer_to(call).unwrap().error.clone();
    assert_eq!(
        error("c1").as_deref(),
        Some("The command ran and failed: it was cancelled and may have done a part of its work.")
    );
    assert_eq!(error("c2"), None);
    assert_eq!(error("c3").as_deref(), Some("The command did not run: the call was cancelled."));
    assert_eq!(client.conversation().unanswered().count(), 0);
    assert!(says.is_closed(), "the stream is still being read");
    assert_eq!(client.next().await, None);
}

/// - **GIVEN** an agent that calls `notes.delete`, about which the person is being asked.
/// - **WHEN** the turn is cancelled.
/// - **THEN** the question is dropped, `notes.delete` has not run, and its call is answered as cancelled.
#[tokio::test]
async fn a_question_that_waits_is_taken_back() {
    let agent = Agent::new([run([call("c", "notes__delete")])]);
    let notes = notes();
    let is_dropped = Arc::new(AtomicBool::new(false));
    let tells = is_dropped.clone();
    let mut client = notes.client(&agent).confirm(move |_: PendingCall| {
        let told = Told(tells.clone());
        async move {
            let _told = told;
            future::pending::<bool>().await
        }
    });
    let canceller = client.canceller();

    client.say("Please.");
    while !matches!(client.next().await, Some(Update::Asked { .. })) {}
    canceller.cancel();
    assert_eq!(ending(&rest(&mut client).await), &Ending::Cancelled);
    assert!(is_dropped.load(Ordering::SeqCst));
    assert_eq!(notes.deleted.count(), 0);
    let answer = client.conversation().answer_to("c").unwrap();
    assert_eq!(answer.error.as_deref(), Some("The command did not run: the call was cancelled."));
    assert_eq!(agent.inputs().len(), 1);
}

/// - **GIVEN** an agent that has called `notes.open` and whose call has been answered.
/// - **WHEN** the turn is cancelled before the run has ended.
/// - **THEN** there was no follow-up run, and the answer is kept.
#[tokio::test]
async fn nothing_further_starts() {
    let (says, agent) = spoken();
    let notes = notes();
    let mut client = Client::new(agent, notes.bench.copilot.clone());
    for event in call("c", "notes__open") {
        says.unbounded_send(event).unwrap();
    }

    client.say("Please.");
    while !matches!(client.next().await, Some(Update::Answered { .. })) {}
    for event in call("c2", "notes__open").into_iter().chain([finished()]) {
        says.unbounded_send(event).unwrap();
    }
    client.canceller().cancel();
    let updates = rest(&mut client).await;
    assert_eq!(updates, [Update::Ended { ending: Ending::Cancelled }]);
    assert_eq!(notes.opened.count(), 1);
    assert_eq!(client.conversation().answer_to("c").unwrap().text(), Some("The command ran."));
}

/// - **GIVEN** a turn that was cancelled while `notes.delete` was asked about.
/// - **WHEN** the person says something again.
/// - **THEN** the run is sent the call with its one answer, and the turn comes to rest.
#[tokio::test]
async fn a_cancelled_conversation_goes_on() {
    let agent = Agent::new([run([call("c", "notes__delete")])]);
    let notes = notes();
    let mut client = notes.client(&agent).confirm(|_: PendingCall| future::pending::<bool>());

    client.say("Please.");
    while !matches!(client.next().await, Some(Update::Asked { .. })) {}
    client.canceller().cancel();
    rest(&mut client).await;
    assert_eq!(ending(&turn(&mut client).await), &Ending::AtRest);
    let messages = agent.inputs().pop().unwrap()["messages"].clone();
    let roles: Vec<_> = messages.as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "user"]);
}

/// - **GIVEN** an agent that waits for an approval, about which the person is being asked.
/// - **WHEN** the turn is cancelled.
/// - **THEN** the question stays open in the conversation, and the next turn asks it again and resumes with the answer.
#[tokio::test]
async fn a_question_of_the_agent_stays_open() {
    let asked = serde_json::json!([{"id": "i", "reason": "confirmation", "message": "Really?"}]);
    let agent = Agent::new([vec![super::support::interrupted(asked)]]);
    let notes = notes();
    let mut client = notes.client(&agent).confirm(|_: PendingCall| future::pending::<bool>());

    client.say("Please.");
    while !matches!(client.next().await, Some(Update::Asked { .. })) {}
    client.canceller().cancel();
    assert_eq!(ending(&rest(&mut client).await), &Ending::Cancelled);
    let kept = client.into_conversation();
    assert_eq!(kept.interrupts().len(), 1);

    let mut client = notes.client(&agent).confirm(|_: PendingCall| async { true }).take_up(kept);
    client.go_on();
    assert_eq!(ending(&rest(&mut client).await), &Ending::AtRest);
    let resume =
        serde_json::json!([{"interruptId": "i", "status": "resolved", "payload": {"approved": true}}]);
    assert_eq!(agent.inputs()[1]["resume"], resume);
    assert_eq!(client.conversation().interrupts(), []);
}
