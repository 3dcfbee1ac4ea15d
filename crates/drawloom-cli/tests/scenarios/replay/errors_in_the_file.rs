//! A file that does not match the format SHALL be refused with an error that names the location.

use serde_json::json;

use super::support::{error, load, usual};

/// A valid file, with a line for each part that a test makes invalid.
const FILE: &str = r#"{
  "plugins": [
    { "id": "notes",
      "declares": ["contributions"],
      "commands": [
        { "id": "notes.open",
          "title": "Open note",
          "arguments": [
            { "name": "path",
              "kind": "text" } ] } ] } ],
  "grants": { "notes": ["contributions"] }
}"#;

/// - **GIVEN** a file with the command field `colour`, one with the kind `date` and one with the
///   capability `autopilot`.
/// - **WHEN** each is loaded.
/// - **THEN** each is an error that names the word and its line.
#[test]
fn unknown_words() {
    for (known, unknown, line) in [
        ("\"title\": \"Open note\"", "\"title\": \"Open note\", \"colour\": \"red\"", 7),
        ("\"text\"", "\"date\"", 10),
        ("{ \"notes\": [\"contributions\"] }", "{ \"notes\": [\"autopilot\"] }", 11),
    ] {
        assert!(FILE.contains(known));
        let error = error(&FILE.replace(known, unknown));
        let word = ["colour", "date", "autopilot"].into_iter().find(|word| unknown.contains(word)).unwrap();
        assert!(error.to_string().contains(word), "{error}");
        assert!(error.to_string().contains(&format!("line {line},")), "{error}");
        assert_eq!(error.location().line, line);
    }
}

/// - **GIVEN** the session `{"authenticated":false,"roles":["editor"]}`, and `{"person":{"id":"ada"}}`, in which nobody
///   is signed in.
/// - **WHEN** each file is loaded.
/// - **THEN** the error names `session`.
#[test]
fn a_session_that_contradicts_itself() {
    for session in
        [json!({ "authenticated": false, "roles": ["editor"] }), json!({ "person": { "id": "ada" } })]
    {
        let mut file = usual();
        file["session"] = session;
        let error = error(&file.to_string());
        assert_eq!(error.location().path, "session");
        assert!(error.to_string().contains("session"), "{error}");
    }
}

/// - **GIVEN** `notes.open` with two arguments named `path`.
/// - **WHEN** the file is loaded.
/// - **THEN** the error names `notes.open` and `path`.
#[test]
fn an_invalid_declaration() {
    let mut file = usual();
    file["plugins"][0]["commands"][0]["arguments"][1]["name"] = json!("path");
    let error = error(&file.to_string());
    assert!(error.to_string().contains("\"notes.open\""), "{error}");
    assert!(error.to_string().contains("\"path\""), "{error}");
}

/// - **GIVEN** a file that ends after `{` and a line break, and one that ends after the line break in its
///   first plugin.
/// - **WHEN** each is loaded.
/// - **THEN** the first error names only line 2, and the second names line 2 and `plugins[0]`.
#[test]
fn an_incomplete_file() {
    for (text, location) in [
        ("{\n", "line 2, column 0: "),
        ("{ \"plugins\": [ { \"id\": \"notes\",\n", "line 2, column 0, plugins[0]: "),
    ] {
        let error = error(text).to_string();
        assert!(error.starts_with(location), "{error}");
    }
}

/// - **GIVEN** the session `[true,[]]`, and a command that is the list `["notes.a","A"]`.
/// - **WHEN** each file is loaded.
/// - **THEN** the errors name `session` and `plugins[0].commands[2]`.
#[test]
fn a_list_in_place_of_an_object() {
    let mut session = usual();
    session["session"] = json!([true, []]);
    let mut command = usual();
    command["plugins"][0]["commands"].as_array_mut().unwrap().push(json!(["notes.a", "A"]));
    for (file, path) in [(session, "session"), (command, "plugins[0].commands[2]")] {
        let error = error(&file.to_string());
        assert_eq!(error.location().path, path, "{error}");
        assert!(error.to_string().contains(&format!(", {path}: ")), "{error}");
    }
}

/// - **GIVEN** `notes.open` with a number argument up to 9007199254740993, which is not marked as an integer.
/// - **WHEN** the file is loaded.
/// - **THEN** the error names the argument's location and says that the bound is not a double.
#[test]
fn a_bound_that_is_rounded() {
    let with = |argument: serde_json::Value| {
        let mut file = usual();
        file["plugins"][0]["commands"][0]["arguments"][0] = argument;
        file
    };
    let maximum = 9_007_199_254_740_993_u64;
    let number = with(json!({ "name": "size", "kind": "number", "maximum": maximum }));
    let error = error(&number.to_string());
    assert!(error.location().path.starts_with("plugins[0].commands[0].arguments[0]"), "{error}");
    assert!(error.to_string().contains("is a double"), "{error}");
    let integer = json!({ "name": "size", "kind": "number", "integer": true, "maximum": maximum });
    load(&with(integer));
}
