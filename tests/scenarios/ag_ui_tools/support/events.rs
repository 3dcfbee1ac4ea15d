//! An agent's events, as AG-UI writes them.

use serde_json::{Value, json};

pub(crate) fn run_started(run: &str) -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t1", "runId": run })
}

pub(crate) fn run_finished() -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": "t1", "runId": "r1" })
}

pub(crate) fn run_finished_of(run: &str) -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": "t1", "runId": run })
}

pub(crate) fn run_finished_with(outcome: Value) -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": "t1", "runId": "r1", "outcome": outcome })
}

pub(crate) fn run_error() -> Value {
    json!({ "type": "RUN_ERROR", "message": "the model is gone" })
}

pub(crate) fn start(id: &str, tool: &str) -> Value {
    json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool })
}

pub(crate) fn args(id: &str, delta: &str) -> Value {
    json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta })
}

pub(crate) fn end(id: &str) -> Value {
    json!({ "type": "TOOL_CALL_END", "toolCallId": id })
}

/// The first chunk of a call.
pub(crate) fn chunk(id: &str, tool: &str, delta: &str) -> Value {
    json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": id, "toolCallName": tool, "delta": delta })
}

/// A chunk that names a call and no tool.
pub(crate) fn chunk_for(id: &str, delta: &str) -> Value {
    json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": id, "delta": delta })
}

/// A chunk that names neither.
pub(crate) fn chunk_on(delta: &str) -> Value {
    json!({ "type": "TOOL_CALL_CHUNK", "delta": delta })
}

pub(crate) fn result(id: &str) -> Value {
    json!({ "type": "TOOL_CALL_RESULT", "messageId": "m1", "toolCallId": id, "content": "12:00", "role": "tool" })
}

/// The same event, of a subagent.
pub(crate) fn of_subagent(subagent: &str, mut event: Value) -> Value {
    event["subagentRunId"] = subagent.into();
    event
}

/// A whole text message of the agent in one chunk.
pub(crate) fn text(text: &str) -> Value {
    json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "role": "assistant", "delta": text })
}

pub(crate) fn snapshot(messages: Value) -> Value {
    json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages })
}

/// Events of every kind that is not about a call, besides CUSTOM and RAW.
pub(crate) fn of_other_kinds() -> Vec<Value> {
    vec![
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "m1", "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "One moment" }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "m1" }),
        json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m2", "delta": "…" }),
        json!({ "type": "REASONING_START", "messageId": "m3" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "m3", "delta": "It wants a note." }),
        json!({ "type": "REASONING_END", "messageId": "m3" }),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "open": [] } }),
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/open/-", "value": "inbox" }] }),
        json!({ "type": "STEP_STARTED", "stepName": "plan" }),
        json!({ "type": "STEP_FINISHED", "stepName": "plan" }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "m4", "activityType": "PLAN", "content": {} }),
        json!({ "type": "ACTIVITY_DELTA", "messageId": "m4", "activityType": "PLAN", "patch": [] }),
    ]
}

pub(crate) fn custom() -> Value {
    json!({ "type": "CUSTOM", "name": "progress", "value": { "toolCallId": "c1", "done": 0.5 } })
}

/// A RAW event that holds another one, which is not the agent's.
pub(crate) fn raw() -> Value {
    json!({ "type": "RAW", "source": "model", "event": { "type": "TOOL_CALL_END", "toolCallId": "c1" } })
}
