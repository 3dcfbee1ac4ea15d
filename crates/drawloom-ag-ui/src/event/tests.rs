//! How events are read, and that odd ones are read too.

use std::borrow::Cow;

use serde_json::json;

use super::*;

/// The event in a text that the fast way reads, which the slow way must read alike. (`Event::parse` alone would not
/// tell which of the two has read it.)
fn parse(text: &str) -> Event<'_> {
    let event = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(salvage::event(text).unwrap(), event, "{text}");
    event
}

/// The event in a text that only the slow way reads.
fn parse_slowly(text: &str) -> Event<'_> {
    assert!(serde_json::from_str::<Event<'_>>(text).is_err(), "{text}");
    Event::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn chunk<'a>(id: Option<&'a str>, name: Option<&'a str>, delta: Option<&'a str>) -> Event<'a> {
    Event::ToolCallChunk { id: id.map(Cow::from), name: name.map(Cow::from), delta: delta.map(Cow::from) }
}

fn finished(outcome: RunOutcome<'_>) -> Event<'_> {
    Event::RunFinished { outcome }
}

#[test]
fn each_event_the_adapter_reads() {
    for (text, event) in [
        (
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}"#,
            Event::RunStarted { thread_id: "t".into(), run_id: "r".into() },
        ),
        (r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#, finished(RunOutcome::Success)),
        (r#"{"type":"RUN_ERROR","message":"the model went away"}"#, Event::RunError),
        (
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n","parentMessageId":"m"}"#,
            Event::ToolCallStart { id: "c".into(), name: "n".into() },
        ),
        (
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\":"}"#,
            Event::ToolCallArgs { id: "c".into(), delta: "{\"a\":".into() },
        ),
        (r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#, Event::ToolCallEnd { id: "c".into() }),
        (
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"n","delta":"{}"}"#,
            chunk(Some("c"), Some("n"), Some("{}")),
        ),
        (r#"{"type":"TOOL_CALL_CHUNK"}"#, chunk(None, None, None)),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text"}]}"#,
            Event::ToolCallResult { id: "c".into() },
        ),
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[
                {"id":"u","role":"user","content":"hi","toolCallId":"not-mine"},
                {"id":"a","role":"assistant","toolCalls":[{"id":"c1"},{"id":"c2"}]},
                {"id":"t","role":"tool","toolCallId":"c1","content":"12:00"},
                {"toolCallId":"c2","content":[1],"role":"tool"},
                {"role":"tool"}, {"role":"tool","toolCallId":""}, null, 1, "tool", ["tool"]]}"#,
            Event::MessagesSnapshot { answered: vec!["c1".into(), "c2".into()] },
        ),
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"hi"}"#, Event::Other),
        (r#"{"type":"SOMETHING_NEW","toolCallId":"c"}"#, Event::Other),
    ] {
        assert_eq!(parse(text), event, "{text}");
    }
}

