//! The consent policy SHALL decide about each call. The person SHALL be asked through the client that calls, with
//! the command and every argument. What the person did SHALL be told apart: accepted, declined, cancelled, or did
//! not answer in time.

use std::time::Duration;

use drawloom::command::{AgentConsent, Argument, DecisionSource};
use drawloom::workbench::Call;
use serde_json::json;

use super::support::{Client, answered, assert_unknown, not_run, register_path_command};
use crate::support::{Kept, assert_names, bench, callable};

/// - **GIVEN** a command `notes.delete` titled `Delete note` that states `ask-always`.
/// - **WHEN** a client calls it with a path that contains a character which reverses the direction of text.
/// - **THEN** the client is asked to show a form without fields, whose message names the title, the id and the path
///   with the character spelled out, and the command has not run.
#[tokio::test(start_paused = true)]
async fn the_question() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::AskAlways);
    let mut client = Client::connect(&bench.mcp()).await;
    client.start_call("notes__delete", json!({ "path": "in\u{202e}box" })).await;
    let (_, message) = client.question().await;
    assert_eq!(
        message,
        "The agent wants to run \"Delete note\" (notes.delete) with:\npath: \"in\\u{202e}box\""
    );
    assert_eq!(deleted.all(), [""; 0]);
}

/// - **GIVEN** a command that states `ask`, with a choice whose `later` has the label `Next week`, and a secret
///   text `key`.
/// - **WHEN** a client calls it with `later` and a key, and the person accepts.
/// - **THEN** the question has the choice with its label and the name of the secret argument without its value, and
///   the handler gets both.
#[tokio::test(start_paused = true)]
async fn labels_and_secrets_in_a_question() {
    let bench = bench();
    let keys = Kept::default();
    let kept = keys.clone();
    let command = callable("notes.send")
        .agent_consent(AgentConsent::Ask)
        .argument(Argument::choice("mode", ["now", "later"]).label("later", "Next week"))
        .argument(Argument::text("key").secret());
    bench.does(command, move |call: Call| {
        kept.keep((call.text("mode").unwrap().to_owned(), call.text("key").unwrap().to_owned()));
        async { Ok(()) }
    });
    let mut client = Client::connect(&bench.mcp()).await;
    let id = client.start_call("notes__send", json!({ "mode": "later", "key": "hunter2" })).await;
    let (question, message) = client.question().await;
    assert_eq!(
        message,
        "The agent wants to run \"Title\" (notes.send) with:\nmode: \"later\" (Next week)\nnot shown, because it is \
         secret: key"
    );
    client.answer(&question, "accept").await;
    answered(&client.response(id).await);
    assert_eq!(keys.only(), ("later".to_owned(), "hunter2".to_owned()));
}

/// - **GIVEN** a command that states `ask-always`.
/// - **WHEN** a client calls it four times, and the person accepts, declines, cancels and does not answer.
/// - **THEN** it runs the first time, and is not run the other times, with different words for each.
/// - **AND** the last question is withdrawn at the client.
#[tokio::test(start_paused = true)]
async fn each_answer_is_told_apart() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::AskAlways);
    let mut client = Client::connect(&bench.mcp()).await;
    let path = || json!({ "path": "inbox" });
    assert_eq!(answered(&client.call_and_answer("notes__delete", path(), "accept").await), "inbox");
    assert_eq!(
        not_run(&client.call_and_answer("notes__delete", path(), "decline").await),
        "The command did not run: the user declined the call."
    );
    assert_eq!(
        not_run(&client.call_and_answer("notes__delete", path(), "cancel").await),
        "The command did not run: the confirmation was cancelled."
    );
    let started = tokio::time::Instant::now();
    let call = client.start_call("notes__delete", path()).await;
    let (question, _) = client.question().await;
    assert_eq!(not_run(&client.response(call).await), "The command did not run: the confirmation timed out.");
    assert!(started.elapsed() >= Duration::from_secs(300) && started.elapsed() < Duration::from_secs(301));
    let withdrawn = client.message().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    assert_eq!(withdrawn["params"]["requestId"], question, "{withdrawn}");
    assert_eq!(deleted.all(), ["inbox"]);
}

/// - **GIVEN** a command that states `ask`, and two clients of one server.
/// - **WHEN** the first client calls it twice and the person accepts, and then the second client calls it.
/// - **THEN** the first client is asked once, and the second client is asked too.
#[tokio::test(start_paused = true)]
async fn an_approval_is_for_one_connection() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let server = bench.mcp();
    let (mut first, mut second) = (Client::connect(&server).await, Client::connect(&server).await);
    answered(&first.call_and_answer("notes__delete", json!({ "path": "a" }), "accept").await);
    // Without a question in between.
    answered(&first.call("notes__delete", json!({ "path": "b" })).await);
    not_run(&second.call_and_answer("notes__delete", json!({ "path": "c" }), "decline").await);
    assert_eq!(deleted.all(), ["a", "b"]);
}

