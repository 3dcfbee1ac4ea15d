//! A conversation SHALL be data that can be stored and continued, without losing an unknown message or an answer.

use drawloom::client::{Content, Context, Conversation, Json, Message, Role, TurnEnd, Update};
use drawloom::command::PendingCall;
use futures::future;
use serde_json::json;

use super::support::{Agent, call, calls_in_snapshot, ending, notes, rest, run, snapshot, text, turn};

/// - **GIVEN** a conversation in which `notes.open` was called, stored as JSON.
/// - **WHEN** another client continues it and the person sends a message.
/// - **THEN** its run was sent all earlier messages and answers, in the same thread.
#[tokio::test]
async fn a_stored_conversation_is_continued() {
    let agent = Agent::new([run([call("c", "notes__open")])]);
    let mut client = notes().client(&agent).build();
    turn(&mut client).await;
    let kept = serde_json::to_string(client.conversation()).unwrap();

    let later = Agent::default();
    let taken: Conversation = serde_json::from_str(&kept).unwrap();
    assert_eq!(&taken, client.conversation());
    turn(&mut notes().client(&later).conversation(taken).build()).await;
    let (before, after) = (agent.inputs().pop().unwrap(), later.inputs().pop().unwrap());
    assert_eq!(before["threadId"], after["threadId"]);
    let (before, after) = (before["messages"].as_array().unwrap(), after["messages"].as_array().unwrap());
    assert!(after.starts_with(before), "{after:?}");
    assert_eq!(after.last().unwrap()["role"], "user");
}

/// - **GIVEN** a stored conversation with a call of `notes.open` that was never answered, and one of a tool that is
///   not offered.
/// - **WHEN** a client resumes it.
/// - **THEN** the first call is answered as one that may have run, `notes.open` has not run again, and the second
///   call is left as it is.
#[tokio::test]
async fn an_open_call_of_a_stored_conversation() {
    let mut kept = Conversation::new();
    kept.push(serde_json::from_value(calls_in_snapshot("m", &["c"])).unwrap());
    let own = json!({"id": "m2", "role": "assistant", "toolCalls":
        [{"id": "own", "type": "function", "function": {"name": "server_clock", "arguments": "{}"}}]});
    kept.push(serde_json::from_value(own).unwrap());
    let agent = Agent::default();
    let notes = notes();
    let mut client = notes.client(&agent).conversation(kept).build();

    client.resume();
    let updates = rest(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 0);
    let answers = agent.answers();
    assert_eq!(answers.len(), 1);
    assert!(answers[0]["error"].as_str().unwrap().contains("was stopped"), "{answers:?}");
    assert_eq!(client.conversation().unanswered().map(|call| &*call.id).collect::<Vec<_>>(), ["own"]);
}

/// - **GIVEN** an agent that calls `notes.delete`, about which the person is being asked, and `notes.open`, which
///   has run.
/// - **WHEN** the conversation is taken out of the client, and another client resumes it.
/// - **THEN** the agent was sent the answer of `notes.open`, and that `notes.delete` did not run because it was
///   cancelled.
#[tokio::test]
async fn a_conversation_stored_while_a_question_is_open() {
    let agent = Agent::new([run([call("c1", "notes__delete"), call("c2", "notes__open")])]);
    let notes = notes();
    let mut client = notes.client(&agent).confirm(|_: PendingCall| future::pending::<bool>()).build();
    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Answered { .. })) {}
    let kept = serde_json::to_string(&client.into_conversation()).unwrap();

    let mut client = notes.client(&agent).conversation(serde_json::from_str(&kept).unwrap()).build();
    client.resume();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Completed);
    assert_eq!((notes.opened.count(), notes.deleted.count()), (1, 0));
    let answers = agent.answers();
    let to = |call: &str| answers.iter().find(|answer| answer["toolCallId"] == call).unwrap();
    assert_eq!(answers.len(), 2);
    assert_eq!(to("c1")["error"], "The command did not run: the call was cancelled.");
    assert_eq!(to("c2")["content"], "The command ran.");
}

