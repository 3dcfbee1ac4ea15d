//! What each rule finds, and what none of them finds.

use super::*;
use crate::protocol::RunAgentInput;
use crate::recording::{Frame, RecordingItem, RecordingReader};

const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;

/// The events in short: `C` for `TOOL_CALL_`, `M` for `TEXT_MESSAGE_`, `R` for `REASONING_`, with the members after a blank.
fn event(short: &str) -> String {
    let (kind, members) = short.split_once(' ').unwrap_or((short, ""));
    let kind = match kind.split_once(':') {
        Some(("C", kind)) => format!("TOOL_CALL_{kind}"),
        Some(("M", kind)) => format!("TEXT_MESSAGE_{kind}"),
        Some(("R", kind)) => format!("REASONING_{kind}"),
        _ => kind.to_owned(),
    };
    let comma = if members.is_empty() { "" } else { "," };
    format!(r#"{{"type":"{kind}"{comma}{members}}}"#)
}

fn breaches(checker: &mut ProtocolChecker) -> Vec<String> {
    let breaches = std::iter::from_fn(|| checker.next_breach());
    breaches.map(|breach| format!("{} {}", breach.number, breach.rule)).collect()
}

fn checked(texts: &[&str]) -> Vec<String> {
    let mut checker = ProtocolChecker::new();
    for text in texts {
        checker.accept_frame(&Frame::Event((*text).to_owned()));
    }
    checker.end_of_response();
    breaches(&mut checker)
}

/// The breaches of a run of these events.
fn in_run(events: &[&str]) -> Vec<String> {
    let events: Vec<_> = events.iter().map(|short| event(short)).collect();
    let texts = std::iter::once(STARTED).chain(events.iter().map(String::as_str)).chain([FINISHED]);
    checked(&texts.collect::<Vec<_>>())
}

#[track_caller]
fn finds(events: &[&str], expected: &[&str]) {
    assert_eq!(in_run(events), expected, "{events:#?}");
}

#[test]
fn the_rules_have_different_names() {
    let codes: std::collections::BTreeSet<_> = ProtocolRule::ALL.iter().map(|rule| rule.code()).collect();
    assert_eq!(codes.len(), ProtocolRule::ALL.len());
}

#[test]
fn recorded_streams_of_real_agents_follow_the_protocol() {
    for (name, stream) in [
        ("langgraph-1", include_str!("../../../../tests/fixtures/streams/langgraph-1-call.sse")),
        ("langgraph-6", include_str!("../../../../tests/fixtures/streams/langgraph-6-parallel-setup.sse")),
        ("langgraph-8", include_str!("../../../../tests/fixtures/streams/langgraph-8-mixed-setup.sse")),
        ("pydantic-1", include_str!("../../../../tests/fixtures/streams/pydantic-ai-1-call.sse")),
        ("pydantic-6", include_str!("../../../../tests/fixtures/streams/pydantic-ai-6-parallel-setup.sse")),
        ("pydantic-8", include_str!("../../../../tests/fixtures/streams/pydantic-ai-8-mixed-setup.sse")),
        ("pydantic-i", include_str!("../../../../tests/fixtures/streams/pydantic-ai-interrupt.sse")),
    ] {
        let mut checker = ProtocolChecker::new();
        let mut recording = RecordingReader::new(stream.as_bytes());
        while let Some(item) = recording.read().unwrap() {
            let RecordingItem::Event { event, text, .. } = item else { panic!("{name}: {item:?}") };
            checker.accept(&event, text);
        }
        checker.end_of_response();
        assert_eq!(breaches(&mut checker), [""; 0], "{name}");
    }
}

#[test]
fn runs_begin_and_end_once() {
    let text = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}"#;
    let second = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2"}"#;
    let failed = r#"{"type":"RUN_ERROR","message":"no"}"#;
    let other = r#"{"type":"RUN_FINISHED","threadId":"u","runId":"r2"}"#;
    assert_eq!(checked(&[STARTED, text, FINISHED]), [""; 0]);
    assert_eq!(checked(&[failed]), [""; 0]);
    assert_eq!(checked(&[STARTED, FINISHED, failed]), [""; 0]);
    assert_eq!(checked(&[text, FINISHED]), ["1 run-not-started"]);
    assert_eq!(checked(&[STARTED, second, failed]), ["2 run-started-twice"]);
    assert_eq!(checked(&[STARTED, text]), ["2 run-not-ended"]);
    assert_eq!(checked(&[STARTED, FINISHED, text, FINISHED]), ["3 event-after-end", "4 event-after-end"]);
    assert_eq!(checked(&[STARTED, failed, text]), ["3 event-after-end"]);
    assert_eq!(checked(&[STARTED, FINISHED, STARTED, FINISHED]), ["3 repeated-id"]);
    assert_eq!(checked(&[STARTED, other]), ["2 foreign-thread", "2 foreign-run"]);
    assert_eq!(checked(&["oops", STARTED, "[]", FINISHED]), ["1 not-an-event", "3 not-an-event"]);
}