/// - **GIVEN** a client that does not support elicitation, and a command for each statement.
/// - **WHEN** it calls each of them.
/// - **THEN** those that state `ask`, `ask-always` and `never` are not run with words that say why, and the others
///   run.
#[tokio::test(start_paused = true)]
async fn a_client_that_can_ask_nobody() {
    let bench = bench();
    let states = |id: &str, consent| bench.has(callable(id).agent_consent(consent));
    let runs = [
        states("notes.ask", AgentConsent::Ask),
        states("notes.always", AgentConsent::AskAlways),
        states("notes.never", AgentConsent::Never),
        states("notes.allow", AgentConsent::Allow),
        bench.has(callable("notes.nothing")),
    ];
    let mut client = Client::connect_with(&bench.mcp(), json!({})).await;
    for tool in ["notes__ask", "notes__always"] {
        assert_names(not_run(&client.call(tool, json!({})).await), &["cannot ask the person", "elicitation"]);
    }
    assert_names(
        not_run(&client.call("notes__never", json!({})).await),
        &["agents may not run this command"],
    );
    for tool in ["notes__allow", "notes__nothing"] {
        answered(&client.call(tool, json!({})).await);
    }
    assert_eq!(runs.map(|runs| runs.count()), [0, 0, 0, 1, 1]);
}

/// - **GIVEN** a command that states `ask`, and a client that is being asked about it.
/// - **WHEN** the command is registered again and the person accepts.
/// - **THEN** neither the old nor the new command runs, and the answer is that of an unknown tool.
#[tokio::test(start_paused = true)]
async fn what_was_asked_about_is_what_runs() {
    let bench = bench();
    let (old, new) = (Kept::default(), Kept::default());
    let registered = register_path_command(&bench.notes, "notes.delete", AgentConsent::Ask, &old);
    let mut client = Client::connect(&bench.mcp()).await;
    let call = client.start_call("notes__delete", json!({ "path": "inbox" })).await;
    let (question, _) = client.question().await;
    registered.dispose();
    register_path_command(&bench.notes, "notes.delete", AgentConsent::Ask, &new).keep();
    client.answer(&question, "accept").await;
    assert_unknown(&client.response(call).await);
    assert_eq!((old.all(), new.all()), (vec![], vec![]));
}

/// - **GIVEN** a client that is being asked about a call.
/// - **WHEN** it cancels the call.
/// - **THEN** the question is withdrawn at the client, and the command does not run.
#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_needs_any_more() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let mut client = Client::connect(&bench.mcp()).await;
    let call = client.start_call("notes__delete", json!({ "path": "inbox" })).await;
    let (question, _) = client.question().await;
    client.cancel(call).await;
    let withdrawn = client.message().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    assert_eq!(withdrawn["params"]["requestId"], question, "{withdrawn}");
    client.answer(&question, "accept").await;
    assert_eq!(client.tools().await.len(), 1);
    assert_eq!(deleted.all(), [""; 0]);
}

/// - **GIVEN** a command that states `ask`.
/// - **WHEN** a client calls it with a text that is longer than a question may be.
/// - **THEN** nobody is asked, and the call is not run with words that say so.
#[tokio::test(start_paused = true)]
async fn a_question_that_cannot_be_shown() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let mut client = Client::connect(&bench.mcp()).await;
    let response = client.call("notes__delete", json!({ "path": "x".repeat(8_000) })).await;
    assert_names(not_run(&response), &["8000 characters", "send less"]);
    assert_eq!(deleted.all(), [""; 0]);
}

/// - **GIVEN** a server for the person `ada`, and a command that states `ask`.
/// - **WHEN** a client calls it and the person accepts.
/// - **THEN** the audit record has the name, that the person was asked, and the text of the question.
#[tokio::test(start_paused = true)]
async fn who_answered_is_recorded() {
    let bench = bench();
    bench.has_path_command("notes.delete", AgentConsent::Ask);
    let mut client = Client::connect(&bench.mcp_with(|server| server.person("ada"))).await;
    answered(&client.call_and_answer("notes__delete", json!({ "path": "inbox" }), "accept").await);
    let records = bench.audited.all();
    let basis =
        records.iter().find(|record| record.outcome().is_some()).unwrap().origin.basis.clone().unwrap();
    assert_eq!((basis.source, basis.decided_by.as_deref()), (DecisionSource::Asked, Some("ada")));
    assert_names(basis.shown.as_deref().unwrap(), &["notes.delete", "inbox"]);
}
