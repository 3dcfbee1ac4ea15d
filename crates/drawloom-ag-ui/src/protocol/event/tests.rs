//! How events are read and written back.

use serde_json::{Value, json};

use super::*;
use crate::protocol::{Content, ContentPart, MediaKind, RunOutcome};

fn parse(text: &str) -> Event<'_> {
    Event::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn kind(value: Value) -> EventKind<'static> {
    parse(&value.to_string()).into_owned().kind
}

/// The value with these members at its end.
fn with(mut value: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("not an object") };
    value.as_object_mut().unwrap().extend(more);
    value
}

#[test]
fn every_event_is_written_as_it_was_read_with_what_is_not_known() {
    let more = json!({"timestamp": 1796038505793_u64, "rawEvent": {"a": [null]}, "metadata": {"k": null},
        "seq": 7, "later": {"deep": [1]}, "nothing": null});
    assert_eq!(examples::LINES.lines().count(), 39);
    for line in examples::LINES.lines() {
        let example: Value = serde_json::from_str(line).unwrap();
        let read = parse(line).into_owned();
        assert!(!matches!(read.kind, EventKind::Unknown { .. } | EventKind::Damaged(_)), "{example}");
        assert_eq!(serde_json::to_value(&read).unwrap(), example);
        assert_eq!(serde_json::from_value::<Event<'_>>(example.clone()).unwrap(), read);

        let full = with(example, more.clone());
        assert_eq!(serde_json::to_value(parse(&full.to_string())).unwrap(), full);
    }
}

#[test]
fn an_event_of_a_type_that_is_not_known_is_kept_whole() {
    let text = r#"{"type":"THINKING_START","subagentRunId":"s","b":1,"a":{"c":[ ]},"b":null,"toolCallId":7}"#;
    let event = parse(text);
    assert_eq!(event.kind, EventKind::Unknown { kind: "THINKING_START".into() });
    assert_eq!(event.subagent_run_id.as_deref(), Some("s"));
    let extra: Vec<_> = event.extra.iter().map(|(name, json)| (&**name, json.get())).collect();
    assert_eq!(extra, [("b", "1"), ("a", r#"{"c":[ ]}"#), ("b", "null"), ("toolCallId", "7")]);
    assert_eq!(serde_json::to_string(&event).unwrap(), text);
    for text in ["{}", r#"{"delta":"x","threadId":"t"}"#, r#"{"type":null}"#, " {\n} "] {
        assert_eq!(parse(text).kind, EventKind::Unknown { kind: "".into() }, "{text}");
    }
}

#[test]
fn the_type_may_be_anywhere() {
    for text in [
        r#"{"toolCallId":"c","delta":"d","type":"TOOL_CALL_ARGS"}"#,
        r#"{"toolCallId":"c","t\u0079pe":"TOOL_CALL_ARGS","delta":"d"}"#,
        r#"{"t\u0079pe":"TOOL_CALL\u005fARGS","toolC\u0061llId":"\u0063","delta":"d"}"#,
        "\n{ \"type\" : \"TOOL_CALL_ARGS\" ,\r\n\t\"toolCallId\":\"c\",\"delta\":\"d\"}\n",
    ] {
        let EventKind::ToolCallArgs(args) = parse(text).kind else { panic!("{text}") };
        assert_eq!((&*args.id, &*args.delta), ("c", "d"), "{text}");
    }
}

#[test]
fn null_and_a_value_of_another_kind_count_as_absent() {
    for odd in [json!(null), json!(7), json!(1e300), json!(true), json!([1]), json!({"a": 1}), json!("")] {
        let start = kind(json!({"type": "TOOL_CALL_START", "toolCallId": "c", "parentMessageId": odd}));
        let EventKind::ToolCallStart(start) = start else { panic!("{odd}") };
        assert_eq!((start.name, start.parent_message_id), (None, None), "{odd}");
        let started = kind(json!({"type": "RUN_STARTED", "threadId": odd, "runId": odd, "parentRunId": odd}));
        let EventKind::RunStarted(started) = started else { panic!("{odd}") };
        assert_eq!((&*started.thread_id, &*started.run_id), ("", ""), "{odd}");
        let finished = kind(json!({"type": "RUN_FINISHED", "threadId": odd, "runId": odd, "usage": odd}));
        assert_eq!(finished, EventKind::RunFinished(RunFinished::default()), "{odd}");
        let snapshot = kind(json!({"type": "MESSAGES_SNAPSHOT", "messages": odd}));
        assert_eq!(snapshot, EventKind::MessagesSnapshot(MessagesSnapshot::default()), "{odd}");
    }
    let nulls = r#"{"type":"TOOL_CALL_CHUNK","toolCallId":null,"toolCallName":null,"delta":null,"subagentRunId":null,
        "timestamp":null,"rawEvent":null,"metadata":null,"parentMessageId":null}"#;
    assert_eq!(parse(nulls), Event::new(EventKind::ToolCallChunk(ToolCallChunk::default())));
}

#[test]
fn a_blank_id_of_a_chunk_or_lane_counts_as_absent() {
    for blank in ["", " ", "\t\u{a0}"] {
        let event = json!({"type": "TOOL_CALL_CHUNK", "toolCallId": blank, "subagentRunId": blank,
            "toolCallName": "", "delta": ""});
        let text = event.to_string();
        let event = parse(&text);
        assert_eq!(event.subagent_run_id, None, "{blank:?}");
        assert_eq!(event.kind, EventKind::ToolCallChunk(ToolCallChunk::default()), "{blank:?}");
    }
}

#[test]
fn the_last_of_repeated_members_counts_if_they_do_not_decide() {
    let text = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a","delta":"b","messageId":7}"#;
    let EventKind::TextMessageContent(content) = parse(text).kind else { panic!("{text}") };
    assert_eq!((&*content.message_id, &*content.delta), ("", "b"));
}

#[test]
fn the_ways_in_which_a_run_ends() {
    let success = |ids: &[&'static str]| RunOutcome::Success {
        pending_tool_call_ids: ids.iter().map(|id| (*id).into()).collect(),
    };
    for (outcome, expected) in [
        (json!(null), success(&[])),
        (json!({}), success(&[])),
        (json!("success"), success(&[])),
        (json!({"type": "success", "pendingToolCallIds": ["c", 7, null, "d"]}), success(&["c", "d"])),
        (json!({"type": "cancelled"}), RunOutcome::Cancelled),
        (json!("cancelled"), RunOutcome::Cancelled),
        (json!({"type": "interrupt"}), RunOutcome::Interrupt(vec![])),
        (
            json!({"type": "paused", "a": 1}),
            RunOutcome::Unknown(Json::from(json!({"type": "paused", "a": 1}))),
        ),
        (json!({"type": 7}), RunOutcome::Unknown(Json::from(json!({"type": 7})))),
        (json!(3), RunOutcome::Unknown(Json::from(json!(3)))),
        (json!([{"type": "success"}]), RunOutcome::Unknown(Json::from(json!([{"type": "success"}])))),
    ] {
        let finished = kind(json!({"type": "RUN_FINISHED", "outcome": outcome}));
        let EventKind::RunFinished(finished) = finished else { panic!("{outcome}") };
        assert_eq!(finished.outcome, expected, "{outcome}");
    }
    let text = r#"{"type":"RUN_FINISHED","outcome":{"x":1,"type":"cancelled"}}"#;
    assert_eq!(
        serde_json::to_string(&parse(text)).unwrap(),
        r#"{"type":"RUN_FINISHED","outcome":{"type":"cancelled","x":1}}"#
    );
}

#[test]
fn interrupts_are_read_in_either_spelling_and_bind_their_call_without_an_id() {
    let finished = kind(json!({"type": "RUN_FINISHED", "outcome": {"interrupts": [
        {"id": "i", "reason": "tool_call", "tool_call_id": "c", "response_schema": {"properties": {"editedArgs": {}}},
            "expires_at": "later", "message": null, "foo": null},
        {"toolCallId": "d", "tool_call_id": "no"},
        {"tool_call_id": "no", "toolCallId": "e"},
        7, null,
    ]}}));
    let EventKind::RunFinished(finished) = finished else { panic!("not finished") };
    let RunOutcome::Interrupt(interrupts) = finished.outcome else { panic!("not interrupted") };
    let calls: Vec<_> = interrupts.iter().map(|it| (&*it.id, it.tool_call_id.as_deref().unwrap())).collect();
    assert_eq!(calls, [("i", "c"), ("", "d"), ("", "e")]);
    let first = &interrupts[0];
    assert!(first.accepts_member("editedArgs") && !first.accepts_member("approved"));
    assert_eq!((first.expires_at.as_deref(), first.message.as_deref()), (Some("later"), None));
    assert_eq!(
        serde_json::to_value(first).unwrap(),
        json!({"id": "i", "reason": "tool_call", "toolCallId": "c", "expiresAt": "later", "foo": null,
            "responseSchema": {"properties": {"editedArgs": {}}}})
    );
}

#[test]
fn a_snapshot_keeps_every_object_with_a_role() {
    let snapshot = kind(json!({"type": "MESSAGES_SNAPSHOT", "messages": [
        {"role": "tool", "toolCallId": "c", "content": [1]}, {"id": "x"}, {"role": 7}, {"role": ""}, null, "tool", [],
        {"role": "assistant", "id": "a", "content": null, "toolCalls": [
            {"id": "c1", "function": {"name": "n", "arguments": {"a": 1}, "strict": true}, "index": 0},
            {"id": "c2", "function": {"name": null, "arguments": [1]}},
            {"id": "", "function": {}}, {"function": {}}, {"id": "c3"}, {"id": "c4", "function": 7}, 7]},
    ]}));
    let EventKind::MessagesSnapshot(snapshot) = snapshot else { panic!("not a snapshot") };
    let [tool, assistant] = &*snapshot.messages else { panic!("{:?}", snapshot.messages) };
    assert_eq!((&*tool.id, tool.answered_call()), ("", Some("c")));
    assert_eq!(tool.content, Some(Content::Parts(Json::new("[1]").unwrap())));
    assert_eq!((assistant.answered_call(), &assistant.content), (None, &None));
    let [first, second] = &*assistant.tool_calls else { panic!("{:?}", assistant.tool_calls) };
    assert_eq!((&*first.id, &*first.name, &*first.arguments), ("c1", "n", r#"{"a":1}"#));
    assert_eq!((&*second.id, &*second.name, &*second.arguments), ("c2", "", "[1]"));
    assert_eq!(
        serde_json::to_value(first).unwrap(),
        json!({"id": "c1", "type": "function", "index": 0,
            "function": {"name": "n", "arguments": r#"{"a":1}"#, "strict": true}})
    );
}

#[test]
fn the_input_of_a_run_tells_its_messages() {
    let text =
        json!({"type": "RUN_STARTED", "input": {"tools": [], "messages": [{"role": "user", "id": "u"}]}})
            .to_string();
    let EventKind::RunStarted(started) = parse(&text).kind else { panic!("not started") };
    assert_eq!(started.input_messages().iter().map(|message| &*message.id).collect::<Vec<_>>(), ["u"]);
    for input in [json!(7), json!([]), json!({"messages": 7}), json!(null)] {
        let started = kind(json!({"type": "RUN_STARTED", "input": input}));
        let EventKind::RunStarted(started) = started else { panic!("not started") };
        assert_eq!(started.input_messages(), [], "{input}");
    }
}

#[test]
fn the_parts_of_a_content() {
    let result = kind(json!({"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": [
        {"type": "text", "text": "a"}, {"type": "image", "source": {"type": "data", "value": "x", "mimeType": "image/png"}},
        {"type": "image"}, {"type": "later", "text": "b"}, "c"]}));
    let EventKind::ToolCallResult(result) = result else { panic!("not a result") };
    let parts = result.content.parts();
    assert_eq!(parts.len(), 5);
    assert_eq!(parts[0], ContentPart::Text("a".into()));
    let ContentPart::Media { kind: MediaKind::Image, source } = &parts[1] else { panic!("{:?}", parts[1]) };
    assert_eq!(
        (&*source.kind, &*source.value, source.mime_type.as_deref()),
        ("data", "x", Some("image/png"))
    );
    assert_eq!(parts[2], ContentPart::Unknown(Json::new(r#"{"type":"image"}"#).unwrap()));
    assert_eq!(parts[4], ContentPart::Unknown(Json::new(r#""c""#).unwrap()));
    assert_eq!(result.content.all_text(), "a");
    assert_eq!((result.content.text(), Content::from("x").text()), (None, Some("x")));
}

#[test]
fn half_a_character_reads_as_a_replacement_everywhere() {
    let text = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d","x\udc00":"\ud800"}"#;
    let event = parse(text);
    let EventKind::TextMessageContent(content) = &event.kind else { panic!("{text}") };
    assert_eq!(content.delta, "a\u{fffd}");
    assert_eq!(event.extra, [("x\u{fffd}".into(), Json::new(r#""\ufffd""#).unwrap())]);
    assert!(serde_json::to_value(&event).is_ok());
}

#[test]
fn a_text_that_is_not_one_object_is_an_error_with_its_place() {
    for (text, line, column) in [
        ("", 1, 1),
        ("[1]", 1, 1),
        ("null", 1, 1),
        ("{", 1, 2),
        ("{}{}", 1, 3),
        ("{\"a\":1,}", 1, 8),
        ("{\n\"a\":\n  tru}", 3, 6),
        ("{\"type\":\"RAW\",\"event\":[}", 1, 24),
        ("{\"type\":\"TOOL_CALL_ARGS\",\"toolCallId\":\"c\",\"delta\":\"x\u{1}\"}", 1, 53),
        ("{\"type\":\"TOOL_CALL_ARGS\",\"toolCallId\":7 8}", 1, 41),
        ("\u{feff}{}", 1, 1),
    ] {
        let error = Event::parse(text).unwrap_err();
        assert_eq!(error, EventError::NotAnObject { line, column }, "{text}");
        assert_eq!(error.code(), "not-an-object");
    }
}

#[test]
fn content_that_nobody_asks_for_may_be_as_deep_and_large_as_it_likes() {
    let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
    for text in [
        r#"{"type":"RAW","event":X}"#,
        r#"{"type":"CUSTOM","name":"n","value":X,"rawEvent":X}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[X,{"role":"tool","content":X,"toolCallId":"c"}]}"#,
        r#"{"outcome":X,"type":"RUN_FINISHED"}"#,
        r#"{"later":X}"#,
        r#"{"type":"TOOL_CALL_RESULT","toolCallId":"c","content":X}"#,
        r#"{"type":X,"toolCallId":X}"#,
    ] {
        let event = text.replace('X', &deep);
        assert!(Event::parse(&event).is_ok(), "{text}");
    }
}

#[test]
fn an_event_with_too_many_members_or_items_is_an_error_and_raw_text_is_not() {
    let many = |piece: &str, count: usize| vec![piece; count].join(",");
    for (text, is_read) in [
        (format!("{{{}}}", many("\"\":0", MAX_ITEMS)), true),
        (format!("{{{}}}", many("\"\":0", MAX_ITEMS + 1)), false),
        (format!("{{\"type\":\"RAW\",\"event\":[{}]}}", many("0", 1_000_000)), true),
        (format!("{{\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":[{}]}}", many("{}", MAX_ITEMS + 1)), false),
        (format!("{{\"type\":7,{}}}", many("\"\":0", 1_000_000)), false),
    ] {
        let read = Event::parse(&text).map(drop);
        assert_eq!(read, if is_read { Ok(()) } else { Err(EventError::TooManyItems) }, "{text:.40}");
    }
}

#[test]
fn the_ag_ui_crate_reads_what_is_written() {
    for example in examples::all() {
        let event = parse(&example.to_string()).into_owned();
        let text = serde_json::to_string(&event).unwrap();
        let read: ag_ui::Event =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        // And what it writes, we read alike.
        let again = serde_json::to_string(&read).unwrap();
        assert_eq!(parse(&again).kind.type_name(), event.kind.type_name(), "{again}");
    }
}
