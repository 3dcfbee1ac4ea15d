//! With `--transcript`, `drawloom replay` SHALL print a line for each question, command, notice and answer as it
//! occurs.

use serde_json::json;

use super::support::{asking_to_open, call, message, run, steps, transcript, with_commands};

/// - **GIVEN** `notes.open`, which states `ask`, and a yes for it.
/// - **WHEN** a call `c1` of it with `path` as `inbox` is replayed with a transcript.
/// - **THEN** the first line is `asked` with `callId` `c1`, `commandId` `notes.open`, the `arguments` and
///   `agentConsent` `ask`.
/// - **AND** the second is `ran` with `commandId` and `arguments`, and the third is `answered` with the
///   tool message.
#[test]
fn asked_ran_answered() {
    let file = asking_to_open(json!(true));
    let lines = transcript(&file, &run("r", [call("c1", "notes__open", "{\"path\":\"inbox\"}")]));
    let arguments = json!({ "path": "inbox" });
    let [asked, ran, answered] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(
        *asked,
        json!({ "asked": {
            "callId": "c1", "commandId": "notes.open", "arguments": arguments, "agentConsent": "ask",
        } }),
    );
    assert_eq!(*ran, json!({ "ran": { "commandId": "notes.open", "arguments": arguments } }));
    assert_eq!(answered.as_object().unwrap().keys().collect::<Vec<_>>(), ["answered"]);
    let message = &answered["answered"];
    assert!(message["id"].is_string());
    assert_eq!((&message["role"], &message["toolCallId"]), (&"tool".into(), &"c1".into()));
    assert_eq!(message["content"], "{\"path\":\"inbox\"}");
    assert_eq!(message.get("error"), None);
}

/// - **GIVEN** the session `{"authenticated":true,"person":{"id":"ada","name":"Ada Lovelace"}}`, and one without a
///   person.
/// - **WHEN** a call of `notes.open` is replayed with a transcript.
/// - **THEN** the `ran` of the first has `person` `ada`, and that of the second has no `person`.
#[test]
fn whom_a_command_served() {
    let ada = json!({ "authenticated": true, "person": { "id": "ada", "name": "Ada Lovelace" } });
    for (session, person) in [(ada, Some("ada")), (json!({ "authenticated": true }), None)] {
        let mut file = asking_to_open(json!(true));
        file["session"] = session;
        let lines = transcript(&file, &run("r", [call("c1", "notes__open", "{\"path\":\"inbox\"}")]));
        assert_eq!(lines[1]["ran"]["commandId"], "notes.open");
        assert_eq!(lines[1]["ran"].get("person").and_then(|person| person.as_str()), person);
    }
}

/// - **GIVEN** a command of `notes`, which has no `automation`, whose behaviour invokes `mail.send` of
///   the plugin `mail`.
/// - **WHEN** a call of it is replayed with a transcript.
/// - **THEN** the lines are its `ran`, then `notified` with `plugin` `notes` and `capability`
///   `automation`, then `answered`.
#[test]
fn a_notice_to_the_person() {
    let mut file = with_commands([
        json!({ "id": "notes.mail", "callable": true, "behaviour": { "invoke": { "id": "mail.send" } } }),
    ]);
    file["plugins"].as_array_mut().unwrap().push(json!({
        "id": "mail", "declares": ["contributions"],
        "commands": [{ "id": "mail.send", "title": "Send", "callable": true }],
    }));
    file["grants"]["mail"] = json!(["contributions"]);
    let lines = transcript(&file, &run("r", [call("c1", "notes__mail", "{}")]));
    let [ran, notified, answered] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(ran["ran"]["commandId"], "notes.mail");
    assert_eq!(*notified, json!({ "notified": { "plugin": "notes", "capability": "automation" } }));
    assert_eq!(answered["answered"]["toolCallId"], "c1");
}

/// - **GIVEN** a command whose behaviour invokes `notes.ping`.
/// - **WHEN** a call of it is replayed with a transcript.
/// - **THEN** the lines are its own `ran`, the `ran` of `notes.ping` and one `answered`.
#[test]
fn nested_commands_have_lines() {
    let file = with_commands([
        json!({ "id": "notes.tidy", "callable": true, "behaviour": { "invoke": { "id": "notes.ping" } } }),
    ]);
    let lines = transcript(&file, &run("r", [call("c1", "notes__tidy", "{}")]));
    assert_eq!(steps(&lines), ["ran", "ran", "answered"]);
    assert_eq!(lines[0]["ran"]["commandId"], "notes.tidy");
    assert_eq!(lines[1]["ran"]["commandId"], "notes.ping");
    assert!(message(&lines, "c1").is_some());
}
