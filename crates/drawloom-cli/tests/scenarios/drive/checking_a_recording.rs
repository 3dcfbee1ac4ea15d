//! `drawloom check` SHALL report each event of a recording that breaks the protocol, with the stable name of the rule,
//! what the protocol says, and the event.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::binary::{Output, drawloom};
use crate::replay::support::{Folder, arguments, call, end, json_lines, run, start};

fn check(events: &[Value], options: &[&str]) -> Output {
    let folder = Folder::new();
    folder.write("run.jsonl", &json_lines(events));
    folder.drawloom(&[&["check", "run.jsonl"], options].concat(), "")
}

/// The rules that these events break, with the line of each.
fn rules(events: &[Value]) -> Vec<(u64, String)> {
    let output = check(events, &["--format", "json"]);
    let mut lines = output.lines();
    let summary = lines.pop().unwrap();
    let mut rules = Vec::new();
    for line in &lines {
        for breach in line["breaches"].as_array().unwrap() {
            let rule = breach["rule"].as_str().unwrap().to_owned();
            rules.push((line["line"].as_u64().unwrap_or(0), rule));
        }
    }
    assert_eq!(summary["checked"]["breaches"], rules.len(), "{output:#?}");
    assert_eq!(output.code, Some(i32::from(!rules.is_empty())), "{output:#?}");
    rules
}

/// - **WHEN** recorded streams of pydantic-ai and LangGraph are checked.
/// - **THEN** no breach is reported, and the exit code is 0.
#[test]
fn streams_of_real_agents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/streams");
    let mut count = 0;
    for stream in fs::read_dir(folder).unwrap() {
        let output = drawloom(["check".as_ref(), stream.unwrap().path().as_os_str()], b"");
        assert_eq!((output.code, &*output.stderr), (Some(0), ""), "{output:#?}");
        assert!(output.stdout.starts_with("no breach of the protocol in "), "{output:#?}");
        count += 1;
    }
    assert!(count >= 7);
}

/// - **WHEN** recordings are checked that have no RUN_STARTED, another thread and run at the end, a call that does not end,
///   a call id twice, a delta that is an object, a result without a call, an event of a call from another subagent, and
///   an event after the end.
/// - **THEN** each breach is reported with the name of its rule and the line of the event, and the exit code is 1.
#[test]
fn breaches_by_rule() {
    let started = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" });
    let finished = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
    let with = |events: Vec<Value>| run("r", [events]);
    let mut elsewhere = end("c");
    elsewhere["subagentRunId"] = json!("s");
    let result = json!({ "type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": "" });
    let object = json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": {} });
    let foreign = json!({ "type": "RUN_FINISHED", "threadId": "u", "runId": "s" });
    for (events, expected) in [
        (with(call("c", "n", "{}")), vec![]),
        (vec![start("c", "n"), end("c"), finished.clone()], vec![(1, "run-not-started")]),
        (vec![started.clone(), foreign], vec![(2, "foreign-thread"), (2, "foreign-run")]),
        (with(vec![start("c", "n"), arguments("c", "{}")]), vec![(4, "call-not-ended")]),
        (with([call("c", "n", "{}"), call("c", "n", "{}")].concat()), vec![(5, "repeated-id")]),
        (with(vec![start("c", "n"), object, end("c")]), vec![(3, "wrong-kind")]),
        (with(vec![result]), vec![(2, "result-without-call")]),
        (with(vec![start("c", "n"), elsewhere]), vec![(3, "lanes-mixed")]),
        (vec![started.clone(), finished, end("c")], vec![(3, "event-after-end")]),
        (vec![started], vec![(0, "run-not-ended")]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|(line, rule)| (line, rule.to_owned())).collect();
        assert_eq!(rules(&events), expected, "{events:#?}");
    }
}

/// - **WHEN** a recording is checked in which a call does not end, as text and as JSON.
/// - **THEN** both name the rule, what the protocol says, and the event; the JSON has the event as it was sent.
#[test]
fn what_a_breach_says() {
    let mut events = run("r", [vec![start("c\u{1b}[2J", "n")]]);
    events[2]["more"] = json!("\u{202e}x");
    let text = check(&events, &[]);
    assert_eq!(text.code, Some(1), "{text:#?}");
    assert!(text.stderr.contains("number of breaches: 1"), "{text:#?}");
    for part in ["line 3: call-not-ended: ", "(it began in event 2)", "the protocol: each call", "event: {"] {
        assert!(text.stdout.contains(part), "{part}: {text:#?}");
    }
    let lines = check(&events, &["--format", "json"]);
    assert_eq!(lines.lines()[0]["event"], events[2]);
    assert_eq!(lines.lines()[0]["breaches"][0]["since"], 2);
    assert!(lines.lines()[0]["breaches"][0]["protocol"].as_str().unwrap().starts_with("each call"));
    for output in [text, lines] {
        assert!(!output.stdout.contains(['\u{1b}', '\u{202e}']), "{output:#?}");
    }
}

/// - **WHEN** `check` is run on a file that does not exist, on one without an event, and with `--format xml`.
/// - **THEN** each exits with 2, and standard error names what is invalid.
#[test]
fn recordings_that_cannot_be_read() {
    let folder = Folder::new();
    folder.write("empty", "\n");
    for (words, named) in [
        (&["check", "absent"][..], "absent"),
        (&["check", "empty"], "no event"),
        (&["check", "empty", "--format", "xml"], "xml"),
    ] {
        let output = folder.drawloom(words, "");
        assert_eq!((output.code, &*output.stdout), (Some(2), ""), "{output:#?}");
        assert!(output.stderr.contains(named), "{output:#?}");
    }
}
