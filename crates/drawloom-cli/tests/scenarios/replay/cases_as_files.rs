//! A case SHALL contain a workbench, events and the expected lines of the transcript, as a file or as a folder. It
//! SHALL pass if the transcript has exactly these lines, and each line is equal in every field that the case names.

use std::fs;

use drawloom_replay::{Case, compare};
use futures_executor::block_on;
use serde_json::{Value, json};

use super::support::{Folder, call, expected, run, usual};

fn answered_with(error: &str) -> Value {
    json!({ "answered": { "id": "m", "role": "tool", "toolCallId": "c", "content": "", "error": error } })
}

/// - **GIVEN** a case as a file, as a file whose `events` is the path of a recorded run, and as a folder
///   with `workbench.json`, `events.sse` and `expect.jsonl`.
/// - **WHEN** each is read and played.
/// - **THEN** each passes.
#[test]
fn a_file_or_a_folder() {
    let events = run("r", [call("c1", "notes__open", "{\"path\":\"inbox\"}")]);
    let frames: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let expect = [
        json!({ "ran": { "commandId": "notes.open", "arguments": { "path": "inbox" } } }),
        json!({ "answered": { "toolCallId": "c1", "error": null } }),
    ];
    let case = |events: Value| {
        json!({ "name": "a call", "workbench": usual(), "events": events, "expect": expect }).to_string()
    };

    let folder = Folder::new();
    let file = folder.write("case.json", &case(json!(events)));
    folder.write("run.sse", &frames);
    let recorded = folder.write("recorded.json", &case(json!("run.sse")));
    let parts = folder.path("parts");
    fs::create_dir(&parts).unwrap();
    folder.write("parts/workbench.json", &usual().to_string());
    folder.write("parts/events.sse", &frames);
    folder.write("parts/expect.jsonl", &format!("{}\n\n{}\n", expect[0], expect[1]));

    for (path, name) in [(file, "a call"), (recorded, "a call"), (parts, "parts")] {
        let case = Case::read(path).unwrap();
        assert_eq!(case.name(), name);
        assert_eq!(case.expected().len(), 2);
        case.check(&block_on(case.play()).unwrap()).unwrap();
    }
}

/// - **GIVEN** an `answered` line whose `content` is empty and whose `error` is `The command did not run:
///   no.`.
/// - **WHEN** it is compared with the expected `{"answered":{"content":""}}` and
///   `{"answered":{"content":"x"}}`.
/// - **THEN** the first matches and the second does not.
#[test]
fn only_named_fields_are_compared() {
    let line = answered_with("The command did not run: no.");
    assert!(expected(json!({ "answered": { "content": "" } })).matches(&line));
    assert!(!expected(json!({ "answered": { "content": "x" } })).matches(&line));
}

/// - **GIVEN** an `answered` line whose `error` is `The command did not run: no.`, and one without
///   `error`.
/// - **WHEN** each is compared with the expected `error` `~did not run`, and with null.
/// - **THEN** the first matches only `~did not run`, and the second matches only null.
#[test]
fn tilde_and_null() {
    let with = answered_with("The command did not run: no.");
    let without = json!({ "answered": { "id": "m", "role": "tool", "toolCallId": "c", "content": "done" } });
    let tilde = expected(json!({ "answered": { "error": "~did not run" } }));
    let null = expected(json!({ "answered": { "error": null } }));
    assert!(tilde.matches(&with) && !null.matches(&with));
    assert!(!tilde.matches(&without) && null.matches(&without));
}

/// - **GIVEN** a transcript of two lines.
/// - **WHEN** only the first line is expected.
/// - **THEN** the case fails and names the second line.
#[test]
fn an_additional_line() {
    let lines = [json!({ "ran": { "commandId": "a.b", "arguments": {} } }), answered_with("no")];
    let ran = [expected(json!({ "ran": { "commandId": "a.b" } }))];
    let mismatch = compare(&ran, &lines).unwrap_err().to_string();
    assert!(mismatch.contains("line 2") && mismatch.contains(&lines[1].to_string()), "{mismatch}");
    assert!(compare(&ran, &lines[..1]).is_ok());
}
