//! Cancelling SHALL stop what runs, answer every call, keep the questions of the agent, and start nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drawloom::client::{Client, RunEnd, TurnEnd, Update};
use drawloom::command::PendingCall;
use futures::{FutureExt, future};

use super::support::{Agent, call, ending, finished, interrupted, notes, rest, run, spoken, text, turn};
use crate::support::callable;

/// Records that it was dropped.
struct Told(Arc<AtomicBool>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// - **GIVEN** an agent that calls `notes.wait`, which never ends, then `notes.open`, and opens one more
///   call.
/// - **WHEN** the turn is cancelled while `notes.wait` runs.
/// - **THEN** `notes.wait` was dropped, and its call is answered as cancelled and may have done a part of its
///   work.
/// - **AND** the call that was open is answered as cancelled before it ran, and every call has one answer.
/// - **AND** there was no follow-up run, and the turn ends as cancelled.
#[tokio::test]
async fn a_running_command_is_dropped() {
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
    let mut client = Client::builder(agent, notes.bench.copilot.clone()).build();
    let canceller = client.canceller();
    let open = call("c3", "notes__open").into_iter().take(2);
    for event in call("c1", "notes__wait").into_iter().chain(call("c2", "notes__open")).chain(open) {
        says.unbounded_send(event).unwrap();
    }

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::CallArguments { call_id, .. }) if call_id == "c3") {}
    canceller.cancel();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Cancelled);
    assert!(is_dropped.load(Ordering::SeqCst));
    let error = |call| client.conversation().answer_to(call).unwrap().error.clone();
    assert_eq!(
        error("c1").as_deref(),
        Some("The command was cancelled and may have done a part of its work.")
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
async fn an_open_question_is_withdrawn() {
    let agent = Agent::new([run([call("c", "notes__delete")])]);
    let notes = notes();
    let is_dropped = Arc::new(AtomicBool::new(false));
    let tells = is_dropped.clone();
    let mut client = notes
        .client(&agent)
        .confirm(move |_: PendingCall| {
            let told = Told(tells.clone());
            async move {
                let _told = told;
                future::pending::<bool>().await
            }
        })
        .build();
    let canceller = client.canceller();

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Asked { .. })) {}
    canceller.cancel();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Cancelled);
    assert!(is_dropped.load(Ordering::SeqCst));
    assert_eq!(notes.deleted.count(), 0);
    let answer = client.conversation().answer_to("c").unwrap();
    assert_eq!(answer.error.as_deref(), Some("The command did not run: the call was cancelled."));
    assert_eq!(agent.inputs().len(), 1);
}

/// - **GIVEN** an agent that has called `notes.open` and whose call has been answered.
/// - **WHEN** the turn is cancelled before the run has ended.
/// - **THEN** there was no follow-up run, the answer is kept, and an update says that the run was cancelled.
#[tokio::test]
async fn nothing_starts_afterwards() {
    let (says, agent) = spoken();
    let notes = notes();
    let mut client = Client::builder(agent, notes.bench.copilot.clone()).build();
    for event in call("c", "notes__open") {
        says.unbounded_send(event).unwrap();
    }

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Answered { .. })) {}
    for event in call("c2", "notes__open").into_iter().chain([finished()]) {
        says.unbounded_send(event).unwrap();
    }
    client.canceller().cancel();
    let updates = rest(&mut client).await;
    let [Update::RunFinished { outcome, .. }, Update::TurnEnded { end: ending }] = &updates[..] else {
        panic!("{updates:?}")
    };
    assert_eq!((outcome, ending), (&RunEnd::Cancelled, &TurnEnd::Cancelled));
    assert_eq!(notes.opened.count(), 1);
    assert_eq!(client.conversation().answer_to("c").unwrap().text(), Some("The command ran."));
}

