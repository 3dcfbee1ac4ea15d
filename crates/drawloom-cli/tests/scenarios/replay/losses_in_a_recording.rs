//! A part of a recording that cannot be read, and an event that has no effect, SHALL be reported once on standard
//! error, with the number of its line. A call that may be incomplete SHALL NOT run.

use serde_json::json;

use super::support::{
    Folder, call, end, is_answered, is_refused, json_lines, message, replayed_with_reports, run, start, usual,
};

/// - **GIVEN** events in JSON lines whose line 3 is `oops`, after the start of a call `c1`; a call `c2`
///   follows.
/// - **WHEN** they are replayed.
/// - **THEN** `c1` is refused, `c2` is answered, standard error has one line, which names line 3, and the
///   exit code is 0.
#[test]
fn a_line_that_cannot_be_read() {
    let before = json_lines(&[json!({ "type": "RUN_STARTED" }), start("c1", "notes__ping")]);
    let after = json_lines(&[vec![end("c1")], call("c2", "notes__ping", "{}")].concat());
    let (messages, reports) = replayed_with_reports(&usual(), &format!("{before}oops\n{after}"));
    assert!(is_refused(message(&messages, "c1").unwrap()), "{messages:#?}");
    assert!(is_answered(message(&messages, "c2").unwrap()), "{messages:#?}");
    assert!(matches!(&reports[..], [report] if report.contains("line 3")), "{reports:#?}");
}

/// - **GIVEN** a call whose arguments are sent in line 3 as an object in place of a text.
/// - **WHEN** it is replayed.
/// - **THEN** the call is refused, and standard error has one line, which names line 3 and `delta`.
#[test]
fn a_damaged_event() {
    let arguments = json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": {} });
    let events = run("r", [vec![start("c1", "notes__ping"), arguments, end("c1")]]);
    let (messages, reports) = replayed_with_reports(&usual(), &json_lines(&events));
    assert!(is_refused(message(&messages, "c1").unwrap()), "{messages:#?}");
    let names = |report: &String| report.contains("line 3") && report.contains("delta");
    assert!(matches!(&reports[..], [report] if names(report)), "{reports:#?}");
}

/// - **GIVEN** a call of `notes.ping` that is answered, its result from the agent in line 4, and in line
///   5 the end of another run.
/// - **WHEN** they are replayed.
/// - **THEN** one message is printed, and standard error has one line for line 4 and one for line 5.
#[test]
fn events_without_effect() {
    let result =
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c1", "content": "12:00" });
    let foreign_end = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "another" });
    let started = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" });
    let events = [started, start("c1", "notes__ping"), end("c1"), result, foreign_end];
    let (messages, reports) = replayed_with_reports(&usual(), &json_lines(&events));
    assert_eq!(messages.len(), 1, "{messages:#?}");
    assert!(is_answered(&messages[0]));
    let [late, foreign] = &reports[..] else { panic!("{reports:#?}") };
    assert!(late.contains("line 4") && late.contains("\"c1\""), "{late}");
    assert!(foreign.contains("line 5") && foreign.contains("\"another\""), "{foreign}");
}

/// - **GIVEN** a run with a call of `notes.ping` that is open, the end of another run, and then the end of the call.
/// - **WHEN** they are replayed.
/// - **THEN** the call runs, because the end of another run ends nothing.
#[test]
fn the_end_of_another_run_while_a_call_is_open() {
    let foreign_end = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "another" });
    let events = run("r", [vec![start("c1", "notes__ping"), foreign_end, end("c1")]]);
    let (messages, reports) = replayed_with_reports(&usual(), &json_lines(&events));
    assert!(matches!(&messages[..], [message] if is_answered(message)), "{messages:#?}");
    assert!(matches!(&reports[..], [report] if report.contains("\"another\"")), "{reports:#?}");
}

/// - **GIVEN** an empty file of events, one whose only line is `oops`, and one with an empty JSON array.
/// - **WHEN** each is replayed.
/// - **THEN** each exits with 2, and standard error says that the recording has no event.
#[test]
fn no_events() {
    for events in ["", "oops\n", "[]"] {
        let folder = Folder::new();
        folder.write("file.json", &usual().to_string());
        folder.write("events", events);
        let output = folder.drawloom(&["replay", "file.json", "events"], "");
        assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{events:?}: {output:#?}");
        assert!(output.stderr.contains("no event"), "{events:?}: {output:#?}");
    }
}
