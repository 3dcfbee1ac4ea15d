//! `drawloom invoke WORKBENCH ID` SHALL run a command and print its outcome: as a trigger by the person, or with
//! `--as` as a call of a plugin.

use serde_json::{Value, json};

use super::support::{Folder, usual, with_commands};

/// The line that `drawloom invoke` prints for these words.
fn invoked(file: &Value, words: &[&str]) -> Value {
    invoked_with_errors(file, words).0
}

/// The same line, and standard error.
fn invoked_with_errors(file: &Value, words: &[&str]) -> (Value, String) {
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    let output = folder.drawloom(&[&["invoke", "file.json"], words].concat(), "");
    assert_eq!(output.code, Some(0), "{output:#?}");
    let lines = output.lines();
    assert_eq!(lines.len(), 1, "{output:#?}");
    (lines.into_iter().next().unwrap_or_default(), output.stderr)
}

/// - **GIVEN** `notes.secret`, which is not callable, in a file that grants `automation` to no plugin.
/// - **WHEN** `drawloom invoke` is run for `notes.secret`.
/// - **THEN** it prints one line, in which the outcome is answered.
#[test]
fn as_the_person() {
    let mut file = with_commands([json!({ "id": "notes.secret" })]);
    file["grants"] = json!({ "notes": ["contributions"] });
    assert_eq!(invoked(&file, &["notes.secret"]), json!({ "outcome": "answered" }));
}

/// - **GIVEN** `notes.save` for authenticated sessions and no session.
/// - **WHEN** `drawloom invoke` is run for `notes.save`.
/// - **THEN** it prints one line, in which the outcome is refused with the reason `unavailable`, and
///   exits with 0.
#[test]
fn the_session_still_decides() {
    let file = with_commands([json!({ "id": "notes.save", "access": { "authenticated": true } })]);
    let outcome = invoked(&file, &["notes.save"]);
    assert_eq!((&outcome["outcome"], &outcome["reason"]), (&"refused".into(), &"unavailable".into()));
}

/// - **GIVEN** the usual file without the grant for `copilot`.
/// - **WHEN** `drawloom invoke` is run for `notes.ping` with `--as copilot`.
/// - **THEN** it prints one line, in which the outcome is refused with the reason `unavailable`.
/// - **AND** standard error shows the notice to the person, which names `copilot` and `automation`.
#[test]
fn as_a_plugin() {
    let as_copilot = ["notes.ping", "--as", "copilot"];
    let granted = invoked_with_errors(&usual(), &as_copilot);
    assert_eq!(granted, (json!({ "outcome": "answered" }), String::new()), "with the grant it runs");
    let mut file = usual();
    file["grants"] = json!({ "notes": ["contributions"] });
    let (outcome, errors) = invoked_with_errors(&file, &as_copilot);
    assert_eq!((&outcome["outcome"], &outcome["reason"]), (&"refused".into(), &"unavailable".into()));
    assert!(errors.contains("notice to the person") && errors.contains("\"copilot\""), "{errors}");
    assert!(errors.contains("\"automation\""), "{errors}");
}

/// - **WHEN** `drawloom invoke` is run for `notes.open` with `--args '{"path":"inbox"}'`.
/// - **THEN** it prints `{"outcome":"answered","value":{"path":"inbox"}}`.
#[test]
fn with_arguments() {
    let folder = Folder::new();
    folder.write("file.json", &usual().to_string());
    let output = folder.drawloom(&["invoke", "file.json", "notes.open", "--args", r#"{"path":"inbox"}"#], "");
    assert_eq!(output.stdout, "{\"outcome\":\"answered\",\"value\":{\"path\":\"inbox\"}}\n");
}
