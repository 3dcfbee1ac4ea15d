//! A call that has to be asked about SHALL wait on the server, for a bounded time and in a bounded number. The
//! client SHALL get the question and a sealed state. Whoever returns with the state SHALL get the call that was
//! asked about, once, with the same tool and the same arguments, or nothing.

use std::time::Duration;

use drawloom::command::AgentConsent;
use drawloom_mcp::ServerLimits;
use serde_json::{Value, json};

use super::support::{Client, answered, assert_unknown, not_run, register_path_command, returned, state};
use crate::support::{Kept, assert_names, bench};

const DELETE: &str = "notes__delete";
const ACCEPT: Option<&str> = Some("accept");

fn path(path: &str) -> Value {
    json!({ "path": path })
}

/// - **GIVEN** a command that states `ask-always`.
/// - **WHEN** a returning client calls it four times, and returns accepted, declined, cancelled, and without an
///   answer.
/// - **THEN** each first result is the question and a state, and the command has not run.
/// - **AND** it runs once, and is not run the other times, with different words for each.
#[tokio::test(start_paused = true)]
async fn returning_with_each_answer() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::AskAlways);
    let mut client = Client::returning(&bench.mcp());
    let asked = client.call(DELETE, path("inbox")).await;
    let question = &asked["result"]["inputRequests"]["consent"]["params"];
    assert_eq!(
        question["message"], "The agent wants to run \"Delete note\" (notes.delete) with:\npath: \"inbox\"",
        "{asked}"
    );
    assert_eq!(deleted.all(), [""; 0]);
    assert_eq!(answered(&client.come_back(DELETE, path("inbox"), &state(&asked), ACCEPT).await), "inbox");
    for (action, words) in [
        (Some("decline"), "The command did not run: the user declined the call."),
        (Some("cancel"), "The command did not run: the confirmation was cancelled."),
        (
            None,
            "The command did not run: the confirmation failed: the client returned without an answer to the question.",
        ),
    ] {
        let state = client.state_of(DELETE, path("inbox")).await;
        assert_eq!(not_run(&client.come_back(DELETE, path("inbox"), &state, action).await), words);
    }
    assert_eq!(deleted.all(), ["inbox"]);
}

/// - **GIVEN** a command that states `ask`.
/// - **WHEN** a returning client calls it, returns accepted, and calls it again.
/// - **THEN** the second call runs without a question.
#[tokio::test(start_paused = true)]
async fn an_approval_is_remembered() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let mut client = Client::returning(&bench.mcp());
    let state = client.state_of(DELETE, path("a")).await;
    answered(&client.come_back(DELETE, path("a"), &state, ACCEPT).await);
    answered(&client.call(DELETE, path("b")).await);
    assert_eq!(deleted.all(), ["a", "b"]);
}

/// - **GIVEN** a command that states `ask`, and a client that was asked about it.
/// - **WHEN** it returns accepted after the time for an answer, and returns again.
/// - **THEN** the call is not run both times, the words say that the time is over, and nothing of the call is left
///   on the server.
#[tokio::test(start_paused = true)]
async fn returning_too_late() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let server = bench.mcp();
    let mut client = Client::returning(&server);
    let state = client.state_of(DELETE, path("inbox")).await;
    assert_eq!(server.pending_calls(), 1);
    tokio::time::sleep(Duration::from_secs(301)).await;
    assert_eq!(server.pending_calls(), 0);
    for _ in 0..2 {
        let response = client.come_back(DELETE, path("inbox"), &state, ACCEPT).await;
        assert_eq!(not_run(&response), "The command did not run: the confirmation timed out.");
    }
    assert_eq!(deleted.all(), [""; 0]);
}

/// - **GIVEN** a command that states `ask-always`.
/// - **WHEN** a client returns accepted, and sends the same request again.
/// - **THEN** the command runs once, and the second request is not run.
#[tokio::test(start_paused = true)]
async fn returning_twice() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::AskAlways);
    let mut client = Client::returning(&bench.mcp());
    let state = client.state_of(DELETE, path("inbox")).await;
    answered(&client.come_back(DELETE, path("inbox"), &state, ACCEPT).await);
    assert_names(
        not_run(&client.come_back(DELETE, path("inbox"), &state, ACCEPT).await),
        &["no open question"],
    );
    assert_eq!(deleted.all(), ["inbox"]);
}

