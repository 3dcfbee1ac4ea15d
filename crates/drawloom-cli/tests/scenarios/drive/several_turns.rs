//! `drive` SHALL lead a conversation of several turns, from prompts, from a script, and from a file that keeps it.

use serde_json::{Value, json};

use super::support::{Agent, each, file, ran};
use crate::replay::support::Folder;
use drawloom_tests::events::{run, text};

fn drive(folder: &Folder, words: &[&str]) -> Vec<Value> {
    folder.write("file.json", &file().to_string());
    let output = folder.drawloom(&[&["drive", "file.json", "--transcript"], words].concat(), "");
    assert_eq!((output.code, &*output.stderr), (Some(0), ""), "{output:#?}");
    output.lines()
}

/// - **WHEN** an agent is driven with the prompts `One.` and `Two.`.
/// - **THEN** the second request has both messages and what the agent said in between, in the same thread, and the transcript
///   has both prompts.
#[test]
fn several_prompts() {
    let agent = Agent::new(&[run([vec![text("m", "First.")]]), run([vec![text("n", "Second.")]])]);
    let lines = drive(&Folder::new(), &["--agent", agent.url(), "--prompt", "One.", "--prompt", "Two."]);
    assert_eq!(each(&lines, "prompt"), ["One.", "Two."]);
    assert_eq!(each(&lines, "text"), ["First.", "Second."]);
    let inputs = agent.inputs();
    let said: Vec<_> =
        inputs[1]["messages"].as_array().unwrap().iter().map(|it| it["content"].clone()).collect();
    assert_eq!(said, ["One.", "First.", "Two."]);
    assert_eq!(inputs[0]["threadId"], inputs[1]["threadId"]);
}

/// - **GIVEN** a script with the turns `ping` and, with the answer true for `notes.delete`, `delete`, and again `delete`; and
///   the answer false for everything.
/// - **WHEN** the stand-in is driven with it.
/// - **THEN** `notes.ping` runs, `notes.delete` runs in the second turn, and the person is not asked again in the third.
#[test]
fn a_script() {
    let folder = Folder::new();
    let turns = json!(["ping", { "prompt": "delete", "answers": { "notes.delete": true } }, "delete"]);
    folder.write("script.json", &json!({ "turns": turns, "answers": { "*": false } }).to_string());
    let lines = drive(&folder, &["--agent", "stand-in", "--script", "script.json"]);
    assert_eq!(ran(&lines), ["notes.ping", "notes.delete", "notes.delete"]);
    assert_eq!(each(&lines, "decided").len(), 1);
}

/// - **WHEN** an agent is driven with `--thread` and a file that does not exist, and then again with this file.
/// - **THEN** the second time the request has the messages of both times, in the same thread.
#[test]
fn a_conversation_in_a_file() {
    let folder = Folder::new();
    let thread = folder.path("thread.json");
    let thread = thread.to_str().unwrap();
    let agent = Agent::new(&[run([vec![text("m", "First.")]]), run([])]);
    for prompt in ["One.", "Two."] {
        drive(&folder, &["--agent", agent.url(), "--prompt", prompt, "--thread", thread]);
    }
    let inputs = agent.inputs();
    assert_eq!(inputs[1]["messages"].as_array().unwrap().len(), 3);
    assert_eq!(inputs[0]["threadId"], inputs[1]["threadId"]);
}

/// - **WHEN** `drive` is run with a script that is not JSON, with one that has an unknown field, and with a thread file that
///   is not a conversation.
/// - **THEN** each exits with 2 and names the file, and no request is sent.
#[test]
fn files_that_are_wrong() {
    let folder = Folder::new();
    folder.write("file.json", &file().to_string());
    folder.write("wrong.json", "{");
    folder.write("unknown.json", r#"{"turns":["a"],"later":1}"#);
    let agent = Agent::new(&[]);
    for words in [["--script", "wrong.json"], ["--script", "unknown.json"], ["--thread", "wrong.json"]] {
        let usual = ["drive", "file.json", "--agent", agent.url(), "--prompt", "a"];
        let output = folder.drawloom(&[&usual[..], &words].concat(), "");
        assert_eq!((output.code, &*output.stdout), (Some(2), ""), "{output:#?}");
        assert!(output.stderr.contains(words[1]), "{output:#?}");
    }
    assert_eq!(agent.inputs().len(), 0);
}
