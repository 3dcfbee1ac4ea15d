//! Events in a few words, for the tests that play them.

use serde_json::{Value, json};

use crate::protocol::Event;

pub(crate) fn event(json: &Value) -> Event<'static> {
    Event::parse(&json.to_string()).unwrap().into_owned()
}

pub(crate) fn run(run_id: &str) -> Event<'static> {
    event(&json!({"type": "RUN_STARTED", "threadId": "t", "runId": run_id}))
}

pub(crate) fn start(id: &str, name: &str) -> Event<'static> {
    event(&json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name}))
}

pub(crate) fn args(id: &str, delta: &str) -> Event<'static> {
    event(&json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta}))
}

pub(crate) fn end(id: &str) -> Event<'static> {
    event(&json!({"type": "TOOL_CALL_END", "toolCallId": id}))
}

pub(crate) fn chunk(id: &str, name: &str, delta: &str) -> Event<'static> {
    event(&json!({"type": "TOOL_CALL_CHUNK", "toolCallId": id, "toolCallName": name, "delta": delta}))
}

pub(crate) fn nameless(id: &str, delta: &str) -> Event<'static> {
    event(&json!({"type": "TOOL_CALL_CHUNK", "toolCallId": id, "delta": delta}))
}

pub(crate) fn more(delta: &str) -> Event<'static> {
    event(&json!({"type": "TOOL_CALL_CHUNK", "delta": delta}))
}

/// The same event, sent by a subagent.
pub(crate) fn by(subagent: &str, event: &Event<'_>) -> Event<'static> {
    let mut event = event.clone().into_owned();
    event.subagent_run_id = Some(subagent.to_owned().into());
    event
}

pub(crate) fn subagent_finished(id: &str) -> Event<'static> {
    event(&json!({"type": "SUBAGENT_FINISHED", "subagentRunId": id}))
}

pub(crate) fn subagent_error(id: &str) -> Event<'static> {
    event(&json!({"type": "SUBAGENT_ERROR", "subagentRunId": id, "message": "x"}))
}

pub(crate) fn result(id: &str) -> Event<'static> {
    event(&json!({"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": id, "content": "x"}))
}

/// A snapshot of messages in a few words: `call` makes the call, `=call` answers it, `"` is text of the agent.
pub(crate) fn snapshot(messages: &[&str]) -> Event<'static> {
    let message = |(at, text): (usize, &&str)| match text.strip_prefix('=') {
        Some(call) => json!({"id": format!("m{at}"), "role": "tool", "toolCallId": call, "content": "x"}),
        None if *text == "\"" => json!({"id": format!("m{at}"), "role": "assistant", "content": "hm"}),
        None => json!({"id": format!("m{at}"), "role": "assistant", "toolCalls": [
            {"id": text, "type": "function", "function": {"name": "ping", "arguments": "{}"}}]}),
    };
    let messages: Value = messages.iter().enumerate().map(message).collect();
    event(&json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}))
}

pub(crate) fn text() -> Event<'static> {
    event(&json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "hm"}))
}

pub(crate) fn finished() -> Event<'static> {
    event(&json!({"type": "RUN_FINISHED", "threadId": "t"}))
}

pub(crate) fn ended(outcome: &str) -> Event<'static> {
    event(&json!({"type": "RUN_FINISHED", "outcome": {"type": outcome}}))
}

pub(crate) fn failed() -> Event<'static> {
    event(&json!({"type": "RUN_ERROR", "message": "x"}))
}

pub(crate) fn interrupted(calls: &[&str]) -> Event<'static> {
    let interrupts: Vec<_> =
        calls.iter().map(|id| json!({"id": format!("i-{id}"), "reason": "x", "toolCallId": id})).collect();
    event(&json!({"type": "RUN_FINISHED", "outcome": {"type": "interrupt", "interrupts": interrupts}}))
}