#[test]
fn the_ways_a_run_ends() {
    for (outcome, expected) in [
        (json!(null), RunOutcome::Success),
        (json!({"type": "success", "pendingToolCallIds": ["c"]}), RunOutcome::Success),
        (json!({"type": "success", "interrupts": [{"toolCallId": "c"}]}), RunOutcome::Success),
        (json!({"type": "cancelled"}), RunOutcome::Cancelled),
        (
            json!({"type": "interrupt", "interrupts": [
                {"id": "i", "reason": "tool_call", "toolCallId": "c", "responseSchema": {"toolCallId": "no"}},
                {"id": "j", "reason": "input"}, {"toolCallId": null}, {"toolCallId": ""}, 7,
                {"toolCallId": "d"},
            ]}),
            RunOutcome::Interrupted(vec!["c".into(), "d".into()]),
        ),
        (json!({"type": "interrupt"}), RunOutcome::Interrupted(vec![])),
        (json!({"type": "paused"}), RunOutcome::Unknown),
        (json!({}), RunOutcome::Success),
        (json!({"interrupts": [{"toolCallId": "c"}]}), RunOutcome::Interrupted(vec!["c".into()])),
        (json!("cancelled"), RunOutcome::Cancelled),
        (json!(3), RunOutcome::Success),
        (json!([{"type": "cancelled"}]), RunOutcome::Success),
    ] {
        // Wherever the outcome stands: before the type it is read without knowing what for.
        for text in [
            format!(r#"{{"type":"RUN_FINISHED","outcome":{outcome}}}"#),
            format!(r#"{{"outcome":{outcome},"type":"RUN_FINISHED"}}"#),
        ] {
            assert_eq!(parse(&text), finished(expected.clone()), "{text}");
        }
    }
}

#[test]
fn an_event_that_lacks_what_it_needs_is_no_event_of_ours() {
    for text in [
        "{}",
        r#"{"toolCallId":"c","delta":"x"}"#,
        r#"{"type":null,"toolCallId":"c"}"#,
        r#"{"type":["TOOL_CALL_END"],"toolCallId":"c"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallName":"n"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":""}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"","toolCallName":"n"}"#,
        r#"{"type":"TOOL_CALL_ARGS","delta":"x"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":7,"delta":"x"}"#,
        r#"{"type":"TOOL_CALL_END"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":null}"#,
        r#"{"type":"TOOL_CALL_RESULT","toolCallId":{"id":"c"}}"#,
    ] {
        assert_eq!(parse(text), Event::Other, "{text}");
    }
}

#[test]
fn a_run_that_starts_without_ids_starts_all_the_same() {
    let nameless = Event::RunStarted { thread_id: "".into(), run_id: "".into() };
    assert_eq!(parse(r#"{"type":"RUN_STARTED"}"#), nameless);
    assert_eq!(parse(r#"{"type":"RUN_STARTED","threadId":null,"runId":3}"#), nameless);
}

#[test]
fn a_null_an_empty_id_and_a_value_of_another_kind_are_absent() {
    for absent in
        ["null", "7", "-7.5", "18446744073709551616", "true", "[]", r#"[{"a":["b"]}]"#, r#"{"a":1}"#]
    {
        let text = format!(
            r#"{{"type":"TOOL_CALL_CHUNK","toolCallId":{absent},"toolCallName":{absent},"delta":{absent}}}"#
        );
        assert_eq!(parse(&text), chunk(None, None, None), "{text}");
        let text = format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":{absent}}}"#);
        assert_eq!(parse(&text), Event::MessagesSnapshot { answered: vec![] }, "{text}");
        let text = format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":{absent}}}"#);
        assert_eq!(parse(&text), Event::ToolCallArgs { id: "c".into(), delta: "".into() }, "{text}");
    }
    let text = r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"","toolCallName":"","delta":""}"#;
    assert_eq!(parse(text), chunk(None, None, Some("")));
}

#[test]
fn the_type_may_stand_anywhere_and_keys_may_be_escaped() {
    let args = Event::ToolCallArgs { id: "c".into(), delta: "x".into() };
    for text in [
        r#"{"toolCallId":"c","delta":"x","type":"TOOL_CALL_ARGS"}"#,
        r#"{"delta":"x","type":"TOOL_CALL_ARGS","rawEvent":{"type":"RUN_ERROR"},"toolCallId":"c"}"#,
        " {\n\"type\" : \"TOOL_CALL_ARGS\" ,\t\"toolCallId\":\"c\",\"delta\":\"x\"}\r\n",
        r#"{"typ\u0065":"TOOL\u005fCALL_ARGS","tool\u0043allId":"\u0063","delta":"\u0078"}"#,
    ] {
        assert_eq!(parse(text), args, "{text}");
    }
}

#[test]
fn a_field_that_stands_twice_counts_as_it_stands_last() {
    let text =
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"a","x":1,"delta":"1","x":2,"delta":"2","toolCallId":"b"}"#;
    assert_eq!(parse(text), Event::ToolCallArgs { id: "b".into(), delta: "2".into() });
    let text = r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"a","toolCallId":null}"#;
    assert_eq!(parse(text), chunk(None, None, None));
    let text = r#"{"type":"RUN_FINISHED","outcome":{"type":"cancelled","type":"success"},"outcome":{}}"#;
    assert_eq!(parse(text), finished(RunOutcome::Success));
}

#[test]
fn a_type_that_stands_twice_must_agree_with_itself() {
    assert_eq!(parse(r#"{"type":"RUN_ERROR","type":"RUN_ERROR"}"#), Event::RunError);
    for text in [
        r#"{"type":"RUN_ERROR","type":"RUN_STARTED"}"#,
        r#"{"type":"RUN_ERROR","type":"CUSTOM"}"#,
        r#"{"type":"CUSTOM","type":"RUN_ERROR"}"#,
        r#"{"type":null,"type":"RUN_ERROR"}"#,
        r#"{"type":"RUN_ERROR","type":"CUSTOM","type":"RUN_ERROR"}"#,
    ] {
        assert_eq!(parse(text), Event::Other, "{text}");
    }
}

#[test]
fn depth_costs_no_stack_wherever_it_stands() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(50_000), close.repeat(50_000));
        for key in
            ["x", "type", "toolCallId", "toolCallName", "delta", "threadId", "runId", "outcome", "messages"]
        {
            assert_eq!(parse(&format!(r#"{{"{key}":{deep}}}"#)), Event::Other, "{key}");
        }
        let text = format!(r#"{{"outcome":{{"type":{deep},"interrupts":[{deep}]}},"type":"RUN_FINISHED"}}"#);
        assert_eq!(parse(&text), finished(RunOutcome::Success));
        let text = format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{{"role":{deep}}},{deep}]}}"#);
        assert_eq!(parse(&text), Event::MessagesSnapshot { answered: vec![] });
        // The slow way, which `1e400` leads to, follows no depth either.
        let text =
            format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"c","toolCallId":1e400,"delta":{deep}}}"#);
        assert_eq!(parse_slowly(&text), Event::Other);
    }
}

#[test]
fn ids_names_and_plain_deltas_borrow_from_the_text() {
    let Event::ToolCallArgs { id: Cow::Borrowed("c"), delta: Cow::Borrowed("plain") } =
        parse(r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"plain"}"#)
    else {
        panic!("something was copied");
    };
    let Event::MessagesSnapshot { answered } =
        parse(r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"tool","toolCallId":"c"}]}"#)
    else {
        panic!("not a snapshot");
    };
    assert!(matches!(answered.as_slice(), [Cow::Borrowed("c")]));
}