/// - **GIVEN** a client that was asked about `notes.delete` with the path `inbox`.
/// - **WHEN** it returns accepted with another path, with no path, with another tool, and with a state in which one
///   character differs.
/// - **THEN** none of them runs anything, and all are answered with the same words.
/// - **AND** it may still return with the call that was asked about, with the members of the arguments in another
///   order and another spelling.
#[tokio::test(start_paused = true)]
async fn returning_with_something_else() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let moved = bench.has_path_command("notes.move", AgentConsent::Ask);
    let mut client = Client::returning(&bench.mcp());
    let arguments = || json!({ "path": "inbox" });
    let state = client.state_of(DELETE, arguments()).await;
    let mut words = Vec::new();
    for (tool, arguments) in [(DELETE, path("drafts")), (DELETE, json!({})), ("notes__move", arguments())] {
        words.push(not_run(&client.come_back(tool, arguments, &state, ACCEPT).await));
    }
    for (place, character) in state.char_indices() {
        let other = if character == 'A' { "B" } else { "A" };
        let mut forged = state.clone();
        forged.replace_range(place..=place, other);
        words.push(not_run(&client.come_back(DELETE, arguments(), &forged, ACCEPT).await));
    }
    words.push(not_run(&client.come_back(DELETE, arguments(), "", ACCEPT).await));
    words.dedup();
    assert_eq!(words.len(), 1, "{words:?}");
    assert_eq!((deleted.all(), moved.all()), (vec![], vec![]));
    // The same values, spelled in another way.
    let params = returned(DELETE, json!("…"), &state, ACCEPT).to_string();
    let line = params.replace(r#""…""#, r#"{ "p\u0061th" : "\u0069nbox" }"#);
    let meta = super::support::meta(&super::support::can_ask());
    let line = line.replacen('{', &format!(r#"{{"_meta":{meta},"#), 1);
    client.send_text(&format!(r#"{{"jsonrpc":"2.0","id":999,"method":"tools/call","params":{line}}}"#)).await;
    assert_eq!(answered(&client.response(999).await), "inbox");
    assert_eq!(deleted.only(), "inbox");
}

/// - **GIVEN** a client that was asked about deleting `inbox` and about deleting `drafts`.
/// - **WHEN** it returns with the state of the second for the first, and then with each state for its own call, the
///   second first.
/// - **THEN** the first return runs nothing, and afterwards each call runs once with its own path.
#[tokio::test(start_paused = true)]
async fn answers_in_another_order() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::AskAlways);
    let mut client = Client::returning(&bench.mcp());
    let inbox = client.state_of(DELETE, path("inbox")).await;
    let drafts = client.state_of(DELETE, path("drafts")).await;
    not_run(&client.come_back(DELETE, path("inbox"), &drafts, ACCEPT).await);
    assert_eq!(deleted.all(), [""; 0]);
    assert_eq!(answered(&client.come_back(DELETE, path("drafts"), &drafts, ACCEPT).await), "drafts");
    assert_eq!(answered(&client.come_back(DELETE, path("inbox"), &inbox, ACCEPT).await), "inbox");
    assert_eq!(deleted.all(), ["drafts", "inbox"]);
}

/// - **GIVEN** a server for `ada` and one for `bob` over the same commands, and a client of `ada` that was asked
///   about a call.
/// - **WHEN** a client of `bob` returns with the state, accepted.
/// - **THEN** nothing runs, and the client of `ada` may still return.
#[tokio::test(start_paused = true)]
async fn returning_for_another_person() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::AskAlways);
    let of = |person: &str| bench.mcp_with(|server| server.person(person));
    let (mut ada, mut bob) = (Client::returning(&of("ada")), Client::returning(&of("bob")));
    let state = ada.state_of(DELETE, path("inbox")).await;
    assert_names(not_run(&bob.come_back(DELETE, path("inbox"), &state, ACCEPT).await), &["no open question"]);
    assert_eq!(deleted.all(), [""; 0]);
    answered(&ada.come_back(DELETE, path("inbox"), &state, ACCEPT).await);
}

/// - **GIVEN** a command that states `ask`, and a client that was asked about it.
/// - **WHEN** the command is registered again, or the grant is revoked, and the client returns accepted.
/// - **THEN** nothing runs, and the answer is that of an unknown tool.
#[tokio::test(start_paused = true)]
async fn the_command_has_changed_meanwhile() {
    let bench = bench();
    let (old, new) = (Kept::default(), Kept::default());
    let registered = register_path_command(&bench.notes, "notes.delete", AgentConsent::Ask, &old);
    let mut client = Client::returning(&bench.mcp());
    let state = client.state_of(DELETE, path("inbox")).await;
    registered.dispose();
    register_path_command(&bench.notes, "notes.delete", AgentConsent::Ask, &new).keep();
    assert_unknown(&client.come_back(DELETE, path("inbox"), &state, ACCEPT).await);

    let state = client.state_of(DELETE, path("inbox")).await;
    bench.revoke_automation();
    assert_unknown(&client.come_back(DELETE, path("inbox"), &state, ACCEPT).await);
    assert_eq!((old.all(), new.all()), (vec![], vec![]));
}

/// - **GIVEN** a server on which two calls may wait, and a command that states `ask-always`.
/// - **WHEN** a client calls it three times without returning, and calls it again after the time for an answer.
/// - **THEN** the third call is not run with words that say so, and the fourth is asked about.
#[tokio::test(start_paused = true)]
async fn bounds_of_open_questions() {
    let bench = bench();
    bench.has_path_command("notes.delete", AgentConsent::AskAlways);
    let limits = ServerLimits::default().pending(2);
    let mut client = Client::returning(&bench.mcp_with(|server| server.limits(limits)));
    client.state_of(DELETE, path("a")).await;
    client.state_of(DELETE, path("b")).await;
    assert_names(not_run(&client.call(DELETE, path("c")).await), &["too many calls wait"]);
    tokio::time::sleep(Duration::from_secs(301)).await;
    client.state_of(DELETE, path("d")).await;
}

/// - **GIVEN** a returning client that does not support elicitation, and a command that states `ask`.
/// - **WHEN** it calls the command.
/// - **THEN** the call is not run with words that say why.
#[tokio::test(start_paused = true)]
async fn a_returning_client_that_can_ask_nobody() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let mut client = Client::returning_with(&bench.mcp(), json!({}));
    assert_names(
        not_run(&client.call(DELETE, path("inbox")).await),
        &["cannot ask the person", "elicitation"],
    );
    assert_eq!(deleted.all(), [""; 0]);
}
