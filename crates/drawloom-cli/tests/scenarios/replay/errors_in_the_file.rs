//! What a file may not say.

use serde_json::json;

use super::support::{error, usual};

/// A file with a line for each thing that can be wrong.
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

/// - **GIVEN** the session `{"authenticated":false,"roles":["editor"]}`.
/// - **WHEN** the file is loaded.
/// - **THEN** it is an error that names `session`.
#[test]
fn a_session_at_odds_with_itself() {
    let mut file = usual();
    file["session"] = json!({ "authenticated": false, "roles": ["editor"] });
    let error = error(&file.to_string());
    assert_eq!(error.location().path, "session");
    assert!(error.to_string().contains("session"), "{error}");
}

/// - **GIVEN** `notes.open` with two arguments named `path`.
/// - **WHEN** the file is loaded.
/// - **THEN** the error names `notes.open` and `path`.
#[test]
fn a_faulty_declaration() {
    let mut file = usual();
    file["plugins"][0]["commands"][0]["arguments"][1]["name"] = json!("path");
    let error = error(&file.to_string());
    assert!(error.to_string().contains("\"notes.open\""), "{error}");
    assert!(error.to_string().contains("\"path\""), "{error}");
}

/// - **GIVEN** a file that ends after `{` and a line end, and one that ends there in its first plugin,
///   before a field.
/// - **WHEN** each is loaded.
/// - **THEN** the first error names line 2 alone, and the second line 2 and `plugins[0]`.
#[test]
fn a_file_that_breaks_off() {
    for (text, place) in [
        ("{\n", "line 2, column 0: "),
        ("{ \"plugins\": [ { \"id\": \"notes\",\n", "line 2, column 0, plugins[0]: "),
    ] {
        let error = error(text).to_string();
        assert!(error.starts_with(place), "{error}");
    }
}