#[test]
fn runs_have_the_names_of_their_request() {
    let mut checker = ProtocolChecker::new();
    checker.request(&RunAgentInput::new("t", "r"));
    for text in [STARTED, FINISHED] {
        checker.accept_frame(&Frame::Event(text.to_owned()));
    }
    checker.request(&RunAgentInput::new("other", "r3"));
    for text in [STARTED, FINISHED] {
        checker.accept_frame(&Frame::Event(text.to_owned()));
    }
    checker.request(&RunAgentInput::new("t", "r4"));
    checker.end_of_response();
    assert_eq!(
        breaches(&mut checker),
        ["3 foreign-thread", "3 foreign-run", "3 repeated-id", "4 run-not-started"]
    );
}

#[test]
fn messages_reasoning_and_steps_begin_and_end() {
    let (m, s) = (r#""messageId":"m""#, r#""stepName":"s""#);
    let with = |kind: &str, members: &str| format!("{kind} {members}");
    let delta = format!(r#"{m},"delta":"x""#);
    for (kind, family) in [("M:", "message"), ("R:MESSAGE_", "reasoning")] {
        let of = |kind_of: &str, members: &str| with(&format!("{kind}{kind_of}"), members);
        let (start, content, end, chunk) =
            (of("START", m), of("CONTENT", &delta), of("END", m), of("CHUNK", &delta));
        let open_chunk = of("CHUNK", r#""delta":"y""#);
        finds(&[&start, &content, &end], &[]);
        finds(&[&chunk, &open_chunk, &chunk], &[]);
        finds(&[&content, &end], &[&format!("2 {family}-not-started"), &format!("3 {family}-not-started")]);
        finds(&[&start, &start, &end], &[&format!("3 {family}-started-twice")]);
        finds(&[&start, &content], &[&format!("4 {family}-not-ended")]);
        finds(&[&start, &end, &start, &end], &["4 repeated-id"]);
        finds(&[&open_chunk], &[&format!("2 {family}-not-started")]);
    }
    finds(
        &[&with("R:START", m), &with("R:MESSAGE_START", m), &with("R:MESSAGE_END", m), &with("R:END", m)],
        &[],
    );
    finds(&[&with("R:START", m)], &["3 reasoning-not-ended"]);
    let (start, end) = (with("STEP_STARTED", s), with("STEP_FINISHED", s));
    finds(&[&start, &end, &start, &end], &[]);
    finds(&[&end, &start, &start], &["2 step-not-started", "4 step-started-twice", "5 step-not-ended"]);
}

#[test]
fn calls_begin_end_and_are_answered() {
    let (c, named) = (r#""toolCallId":"c""#, r#""toolCallId":"c","toolCallName":"n""#);
    let start = format!("C:START {named}");
    let args = format!(r#"C:ARGS {c},"delta":"{{}}""#);
    let end = format!("C:END {c}");
    let result = format!(r#"C:RESULT {c},"messageId":"m","content":"x""#);
    let chunk = format!(r#"C:CHUNK {named},"delta":"x""#);
    let goes_on = r#"C:CHUNK "delta":"x""#;
    let other = r#"C:CHUNK "toolCallId":"d","toolCallName":"n""#;
    finds(&[&start, &args, &end, &result], &[]);
    finds(&[&chunk, goes_on, other, &result], &[]);
    finds(&[&args, &end], &["2 call-not-started", "3 call-not-started"]);
    finds(&[&start, &end, &args], &["4 call-not-started"]);
    finds(&[&start, &start, &end], &["3 call-started-twice"]);
    finds(&[&start, &args], &["4 call-not-ended"]);
    finds(&[&start, &end, &start, &end], &["4 repeated-id"]);
    finds(&[&result], &["2 result-without-call"]);
    finds(&[&start, &result, &end], &["3 result-before-end"]);
    finds(&[goes_on], &["2 call-not-started"]);
    finds(&[r#"C:CHUNK "toolCallId":"c","delta":"x""#], &["2 call-not-started"]);
    finds(&[&chunk, other, &chunk], &["4 call-not-started"]);
    let snapshot = r#"MESSAGES_SNAPSHOT "messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{}"}}]}]"#;
    finds(&[snapshot, &result], &[]);
}

#[test]
fn a_call_of_an_earlier_run_may_be_announced_again_but_its_id_is_not_for_another() {
    let run = |id: &str, arguments: &str| {
        vec![
            format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{id}"}}"#),
            event(r#"C:START "toolCallId":"c","toolCallName":"n""#),
            event(&format!(r#"C:ARGS "toolCallId":"c","delta":"{arguments}""#)),
            event(r#"C:END "toolCallId":"c""#),
            format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"{id}"}}"#),
        ]
    };
    let texts = |second: &str| [run("r1", "1"), run("r2", second)].concat();
    let check = |texts: Vec<String>| checked(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(check(texts("1")), [""; 0]);
    assert_eq!(check(texts("2")), ["9 repeated-id"]);
}

#[test]
fn events_of_one_thing_come_from_one_lane() {
    let (c, s) = (r#""toolCallId":"c""#, r#""subagentRunId":"s""#);
    let start = format!(r#"C:START {c},"toolCallName":"n",{s}"#);
    finds(&[&start, &format!("C:END {c},{s}")], &[]);
    finds(&[&start, &format!("C:END {c}")], &["3 lanes-mixed"]);
    finds(
        &[&format!(r#"M:START "messageId":"m",{s}"#), r#"M:END "messageId":"m","subagentRunId":"u""#],
        &["3 lanes-mixed"],
    );
}

#[test]
fn subagents_begin_and_end() {
    let s = r#""subagentRunId":"s""#;
    let start = format!(r#"SUBAGENT_STARTED {s},"name":"n""#);
    let child = r#"SUBAGENT_STARTED "subagentRunId":"u","name":"n","parentSubagentRunId":"s""#;
    let end = format!("SUBAGENT_FINISHED {s}");
    let child_failed = r#"SUBAGENT_ERROR "subagentRunId":"u","message":"no""#;
    finds(&[&start, child, child_failed, &end], &[]);
    finds(&[&end], &["2 subagent-not-started"]);
    finds(&[child, child_failed], &["2 subagent-not-started"]);
    finds(&[&start, &start], &["3 subagent-started-twice", "4 subagent-not-ended"]);
    finds(&[&format!(r#"M:CHUNK "messageId":"m","delta":"x",{s}"#)], &[]);
}

#[test]
fn members_are_there_once_and_of_their_kind() {
    let nulls = r#"C:START "toolCallId":"c","toolCallName":"n","parentMessageId":null,"timestamp":null"#;
    finds(&[nulls, r#"C:END "toolCallId":"c""#], &[]);
    finds(&[r#"LATER "delta":7"#], &[]);
    finds(&[r#"M:CHUNK "messageId":"m","delta":{}"#], &["2 wrong-kind"]);
    finds(
        &[
            r#"C:START "toolCallId":"c","toolCallName":"n""#,
            r#"C:ARGS "toolCallId":"c","delta":{"a":1}"#,
            r#"C:END "toolCallId":"c""#,
        ],
        &["3 wrong-kind"],
    );
    finds(&[r#"STATE_DELTA "delta":"x""#], &["2 wrong-kind"]);
    finds(&[r#"STATE_DELTA "delta":[],"delta":[]"#], &["2 repeated-member"]);
    finds(&[r#"STEP_STARTED "stepName":" ""#], &["2 empty-id"]);
    finds(&["C:START"], &["2 missing-member", "2 missing-member"]);
    finds(&[r#"M:START "messageId":null"#], &["2 missing-member"]);
    finds(&[r#"STATE_SNAPSHOT "snapshot":null"#], &[]);
    finds(&[r#"CUSTOM "name":"n","timestamp":"noon""#], &["2 wrong-kind"]);
    assert_eq!(checked(&[STARTED, "{}", FINISHED]), ["2 missing-member"]);
}

#[test]
fn interrupts_have_ids_of_their_own() {
    let end = |interrupts: &str| {
        format!(
            r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{{"type":"interrupt","interrupts":{interrupts}}}}}"#
        )
    };
    let check = |interrupts: &str| checked(&[STARTED, &end(interrupts)]);
    assert_eq!(check(r#"[{"id":"i","reason":"r"}]"#), [""; 0]);
    assert_eq!(check("[]"), ["2 no-interrupt"]);
    assert_eq!(check(r#"[{"id":"i"},{"id":"i"},{"reason":"r"}]"#), ["2 repeated-id", "2 empty-id"]);
}

#[test]
fn a_cancelled_or_failed_run_leaves_what_it_likes() {
    let start = event(r#"C:START "toolCallId":"c","toolCallName":"n""#);
    let cancelled = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}"#;
    assert_eq!(checked(&[STARTED, &start, cancelled]), [""; 0]);
    assert_eq!(checked(&[STARTED, &start, r#"{"type":"RUN_ERROR","message":"no"}"#]), [""; 0]);
}

#[test]
fn memory_and_reports_are_bounded() {
    let mut checker = ProtocolChecker::new();
    checker.accept_frame(&Frame::Event(STARTED.to_owned()));
    for number in 0..20_000 {
        let text = event(&format!(r#"C:START "toolCallId":"c{number}","toolCallName":"n""#));
        checker.accept_frame(&Frame::Event(text));
    }
    assert_eq!(breaches(&mut checker), ["16386 too-much-to-check"]);
    checker.accept_frame(&Frame::Event(FINISHED.to_owned()));
    assert_eq!(breaches(&mut checker).len(), 1024);
    assert_eq!(checker.dropped(), 16_384 - 1024);
    let long = event(&format!(r#"C:END "toolCallId":"{}""#, "x".repeat(10_000)));
    let mut checker = ProtocolChecker::new();
    checker.accept_frame(&Frame::Event(long));
    let last = std::iter::from_fn(|| checker.next_breach()).last().unwrap();
    assert!(last.problem.len() < 300, "{last}");
}