#[test]
fn half_a_surrogate_pair_reads_as_the_replacement_character() {
    for (delta, read) in [
        (r"a\ud83d", "a\u{fffd}"),
        (r"\ude00b\n", "\u{fffd}b\n"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}😀"),
        (r"\ud83dé\ud83d\u0041", "\u{fffd}é\u{fffd}A"),
    ] {
        let text = format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{delta}"}}"#);
        assert_eq!(parse_slowly(&text), Event::ToolCallArgs { id: "c".into(), delta: read.into() });
    }
    let text = r#"{"\ud83d":1,"type":"MESSAGES_SNAPSHOT","messages":[
        {"\ud83d":1,"role":"tool","toolCallId":"c"},{"role":"tool","toolCallId":"d\ud83d"}]}"#;
    assert_eq!(
        parse_slowly(text),
        Event::MessagesSnapshot { answered: vec!["c".into(), "d\u{fffd}".into()] }
    );
}

#[test]
fn a_number_beyond_any_float_is_as_absent_as_any_other_number() {
    for (text, event) in [
        (r#"{"type":"TOOL_CALL_ARGS","toolCallId":1e400,"delta":"x"}"#, Event::Other),
        (
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":1e400,"delta":"x"}"#,
            chunk(Some("c"), None, Some("x")),
        ),
        (
            r#"{"type":"RUN_STARTED","threadId":"t","runId":1e400}"#,
            Event::RunStarted { thread_id: "t".into(), run_id: "".into() },
        ),
        (
            r#"{"type":"RUN_FINISHED","outcome":{"type":"interrupt","interrupts":[1e400,{"toolCallId":"c"}]}}"#,
            finished(RunOutcome::Interrupted(vec!["c".into()])),
        ),
        (r#"{"type":"RUN_FINISHED","outcome":1e400}"#, finished(RunOutcome::Success)),
        (r#"{"type":"MESSAGES_SNAPSHOT","messages":-1e400}"#, Event::MessagesSnapshot { answered: vec![] }),
        (r#"{"type":1e400}"#, Event::Other),
    ] {
        assert_eq!(parse_slowly(text), event, "{text}");
    }
}

#[test]
fn a_field_that_an_event_of_its_type_is_not_read_for_is_skipped_whatever_it_holds() {
    // Only what is skipped may hold half a surrogate pair and still be read the fast way.
    let fields = ["threadId", "runId", "toolCallId", "toolCallName", "delta", "outcome", "messages"];
    for (kind, read) in [
        ("RUN_STARTED", &["threadId", "runId"][..]),
        ("RUN_FINISHED", &["outcome"]),
        ("RUN_ERROR", &[]),
        ("TOOL_CALL_START", &["toolCallId", "toolCallName"]),
        ("TOOL_CALL_ARGS", &["toolCallId", "delta"]),
        ("TOOL_CALL_END", &["toolCallId"]),
        ("TOOL_CALL_CHUNK", &["toolCallId", "toolCallName", "delta"]),
        ("TOOL_CALL_RESULT", &["toolCallId"]),
        ("MESSAGES_SNAPSHOT", &["messages"]),
        ("TEXT_MESSAGE_CONTENT", &[]),
    ] {
        for field in fields {
            let text = format!(r#"{{"type":"{kind}","{field}":"\ud83d"}}"#);
            let skipped = serde_json::from_str::<Event<'_>>(&text).is_ok();
            assert_eq!(skipped, !read.contains(&field), "{text}");
        }
    }
}

#[test]
fn what_is_no_object_is_an_error_that_says_where() {
    for (text, line, column) in [
        ("", 1, 0),
        ("[1]", 1, 0),
        ("null", 1, 4),
        ("\"{}\"", 1, 4),
        ("{\"type\":\n\"RUN_ERROR\"", 2, 11),
        ("{} {}", 1, 4),
        ("data: {}", 1, 1),
        (r#"{"type":"RUN_ERROR","x":"\q"}"#, 1, 27),
        ("{'type':'RUN_ERROR'}", 1, 2),
    ] {
        let error = Event::parse(text).expect_err(text);
        assert_eq!((error.line(), error.column()), (line, column), "{text}");
        assert_eq!(error.code(), "not-an-object");
        assert!(std::error::Error::source(&error).is_some());
    }
}

#[test]
fn an_event_can_be_read_from_a_value_that_is_already_parsed() {
    let value =
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": 3, "x": [1], "delta": "{}"});
    assert_eq!(Event::deserialize(&value).unwrap(), chunk(Some("c"), None, Some("{}")));
    assert!(Event::deserialize(&json!([value])).is_err());
}

#[test]
fn an_owned_event_is_the_same_event() {
    for text in [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"RUN_FINISHED","outcome":{"type":"interrupt","interrupts":[{"toolCallId":"c"}]}}"#,
        r#"{"type":"RUN_FINISHED","outcome":{"type":"cancelled"}}"#,
        r#"{"type":"RUN_FINISHED","outcome":{"type":"paused"}}"#,
        r#"{"type":"RUN_FINISHED"}"#,
        r#"{"type":"RUN_ERROR"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"d"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
        r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"n","delta":"d"}"#,
        r#"{"type":"TOOL_CALL_RESULT","toolCallId":"c"}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"tool","toolCallId":"c"}]}"#,
        r#"{"type":"CUSTOM"}"#,
    ] {
        let read = text.to_owned();
        let owned: Event<'static> = parse(&read).into_owned();
        drop(read);
        assert_eq!(owned, parse(text));
    }
}
