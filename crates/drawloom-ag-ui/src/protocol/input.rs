//! The input of a run.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Message, Resume, Tool};

/// The input of a run, as an agent takes it. Every list is sent, even an empty one, because older servers require them.
///
/// ```
/// use drawloom_ag_ui::protocol::RunAgentInput;
///
/// let input = RunAgentInput::new("thread-1", "run-1");
/// assert_eq!(
///     serde_json::to_string(&input)?,
///     r#"{"threadId":"thread-1","runId":"run-1","state":{},"messages":[],"tools":[],"context":[],"forwardedProps":{}}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunAgentInput {
    /// The conversation.
    pub thread_id: String,
    /// The run. An id is never used again in its thread.
    pub run_id: String,
    /// The run that this one continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_run_id: Option<String>,
    /// The state that the application and the agent share.
    #[serde(default = "empty_object", deserialize_with = "object_if_null")]
    pub state: Value,
    /// The whole conversation so far.
    #[serde(default, deserialize_with = "empty_if_null")]
    pub messages: Vec<Message<'static>>,
    /// The tools that the agent may call.
    #[serde(default, deserialize_with = "empty_if_null")]
    pub tools: Vec<Tool>,
    /// Further information for the agent.
    #[serde(default, deserialize_with = "empty_if_null")]
    pub context: Vec<Context>,
    /// What the application passes through to the agent's framework.
    #[serde(default = "empty_object", deserialize_with = "object_if_null")]
    pub forwarded_props: Value,
    /// The version of the protocol that the application speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<String>,
    /// The answers to the interrupts of the run before.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "empty_if_null")]
    pub resume: Vec<Resume>,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A piece of information for the agent that is not part of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Context {
    /// What it is about.
    pub description: String,
    /// The information.
    pub value: String,
}

impl Context {
    /// A piece of information, and what it is about.
    pub fn new(description: impl Into<String>, value: impl Into<String>) -> Self {
        Self { description: description.into(), value: value.into() }
    }
}

impl RunAgentInput {
    /// The input of a run without messages or tools.
    pub fn new(thread_id: impl Into<String>, run_id: impl Into<String>) -> Self {
        Self {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            parent_run_id: None,
            state: empty_object(),
            messages: Vec::new(),
            tools: Vec::new(),
            context: Vec::new(),
            forwarded_props: empty_object(),
            protocol_version: None,
            resume: Vec::new(),
            extra: Map::new(),
        }
    }
}

fn empty_object() -> Value {
    Value::Object(Map::new())
}

fn object_if_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Option::deserialize(deserializer).map(|value: Option<Value>| value.unwrap_or_else(empty_object))
}

fn empty_if_null<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_input_reads_back_and_the_ag_ui_crate_reads_it() {
        let full = json!({
            "threadId": "t", "runId": "r", "parentRunId": "r0", "state": [1],
            "messages": [{"id": "u", "role": "user", "content": "hi"}],
            "tools": [{"name": "n", "description": "d"}],
            "context": [{"description": "d", "value": "v"}],
            "forwardedProps": {"a": 1}, "protocolVersion": "1.0",
            "resume": [{"interruptId": "i", "status": "cancelled"}],
        });
        let input: RunAgentInput = serde_json::from_value(full.clone()).unwrap();
        assert!(input.extra.is_empty());
        assert_eq!(serde_json::to_value(&input).unwrap(), full);
        let read: ag_ui::RunAgentInput = serde_json::from_value(full.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap()["messages"], full["messages"]);
    }

    #[test]
    fn nulls_and_absent_lists_are_empty_and_what_is_not_known_is_kept() {
        let text = r#"{"threadId":"t","runId":"r","state":null,"messages":null,"tools":null,"context":null,
            "forwardedProps":null,"resume":null,"parentRunId":null,"later":1}"#;
        let input: RunAgentInput = serde_json::from_str(text).unwrap();
        let mut expected = RunAgentInput::new("t", "r");
        expected.extra.insert("later".to_owned(), json!(1));
        assert_eq!(input, expected);
        let bare: RunAgentInput = serde_json::from_str(r#"{"threadId":"t","runId":"r"}"#).unwrap();
        assert_eq!(bare, RunAgentInput::new("t", "r"));
    }
}
