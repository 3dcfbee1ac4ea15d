//! How messages and calls are kept and sent.

use serde_json::{Value, json};

use super::*;
use crate::protocol::event::examples;

#[test]
fn a_message_is_an_object_with_a_role_and_a_call_has_an_id_and_a_function() {
    for text in [r#"{"id":"m"}"#, r#"{"role":null}"#, r#"{"role":7}"#, "7", "null", "[]", "\"user\""] {
        assert!(serde_json::from_str::<Message<'_>>(text).is_err(), "{text}");
    }
    for text in
        [r#"{"id":"c"}"#, r#"{"id":"c","function":[]}"#, r#"{"id":"","function":{}}"#, r#"{"function":{}}"#]
    {
        assert!(serde_json::from_str::<ToolCall<'_>>(text).is_err(), "{text}");
    }
}

#[test]
fn arguments_that_are_not_text_are_never_taken_for_none() {
    for (value, text) in [
        (json!({"a": 1}), r#"{"a":1}"#),
        (json!([1]), "[1]"),
        (json!(7), "7"),
        (json!(false), "false"),
        (json!("{}"), "{}"),
        (Value::Null, ""),
    ] {
        let call = json!({"id": "c", "type": "function", "function": {"name": "n", "arguments": value}});
        let call: ToolCall<'_> = serde_json::from_value(call).unwrap();
        assert_eq!(call.arguments, text);
    }
}

#[test]
fn a_message_keeps_what_is_not_known_and_drops_known_nulls() {
    let text = r#"{"id":"m","role":"critic","stars":2,"content":null,"toolCalls":null,"toolCallId":"","error":7,"note":null}"#;
    let message: Message<'_> = serde_json::from_str(text).unwrap();
    assert_eq!(
        serde_json::to_string(&message).unwrap(),
        r#"{"id":"m","role":"critic","note":null,"stars":2}"#,
        "what serde hands over is ordered by name"
    );
}

#[test]
fn a_message_can_be_a_part_of_what_a_product_saves() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Saved {
        Conversation { messages: Vec<Message<'static>>, calls: Vec<ToolCall<'static>> },
    }
    let message = Message {
        tool_calls: vec![ToolCall::new("c", "n", r#"{"a":1}"#)],
        ..Message::new("a", Role::Assistant).with_text("hi")
    };
    let saved = Saved::Conversation { messages: vec![message], calls: vec![ToolCall::new("c", "n", "")] };
    let text = serde_json::to_string(&saved).unwrap();
    assert_eq!(serde_json::from_str::<Saved>(&text).unwrap(), saved);
}

#[test]
fn a_tool_message_becomes_a_message() {
    let message = Message::from(ToolMessage::new("m", "c", "").with_error("it broke"));
    assert_eq!(
        serde_json::to_value(&message).unwrap(),
        json!({"id": "m", "role": "tool", "content": "", "toolCallId": "c", "error": "it broke"})
    );
    assert_eq!(message.answered_call(), Some("c"));
}

#[test]
fn the_ag_ui_crate_reads_every_message_that_is_written() {
    let snapshot = examples::all().into_iter().find(|event| event["type"] == "MESSAGES_SNAPSHOT").unwrap();
    let messages = snapshot["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 7, "one of each role");
    for value in messages {
        let message: Message<'_> = serde_json::from_value(value.clone()).unwrap();
        let written = serde_json::to_value(&message).unwrap();
        assert_eq!(&written, value);
        let read: ag_ui::Message = serde_json::from_value(written).unwrap();
        let again: Value = serde_json::to_value(&read).unwrap();
        assert_eq!(again["role"], value["role"]);
    }
}
