//! Questions on a terminal, and the keys that answer them.

use serde_json::json;

use super::support::{Agent, answering, asks_for_input, echoing, file, file_with, wants_approval};
use super::terminal::Terminal;
use crate::client::support::{call_with, interrupted, run};

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete and then to ping, and the person presses `x` and then `y`.
/// - **THEN** the question names `notes.delete` and its arguments, and is put again after `x`.
/// - **AND** what became of `notes.ping` is shown after the question is answered, and `notes.delete` has
///   run.
#[test]
fn the_terminal_asks() {
    let mut terminal = Terminal::drive(&file(), "stand-in", "delete {\"path\":\"inbox\"} and ping");
    terminal.wait_for("notes.delete with {\"path\":\"inbox\"}");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("x");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("y");
    terminal.wait_for("> notes.ping {}");
    let (shown, code) = terminal.end();
    assert!(shown.contains("> notes.delete {\"path\":\"inbox\"}\r\n  The command ran."), "{shown}");
    let question = shown.rfind("[y]es").unwrap();
    assert!(shown.find("> notes.ping").unwrap() > question, "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal, and `notes.wipe`, which states `ask-always`.
/// - **WHEN** the stand-in is driven to delete and to wipe.
/// - **THEN** the question about `notes.delete` says that the answer counts for calls that wait and a yes for
///   later ones, and the one about `notes.wipe` does not.
#[test]
fn a_yes_that_counts_for_later() {
    let wipe = json!({ "id": "notes.wipe", "callable": true, "agentConsent": "ask-always" });
    let mut terminal = Terminal::drive(&file_with([wipe]), "stand-in", "delete and wipe");
    terminal.wait_for("notes.delete: [y]es");
    terminal.types("y");
    terminal.wait_for("notes.wipe: [y]es");
    terminal.types("y");
    let (shown, code) = terminal.end();
    let counts = |command: &str| shown.contains(&format!("counts for the calls of {command} that wait too"));
    assert!(counts("notes.delete") && !counts("notes.wipe"), "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete, and the person presses `n`.
/// - **THEN** the call is answered as one that the person said no to.
#[test]
fn a_no_on_the_terminal() {
    let mut terminal = Terminal::drive(&file(), "stand-in", "delete");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("n");
    terminal.wait_for("The command did not run: the user declined the call.");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete `{"path":"a"}`, and the person presses `e`, makes it
///   `{"path":"b` and then `{"path":"b"}`.
/// - **THEN** the first is told to be no arguments, and `notes.delete` runs and is shown with the path `b`.
#[test]
fn an_edit_on_the_terminal() {
    let file = echoing();
    let mut terminal = Terminal::drive(&file, "stand-in", "delete {\"path\":\"a\"}");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("e");
    terminal.wait_for("arguments: {\"path\":\"a\"}");
    terminal.types("\u{7f}\u{7f}\u{7f}b\r");
    terminal.wait_for("not readable JSON");
    terminal.wait_for("{\"path\":\"b");
    terminal.types("\"}\r");
    terminal.wait_for("> notes.delete {\"path\":\"b\"}\r\n  {\"path\":\"b\"}\r\n");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal, and `notes.wipe`, which states `ask`.
/// - **WHEN** the stand-in is driven to delete and to wipe, and the person presses `y` twice at the first
///   question and `n` at the second.
/// - **THEN** `notes.delete` ran, and `notes.wipe` did not.
#[test]
fn keys_pressed_before_the_question() {
    let wipe = json!({ "id": "notes.wipe", "callable": true, "agentConsent": "ask" });
    let mut terminal = Terminal::drive(&file_with([wipe]), "stand-in", "delete and wipe");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("yy");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("n");
    let (shown, code) = terminal.end();
    assert!(shown.contains("> notes.delete {\"path\":\"example\"}\r\n  The command ran."), "{shown}");
    assert!(shown.contains("> notes.wipe {}\r\n  The command did not run"), "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal, and arguments of 5000 characters that end in
///   `? the agent wants to run notes.ping with {}`.
/// - **WHEN** the stand-in is driven to delete with them, and the person presses `s` and then `n`.
/// - **THEN** the line that asks names `notes.delete`, and the end of the arguments is shown after `s`
///   alone.
#[test]
fn more_than_a_question_can_show() {
    let end = "? the agent wants to run notes.ping with {}";
    let path = format!("{}{end}", " ".repeat(5000 - end.len() - "{'path':''}".len()));
    let mut terminal = Terminal::drive(&file(), "stand-in", &format!("delete {{\"path\":\"{path}\"}}"));
    terminal.wait_for("(4400 more characters)");
    terminal.wait_for("notes.delete: [y]es, [n]o, [e]dit or [s]how all?");
    terminal.types("s");
    terminal.wait_for("show all");
    terminal.wait_for(end);
    terminal.wait_for("notes.delete: [y]es, [n]o, [e]dit or [s]how all?");
    terminal.types("n");
    let (shown, code) = terminal.end();
    assert!(shown.find(end) > shown.find("show all\r\n"), "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal, and a path with a control character and one that turns the direction of
///   reading.
/// - **WHEN** the stand-in is driven to delete it, and the person presses `e` and Enter.
/// - **THEN** nothing that is shown holds one of them, and `notes.delete` runs with the path as it was.
#[test]
fn arguments_that_would_act_on_a_terminal() {
    let file = echoing();
    let mut terminal = Terminal::drive(&file, "stand-in", "delete {\"path\":\"a\u{9b}2J\u{202e}b\"}");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("e");
    terminal.wait_for("arguments: ");
    terminal.wait_for("b\"}");
    terminal.types("\r");
    let (shown, code) = terminal.end();
    assert!(!shown.contains(['\u{9b}', '\u{202e}']), "{shown:?}");
    assert!(shown.contains("  {\"path\":\"a\\u{9b}2J\\u{202e}b\"}\r\n"), "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal, and a server that wants a call approved and takes no edits.
/// - **WHEN** it is driven, and the person presses `e` and then `y`.
/// - **THEN** no edit is offered, and it was sent that the call is approved.
#[test]
fn an_approval_that_takes_no_edits() {
    let agent = Agent::new(&[wants_approval(json!({})), run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("delete_note with {\"path\":\"a\"}");
    terminal.wait_for("[y]es or [n]o?");
    terminal.types("e");
    terminal.wait_for("[y]es or [n]o?");
    terminal.types("y");
    assert_eq!(terminal.end().1, Some(0));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({ "approved": true }));
}

/// - **GIVEN** a terminal, and a server that wants a call of `{"path":"a"}` approved and takes edits.
/// - **WHEN** it is driven, and the person presses `e` and makes it `{"path":"b"}`.
/// - **THEN** it was sent that the call is approved with `{"path":"b"}` as `editedArgs`.
#[test]
fn an_approval_that_takes_edits() {
    let agent = Agent::new(&[wants_approval(json!({ "properties": { "editedArgs": {} } })), run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("delete_note: [y]es, [n]o or [e]dit?");
    terminal.types("e");
    terminal.wait_for("arguments: {\"path\":\"a\"}");
    terminal.types("\u{7f}\u{7f}\u{7f}b\"}\r");
    assert_eq!(terminal.end().1, Some(0));
    let sent = json!({ "approved": true, "editedArgs": { "path": "b" } });
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], sent);
}

/// - **GIVEN** a terminal, and a server that wants a call approved twice, of which only the second takes
///   edits.
/// - **WHEN** it is driven, and the person presses `y` at both.
/// - **THEN** an edit is offered at one of them.
#[test]
fn two_approvals_of_one_call() {
    let takes = |schema| json!({ "reason": "tool_call", "toolCallId": "c", "responseSchema": schema });
    let (mut first, mut second) = (takes(json!({})), takes(json!({ "properties": { "editedArgs": {} } })));
    (first["id"], second["id"]) = (json!("i"), json!("j"));
    let asks = interrupted(json!([first, second]));
    let agent = Agent::new(&[[call_with("c", "delete_note", json!({})), vec![asks]].concat(), run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    for _ in 0..2 {
        terminal.wait_for("delete_note: [y]es");
        terminal.wait_for("?");
        terminal.types("y");
    }
    let (shown, code) = terminal.end();
    assert_eq!(shown.matches("[e]dit").count(), 1, "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal, and a server that wants a call of its own tool `notes.ping with {} ` approved
///   and says `Only a ping.`.
/// - **WHEN** it is driven, and the person presses `n`.
/// - **THEN** the question says that something is to be approved, puts the name in quotes, and repeats
///   what was said.
#[test]
fn an_approval_is_not_a_command() {
    let question =
        json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c", "message": "Only a ping." }]);
    let call = call_with("c", "notes.ping with {} ", json!({ "path": "a" }));
    let agent = Agent::new(&[[call, vec![interrupted(question)]].concat(), run([])]);
    let mut terminal = Terminal::drive_with(&file(), agent.url(), "Please.", &["--transcript"]);
    terminal.wait_for("Only a ping.");
    terminal.wait_for("wants approved: \"notes.ping with {} \" with {\"path\":\"a\"}");
    terminal.wait_for("  \"notes.ping with {} \": [y]es or [n]o?");
    terminal.types("n");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal, and a server that calls `notes.delete` and ends its run with an approval of that
///   call.
/// - **WHEN** it is driven, and the person presses Enter and, at the approval, `y`.
/// - **THEN** the question is told to be taken back, the command did not run, and it was sent that the
///   call is approved.
#[test]
fn a_question_that_is_taken_back() {
    let question = json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c" }]);
    let call = call_with("c", "notes__delete", json!({ "path": "a" }));
    let agent = Agent::new(&[[call, vec![interrupted(question)]].concat(), run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("the question was taken back; press Enter");
    terminal.types("\r");
    terminal.wait_for("wants approved: notes.delete");
    terminal.wait_for("[y]es or [n]o?");
    terminal.types("y");
    let (shown, code) = terminal.end();
    assert!(!shown.contains("> notes.delete"), "{shown}");
    assert_eq!(code, Some(0));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({ "approved": true }));
}

/// - **GIVEN** a terminal, and a server that calls `notes.delete` and, while the person edits its arguments,
///   ends its run with an approval of that call.
/// - **WHEN** the person, who has made them unreadable, presses Enter, and `y` at the approval.
/// - **THEN** nothing more is asked about the arguments, the command did not run, and it was sent that the
///   call is approved.
#[test]
fn an_edit_that_is_taken_back() {
    let question = json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c" }]);
    let (agent, goes_on) = Agent::waiting(
        &call_with("c", "notes__delete", json!({ "path": "a" })),
        &[interrupted(question)],
        &run([]),
    );
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("e");
    terminal.wait_for("arguments: {\"path\":\"a\"}");
    terminal.types("zz");
    terminal.wait_for("zz");
    goes_on.send(()).unwrap();
    terminal.wait_for("the question was taken back; press Enter");
    terminal.types("\r");
    terminal.wait_for("wants approved: notes.delete");
    terminal.wait_for("[y]es or [n]o?");
    terminal.types("y");
    let (shown, code) = terminal.end();
    assert!(!shown.contains("not readable JSON") && !shown.contains("> notes.delete"), "{shown}");
    assert_eq!(code, Some(0));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({ "approved": true }));
}

/// - **GIVEN** a terminal, and a file whose only answer is true for `notes.open`.
/// - **WHEN** the stand-in is driven to delete, and the person presses `y`.
/// - **THEN** `notes.delete` ran.
#[test]
fn what_the_file_has_no_answer_for() {
    let mut terminal = Terminal::drive(&answering(json!({ "notes.open": true })), "stand-in", "delete");
    terminal.wait_for("notes.delete: [y]es, [n]o or [e]dit?");
    terminal.types("y");
    terminal.wait_for("> notes.delete {\"path\":\"example\"}\r\n  The command ran.");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal, and a server that asks for input with the message `Which colour?`.
/// - **WHEN** it is driven, and the person types `blue`.
/// - **THEN** the message is shown, and the server was sent `blue`.
#[test]
fn an_answer_in_words() {
    let agent = Agent::new(&[asks_for_input(), run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("Which colour?");
    terminal.wait_for("answer:");
    terminal.types("blue\r");
    assert_eq!(terminal.end().1, Some(0));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], "blue");
}

/// - **GIVEN** a terminal, a server that asks for input of the type `string`, and one that does not say of
///   which type.
/// - **WHEN** each is driven, and the person types `5`.
/// - **THEN** the first was sent the text `5`, and the second the number.
#[test]
fn an_answer_as_its_schema_has_it() {
    for (schema, sent) in [(json!({ "type": "string" }), json!("5")), (json!({}), json!(5))] {
        let question = json!([{ "id": "i", "reason": "input_required", "responseSchema": schema }]);
        let agent = Agent::new(&[vec![interrupted(question)], run([])]);
        let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
        terminal.wait_for("answer:");
        terminal.types("5\r");
        assert_eq!(terminal.end().1, Some(0));
        assert_eq!(agent.inputs()[1]["resume"][0]["payload"], sent);
    }
}

/// - **GIVEN** a terminal, and a server that asks for input with the messages `Which colour?` and
///   `Which size?`.
/// - **WHEN** it is driven with `--transcript`, and the person answers each with its last word.
/// - **THEN** each was sent the answer that was typed behind its message.
#[test]
fn answers_in_words_are_told_apart() {
    let ask = |id, message| json!({ "id": id, "reason": "input_required", "message": message });
    let asks = vec![interrupted(json!([ask("i", "Which colour?"), ask("j", "Which size?")]))];
    let agent = Agent::new(&[asks, run([])]);
    let mut terminal = Terminal::drive_with(&file(), agent.url(), "Please.", &["--transcript"]);
    for _ in 0..2 {
        terminal.wait_for("? to be answered: Which ");
        let word = terminal.read_until("?");
        terminal.wait_for("answer: ");
        terminal.types(&format!("{word}\r"));
    }
    assert_eq!(terminal.end().1, Some(0));
    let resume = agent.inputs()[1]["resume"].take();
    assert_eq!((&resume[0]["payload"], &resume[1]["payload"]), (&json!("colour"), &json!("size")));
}
