//! If a question of the agent is about a call, only the agent SHALL run and answer the call for the rest of the turn,
//! even if the question is incomplete or the call is sent again. The person SHALL be shown the call completely or not
//! at all.

use drawloom::client::{TurnEnd, Update};
use drawloom::command::{CommandArguments, PendingCall};
use futures::FutureExt;
use serde_json::{Value, json};

use super::support::{
    Agent, call, call_with, calls_in_snapshot, ending, interrupted, notes, rest, run, snapshot, text, turn,
};
use crate::support::Gate;

/// - **GIVEN** an agent that calls `notes.delete`, which asks, and ends its run in a question about the call
///   that has no id, and one that ends it in two questions with the same id, the second of which is about the
///   call.
/// - **WHEN** the person answers yes to everything.
/// - **THEN** `notes.delete` has not run, and the call was not answered.
#[tokio::test]
async fn a_question_without_an_id() {
    let questions = [
        json!([{"reason": "tool_call", "toolCallId": "c"}]),
        json!([{"id": "i", "reason": "tool_call"}, {"id": "i", "reason": "tool_call", "toolCallId": "c"}]),
    ];
    for asked in questions {
        let mut events = call("c", "notes__delete");
        events.push(interrupted(asked));
        let notes = notes();
        let gate = Gate::new();
        let agent = Agent::new([events]);
        let mut client = notes.client_behind(&gate, &agent).build();
        client.send_text("Please.");
        let mut updates = Vec::new();
        while let Some(Some(update)) = client.next().now_or_never() {
            updates.push(update);
        }
        gate.open();
        updates.extend(rest(&mut client).await);
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert_eq!(notes.deleted.count(), 0);
        assert!(!updates.iter().any(|update| matches!(update, Update::Answered { .. })), "{updates:?}");
    }
}

/// - **GIVEN** an agent that opens a call of `notes.open`, ends its run in a question about it, and shows the
///   call without an answer in a snapshot of the next run, and one that calls it again there.
/// - **WHEN** the person says no.
/// - **THEN** `notes.open` has not run, and the client did not answer the call.
#[tokio::test]
async fn a_call_shown_again_after_a_no() {
    let shown = vec![snapshot(json!([calls_in_snapshot("m", &["c"])])), text("m2", "Well.")];
    let again = call("c", "notes__open").into_iter().chain([text("m2", "Well.")]).collect();
    for next in [shown, again] {
        let mut events: Vec<_> = call("c", "notes__open").into_iter().take(2).collect();
        events.push(interrupted(json!([{"id": "i", "reason": "tool_call", "toolCallId": "c"}])));
        let agent = Agent::new([events, run([next])]);
        let notes = notes();
        let mut client = notes.client(&agent).confirm(|_: PendingCall| async { false }).build();
        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert_eq!(notes.opened.count(), 0);
        assert!(!updates.iter().any(|update| matches!(update, Update::Answered { .. })), "{updates:?}");
        assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({"approved": false}));
    }
}

/// - **GIVEN** an agent that calls a tool of its own, sends a frame that cannot be read before the call is
///   closed, and asks for an approval of the call.
/// - **WHEN** the person says yes.
/// - **THEN** they were shown the agent's message, and no arguments of the call.
#[tokio::test]
async fn a_question_about_a_call_around_a_lost_frame() {
    let mut events = call_with("c", "delete_note", json!({"id": "n1"}));
    events.insert(2, "{\"type\":\"TOOL_CALL_ARGS\"".to_owned());
    let asked = json!([{"id": "i", "reason": "tool_call", "toolCallId": "c", "message": "Approve?"}]);
    events.push(interrupted(asked));
    let agent = Agent::new([events]);
    let mut client = notes().client(&agent).confirm(|_: PendingCall| async { true }).build();
    let updates = turn(&mut client).await;
    let asked = updates.iter().find_map(|update| match update {
        Update::Asked { call } => Some(call),
        _ => None,
    });
    let arguments = CommandArguments::new().with("message", "Approve?");
    assert_eq!(asked.map(|call| (&*call.call_id, &call.arguments)), Some(("i", &arguments)));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({"approved": true}));
    assert_eq!(agent.answers(), [] as [Value; 0], "the call is the agent's own");
}

/// - **GIVEN** an agent that answers one input with two runs in one stream, each of which calls `notes.delete`,
///   which asks, with the same id, and asks about the second call at the end.
/// - **WHEN** the person answers yes to everything.
/// - **THEN** the first call has run and was answered, and the second has not run.
#[tokio::test]
async fn a_question_about_the_second_call_with_an_id() {
    let mut events = run([call("c", "notes__delete")]);
    events.push(json!({"type": "RUN_STARTED", "threadId": "t", "runId": "second"}).to_string());
    events.extend(call("c", "notes__delete"));
    events.push(interrupted(json!([{"id": "i", "reason": "tool_call", "toolCallId": "c"}])));
    let notes = notes();
    let gate = Gate::new();
    let agent = Agent::new([events]);
    let mut client = notes.client_behind(&gate, &agent).build();
    client.send_text("Please.");
    let mut updates = Vec::new();
    while let Some(Some(update)) = client.next().now_or_never() {
        updates.push(update);
    }
    gate.open();
    updates.extend(rest(&mut client).await);
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert_eq!(notes.deleted.count(), 1);
    let answers = updates.iter().filter(|update| matches!(update, Update::Answered { .. })).count();
    assert_eq!(answers, 1, "{updates:?}");
}

/// - **GIVEN** an agent that shows a call of a tool of its own in a snapshot alone, and ends its run in a question
///   that names no call.
/// - **WHEN** the person says yes.
/// - **THEN** the next request answers the question, and not the call.
#[tokio::test]
async fn a_call_of_its_own_in_a_snapshot_before_a_question() {
    let call = json!({"id": "c", "type": "function", "function": {"name": "search_web", "arguments": "{}"}});
    let shown = snapshot(json!([{"id": "m", "role": "assistant", "toolCalls": [call]}]));
    let asked = interrupted(json!([{"id": "i", "reason": "tool_call", "message": "Search?"}]));
    let agent = Agent::new([vec![shown, asked]]);
    let mut client = notes().client(&agent).confirm(|_: PendingCall| async { true }).build();
    let updates = turn(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({"approved": true}));
    assert_eq!(agent.answers(), [] as [Value; 0], "the call is the agent's own");
}
