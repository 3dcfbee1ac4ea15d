//! The input of each run SHALL contain the whole conversation, the tools, every list even if it is empty, and the
//! version of the protocol unless the server rejects it.

use drawloom::client::{Client, HttpTransport, TurnEnd};
use serde_json::json;

use super::support::{Agent, STREAM, Server, call, ending, finished, frames, notes, run, status, text, turn};

/// - **GIVEN** an agent that can reach no command.
/// - **WHEN** the person sends it a message.
/// - **THEN** it was sent `state`, `messages`, `tools`, `context` and `forwardedProps`, and `protocolVersion`
///   as `1.0`.
#[tokio::test]
async fn every_list_is_sent() {
    let agent = Agent::default();
    let notes = notes();
    notes.bench.revoke_automation();

    turn(&mut notes.client(&agent).build()).await;
    let input = &agent.inputs()[0];
    assert_eq!(input["tools"], json!([]));
    assert_eq!(input["context"], json!([]));
    assert_eq!(input["state"], json!({}));
    assert_eq!(input["forwardedProps"], json!({}));
    assert_eq!(input["protocolVersion"], "1.0");
    assert_eq!(input["messages"][0]["content"], "Please.");
}

/// - **GIVEN** an agent that sends a text, calls `notes.open` and then sends another text.
/// - **WHEN** its turn is over and the person sends another message.
/// - **THEN** the last run was sent the person's first message, the agent's first text, the call, its answer,
///   the agent's second text and the person's second message, in this order.
#[tokio::test]
async fn the_whole_history_is_sent() {
    let first = run([vec![text("m1", "Opening.")], call("c", "notes__open")]);
    let agent = Agent::new([first, run([vec![text("m2", "Opened.")]])]);
    let notes = notes();
    let mut client = notes.client(&agent).build();

    turn(&mut client).await;
    turn(&mut client).await;
    let input = agent.inputs().pop().unwrap();
    let roles: Vec<_> = input["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "assistant", "tool", "assistant", "user"]);
    assert_eq!(input["messages"][2]["toolCalls"][0]["function"]["name"], "notes__open");
    assert_eq!(input["messages"][3]["toolCallId"], "c");
}

/// - **GIVEN** a server that answers an input with `protocolVersion` with status 422.
/// - **WHEN** the person sends it two messages.
/// - **THEN** it was sent the first run twice, the second time without `protocolVersion`, and the turn was
///   completed.
/// - **AND** the next run was sent without it from the start.
#[tokio::test]
async fn a_server_that_rejects_the_version() {
    let good = || vec![STREAM.to_vec(), frames(&[finished()])];
    let server = Server::answering(vec![status("422 Unprocessable", "extra field"), good(), good()]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let said: Vec<_> =
        server.requests().iter().map(|it| it.contains("\"protocolVersion\":\"1.0\"")).collect();
    assert_eq!(said, [true, false, false]);
}

/// - **GIVEN** a server that answers with status 400 to every request.
/// - **WHEN** the person sends it a message.
/// - **THEN** it was sent two requests, and the turn ends with a failed connection.
#[tokio::test]
async fn a_server_that_rejects_everything() {
    let bad = || status("400 Bad Request", "no");
    let server = Server::answering(vec![bad(), bad(), bad()]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    assert!(matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "status", .. }), "{updates:?}");
    assert_eq!(server.requests().len(), 2);
}

/// - **GIVEN** an agent whose first run opens a call that stays incomplete, begins a text that stays empty,
///   and ends.
/// - **WHEN** the follow-up run is started.
/// - **THEN** it was sent the call with the arguments `{}` and an answer that says why it did not run, and no
///   empty text.
#[tokio::test]
async fn invalid_arguments_and_empty_texts_are_not_sent() {
    let mut cut = call("c", "notes__open");
    cut[1] = cut[1].replace("{}", "{\\\"id\\\":");
    cut.pop();
    let agent = Agent::new([run([vec![text("m", "")], cut])]);
    let notes = notes();

    turn(&mut notes.client(&agent).build()).await;
    let messages = agent.inputs()[1]["messages"].clone();
    assert_eq!(messages.as_array().unwrap().len(), 3, "{messages}");
    assert_eq!(messages[1]["toolCalls"][0]["function"]["arguments"], "{}");
    assert_eq!(messages[2]["error"], "The command did not run: the run finished before the call was closed.");
    assert_eq!(notes.opened.count(), 0);
}
