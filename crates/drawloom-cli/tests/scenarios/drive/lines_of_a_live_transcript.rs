//! With `--transcript`, `drive` SHALL print the same lines as `replay`, and a line for each run that has ended, for
//! each complete text message, and for everything asked and answered.

use drawloom_replay::compare;
use serde_json::{Value, json};

use super::support::{Agent, answering, each, file, transcript};
use super::terminal::Terminal;
use crate::replay::support::expected;
use drawloom_tests::events::{call, call_with, interrupted, run, text};

/// - **GIVEN** a file with the answer true for `notes.delete`.
/// - **WHEN** the stand-in is driven with the prompt `ping and notes.delete {"path":"a"}`.
/// - **THEN** the lines are a text, `ran` and `answered` for `notes.ping`, `asked`, `decided`, `ran` and
///   `answered` for `notes.delete`, a run with the outcome `success`, a text, and a second run with the same outcome
///   and another id.
#[test]
fn commands_texts_and_runs() {
    let lines = transcript(
        &answering(json!({ "notes.delete": true })),
        "ping and notes.delete {\"path\":\"a\"}",
        &[],
    );
    let arguments = json!({ "path": "a" });
    let lines_expected = [
        json!({ "text": "~stand-in" }),
        json!({ "ran": { "commandId": "notes.ping", "arguments": {} } }),
        json!({ "answered": { "toolCallId": "~call-1", "error": null } }),
        json!({ "asked": { "callId": "~call-2", "commandId": "notes.delete", "arguments": arguments, "agentConsent": "ask" } }),
        json!({ "decided": { "callId": "~call-2", "answer": true } }),
        json!({ "ran": { "commandId": "notes.delete", "arguments": arguments } }),
        json!({ "answered": { "toolCallId": "~call-2", "error": null } }),
        json!({ "run": { "runId": "~", "outcome": "success" } }),
        json!({ "text": "~returned" }),
        json!({ "run": { "runId": "~", "outcome": "success" } }),
    ];
    compare(&lines_expected.map(expected), &lines).unwrap();
    let runs = each(&lines, "run");
    assert_ne!(runs[0]["runId"], runs[1]["runId"]);
}

/// - **GIVEN** a server that sends a text message in three pieces, then another message, and then an
///   empty one.
/// - **WHEN** it is driven.
/// - **THEN** there is one line for each of the first two messages, and none for the third.
#[test]
fn one_line_for_each_text_message() {
    let pieces = ["One ", "two ", "three."].map(|piece| text("m", piece)).to_vec();
    let agent = Agent::new(&[run([pieces, vec![text("n", "Four."), text("o", "")]])]);
    let output = agent.drive(&file(), &["--transcript"]);
    assert_eq!(each(&output.lines(), "text"), ["One two three.", "Four."]);
}

/// - **GIVEN** a server whose first run is interrupted and whose second run fails.
/// - **WHEN** it is driven.
/// - **THEN** the runs have the outcomes `interrupt` and `error`.
#[test]
fn outcomes_of_runs() {
    let asks = vec![interrupted(json!([{ "id": "i", "reason": "tool_call" }]))];
    let fails = vec![json!({ "type": "RUN_ERROR", "message": "no" }).to_string()];
    let output = Agent::new(&[asks, fails]).drive(&file(), &["--transcript"]);
    let lines = output.lines();
    let outcomes: Vec<&Value> = each(&lines, "run").into_iter().map(|run| &run["outcome"]).collect();
    assert_eq!(outcomes, ["interrupt", "error"]);
}

/// - **GIVEN** a server whose text contains a control character and a character that changes the reading
///   direction.
/// - **WHEN** it is driven.
/// - **THEN** no line contains one of them, and the JSON value of the text is what was sent.
#[test]
fn lines_are_safe_on_a_terminal() {
    let said = "a\u{9b}2J\u{202e}b";
    let output = Agent::new(&[run([vec![text("m", said)]])]).drive(&file(), &["--transcript"]);
    assert!(!output.stdout.contains(['\u{9b}', '\u{202e}']), "{output:#?}");
    assert_eq!(each(&output.lines(), "text"), [said]);
}

/// - **GIVEN** a terminal, and a server that calls `notes.delete` and `notes.ping` and sends a frame that
///   is not JSON.
/// - **WHEN** it is driven with `--transcript`, and the person presses `x` and then `n`.
/// - **THEN** the lines about `notes.ping` and the report about the frame are printed after the question
///   is answered.
#[test]
fn nothing_is_printed_between_a_question_and_its_answer() {
    let delete = call_with("c", "notes__delete", json!({ "path": "a" }));
    let first = run([delete, call("d", "notes__ping"), vec!["no JSON".to_owned()]]);
    let agent = Agent::new(&[first, run([])]);
    let mut terminal = Terminal::drive_with(&file(), agent.url(), "Please.", &["--transcript"]);
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("x");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("n");
    let (shown, code) = terminal.end();
    let question = shown.rfind("[y]es").unwrap();
    assert!(shown.find("\"notes.ping\",\"arguments\"").unwrap() > question, "{shown}");
    assert!(shown.find("frame 7").unwrap() > question, "{shown}");
    assert_eq!(code, Some(0));
}
