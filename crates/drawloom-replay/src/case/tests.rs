use std::fs;

use super::*;
use futures_executor::block_on;
use tempfile::TempDir;

const CASE: &str = r#"{
  "name": "a call",
  "workbench": {
    "plugins": [{ "id": "notes", "declares": ["contributions"], "commands": [
      { "id": "notes.ping", "title": "Ping", "callable": true }] }],
    "grants": { "notes": ["contributions"] },
    "agent": "notes"
  },
  "events": [
    { "type": "TOOL_CALL_CHUNK",
      "toolCallId": "c1", "toolCallName": "notes__ping" },
    { "type": "RUN_FINISHED" }
  ],
  "expect": [{ "ran": { "commandId": "notes.ping" } }, { "answered": { "error": null } }]
}"#;

fn error(text: &str) -> String {
    match Case::from_json(text) {
        Err(error) => error.to_string(),
        Ok(case) => block_on(case.play()).unwrap_err().to_string(),
    }
}

#[test]
fn a_file_is_played_and_compared() {
    let case = Case::from_json(&format!("\u{feff}{CASE}")).unwrap();
    assert_eq!(case.name(), "a call");
    assert_eq!(case.events().iter().filter(|byte| **byte == b'\n').count(), 2);
    let transcript = block_on(case.play()).unwrap();
    case.check(&transcript).unwrap();
    assert!(case.check(&transcript[..1]).is_err());
}

#[test]
fn an_error_in_a_case_has_its_location_in_the_file() {
    let changed = |from: &str, to: &str| {
        assert!(CASE.contains(from));
        error(&CASE.replace(from, to))
    };
    assert_eq!(
        changed("\"events\"", "\"event\""),
        "line 9, column 9, event: unknown field `event`, expected one of `name`, `why`, `workbench`, `events`, `expect`",
    );
    assert!(
        changed("\"title\"", "\"colour\"").starts_with(
            "line 5, column 36, workbench.plugins[0].commands[0].colour: unknown field `colour`",
        )
    );
    assert_eq!(
        changed("\"agent\": \"notes\"", "\"agent\": \"copilot\""),
        "line 7, column 14, workbench.agent: there is no plugin \"copilot\" in the file",
    );
    let message = changed("\"ran\"", "\"runs\"");
    assert!(
        message.starts_with("line 14, ") && message.contains(", expect[0]: unknown kind of line \"runs\""),
        "{message}"
    );
    assert!(changed("[\n    { \"type\"", "1, [\n    { \"type\"").contains("is a list, or the path"));
    assert!(error(&format!("{CASE} 1")).starts_with("line 15, column 3: trailing characters"));
}

#[test]
fn a_string_among_the_events_is_a_line_as_it_is() {
    let case = Case::from_json(&CASE.replace("[\n    { \"type\"", "[ \"oops\\\"\", { \"type\"")).unwrap();
    assert!(case.events().starts_with(b"oops\"\n{ \"type\""));
}

#[test]
fn a_case_is_an_object() {
    assert!(error(r#"["a", null, {}, [], []]"#).contains("invalid type: sequence, expected an object"));
}

#[test]
fn events_can_be_a_recorded_run_beside_the_file() {
    let (head, rest) = CASE.split_once("[\n    { \"type\"").unwrap();
    let (_, tail) = rest.split_once("],\n  \"expect\"").unwrap();
    let text = format!("{head}\"run.sse\",\n  \"expect\"{tail}");
    let error = Case::from_text(&text, Some(Path::new("/nowhere"))).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/run.sse cannot be read"), "{error}");
}

/// The case above as a folder.
fn folder() -> TempDir {
    let case = Case::from_json(CASE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    write("workbench.json", case.workbench().as_bytes());
    write("events.jsonl", case.events());
    write("expect.jsonl", b"{\"ran\":{}}\n\n{\"answered\":{}}\n");
    folder
}

#[test]
fn a_folder_is_played_and_compared() {
    let folder = folder();
    let case = Case::read(folder.path()).unwrap();
    assert_eq!(case.name(), folder.path().file_name().unwrap().to_str().unwrap());
    assert_eq!(case.expected().len(), 2);
    case.check(&block_on(case.play()).unwrap()).unwrap();
}

#[test]
fn an_error_in_a_folder_names_the_file_or_the_line() {
    let folder = folder();
    let message = || match Case::read(folder.path()) {
        Err(error) => error.to_string(),
        Ok(case) => block_on(case.play()).unwrap_err().to_string(),
    };
    fs::write(folder.path().join("expect.jsonl"), "{\"ran\":{}}\n\n{\"runs\":{}}\n").unwrap();
    assert!(
        message().starts_with("line 3 of the expected transcript: unknown kind of line \"runs\""),
        "{}",
        message()
    );
    fs::remove_file(folder.path().join("expect.jsonl")).unwrap();
    assert!(message().contains("expect.jsonl cannot be read"), "{}", message());
    fs::write(folder.path().join("expect.jsonl"), "").unwrap();
    fs::write(folder.path().join("workbench.json"), "{\n\"colour\": 1}").unwrap();
    assert!(message().starts_with("line 2, column 8, colour: unknown field"), "{}", message());
    fs::remove_file(folder.path().join("events.jsonl")).unwrap();
    assert!(message().contains("events.sse cannot be read"), "{}", message());
}

#[test]
#[cfg(unix)]
fn a_file_that_never_ends_is_an_error() {
    let error = Case::read(std::path::Path::new("/dev/zero")).unwrap_err().to_string();
    assert!(error.contains("/dev/zero") && error.contains("67108864"), "{error}");
}
