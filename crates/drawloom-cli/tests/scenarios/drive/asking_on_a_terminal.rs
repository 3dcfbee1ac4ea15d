//! A question on a terminal SHALL say what it is about, whatever an agent sends. Only a key that was pressed after the
//! question was shown SHALL answer it.

use serde_json::json;

use super::support::{Agent, answering, asks_for_input, echoing, file, file_with, wants_approval};
use super::terminal::Terminal;
use drawloom_tests::events::{call_with, interrupted, run};

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete and then to ping, and the person presses `x` and then `y`.
/// - **THEN** the question names `notes.delete` and its arguments, and is repeated after `x`.
/// - **AND** the answer of `notes.ping` is shown after the question is answered, and `notes.delete` has
///   run.
#[test]
fn a_yes_on_the_terminal() {
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
/// - **THEN** the question about `notes.delete` says that the answer applies to calls that are waiting
///   and a yes to later ones, and the question about `notes.wipe` does not.
#[test]
fn a_yes_that_applies_to_later_calls() {
    let wipe = json!({ "id": "notes.wipe", "callable": true, "agentConsent": "ask-always" });
    let mut terminal = Terminal::drive(&file_with([wipe]), "stand-in", "delete and wipe");
    terminal.wait_for("notes.delete: [y]es");
    terminal.types("y");
    terminal.wait_for("notes.wipe: [y]es");
    terminal.types("y");
    let (shown, code) = terminal.end();
    let counts = |command: &str| shown.contains(&format!("applies to the other waiting calls of {command}"));
    assert!(counts("notes.delete") && !counts("notes.wipe"), "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete, and the person presses `n`.
/// - **THEN** the answer says that the person answered no.
#[test]
fn a_no_on_the_terminal() {
    let mut terminal = Terminal::drive(&file(), "stand-in", "delete");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("n");
    terminal.wait_for("The command did not run: the user declined the call.");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete `{"path":"a"}`, and the person presses `e`, changes it to
///   `{"path":"b` and then to `{"path":"b"}`.
/// - **THEN** an error is shown for the first change, and `notes.delete` runs with the path `b` and is
///   shown with it.
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
    terminal.wait_for("> notes.delete {\"path\":\"b\"}\r\n");
    terminal.wait_for("{\"path\":\"b\"}\r\n");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal, and `notes.delete`, which echoes its arguments, with the choice `mode`, whose `a` has a label,
///   and the secret text `key`.
/// - **WHEN** the stand-in is driven to delete with the mode `a` and the key `hunter2`, and the person presses `e`, leaves
///   the arguments as they are and types the key `swordfish`.
/// - **THEN** the question shows the label and names `key` without its value.
/// - **AND** neither `hunter2` nor `swordfish` is shown after the question, and the command has run with the mode.
#[test]
fn secret_arguments_on_the_terminal() {
    let mut file = echoing();
    file["plugins"][0]["commands"][2]["arguments"] = json!([
        { "name": "mode", "kind": "choice", "choices": ["a", "b"], "labels": { "a": "All of it" } },
        { "name": "key", "kind": "text", "secret": true },
    ]);
    let mut terminal = Terminal::drive(&file, "stand-in", "delete {\"mode\":\"a\",\"key\":\"hunter2\"}");
    terminal.wait_for("wants to run notes.delete with {\"mode\":\"a\"}");
    terminal.wait_for("mode: All of it");
    terminal.wait_for("not shown, because it is secret: key");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("e");
    terminal.wait_for("arguments: {\"mode\":\"a\"}");
    terminal.types("\r");
    terminal.wait_for("key (not echoed; Enter keeps it):");
    terminal.types("swordfish\r");
    terminal.wait_for("> notes.delete {\"mode\":\"a\"}\r\n");
    let (shown, code) = terminal.end();
    let (_, after) = shown.split_once("wants to run").unwrap();
    assert!(after.contains("The user changed the arguments") && !after.contains("swordfish"), "{shown}");
    assert!(!after.contains("hunter2"), "{shown}");
    assert_eq!(code, Some(0));
}

/// - **GIVEN** a terminal, and `notes.wipe`, which states `ask`.
/// - **WHEN** the stand-in is driven to delete and to wipe, and the person presses `y` twice at the first
///   question and `n` at the second.
/// - **THEN** `notes.delete` ran, and `notes.wipe` did not run.
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

/// - **GIVEN** a terminal, and arguments of 5000 characters that end in `? the agent wants to run
///   notes.ping with {}`.
/// - **WHEN** the stand-in is driven to delete with them, and the person presses `s` and then `n`.
/// - **THEN** the line that asks names `notes.delete`, and the end of the arguments is shown only after
///   `s`.
#[test]
fn long_arguments_in_a_question() {
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

/// - **GIVEN** a terminal, and a path with a control character and a character that changes the reading
///   direction.
/// - **WHEN** the stand-in is driven to delete it, and the person presses `e` and Enter.
/// - **THEN** nothing that is shown contains one of them, and `notes.delete` runs with the unchanged
///   path.
#[test]
fn arguments_that_would_control_a_terminal() {
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

/// - **GIVEN** a terminal, and a server that asks for approval of a call and does not accept edits.
/// - **WHEN** it is driven, and the person presses `e` and then `y`.
/// - **THEN** no edit is offered, and the server receives an approval.
#[test]
fn an_approval_without_edits() {
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

/// - **GIVEN** a terminal, and a server that asks for approval of a call with `{"path":"a"}` and accepts
///   edits.
/// - **WHEN** it is driven, and the person presses `e` and changes it to `{"path":"b"}`.
/// - **THEN** the server receives an approval with `{"path":"b"}` as `editedArgs`.
#[test]
fn an_approval_with_edits() {
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

/// - **GIVEN** a terminal, and a server that asks for approval of a call twice, and accepts edits only
///   the second time.
/// - **WHEN** it is driven, and the person presses `y` at both questions.
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

/// - **GIVEN** a terminal, and a server that asks for approval of a call of its own tool `notes.ping with
///   {} ` with the message `Only a ping.`.
/// - **WHEN** it is driven, and the person presses `n`.
/// - **THEN** the question says that it is about an approval, shows the name in quotes, and shows the
///   message.
#[test]
fn an_approval_does_not_look_like_a_command() {
    let question =
        json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c", "message": "Only a ping." }]);
    let call = call_with("c", "notes.ping with {} ", json!({ "path": "a" }));
    let agent = Agent::new(&[[call, vec![interrupted(question)]].concat(), run([])]);
    let mut terminal = Terminal::drive_with(&file(), agent.url(), "Please.", &["--transcript"]);
    terminal.wait_for("Only a ping.");
    terminal.wait_for("asks for approval of \"notes.ping with {} \" with {\"path\":\"a\"}");
    terminal.wait_for("  \"notes.ping with {} \": [y]es or [n]o?");
    terminal.types("n");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal, and a server that calls `notes.delete` and ends its run with an approval of
///   that call.
/// - **WHEN** it is driven, and the person presses Enter and, at the approval, `y`.
/// - **THEN** the terminal says that the question was withdrawn, the command does not run, and the server
///   receives an approval.
#[test]
fn a_withdrawn_question() {
    let question = json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c" }]);
    let call = call_with("c", "notes__delete", json!({ "path": "a" }));
    let agent = Agent::new(&[[call, vec![interrupted(question)]].concat(), run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("withdrew the question; press Enter");
    terminal.types("\r");
    terminal.wait_for("asks for approval of notes.delete");
    terminal.wait_for("[y]es or [n]o?");
    terminal.types("y");
    let (shown, code) = terminal.end();
    assert!(!shown.contains("> notes.delete"), "{shown}");
    assert_eq!(code, Some(0));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({ "approved": true }));
}

/// - **GIVEN** a terminal, and a server that calls `notes.delete` and, while the person edits its
///   arguments, ends its run with an approval of that call.
/// - **WHEN** the person, whose changes are not valid JSON, presses Enter, and `y` at the approval.
/// - **THEN** nothing more is asked about the arguments, the command does not run, and the server
///   receives an approval.
#[test]
fn a_withdrawn_edit() {
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
    terminal.wait_for("withdrew the question; press Enter");
    terminal.types("\r");
    terminal.wait_for("asks for approval of notes.delete");
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
fn commands_without_an_answer_in_the_file() {
    let mut terminal = Terminal::drive(&answering(json!({ "notes.open": true })), "stand-in", "delete");
    terminal.wait_for("notes.delete: [y]es, [n]o or [e]dit?");
    terminal.types("y");
    terminal.wait_for("> notes.delete {\"path\":\"example\"}\r\n  The command ran.");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal, and a server that asks for input with the message `Which colour?`.
/// - **WHEN** it is driven, and the person types `blue`.
/// - **THEN** the message is shown, and the server receives `blue`.
#[test]
fn an_answer_in_words() {
    let agent = Agent::new(&[asks_for_input(), run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("Which colour?");
    terminal.wait_for("  answer:");
    terminal.types("blue\r");
    assert_eq!(terminal.end().1, Some(0));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], "blue");
}

/// - **GIVEN** a terminal, a server that asks for input of the type `string`, and one that states no
///   type.
/// - **WHEN** each is driven, and the person types `5`.
/// - **THEN** the first receives the text `5`, and the second receives the number.
#[test]
fn an_answer_of_the_type_in_the_schema() {
    for (schema, sent) in [(json!({ "type": "string" }), json!("5")), (json!({}), json!(5))] {
        let question = json!([{ "id": "i", "reason": "input_required", "responseSchema": schema }]);
        let agent = Agent::new(&[vec![interrupted(question)], run([])]);
        let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
        terminal.wait_for("  answer:");
        terminal.types("5\r");
        assert_eq!(terminal.end().1, Some(0));
        assert_eq!(agent.inputs()[1]["resume"][0]["payload"], sent);
    }
}

/// - **GIVEN** a terminal, and a server that asks for input with the messages `Which colour?` and `Which
///   size?`.
/// - **WHEN** it is driven with `--transcript`, and the person answers each with its last word.
/// - **THEN** for each message, the server receives the answer that was typed after it.
#[test]
fn several_answers_in_words() {
    let ask = |id, message| json!({ "id": id, "reason": "input_required", "message": message });
    let asks = vec![interrupted(json!([ask("i", "Which colour?"), ask("j", "Which size?")]))];
    let agent = Agent::new(&[asks, run([])]);
    let mut terminal = Terminal::drive_with(&file(), agent.url(), "Please.", &["--transcript"]);
    for _ in 0..2 {
        terminal.wait_for("? the agent asks: Which ");
        let word = terminal.read_until("?");
        terminal.wait_for("  answer: ");
        terminal.types(&format!("{word}\r"));
    }
    assert_eq!(terminal.end().1, Some(0));
    let resume = agent.inputs()[1]["resume"].take();
    assert_eq!((&resume[0]["payload"], &resume[1]["payload"]), (&json!("colour"), &json!("size")));
}

/// - **GIVEN** a terminal, and servers that ask for an approval and for input without a message, with
///   metadata, a schema and a time of expiry.
/// - **WHEN** each is driven with `--transcript`.
/// - **THEN** the metadata and the schema are shown with the question, and with the question for input
///   also the time.
#[test]
fn the_whole_question_of_an_agent() {
    let question = |id: &str, reason: &str| {
        json!({
            "id": id, "reason": reason, "toolCallId": "c", "expiresAt": "2999-01-01T00:00:00Z",
            "metadata": { "risk": "high" }, "responseSchema": { "title": "Go on?" },
        })
    };
    let call = call_with("c", "delete_note", json!({ "path": "a" }));
    for (reason, prompt, keys) in
        [("tool_call", "delete_note: [y]es", "y"), ("input_required", "  answer:", "1\r")]
    {
        let asks = [call.clone(), vec![interrupted(json!([question("i", reason)]))]].concat();
        let agent = Agent::new(&[asks, run([])]);
        let mut terminal = Terminal::drive_with(&file(), agent.url(), "Please.", &["--transcript"]);
        terminal.wait_for("metadata: {\"risk\":\"high\"}");
        terminal.wait_for("schema of the answer: {\"title\":\"Go on?\"}");
        if reason == "input_required" {
            terminal.wait_for("expires at: 2999-01-01T00:00:00Z");
        }
        terminal.wait_for(prompt);
        terminal.types(keys);
        assert_eq!(terminal.end().1, Some(0));
    }
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete, and the person presses `r` and types `keep it`.
/// - **THEN** the answer says that the person answered no, and `keep it`.
#[test]
fn a_no_with_a_reason() {
    let mut terminal = Terminal::drive(&file(), "stand-in", "delete");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    terminal.types("r");
    terminal.wait_for("reason:");
    terminal.types("keep it\r");
    terminal.wait_for("The command did not run: the user declined the call: keep it");
    assert_eq!(terminal.end().1, Some(0));
}

/// - **GIVEN** a terminal, and a server whose question has a schema with the required whole number `stars` up to 5, the
///   choice `colour` of `red` and `blue`, and the optional text `note`.
/// - **WHEN** it is driven, and the person answers the first field with `9` and then `5`, the second with `blue`, and the third
///   with an empty line.
/// - **THEN** an error is shown for `9`, and the server receives `{"stars":5,"colour":"blue"}`.
#[test]
fn a_form() {
    let schema = json!({ "type": "object", "required": ["stars"], "properties": {
        "stars": { "type": "integer", "maximum": 5 },
        "colour": { "enum": ["red", "blue"] },
        "note": { "type": "string", "description": "Anything else" } } });
    let asks = interrupted(json!([{ "id": "i", "reason": "input_required", "responseSchema": schema }]));
    let agent = Agent::new(&[vec![asks], run([])]);
    let mut terminal = Terminal::drive(&file(), agent.url(), "Please.");
    terminal.wait_for("stars: (integer, required)");
    terminal.wait_for("stars:");
    terminal.types("9\r");
    terminal.wait_for("too large");
    terminal.types("5\r");
    terminal.wait_for("colour: (one of red, blue, optional)");
    terminal.types("blue\r");
    terminal.wait_for("note: Anything else (string, optional)");
    terminal.types("\r");
    assert_eq!(terminal.end().1, Some(0));
    assert_eq!(agent.inputs()[1]["resume"][0]["payload"], json!({ "stars": 5, "colour": "blue" }));
}
