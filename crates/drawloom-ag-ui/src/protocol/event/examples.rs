//! One event of each type with every member that the protocol gives it, for the tests.

use serde_json::{Value, json};

/// Every type of event of AG-UI 1.0, with all of its members.
pub(crate) fn all() -> Vec<Value> {
    let message = json!({"id": "a1", "role": "assistant", "content": "hi", "name": "Ann",
        "toolCalls": [{"id": "c1", "type": "function", "function": {"name": "notes__open", "arguments": "{}"},
            "encryptedValue": "e", "metadata": {"k": null}}],
        "subagentRunId": "s1", "encryptedValue": "x", "metadata": {"k": [1]}});
    let messages = json!([
        {"id": "d1", "role": "developer", "content": "be brief", "name": "dev", "metadata": {}},
        {"id": "y1", "role": "system", "content": "be kind"},
        {"id": "u1", "role": "user", "content": [{"type": "text", "text": "look"},
            {"type": "image", "source": {"type": "url", "value": "https://example.org/a.png", "mimeType": "image/png"}}]},
        message,
        {"id": "t1", "role": "tool", "content": "opened", "toolCallId": "c1", "error": "no"},
        {"id": "v1", "role": "activity", "activityType": "PLAN", "content": {"steps": []}},
        {"id": "r1", "role": "reasoning", "content": "hm", "encryptedValue": "z"},
    ]);
    let input = json!({"threadId": "t", "runId": "r", "messages": messages, "tools": [], "context": []});
    let patch = json!([{"op": "add", "path": "/a", "value": null}]);
    let usage = json!([{"provider": "p", "model": "m", "inputTokens": 1, "outputTokens": 2, "totalTokens": 3,
        "reasoningTokens": 1, "cachedInputTokens": 1, "cacheWriteInputTokens": 0}]);
    let interrupt = json!({"id": "i1", "reason": "tool_call", "message": "Really?", "toolCallId": "c1",
        "responseSchema": {"type": "object"}, "expiresAt": "2026-12-01T00:00:00Z", "subagentRunId": "s1",
        "metadata": {"a": 1}});
    vec![
        json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0",
            "parentRunId": "r0", "input": input}),
        json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "result": {"a": 1}, "usage": usage,
            "outcome": {"type": "success", "pendingToolCallIds": ["c1", "c2"]}}),
        json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}),
        json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r",
            "outcome": {"type": "interrupt", "interrupts": [interrupt]}}),
        json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "cancelled"}}),
        json!({"type": "RUN_ERROR", "message": "the model went away", "code": "503", "usage": usage}),
        json!({"type": "STEP_STARTED", "stepName": "plan"}),
        json!({"type": "STEP_FINISHED", "stepName": "plan"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", "name": "Ann"}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "hel\n\"lo"}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "m"}),
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "user", "delta": "x", "name": "Bo"}),
        json!({"type": "TEXT_MESSAGE_CHUNK"}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "n", "parentMessageId": "m"}),
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{\"a\":"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "c"}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "n", "parentMessageId": "m",
            "delta": "{}"}),
        json!({"type": "TOOL_CALL_CHUNK"}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "role": "tool",
            "content": [{"type": "text", "text": "ok"}]}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": ""}),
        json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}),
        json!({"type": "STATE_SNAPSHOT", "snapshot": null}),
        json!({"type": "STATE_SNAPSHOT", "snapshot": {"a": [1, 2.5, null]}}),
        json!({"type": "STATE_DELTA", "delta": patch}),
        json!({"type": "ACTIVITY_SNAPSHOT", "messageId": "m", "activityType": "PLAN", "content": {"a": 1},
            "replace": false}),
        json!({"type": "ACTIVITY_DELTA", "messageId": "m", "activityType": "PLAN", "patch": patch}),
        json!({"type": "REASONING_START", "messageId": "m"}),
        json!({"type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning"}),
        json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": "m", "delta": "hm"}),
        json!({"type": "REASONING_MESSAGE_END", "messageId": "m"}),
        json!({"type": "REASONING_MESSAGE_CHUNK", "messageId": "m", "delta": "hm"}),
        json!({"type": "REASONING_END", "messageId": "m"}),
        json!({"type": "REASONING_ENCRYPTED_VALUE", "subtype": "tool-call", "entityId": "c",
            "encryptedValue": "x"}),
        json!({"type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "critic", "description": "d",
            "parentSubagentRunId": "s0", "parentToolCallId": "c", "parentMessageId": "m"}),
        json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "s", "result": 1,
            "outcome": {"type": "suspended", "interruptIds": ["i1"]}}),
        json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "s"}),
        json!({"type": "SUBAGENT_ERROR", "subagentRunId": "s", "message": "it broke", "code": "c"}),
        json!({"type": "RAW", "event": {"deep": [[[]]]}, "source": "langgraph"}),
        json!({"type": "CUSTOM", "name": "on_interrupt", "value": null}),
    ]
}