/// - **GIVEN** a turn that was cancelled while the person was asked about `notes.delete`.
/// - **WHEN** the person sends another message.
/// - **THEN** the run is sent the call with its one answer, and the turn is completed.
#[tokio::test]
async fn a_cancelled_conversation_continues() {
    let agent = Agent::new([run([call("c", "notes__delete")])]);
    let notes = notes();
    let mut client = notes.client(&agent).confirm(|_: PendingCall| future::pending::<bool>()).build();

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Asked { .. })) {}
    client.canceller().cancel();
    rest(&mut client).await;
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let messages = agent.inputs().pop().unwrap()["messages"].clone();
    let roles: Vec<_> = messages.as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "user"]);
}

/// - **GIVEN** an agent that waits for an approval, about which the person is being asked.
/// - **WHEN** the turn is cancelled.
/// - **THEN** the question stays open in the conversation, and the next turn asks it again and resumes with
///   the answer.
#[tokio::test]
async fn a_question_of_the_agent_stays_open() {
    let asked = serde_json::json!([{"id": "i", "reason": "confirmation", "message": "Really?"}]);
    let agent = Agent::new([vec![super::support::interrupted(asked)]]);
    let notes = notes();
    let mut client = notes.client(&agent).confirm(|_: PendingCall| future::pending::<bool>()).build();

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Asked { .. })) {}
    client.canceller().cancel();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Cancelled);
    let kept = client.into_conversation();
    assert_eq!(kept.interrupts().len(), 1);

    let mut client = notes.client(&agent).confirm(|_: PendingCall| async { true }).conversation(kept).build();
    client.resume();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Completed);
    let resume =
        serde_json::json!([{"interruptId": "i", "status": "resolved", "payload": {"approved": true}}]);
    assert_eq!(agent.inputs()[1]["resume"], resume);
    assert_eq!(client.conversation().interrupts(), []);
}

/// Everything that a turn may wait for.
fn everything() -> Vec<Vec<String>> {
    let mut events = call("c1", "notes__open");
    events.extend(call("c2", "notes__delete"));
    events.extend(call("own", "paint"));
    events.push(text("m", "Well?"));
    events.push(interrupted(serde_json::json!([{"id": "i", "reason": "confirmation"}])));
    vec![events, run([call("c3", "notes__delete"), vec![text("n", "Well.")]])]
}

/// The number of answers in the conversation to each call of an offered tool.
fn answers(client: &Client, call: &str) -> usize {
    let messages = client.conversation().messages().iter();
    messages.filter(|message| message.answered_call().is_some_and(|id| id == call)).count()
}

fn assert_answered(client: &Client, when: usize) {
    for call in ["c1", "c2", "c3"] {
        let is_made = client.conversation().call(call).is_some();
        // What an interrupted run has left open is taken up by the next turn.
        assert_eq!(answers(client, call), usize::from(is_made), "{call} after {when}");
    }
}

/// - **GIVEN** an agent that calls `notes.open`, calls `notes.delete`, which asks, calls a tool of its own,
///   sends a text, asks for an approval and continues.
/// - **WHEN** the turn is cancelled before the first update, after the first, after the second and so on,
///   once and twice.
/// - **THEN** each turn ends as cancelled, every call to an offered tool has one answer in the conversation,
///   and no update follows.
/// - **AND** the turn of the next message is completed.
#[tokio::test]
async fn cancelled_at_any_moment() {
    let mut is_over = false;
    for (taken, twice) in (0..).flat_map(|taken| [(taken, false), (taken, true)]) {
        let agent = Agent::new(everything());
        let mut client = notes()
            .client(&agent)
            .confirm(|_: PendingCall| async {
                tokio::task::yield_now().await;
                true
            })
            .build();
        client.send_text("Please.");
        for _ in 0..taken {
            is_over |= matches!(client.next().await, Some(Update::TurnEnded { .. }));
        }
        if is_over {
            assert!(taken > 15, "{taken} updates are too few for everything");
            break;
        }
        client.canceller().cancel();
        if twice {
            client.canceller().cancel();
        }
        let updates = rest(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::Cancelled, "after {taken}");
        assert_eq!(updates.iter().filter(|it| matches!(it, Update::TurnEnded { .. })).count(), 1);
        assert_answered(&client, taken);
        assert_eq!(client.next().await, None);
        if twice {
            client.canceller().cancel();
        }
        assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed, "after {taken}");
        assert_answered(&client, taken);
        assert_eq!(client.conversation().interrupts(), []);
    }
}

