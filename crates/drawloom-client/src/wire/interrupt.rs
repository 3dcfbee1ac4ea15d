//! What an agent asks, and how it is answered.

use std::fmt;

use drawloom_ag_ui::ToolCallId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something an agent asks before it goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Interrupt {
    /// The interrupt, to be answered under this id.
    pub id: String,
    /// What kind of question it is: `tool_call`, `confirmation`, `input_required`, and whatever comes next.
    pub reason: String,
    /// The question in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The call it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<ToolCallId>,
    /// JSON Schema of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_schema: Option<Value>,
    /// When an answer comes too late, as RFC 3339 has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// What else the agent says about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// How its answer travels.
    #[serde(default, skip_serializing_if = "Channel::is_protocol")]
    pub(crate) channel: Channel,
}

/// How the answer to an interrupt travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Channel {
    /// As `resume`, which is the protocol's.
    #[default]
    Protocol,
    /// As LangGraph's `command.resume` besides, for servers that know nothing else.
    LangGraph,
}

impl Channel {
    fn is_protocol(&self) -> bool {
        *self == Self::Protocol
    }
}

impl Interrupt {
    /// An interrupt that says nothing but what kind it is.
    pub fn new(id: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            reason: reason.into(),
            message: None,
            tool_call_id: None,
            response_schema: None,
            expires_at: None,
            metadata: None,
            channel: Channel::Protocol,
        }
    }

    /// Whether its answer may carry this member.
    pub fn takes(&self, member: &str) -> bool {
        self.response_schema.as_ref().and_then(|schema| schema.get("properties")?.get(member)).is_some()
    }

    pub(crate) fn read(value: &Value) -> Option<Self> {
        let id = value.get("id").and_then(Value::as_str).filter(|id| !id.is_empty())?;
        let mut read = Self::new(id, "");
        read.fill(value);
        Some(read)
    }

    pub(crate) fn fill(&mut self, value: &Value) {
        let member = |camel: &str, snake: &str| {
            value.get(camel).or_else(|| value.get(snake)).filter(|value| !value.is_null()).cloned()
        };
        let text = |camel, snake| match member(camel, snake) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        if let Some(reason) = text("reason", "reason") {
            self.reason = reason;
        }
        self.message = text("message", "message");
        let call = text("toolCallId", "tool_call_id").filter(|id| !id.is_empty());
        self.tool_call_id = call.map(ToolCallId::from);
        self.response_schema = member("responseSchema", "response_schema");
        self.expires_at = text("expiresAt", "expires_at");
        self.metadata = member("metadata", "metadata");
    }
}

/// The answer to an interrupt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resume {
    /// What is answered.
    pub interrupt_id: String,
    /// Whether it was.
    pub status: ResumeStatus,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
}

/// Whether an interrupt was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResumeStatus {
    /// There is an answer, be it a no.
    Resolved,
    /// Nobody answered.
    Cancelled,
}

impl Resume {
    /// An answer.
    pub fn resolved(interrupt: &Interrupt, payload: Value) -> Self {
        Self { interrupt_id: interrupt.id.clone(), status: ResumeStatus::Resolved, payload: Some(payload) }
    }

    /// That nobody answered.
    pub fn cancelled(interrupt: &Interrupt) -> Self {
        Self { interrupt_id: interrupt.id.clone(), status: ResumeStatus::Cancelled, payload: None }
    }
}

impl fmt::Display for ResumeStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resolved => "resolved",
            Self::Cancelled => "cancelled",
        })
    }
}
