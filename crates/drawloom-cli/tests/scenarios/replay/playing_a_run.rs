//! `drawloom replay WORKBENCH EVENTS` SHALL play JSON lines, server-sent events or a JSON array of events, from a
//! file or from standard input. It SHALL print each tool message as one JSON line, in the order in which the calls
//! were answered.

use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::support::{
    Folder, arguments, call, end, is_answered, is_refused, json_lines, message, replayed, run, start, steps,
    transcript, usual,
};
use crate::binary;

/// - **WHEN** a run is replayed in which `b` completes before `a`.
/// - **THEN** two lines are printed: the message for `b`, then the message for `a`.
#[test]
fn messages_in_order() {
    let events = run("r", [vec![start("a", "notes__ping"), start("b", "notes__ping"), end("b"), end("a")]]);
    let messages = replayed(&usual(), &events);
    let calls: Vec<_> = messages.iter().map(|message| (&message["role"], &message["toolCallId"])).collect();
    assert_eq!(calls, [(&"tool".into(), &"b".into()), (&"tool".into(), &"a".into())]);
}

/// - **GIVEN** a run as JSON lines, as `data:` lines with CRLF line ends, comments and other fields, and
///   as a JSON array.
/// - **WHEN** each is replayed from a file and, with `-` for EVENTS, from standard input.
/// - **THEN** all six outputs are equal.
#[test]
fn events_in_other_forms() {
    let events = run(
        "r",
        [
            call("1", "notes__open", "{\"path\":\"é\"}"),
            call("2", "notes__ghost", "{}"),
            call("3", "notes__ping", ""),
        ],
    );
    let frame = |event: &Value| format!(": still there\r\nevent: message\r\nid: 7\r\ndata: {event}\r\n\r\n");
    let array = serde_json::to_string_pretty(&events).unwrap();
    let forms = [json_lines(&events), events.iter().map(frame).collect(), array];

    let folder = Folder::new();
    folder.write("file.json", &usual().to_string());
    let mut printed = Vec::new();
    for form in &forms {
        folder.write("events", form);
        for (name, input) in [("events", ""), ("-", form.as_str())] {
            let output = folder.drawloom(&["replay", "file.json", name], input);
            assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
            printed.push(output.stdout);
        }
    }
    assert_eq!(printed[0].lines().count(), 3);
    assert!(printed.iter().all(|print| *print == printed[0]), "{printed:#?}");
}

/// - **GIVEN** a standard input that stays open.
/// - **WHEN** the events of a call are written to it.
/// - **THEN** the message for the call is printed while the input is still open.
#[test]
fn events_are_played_as_they_arrive() {
    let folder = Folder::new();
    let file = folder.write("file.json", &usual().to_string());
    let mut running = binary::start(["replay".as_ref(), file.as_os_str(), "-".as_ref()]);
    let mut input = running.stdin.take().unwrap();
    let output = running.stdout.take().unwrap();
    input.write_all(json_lines(&call("c1", "notes__ping", "{}")).as_bytes()).unwrap();

    let (printed, prints) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).unwrap();
        printed.send(line).unwrap();
    });
    let line = prints.recv_timeout(Duration::from_secs(60));
    let is_running = running.try_wait().unwrap().is_none();
    drop(input);
    assert!(running.wait().unwrap().success());
    assert!(line.unwrap().contains("\"toolCallId\":\"c1\""));
    assert!(is_running, "it waits for more");
}

/// - **GIVEN** a run that ends with three open calls, a run whose call completes, and a run that stops
///   with an open call.
/// - **WHEN** the stream is replayed.
/// - **THEN** five lines are printed: three refusals, an answer and a refusal.
#[test]
fn flushed_after_each_run() {
    let open = |id| vec![start(id, "notes__open"), arguments(id, "{\"path\":\"a\"}")];
    let mut events = run("r1", [open("1"), open("2"), open("3")]);
    events.extend(run("r2", [call("4", "notes__open", "{\"path\":\"a\"}")]));
    events.extend(run("r3", [open("5")]));
    events.pop();

    let messages = replayed(&usual(), &events);
    let calls: Vec<_> = messages.iter().map(|message| message["toolCallId"].as_str().unwrap()).collect();
    assert_eq!(calls, ["1", "2", "3", "4", "5"]);
    for call in ["1", "2", "3", "5"] {
        assert!(is_refused(message(&messages, call).unwrap()));
    }
    assert!(is_answered(message(&messages, "4").unwrap()));
}

/// - **GIVEN** a run that is interrupted by a question about an open call, and a second run that sends
///   the call again.
/// - **WHEN** the stream is replayed with a transcript.
/// - **THEN** the call does not run.
#[test]
fn a_call_that_an_interrupt_is_bound_to() {
    let question = json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c1" }]);
    let outcome = json!({ "type": "interrupt", "interrupts": question });
    let interrupted = vec![
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r1" }),
        start("c1", "notes__ping"),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r1", "outcome": outcome }),
    ];
    let events = [interrupted, run("r2", [call("c1", "notes__ping", "{}")])].concat();
    let lines = transcript(&usual(), &events);
    assert!(!steps(&lines).contains(&"ran"), "{lines:#?}");
    // The same call without the interrupt runs.
    let lines = transcript(&usual(), &run("r2", [call("c1", "notes__ping", "{}")]));
    assert_eq!(steps(&lines), ["ran", "answered"]);
}
