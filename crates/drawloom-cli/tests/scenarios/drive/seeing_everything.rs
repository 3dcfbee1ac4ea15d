//! `drive` SHALL show each event with `--events`, requests and frames with `--wire`, breaches of the protocol with
//! `--check`, and a line for everything asked and answered with `--transcript`.

use serde_json::json;

use super::support::{Agent, each, file, stand_in, wants_approval};
use drawloom_tests::events::{run, text};

/// - **GIVEN** a server that sends a state, a changed state, a step, a custom event with an escape sequence, and a run with
///   usage.
/// - **WHEN** it is driven with `--events`.
/// - **THEN** the output has a line for each event with its type and what it says, the second state as what changed, and no
///   escape sequence.
#[test]
fn events_as_they_come() {
    let event = |event: serde_json::Value| event.to_string();
    let events = vec![
        event(json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })),
        event(json!({ "type": "STATE_SNAPSHOT", "snapshot": { "a": 1, "b": 2 } })),
        event(json!({ "type": "STATE_SNAPSHOT", "snapshot": { "a": 1, "b": 3 } })),
        event(json!({ "type": "STEP_STARTED", "stepName": "plan" })),
        event(json!({ "type": "CUSTOM", "name": "n", "value": "\u{1b}[2J" })),
        event(
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "usage": [{ "inputTokens": 5 }] }),
        ),
    ];
    let output = Agent::new(&[events]).drive(&file(), &["--events"]);
    assert_eq!(output.code, Some(0), "{output:#?}");
    for part in ["RUN_STARTED", "~ /b 3", "STEP_STARTED plan", "CUSTOM n", "inputTokens"] {
        assert!(output.stdout.contains(part), "{part}: {output:#?}");
    }
    assert!(!output.stdout.contains("~ /a") && !output.stdout.contains('\u{1b}'), "{output:#?}");
}

/// - **WHEN** an agent that sends a text is driven with `--events` and `--transcript`.
/// - **THEN** there is a line `event` for each event as it was sent, with the time in milliseconds, and the line `text`.
#[test]
fn events_as_lines() {
    let output =
        Agent::new(&[run([vec![text("m", "Hello.")]])]).drive(&file(), &["--events", "--transcript"]);
    let lines = output.lines();
    let events = each(&lines, "event");
    assert_eq!(events.len(), 2, "{lines:#?}");
    assert_eq!(events[0]["event"], serde_json::from_str::<serde_json::Value>(&text("m", "Hello.")).unwrap());
    assert!(events[0]["atMs"].is_u64());
    assert_eq!(each(&lines, "text"), ["Hello."]);
}

/// - **GIVEN** a server whose text repeats the token of the request.
/// - **WHEN** it is driven with `--wire`, the header `Authorization: Bearer topsecret`, and a state with a password.
/// - **THEN** standard error has the request and each frame, the name of the header, and neither the token nor the password.
#[test]
fn requests_and_frames() {
    let agent = Agent::new(&[run([vec![text("m", "You sent topsecret.")]])]);
    let state = r#"{"db":{"password":"hunter2"},"open":1}"#;
    let options = ["--wire", "--header", "Authorization: Bearer topsecret", "--state", state, "--transcript"];
    let output = agent.drive(&file(), &options);
    assert_eq!(output.code, Some(0), "{output:#?}");
    for part in [
        "> POST http://127.0.0.1",
        "Authorization: …",
        "\"open\":1",
        "< {",
        "RUN_FINISHED",
        "end of the response",
    ] {
        assert!(output.stderr.contains(part), "{part}: {output:#?}");
    }
    assert!(!output.stderr.contains("topsecret") && !output.stderr.contains("hunter2"), "{output:#?}");
}

/// - **GIVEN** a server that asks for approval of a call.
/// - **WHEN** it is driven with `--yes` and `--transcript`.
/// - **THEN** the lines have the question of the agent, that the person was asked, the answer `true`, and what is
///   sent.
#[test]
fn everything_asked_and_answered() {
    let output = Agent::new(&[wants_approval(json!({})), run([])]).drive(&file(), &["--yes", "--transcript"]);
    let lines = output.lines();

    assert_eq!(each(&lines, "interrupted")[0]["id"], "i");
    assert_eq!(each(&lines, "asked")[0]["commandId"], "delete_note");
    assert_eq!(each(&lines, "decided")[0], &json!({ "callId": "c", "answer": true }));
    assert_eq!(each(&lines, "resumed")[0]["payload"], json!({ "approved": true }));
}

/// - **GIVEN** a server whose run has another id than the request, and a text message that does not end.
/// - **WHEN** it is driven with `--check` and `--transcript`, and the stand-in is driven with `--check`.
/// - **THEN** the first has lines `breach` for `foreign-run` and `message-not-ended`; the second has none.
#[test]
fn breaches_as_they_come() {
    let mut events = vec![
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "other" }).to_string(),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "m" }).to_string(),
    ];
    events.push(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "other" }).to_string());
    let output = Agent::new(&[events]).drive(&file(), &["--check", "--transcript"]);
    assert_eq!(output.code, Some(0), "{output:#?}");
    let lines = output.lines();
    let rules: Vec<_> = each(&lines, "breach").into_iter().map(|breach| breach["rule"].clone()).collect();
    assert_eq!(rules, ["foreign-thread", "foreign-run", "message-not-ended"]);
    let output = stand_in(&file(), "ping", &["--check", "--transcript"]);
    assert_eq!(each(&output.lines(), "breach").len(), 0, "{output:#?}");
}
