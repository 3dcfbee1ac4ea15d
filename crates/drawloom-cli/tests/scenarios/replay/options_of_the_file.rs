//! The file SHALL be able to set the options of the adapter. Options that it does not set SHALL be strict.

use serde_json::{Value, json};

use super::support::{
    call, is_answered, is_refused, json_lines, message, replayed, replayed_with_reports, run, usual,
};

/// A call to a tool of the agent's own backend with its result, and a call of `notes__open` with a null.
fn two_calls() -> [Vec<Value>; 3] {
    let result = json!({
        "type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "clock", "content": "12:00", "role": "tool",
    });
    [
        call("clock", "server_clock", "{}"),
        vec![result],
        call("null", "notes__open", "{\"path\":\"inbox\",\"mode\":null}"),
    ]
}

/// - **GIVEN** the usual file without `options`.
/// - **WHEN** a call to `server_clock` with its result and a call of `notes__open` with `mode` as null
///   are replayed.
/// - **THEN** both are refused with empty `content`, and standard error says that the result is ignored.
#[test]
fn strict_without_options() {
    let (messages, reports) = replayed_with_reports(&usual(), &json_lines(&run("r", two_calls())));
    assert_eq!(messages.len(), 2);
    assert_eq!(reports.len(), 1, "{reports:#?}");
    assert!(reports[0].contains("line 5") && reports[0].contains("ignored"), "{reports:#?}");
    assert!(is_refused(message(&messages, "clock").unwrap()));
    assert!(is_refused(message(&messages, "null").unwrap()));
}

/// - **GIVEN**
///   `{"unoffered":"leaveToBackend","errorsInContent":true,"nullArguments":"omit","limits":{"argumentBytes":40}}`.
/// - **WHEN** the same two calls and one of `notes__open` with 41 bytes of arguments are replayed.
/// - **THEN** the first gets no message, the second runs, and the refusal of the third is also in
///   `content`.
#[test]
fn every_option_is_read() {
    let mut file = usual();
    file["options"] = json!({
        "unoffered": "leaveToBackend", "errorsInContent": true, "nullArguments": "omit",
        "limits": { "argumentBytes": 40 },
    });
    let [within, over] = [40, 41].map(|bytes: usize| format!("{{\"path\":\"{}\"}}", "x".repeat(bytes - 11)));
    assert_eq!((within.len(), over.len()), (40, 41));
    let [clock, result, null] = two_calls();
    let calls =
        [clock, result, null, call("long", "notes__open", &over), call("short", "notes__open", &within)];
    let messages = replayed(&file, &run("r", calls));
    assert_eq!(messages.len(), 3);
    assert!(message(&messages, "clock").is_none());
    assert_eq!(message(&messages, "null").unwrap()["content"], "{\"path\":\"inbox\"}");
    let refused = message(&messages, "long").unwrap();
    assert!(refused["error"].as_str().unwrap().contains("did not run"), "{refused}");
    assert_eq!(refused["content"], refused["error"]);
    assert!(is_answered(message(&messages, "short").unwrap()), "a call within the limit runs");
}
