//! A command of the file SHALL do what its behaviour states. A command without a behaviour SHALL run and answer
//! nothing.

use std::time::{Duration, Instant};

use drawloom::command::CommandArguments;
use futures_executor::block_on;
use serde_json::{Value, json};

use super::support::{
    call, error, is_refused, load, message, outcome, run, steps, transcript, triggered, usual, with_commands,
};

/// The usual file with one more command, `notes.act`, that declares an answer and has this behaviour.
fn acting(behaviour: &Value) -> Value {
    with_commands([json!({ "id": "notes.act", "answers": "What it came to", "behaviour": behaviour })])
}

/// - **GIVEN** commands with `{"answer":[1,"a"]}`, with `{"echo":true}` and without a behaviour, all
///   declaring `answers`.
/// - **WHEN** each is invoked with the argument `path` as `inbox`.
/// - **THEN** the first answers `[1,"a"]`, the second answers `{"path":"inbox"}`, and the third is
///   answered.
#[test]
fn answers_and_echoes() {
    let path = json!([{ "name": "path", "kind": "text" }]);
    let file = load(&with_commands([
        json!({ "id": "a.answer", "answers": "x", "arguments": path, "behaviour": { "answer": [1, "a"] } }),
        json!({ "id": "a.echo", "answers": "x", "arguments": path, "behaviour": { "echo": true } }),
        json!({ "id": "a.nothing", "answers": "x", "arguments": path }),
    ]));
    let invoked = |id: &str| {
        let arguments = CommandArguments::new().with("path", "inbox");
        outcome(&block_on(file.workbench().trigger_with(id, arguments)))
    };
    assert_eq!(invoked("a.answer"), json!({ "outcome": "answered", "value": [1, "a"] }));
    assert_eq!(invoked("a.echo"), json!({ "outcome": "answered", "value": { "path": "inbox" } }));
    assert_eq!(invoked("a.nothing")["outcome"], "answered");
}

/// - **GIVEN** commands with `{"fail":"full"}`, `{"panic":"gone"}` and `{"nan":true}`, all declaring
///   `answers`.
/// - **WHEN** each is invoked.
/// - **THEN** each outcome is failed, and the message of the first contains `full`.
#[test]
fn ways_to_fail() {
    let failed = triggered(&acting(&json!({ "fail": "full" })), "notes.act");
    assert_eq!(failed["outcome"], "failed");
    assert!(failed["message"].as_str().unwrap().contains("full"), "{failed}");
    assert_eq!(triggered(&acting(&json!({ "panic": "gone" })), "notes.act")["outcome"], "failed");
    assert_eq!(triggered(&acting(&json!({ "nan": true })), "notes.act")["outcome"], "failed");
}

/// - **GIVEN** a command of `notes` with `{"invoke":{"id":"notes.open","args":{"path":"a"}}}` that
///   declares `answers`.
/// - **WHEN** it is invoked.
/// - **THEN** it answers `{"outcome":"answered","value":{"path":"a"}}`.
#[test]
fn invoking_another_command() {
    let file = acting(&json!({ "invoke": { "id": "notes.open", "args": { "path": "a" } } }));
    let answered = json!({ "outcome": "answered", "value": { "path": "a" } });
    assert_eq!(triggered(&file, "notes.act"), json!({ "outcome": "answered", "value": answered }));
}

/// - **GIVEN** commands with `{"unregister":"notes.ping"}` and
///   `{"revoke":{"plugin":"copilot","capability":"automation"}}`.
/// - **WHEN** an agent calls the first, then `notes__ping`, then the second, then `notes__open`.
/// - **THEN** `notes__ping` and `notes__open` are refused, and the other two commands ran.
#[test]
fn changing_the_workbench() {
    let file = with_commands([
        json!({ "id": "a.drop", "callable": true, "behaviour": { "unregister": "notes.ping" } }),
        json!({ "id": "a.lock", "callable": true,
            "behaviour": { "revoke": { "plugin": "copilot", "capability": "automation" } } }),
    ]);
    let events = run(
        "r",
        [
            call("1", "a__drop", "{}"),
            call("2", "notes__ping", "{}"),
            call("3", "a__lock", "{}"),
            call("4", "notes__open", "{\"path\":\"a\"}"),
        ],
    );
    let lines = transcript(&file, &events);
    assert_eq!(steps(&lines), ["ran", "answered", "answered", "ran", "answered", "answered"]);
    assert_eq!(lines[0]["ran"]["commandId"], "a.drop");
    assert_eq!(lines[3]["ran"]["commandId"], "a.lock");
    assert!(is_refused(message(&lines, "2").unwrap()));
    assert!(is_refused(message(&lines, "4").unwrap()));
}

/// - **GIVEN** a file with a command whose answer is 2512292042121000001, and one with a command whose
///   answer is 18446744073709551616.
/// - **WHEN** the files are loaded and the first command is invoked.
/// - **THEN** it answers 2512292042121000001, and the error about the second file names `answer`.
#[test]
fn numbers_stay_exact() {
    let file = acting(&json!({ "answer": 2_512_292_042_121_000_001_u64 }));
    assert_eq!(triggered(&file, "notes.act")["value"].to_string(), "2512292042121000001");
    let text = usual()
        .to_string()
        .replace(r#""behaviour":{"echo":true}"#, r#""behaviour":{"answer":18446744073709551616}"#);
    let error = error(&text);
    assert!(error.location().path.ends_with(".behaviour.answer"), "{error}");
}

/// - **GIVEN** a command with `{"answer":1,"delayMs":50}`.
/// - **WHEN** it is invoked.
/// - **THEN** it is answered not earlier than after 50 milliseconds.
#[test]
fn delayed_by_milliseconds() {
    let file = load(&acting(&json!({ "answer": 1, "delayMs": 50 })));
    let start = Instant::now();
    let answered = outcome(&block_on(file.workbench().trigger("notes.act")));
    assert!(start.elapsed() >= Duration::from_millis(50));
    assert_eq!(answered, json!({ "outcome": "answered", "value": 1 }));
}