/// - **GIVEN** clients that run on several threads.
/// - **WHEN** another thread cancels each of them at an arbitrary moment.
/// - **THEN** each turn ends as cancelled or as completed, and every call to an offered tool has one answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_from_another_thread() {
    let clients = (0..64).map(|place: usize| {
        let agent = Agent::new(everything());
        let mut client = notes()
            .client(&agent)
            .confirm(|_: PendingCall| async {
                tokio::task::yield_now().await;
                true
            })
            .build();
        let canceller = client.canceller();
        tokio::spawn(async move {
            let cancels = tokio::spawn(async move {
                for _ in 0..place % 32 {
                    tokio::task::yield_now().await;
                }
                canceller.cancel();
            });
            let updates = turn(&mut client).await;
            assert!(ending(&updates).is_success(), "{updates:?}");
            assert_answered(&client, place);
            cancels.await.unwrap();
        })
    });
    for done in future::join_all(clients).await {
        done.unwrap();
    }
}

/// - **GIVEN** a turn that was cancelled, of which no further update was taken.
/// - **WHEN** the person sends a message.
/// - **THEN** the updates begin with the outcomes of the calls and end with the end of the new turn, no other
///   end of a turn is shown, and the agent was sent the message.
#[tokio::test]
async fn a_message_sent_after_cancelling() {
    let agent = Agent::new([run([call("c", "notes__delete")])]);
    let mut client = notes().client(&agent).confirm(|_: PendingCall| future::pending::<bool>()).build();
    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Asked { .. })) {}
    client.canceller().cancel();
    client.send_text("Never mind.");

    let updates = rest(&mut client).await;
    let is_end = |update: &&Update| matches!(update, Update::TurnEnded { .. });
    assert_eq!(updates.iter().filter(is_end).count(), 1, "{updates:?}");
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert!(updates.iter().any(|update| matches!(update, Update::Answered { .. })), "{updates:?}");
    assert!(agent.inputs()[1]["messages"].to_string().contains("Never mind."));
    assert_eq!((agent.inputs().len(), agent.answers().len()), (2, 1));
}

/// - **GIVEN** an agent that calls `notes.delete`, about which the person is being asked, and sends a text.
/// - **WHEN** each update is waited for only a moment at a time.
/// - **THEN** the updates are the same as when each is awaited without interruption.
#[tokio::test]
async fn dropped_futures_lose_nothing() {
    let waiting = || async {
        let agent = Agent::new([run([call("c", "notes__delete"), vec![text("m", "Well?")]])]);
        let client = notes()
            .client(&agent)
            .confirm(|_: PendingCall| async {
                for _ in 0..5 {
                    tokio::task::yield_now().await;
                }
                true
            })
            .build();
        (client, agent)
    };
    let kinds = |updates: Vec<Update>| -> Vec<_> {
        updates.iter().map(|update| serde_json::to_value(update).unwrap()["type"].clone()).collect()
    };
    let (mut client, _) = waiting().await;
    let whole = turn(&mut client).await;

    let (mut client, _) = waiting().await;
    client.send_text("Please.");
    let mut pieces = Vec::new();
    loop {
        match client.next().now_or_never() {
            Some(Some(update)) => pieces.push(update),
            Some(None) => break,
            None => tokio::task::yield_now().await,
        }
    }
    assert_eq!(kinds(pieces), kinds(whole));
}
