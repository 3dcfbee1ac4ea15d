//! Which events are damaged, and what can be read of them.

use super::*;

/// The damage of an event in short: what, the type, the call, the name, the lane.
fn damage(text: &str) -> String {
    let EventKind::Damaged(damage) = Event::parse(text).unwrap().kind else { return "whole".to_owned() };
    let kind = damage.event_type.map_or("?", CallEventType::as_str);
    let lane = match &damage.lane {
        DamagedLane::Agent => "agent",
        DamagedLane::Subagent(id) => id,
        DamagedLane::Unreadable => "?",
    };
    let id = damage.call_id.as_deref().unwrap_or("?");
    let name = damage.name.as_deref().unwrap_or("?");
    format!("{damage} | {kind} {id} {name} {lane}")
}

#[test]
fn a_deciding_member_of_the_wrong_type_damages() {
    for (text, expected) in [
        (
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":{"a":1}}"#,
            r#""delta" is an object instead of text | TOOL_CALL_ARGS c ? agent"#,
        ),
        (
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":7,"delta":"x","subagentRunId":"s"}"#,
            r#""toolCallId" is a number instead of text | TOOL_CALL_ARGS ? ? s"#,
        ),
        (
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":["n"]}"#,
            r#""toolCallName" is a list instead of text | TOOL_CALL_START c ? agent"#,
        ),
        (
            r#"{"type":"TOOL_CALL_CHUNK","toolCallName":"n","delta":true,"subagentRunId":false}"#,
            r#""delta" is true instead of text, "subagentRunId" is false instead of text | TOOL_CALL_CHUNK ? n ?"#,
        ),
        (
            r#"{"type":"TOOL_CALL_RESULT","toolCallId":-1,"content":""}"#,
            r#""toolCallId" is a number instead of text | TOOL_CALL_RESULT ? ? agent"#,
        ),
        (
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":{}}"#,
            r#""subagentRunId" is an object instead of text | SUBAGENT_FINISHED ? ? ?"#,
        ),
        (
            r#"{"type":["TOOL_CALL_END"],"toolCallId":"c","toolCallName":"n"}"#,
            r#""type" is a list instead of text | ? c n agent"#,
        ),
    ] {
        assert_eq!(damage(text), expected, "{text}");
    }
}

#[test]
fn a_repeated_deciding_member_damages_even_if_its_values_are_equal() {
    for (text, expected) in [
        (
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"x","delta":"x"}"#,
            r#""delta" occurs more than once | TOOL_CALL_ARGS c ? agent"#,
        ),
        (
            r#"{"type":"TOOL_CALL_END","toolCallId":null,"toolCallId":"c"}"#,
            r#""toolCallId" occurs more than once | TOOL_CALL_END ? ? agent"#,
        ),
        (
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n","toolCallN\u0061me":"n"}"#,
            r#""toolCallName" occurs more than once | TOOL_CALL_START c ? agent"#,
        ),
        (
            r#"{"type":"TOOL_CALL_END","toolCallId":"c","subagentRunId":"s","subagentRunId":"s"}"#,
            r#""subagentRunId" occurs more than once | TOOL_CALL_END c ? ?"#,
        ),
        (
            r#"{"type":"TOOL_CALL_END","toolCallId":"c","type":"TOOL_CALL_END"}"#,
            r#""type" occurs more than once | ? c ? agent"#,
        ),
        (
            r#"{"a":1,"type":null,"type":"TEXT_MESSAGE_CONTENT","delta":[1]}"#,
            r#""type" occurs more than once, "delta" is a list instead of text | ? ? ? agent"#,
        ),
    ] {
        assert_eq!(damage(text), expected, "{text}");
    }
}

#[test]
fn half_of_a_character_in_a_deciding_member_damages() {
    for (text, expected) in [
        (
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"a\ud83d"}"#,
            r#""delta" has half of a character in it | TOOL_CALL_ARGS c ? agent"#,
        ),
        (
            r#"{"delta":"\ude00b","type":"TOOL_CALL_CHUNK","subagentRunId":"s"}"#,
            r#""delta" has half of a character in it | TOOL_CALL_CHUNK ? ? s"#,
        ),
        (
            r#"{"type":"TOOL_CALL_END","toolCallId":"\ud83d"}"#,
            r#""toolCallId" has half of a character in it | TOOL_CALL_END ? ? agent"#,
        ),
    ] {
        assert_eq!(damage(text), expected, "{text}");
    }
    // A whole pair, and a half where it does not matter, also before a member that decides.
    for text in [
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"\ud83d\ude00"}"#,
        r#"{"type":"TOOL_CALL_ARGS","x\ud83d":"\ud83d","rawEvent":"\ud83d","toolCallId":"c","delta":"a"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud83d"}"#,
    ] {
        assert_eq!(damage(text), "whole", "{text}");
    }
}

#[test]
fn a_missing_id_damages_the_events_of_a_call() {
    for kind in ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"] {
        for id in ["", r#","toolCallId":null"#, r#","toolCallId":"""#, r#","toolCallId":" \t""#] {
            let text = format!(r#"{{"type":"{kind}"{id}}}"#);
            assert_eq!(damage(&text), format!(r#""toolCallId" is missing | {kind} ? ? agent"#), "{text}");
        }
    }
    assert_eq!(damage(r#"{"type":"TOOL_CALL_CHUNK","delta":"x"}"#), "whole");
    assert_eq!(damage(r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":null}"#), "whole");
}

#[test]
fn an_event_without_a_type_is_damaged_if_it_names_a_call() {
    for text in [
        r#"{"toolCallId":"c"}"#,
        r#"{"type":null,"toolCallId":"c","delta":"x"}"#,
        r#"{"type":"","toolCallId":"c"}"#,
    ] {
        assert_eq!(damage(text), r#""type" is missing | ? c ? agent"#, "{text}");
    }
    assert_eq!(
        damage(r#"{"toolCallId":null,"toolCallId":null}"#),
        r#""type" is missing, "toolCallId" occurs more than once | ? ? ? agent"#
    );
    assert_eq!(damage(r#"{"toolCallName":"n"}"#), r#""type" is missing | ? ? n agent"#);
    for text in ["{}", r#"{"delta":"x"}"#, r#"{"toolCallId":null}"#, r#"{"ping":1}"#] {
        assert_eq!(damage(text), "whole", "{text}");
    }
}

#[test]
fn only_the_members_that_matter_for_the_type_count() {
    for text in [
        r#"{"type":"STATE_DELTA","delta":[],"delta":[]}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":7,"subagentRunId":7}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"c","delta":7,"toolCallName":{}}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","toolCallName":7,"delta":null}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","delta":[]}"#,
        r#"{"type":"TOOL_CALL_RESULT","toolCallId":"c","subagentRunId":7,"content":{}}"#,
        r#"{"type":"LATER","toolCallId":7,"delta":7,"subagentRunId":7}"#,
        r#"{"type":"RUN_FINISHED","toolCallId":7,"runId":7}"#,
    ] {
        assert_eq!(damage(text), "whole", "{text}");
    }
}

#[test]
fn a_damaged_event_keeps_all_its_members() {
    let text = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":{"a": 1},"timestamp":5,"delta":"x","more":null}"#;
    let event = Event::parse(text).unwrap();
    assert_eq!(serde_json::to_string(&event).unwrap(), text);
    assert_eq!(event.kind.type_name(), "TOOL_CALL_ARGS");
    assert_eq!(event.clone().into_owned(), event);
    // Read by serde, it is as damaged.
    assert_eq!(serde_json::from_str::<Event<'_>>(text).unwrap(), event);
}
