//! Events as an agent sends them, each as JSON text.

use serde_json::{Value, json};

/// The end of the current run, whatever its ids are.
pub fn finished() -> String {
    r#"{"type":"RUN_FINISHED"}"#.to_owned()
}

/// The end of a run that is interrupted by these questions.
pub fn interrupted(interrupts: Value) -> String {
    let outcome = json!({"type": "interrupt", "interrupts": interrupts});
    json!({"type": "RUN_FINISHED", "outcome": outcome}).to_string()
}

pub fn snapshot(messages: Value) -> String {
    json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}).to_string()
}

/// A piece of a text message.
pub fn text(message: &str, delta: &str) -> String {
    json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": message, "delta": delta}).to_string()
}

/// The result of a tool of the agent's own.
pub fn result(call: &str, content: &str) -> String {
    let message = format!("backend-{call}");
    json!({"type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": call, "content": content})
        .to_string()
}

/// A call without arguments, from its start to its end.
pub fn call(id: &str, tool: &str) -> Vec<String> {
    call_with(id, tool, json!({}))
}

/// A call, from its start to its end.
pub fn call_with(id: &str, tool: &str, arguments: Value) -> Vec<String> {
    vec![
        json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool}).to_string(),
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments.to_string()}).to_string(),
        json!({"type": "TOOL_CALL_END", "toolCallId": id}).to_string(),
    ]
}

/// A run of these events, with its end.
pub fn run(events: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    events.into_iter().flatten().chain([finished()]).collect()
}
