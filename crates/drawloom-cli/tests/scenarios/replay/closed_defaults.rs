//! A field that is absent from the file SHALL have the closed default.

use serde_json::json;

use super::support::{printed_names, printed_tools, usual, with_commands};

/// - **GIVEN** no session, `notes.quiet` with only an id and a title, and one callable command for each
///   kind of session.
/// - **WHEN** the tools are printed.
/// - **THEN** they include the command for anonymous sessions, but neither `notes.quiet` nor the other
///   command.
#[test]
fn commands_and_session() {
    let file = with_commands([
        json!({ "id": "notes.quiet" }),
        json!({ "id": "notes.signin", "callable": true, "access": { "authenticated": false } }),
        json!({ "id": "notes.signout", "callable": true, "access": { "authenticated": true } }),
    ]);
    assert_eq!(printed_names(&file), ["notes__open", "notes__ping", "notes__signin"]);
}

/// - **GIVEN** the usual file without the grant for `copilot`, and the usual file without `agent`.
/// - **WHEN** the tools of each are printed.
/// - **THEN** both lists are `[]`.
#[test]
fn grants_and_agent() {
    assert_ne!(printed_tools(&usual()), json!([]));
    let mut file = usual();
    file["grants"].as_object_mut().unwrap().remove("copilot").unwrap();
    assert_eq!(printed_tools(&file), json!([]));
    let mut file = usual();
    file.as_object_mut().unwrap().remove("agent").unwrap();
    assert_eq!(printed_tools(&file), json!([]));
}
