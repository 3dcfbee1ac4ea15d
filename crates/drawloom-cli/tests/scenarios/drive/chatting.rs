//! Without a prompt, on a terminal, `drive` SHALL be a chat with a line editor and with commands of its own.

use serde_json::json;

use super::support::{Agent, file, file_with};
use super::terminal::Terminal;
use crate::replay::support::Folder;
use drawloom_tests::events::{run, text};

/// - **GIVEN** a terminal, and an agent that answers `First.` and then `Second.`.
/// - **WHEN** it is driven without a prompt, and the person types two messages, deletes a wrong word of the second with Ctrl-W,
///   and ends the chat with Ctrl-D.
/// - **THEN** both answers are shown, the second request has both messages, and the exit code is 0.
#[test]
fn messages_one_after_another() {
    let agent = Agent::new(&[run([vec![text("m", "First.")]]), run([vec![text("n", "Second.")]])]);
    let mut terminal = Terminal::chat(&file(), agent.url(), &[]);
    terminal.wait_for("you> ");
    terminal.types("One.\r");
    terminal.wait_for("First.");
    terminal.wait_for("you> ");
    terminal.types("Two, wrong\u{17}please.\r");
    terminal.wait_for("Second.");
    terminal.wait_for("you> ");
    terminal.types("\u{4}");
    assert_eq!(terminal.end().1, Some(0));
    let messages = agent.inputs()[1]["messages"].take();
    let said: Vec<_> =
        messages.as_array().unwrap().iter().map(|message| message["content"].clone()).collect();
    assert_eq!(said, ["One.", "First.", "Two, please."]);
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven without a prompt, and the person types `/tools`, `/events`, a message, `/state`, `/save` with
///   a file, `/retry`, `/unknown` and `/quit`.
/// - **THEN** the tools, the events, the state and an error for the unknown command are shown, the file has the conversation, and
///   the exit code is 0.
#[test]
fn commands_of_the_chat() {
    let folder = Folder::new();
    let saved = folder.path("talk.json");
    let mut terminal = Terminal::chat(&file(), "stand-in", &[]);
    for (typed, shown) in [
        ("/tools", "notes.ping: Ping"),
        ("/events", "Events are shown."),
        ("ping", "RUN_FINISHED"),
        ("/state", "null"),
        (&*format!("/save {}", saved.display()), "Saved to"),
        ("/retry", "RUN_STARTED"),
        ("/unknown", "there is no command /unknown"),
    ] {
        terminal.wait_for("you> ");
        terminal.types(&format!("{typed}\r"));
        terminal.wait_for(shown);
    }
    terminal.wait_for("you> ");
    terminal.types("/quit\r");
    assert_eq!(terminal.end().1, Some(0));
    let kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(saved).unwrap()).unwrap();
    assert_eq!(kept["messages"][0]["content"], "ping");
}

/// - **GIVEN** a terminal, and `notes.wait`, which takes a minute.
/// - **WHEN** the stand-in is driven without a prompt, the person asks it to wait, presses Ctrl-C while the command runs, and then
///   asks it to ping.
/// - **THEN** the first turn is cancelled, `notes.ping` runs in the second, and the exit code is 0.
#[test]
fn cancelling_one_turn() {
    let wait = json!({ "id": "notes.wait", "callable": true, "behaviour": { "delayMs": 60_000 } });
    let mut terminal = Terminal::chat(&file_with([wait]), "stand-in", &[]);
    terminal.wait_for("you> ");
    terminal.types("wait\r");
    terminal.wait_for("1 command is running: notes.wait");
    terminal.types("\u{3}");
    terminal.wait_for("the turn was cancelled");
    terminal.wait_for("you> ");
    terminal.types("ping\r");
    terminal.wait_for("notes.ping returned");
    terminal.wait_for("you> ");
    terminal.types("/quit\r");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven without a prompt, and the person types `notes.open {"path":` and, in the next line, `"inbox"}`.
/// - **THEN** `notes.open` runs with the path `inbox`.
#[test]
fn a_message_over_several_lines() {
    let mut terminal = Terminal::chat(&file(), "stand-in", &[]);
    terminal.wait_for("you> ");
    terminal.types("notes.open {\"path\":\r");
    terminal.types("\"inbox\"}\r");
    terminal.wait_for("notes.open returned: {\"path\":\"inbox\"}");
    terminal.wait_for("you> ");
    terminal.types("/quit\r");
    assert_eq!(terminal.end().1, Some(0));
}
