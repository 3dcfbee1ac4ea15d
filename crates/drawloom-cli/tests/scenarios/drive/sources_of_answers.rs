//! The answer to a question SHALL come from the command line, otherwise from the file, otherwise from the terminal.
//! Without a terminal, the answer SHALL be no.

use serde_json::json;

use super::support::{
    Agent, answering, asks_for_input, each, file, file_with, ran, transcript, wants_approval,
};
use super::terminal::Terminal;
use drawloom_tests::events::{interrupted, run, snapshot};

/// - **GIVEN** a file that answers everything with no, and one that answers everything with yes.
/// - **WHEN** the stand-in is driven to delete with `--yes` and the first file, and with `--no` and the
///   second file.
/// - **THEN** both transcripts have an `asked` line; `notes.delete` runs the first time and does not run
///   the second time.
#[test]
fn yes_and_no_on_the_command_line() {
    for (option, file, runs) in
        [("--yes", answering(json!({ "*": false })), 1), ("--no", answering(json!({ "*": true })), 0)]
    {
        let lines = transcript(&file, "delete", &[option]);
        assert_eq!(each(&lines, "asked").len(), 1, "{option}");
        assert_eq!(ran(&lines).len(), runs, "{option}");
    }
}

/// - **GIVEN** a file with the answer `{"no":"keep it"}` for `notes.delete` and the wording `Ada said no`
///   for refusals.
/// - **WHEN** the stand-in is driven to delete.
/// - **THEN** the answer to the call contains `Ada said no` and `keep it`.
#[test]
fn answers_of_the_file() {
    let mut file = answering(json!({ "notes.delete": { "no": "keep it" } }));
    file["consent"]["wording"] = json!({ "refused": "Ada said no" });
    let lines = transcript(&file, "delete", &[]);
    let error = each(&lines, "answered")[0]["error"].as_str().unwrap();
    assert!(error.contains("Ada said no") && error.contains("keep it"), "{error}");
    assert_eq!(ran(&lines).len(), 0);
}

/// - **WHEN** the stand-in is driven to delete.
/// - **THEN** the transcript has an `asked` line, `notes.delete` does not run, the agent is told that
///   there is nobody to ask, and the exit code is 0.
#[test]
fn without_a_terminal_the_answer_is_no() {
    let lines = transcript(&file(), "delete", &[]);
    assert_eq!((each(&lines, "asked").len(), ran(&lines).len()), (1, 0));
    let error = each(&lines, "answered")[0]["error"].as_str().unwrap();
    assert!(error.contains("did not run") && error.contains("nobody to ask"), "{error}");
}

/// - **GIVEN** `notes.wipe`, which states `never`.
/// - **WHEN** the stand-in is driven to wipe with `--yes`.
/// - **THEN** nothing is asked, and `notes.wipe` does not run.
#[test]
fn never_is_not_overridden() {
    let wipe = json!({ "id": "notes.wipe", "callable": true, "agentConsent": "never" });
    let lines = transcript(&file_with([wipe]), "wipe", &["--yes"]);
    assert_eq!((each(&lines, "asked").len(), ran(&lines).len()), (0, 0));
    assert_eq!(each(&lines, "answered").len(), 1);
}

/// - **GIVEN** a server that asks for approval of a call of its own tool `delete_note`, with a schema
///   that names `editedArgs`.
/// - **WHEN** it is driven with `--yes`, with `--no`, with the answer `{"edit":{"path":"b"}}` for
///   `delete_note` in the file, and with none of these.
/// - **THEN** it receives an approval, a rejection, an approval with `{"path":"b"}` as `editedArgs`, and
///   the cancellation of the question.
#[test]
fn approvals_of_an_agent() {
    let edit = answering(json!({ "delete_note": { "edit": { "path": "b" } } }));
    for (file, options, sent) in [
        (file(), &["--yes"][..], json!({ "status": "resolved", "payload": { "approved": true } })),
        (file(), &["--no"], json!({ "status": "resolved", "payload": { "approved": false } })),
        (
            edit,
            &[],
            json!({ "status": "resolved", "payload": { "approved": true, "editedArgs": { "path": "b" } } }),
        ),
        (file(), &[], json!({ "status": "cancelled" })),
    ] {
        let agent = Agent::new(&[wants_approval(json!({ "properties": { "editedArgs": {} } })), run([])]);
        let output = agent.drive(&file, options);
        assert_eq!(output.code, Some(0), "{output:#?}");
        let mut resume = agent.inputs()[1]["resume"][0].take();
        assert_eq!(resume["interruptId"].take(), "i");
        resume.as_object_mut().unwrap().remove("interruptId");
        assert_eq!(resume, sent);
    }
}

/// - **GIVEN** a server whose snapshot contains a call `i` of `notes.delete`, and whose run ends with a
///   confirmation `i` about something else.
/// - **WHEN** it is driven without a terminal.
/// - **THEN** the answer to the call says that there is nobody to ask, and the server receives the
///   cancellation of the confirmation.
#[test]
fn a_call_with_the_id_of_a_question() {
    let call = json!({ "id": "i", "type": "function", "function": { "name": "notes__delete", "arguments": "{\"path\":\"a\"}" } });
    let shows = snapshot(json!([{ "id": "m", "role": "assistant", "toolCalls": [call] }]));
    let asks = interrupted(json!([{ "id": "i", "reason": "confirmation", "message": "Go on?" }]));
    let agent = Agent::new(&[vec![shows, asks], run([])]);
    let output = agent.drive(&file(), &["--transcript"]);
    assert_eq!(output.code, Some(0), "{output:#?}");
    let lines = output.lines();
    let error = each(&lines, "answered")[0]["error"].as_str().unwrap();
    assert!(error.contains("nobody to ask"), "{error}");
    assert_eq!(agent.inputs()[1]["resume"][0]["status"], "cancelled");
}

/// - **GIVEN** a terminal, and a server that asks for input.
/// - **WHEN** it is driven with `--no`.
/// - **THEN** nothing is asked, and the server receives the cancellation of the question.
#[test]
fn no_to_every_question() {
    let agent = Agent::new(&[asks_for_input(), run([])]);
    let mut terminal = Terminal::drive_with(&file(), agent.url(), "Please.", &["--no"]);
    let (shown, code) = terminal.end();
    assert!(!shown.contains("answer:"), "{shown}");
    assert_eq!(code, Some(0));
    assert_eq!(agent.inputs()[1]["resume"], json!([{ "interruptId": "i", "status": "cancelled" }]));
}

/// - **GIVEN** a server that asks for input.
/// - **WHEN** it is driven with `--yes`.
/// - **THEN** the server receives the cancellation of the question.
#[test]
fn input_without_a_terminal() {
    let agent = Agent::new(&[asks_for_input(), run([])]);
    assert_eq!(agent.drive(&file(), &["--yes"]).code, Some(0));
    assert_eq!(agent.inputs()[1]["resume"], json!([{ "interruptId": "i", "status": "cancelled" }]));
}
