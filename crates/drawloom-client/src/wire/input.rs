//! The input of a run.

use drawloom_ag_ui::Tool;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Message, Resume};

/// The input of a run, as an agent takes it. Every list is sent, even where it is empty, because older servers demand
/// them.
///
/// ```
/// use drawloom_client::RunAgentInput;
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
    /// The run. Never used twice in a thread.
    pub run_id: String,
    /// The run that this one goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_run_id: Option<String>,
    /// Whatever product and agent share.
    #[serde(default = "object")]
    pub state: Value,
    /// The whole conversation so far.
    #[serde(default)]
    pub messages: Vec<Message>,
    /// What the agent may call.
    #[serde(default)]
    pub tools: Vec<Tool>,
    /// What the product tells besides.
    #[serde(default)]
    pub context: Vec<Value>,
    /// What the product hands through to the agent.
    #[serde(default = "object")]
    pub forwarded_props: Value,
    /// The protocol spoken, where it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<String>,
    /// The answers to what the agent asked in its last run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resume: Vec<Resume>,
}

impl RunAgentInput {
    /// The input of a run that says nothing yet.
    pub fn new(thread_id: impl Into<String>, run_id: impl Into<String>) -> Self {
        Self {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            parent_run_id: None,
            state: object(),
            messages: Vec::new(),
            tools: Vec::new(),
            context: Vec::new(),
            forwarded_props: object(),
            protocol_version: None,
            resume: Vec::new(),
        }
    }
}

pub(crate) fn object() -> Value {
    Value::Object(Map::new())
}
