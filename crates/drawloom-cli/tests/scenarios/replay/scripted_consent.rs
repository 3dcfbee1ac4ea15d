//! If the file has `consent`, the consent policy SHALL decide before each call of the agent, with the answers of the
//! file in place of a person.

use serde_json::{Value, json};

use super::support::{
    asking_to_open, call, is_answered, is_refused, is_refused_with, message, run, steps, transcript,
    with_commands,
};

/// The usual file with callable commands that state something about consent.
fn stating(commands: &[(&str, &str)]) -> Value {
    with_commands(
        commands.iter().map(|(id, consent)| json!({ "id": id, "callable": true, "agentConsent": consent })),
    )
}

/// The transcript of one call of `notes.open` with `path` as `inbox`.
fn opened(file: &Value) -> Vec<Value> {
    transcript(file, &run("r", [call("c1", "notes__open", "{\"path\":\"inbox\"}")]))
}

/// - **GIVEN** `notes.delete`, which states `ask`, in a file without `consent`.
/// - **WHEN** a call of it is replayed with a transcript.
/// - **THEN** the transcript has no `asked` line and one `ran` line.
#[test]
fn nobody_is_asked_without_consent() {
    let file = stating(&[("notes.delete", "ask")]);
    let lines = transcript(&file, &run("r", [call("1", "notes__delete", "{}")]));
    assert_eq!(steps(&lines), ["ran", "answered"]);
}

/// - **GIVEN** the answers `{"notes.delete":{"no":"not today"},"notes.drop":false,"*":true}`, and three
///   commands that state `ask`.
/// - **WHEN** `notes.delete`, `notes.drop` and `notes.merge` are each called in a replay.
/// - **THEN** the refusal of the first contains `not today`, the second is refused, and the third has
///   run.
#[test]
fn the_id_takes_precedence_over_the_star() {
    let mut file = stating(&[("notes.delete", "ask"), ("notes.drop", "ask"), ("notes.merge", "ask")]);
    file["consent"] =
        json!({ "answers": { "notes.delete": { "no": "not today" }, "notes.drop": false, "*": true } });
    let events = run(
        "r",
        [call("1", "notes__delete", "{}"), call("2", "notes__drop", "{}"), call("3", "notes__merge", "{}")],
    );
    let lines = transcript(&file, &events);
    assert_eq!(steps(&lines), ["asked", "answered", "asked", "answered", "asked", "ran", "answered"]);
    assert!(is_refused_with(message(&lines, "1").unwrap(), "not today"));
    assert!(is_refused(message(&lines, "2").unwrap()));
    assert!(!is_refused_with(message(&lines, "2").unwrap(), "not today"));
    assert_eq!(lines[5]["ran"]["commandId"], "notes.merge");
    assert!(is_answered(message(&lines, "3").unwrap()));
}

/// - **GIVEN** the answers `{}` and `notes.delete`, which states `ask`.
/// - **WHEN** a call of it is replayed.
/// - **THEN** it is refused and has not run.
#[test]
fn no_answer_is_a_no() {
    let mut file = stating(&[("notes.delete", "ask")]);
    file["consent"] = json!({ "answers": {} });
    let lines = transcript(&file, &run("r", [call("1", "notes__delete", "{}")]));
    assert_eq!(steps(&lines), ["asked", "answered"]);
    assert!(is_refused(message(&lines, "1").unwrap()));
}

/// - **GIVEN** the answer `{"edit":{"path":"archive"}}` for `notes.open`, which states `ask`.
/// - **WHEN** a call of it with `path` as `inbox` is replayed.
/// - **THEN** it has run with `path` as `archive`, and the answer says that the arguments were changed.
#[test]
fn an_edited_yes() {
    let lines = opened(&asking_to_open(json!({ "edit": { "path": "archive" } })));
    assert_eq!(steps(&lines), ["asked", "ran", "answered"]);
    assert_eq!(lines[0]["asked"]["arguments"], json!({ "path": "inbox" }));
    assert_eq!(lines[1]["ran"]["arguments"], json!({ "path": "archive" }));
    let content = lines[2]["answered"]["content"].as_str().unwrap();
    assert!(content.contains("changed the arguments"), "{content}");
    assert!(content.ends_with("{\"path\":\"archive\"}"), "{content}");
}

/// - **GIVEN** the answer `{"during":{"unregister":"notes.open"}}` for `notes.open`, which states `ask`.
/// - **WHEN** a call of it is replayed with a transcript.
/// - **THEN** the transcript has one `asked` line and no `ran` line, and the call is refused.
#[test]
fn a_behaviour_while_the_person_is_asked() {
    let lines = opened(&asking_to_open(json!({ "during": { "unregister": "notes.open" } })));
    assert_eq!(steps(&lines), ["asked", "answered"]);
    assert!(is_refused(message(&lines, "c1").unwrap()));
}

/// - **GIVEN** the answer `{"during":{"fail":"no window"}}` for `notes.open`, which states `ask`.
/// - **WHEN** a call of it is replayed with a transcript.
/// - **THEN** the transcript has one `asked` line and no `ran` line, and the refusal contains `no
///   window`.
#[test]
fn a_question_that_fails() {
    let lines = opened(&asking_to_open(json!({ "during": { "fail": "no window" } })));
    assert_eq!(steps(&lines), ["asked", "answered"]);
    assert!(is_refused_with(message(&lines, "c1").unwrap(), "no window"));
}

/// - **GIVEN** the wording `{"never":"Closed.","refused":"No."}`, `notes.reset` stating `never` and a no
///   for `notes.delete`.
/// - **WHEN** a call of each is replayed.
/// - **THEN** the refusal of the first contains `Closed.`, and that of the second contains `No.`.
#[test]
fn wording_in_the_file() {
    let mut file = stating(&[("notes.reset", "never"), ("notes.delete", "ask")]);
    file["consent"] = json!({
        "answers": { "notes.delete": false, "*": true },
        "wording": { "never": "Closed.", "refused": "No." },
    });
    let events = run("r", [call("1", "notes__reset", "{}"), call("2", "notes__delete", "{}")]);
    let lines = transcript(&file, &events);
    assert_eq!(steps(&lines), ["answered", "asked", "answered"]);
    assert!(is_refused_with(message(&lines, "1").unwrap(), "Closed."));
    assert!(is_refused_with(message(&lines, "2").unwrap(), "No."));
}