/// - **GIVEN** a message of an unknown role with unknown fields and a null, sent by the agent in a snapshot.
/// - **WHEN** the person sends another message.
/// - **THEN** the run was sent the message unchanged, except for the null.
#[tokio::test]
async fn unknown_messages_are_kept() {
    let told = json!([{"id": "x", "role": "critic", "content": [{"type": "text", "text": "dull"}], "stars": 2, "name": null}]);
    let agent = Agent::new([run([vec![snapshot(told)]])]);
    let mut client = notes().client(&agent).build();

    turn(&mut client).await;
    turn(&mut client).await;
    let sent = agent.inputs().pop().unwrap()["messages"][0].take();
    assert_eq!(
        sent,
        json!({"id": "x", "role": "critic", "content": [{"type": "text", "text": "dull"}], "stars": 2})
    );
}

/// - **GIVEN** an agent that calls `notes.open`, then sends two snapshots of the conversation that contain the call
///   without its answer, in messages with new ids each time, and then sends a text.
/// - **WHEN** the turn is over.
/// - **THEN** the follow-up run was sent the call once, its answer right after it, and then the text.
#[tokio::test]
async fn a_snapshot_removes_no_answer() {
    let told = |id: &str| {
        snapshot(json!([{"id": "u", "role": "user", "content": "Please."}, calls_in_snapshot(id, &["c"])]))
    };
    let agent = Agent::new([run([
        call("c", "notes__open"),
        vec![text("t", "Wait."), told("m1"), told("m2"), text("t2", "Well.")],
    ])]);

    assert_eq!(ending(&turn(&mut notes().client(&agent).build()).await), &TurnEnd::Completed);
    let messages = agent.inputs()[1]["messages"].clone();
    let ids: Vec<_> = messages.as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!((ids[0], ids[1], ids[3]), ("u", "m2", "t2"), "{messages}");
    assert_eq!(messages[2]["toolCallId"], "c");
    assert_eq!(ids.len(), 4);
}

/// - **GIVEN** an agent that sends nothing, and a conversation with a state, a context and forwarded properties.
/// - **WHEN** the person sends a message with several parts.
/// - **THEN** the run was sent all of them.
#[tokio::test]
async fn state_context_and_properties_are_sent() {
    let agent = Agent::default();
    let mut client = notes().client(&agent).build();
    client.conversation_mut().state = json!({"open": "inbox"});
    client.conversation_mut().context = vec![Context::new("window", "main")];
    client.conversation_mut().forwarded_props = json!({"tenant": 7});
    let mut message = Message::new("m", Role::User);
    message.content = Some(Content::Parts(Json::from(json!([{"type": "text", "text": "See here."}]))));
    client.push(message);

    let updates = rest(&mut client).await;
    assert!(matches!(
        updates[..],
        [Update::RunStarted { .. }, Update::RunFinished { .. }, Update::TurnEnded { .. }]
    ));
    let input = &agent.inputs()[0];
    assert_eq!(input["state"], json!({"open": "inbox"}));
    assert_eq!(input["context"][0]["value"], "main");
    assert_eq!(input["forwardedProps"], json!({"tenant": 7}));
    assert_eq!(input["messages"][0]["content"][0]["text"], "See here.");
}

/// - **GIVEN** a stored conversation in which `notes.open` was called with the same id in two messages, twice in
///   the second, and never answered.
/// - **WHEN** a client resumes it twice.
/// - **THEN** the agent was sent each message followed by one answer, the answers have different ids, and the
///   second turn added no answer.
#[tokio::test]
async fn stored_calls_with_one_id() {
    let mut kept = Conversation::new();
    kept.push(serde_json::from_value(calls_in_snapshot("m1", &["c"])).unwrap());
    kept.send_text("Well?");
    kept.push(serde_json::from_value(calls_in_snapshot("m2", &["c", "c"])).unwrap());
    let kept = serde_json::to_string(&kept).unwrap();
    let agent = Agent::default();
    let mut client = notes().client(&agent).conversation(serde_json::from_str(&kept).unwrap()).build();
    for answered in [2, 0] {
        client.resume();
        let updates = rest(&mut client).await;
        let answers = updates.iter().filter(|update| matches!(update, Update::Answered { .. }));
        assert_eq!(answers.count(), answered, "{updates:?}");
    }
    assert_eq!(client.conversation().unanswered().count(), 0);
    let messages = agent.inputs()[1]["messages"].take();
    let messages = messages.as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["assistant", "tool", "user", "assistant", "tool"]);
    assert_ne!(messages[1]["id"], messages[4]["id"]);
}
