//! What goes to an agent and what it may ask: the input of a run, its messages, interrupts and their answers.
//!
//! Messages and interrupts are taken as they come: a role or a field that this version does not know is kept and sent
//! back as it was. Nulls are taken as absent, as everywhere, and never sent.

use std::fmt;

use drawloom_ag_ui::{Tool, ToolCallId, ToolMessage};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

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

/// One message of a conversation.
///
/// ```
/// use drawloom_client::Message;
///
/// let text = r#"{"id":"m1","role":"critic","content":"dull","name":null,"stars":2}"#;
/// let message: Message = serde_json::from_str(text)?;
/// assert_eq!(message.role, "critic");
/// assert_eq!(message.text(), Some("dull"));
/// assert_eq!(serde_json::to_string(&message)?, r#"{"id":"m1","role":"critic","content":"dull","stars":2}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Message {
    /// The message's own id.
    pub id: String,
    /// Whose it is: `user`, `assistant`, `tool`, `system`, `developer` and whatever comes next.
    pub role: String,
    /// What it says: text, or a list of parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
    /// The calls an assistant makes in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The call that a message of role `tool` answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<ToolCallId>,
    /// Why the tool gave no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Message {
    /// A message of this role.
    pub fn new(id: impl Into<String>, role: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            role: role.into(),
            content: None,
            tool_calls: Vec::new(),
            tool_call_id: None,
            error: None,
            more: Map::new(),
        }
    }

    /// What a person says.
    pub fn user(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(id, "user").with_text(text)
    }

    /// Says this.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.content = Some(Value::String(text.into()));
        self
    }

    /// What it says, where that is plain text.
    pub fn text(&self) -> Option<&str> {
        self.content.as_ref().and_then(Value::as_str)
    }

    /// The call it answers, where it is of role `tool`.
    pub fn answers(&self) -> Option<&ToolCallId> {
        self.tool_call_id.as_ref().filter(|_| self.role == "tool")
    }

    pub(crate) fn read(value: Value) -> Option<Self> {
        let Value::Object(mut object) = value else { return None };
        object.retain(|_, value| !value.is_null());
        let mut text = |key: &str| match object.remove(key) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let (id, role) = (text("id").unwrap_or_default(), text("role")?);
        let (tool_call_id, error) = (text("toolCallId").map(ToolCallId::from), text("error"));
        let content = object.remove("content");
        let tool_calls = match object.remove("toolCalls") {
            Some(Value::Array(calls)) => calls.into_iter().filter_map(ToolCall::read).collect(),
            _ => Vec::new(),
        };
        Some(Self { id, role, content, tool_calls, tool_call_id, error, more: object })
    }
}

impl From<ToolMessage> for Message {
    fn from(message: ToolMessage) -> Self {
        let mut read = Self::new(message.id, "tool").with_text(message.content);
        read.tool_call_id = Some(message.tool_call_id);
        read.error = message.error;
        read
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Value::deserialize(deserializer)?)
            .ok_or_else(|| serde::de::Error::custom("a message must be an object with a \"role\""))
    }
}

/// A call that an assistant's message makes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The call. It is known by this, never by its message: some agents give messages new ids in each snapshot.
    pub id: ToolCallId,
    #[serde(rename = "type")]
    kind: Function,
    /// What is called.
    pub function: FunctionCall,
    /// Everything else.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Function {
    Function,
}

/// What a call calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FunctionCall {
    /// The tool.
    pub name: String,
    /// The text of the arguments, as the agent sent it.
    pub arguments: String,
}

impl ToolCall {
    /// A call of this tool with these arguments, as text.
    pub fn new(id: impl Into<ToolCallId>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        let function = FunctionCall { name: name.into(), arguments: arguments.into() };
        Self { id: id.into(), kind: Function::Function, function, more: Map::new() }
    }

    fn read(value: Value) -> Option<Self> {
        let Value::Object(mut object) = value else { return None };
        object.retain(|_, value| !value.is_null());
        let id = match object.remove("id")? {
            Value::String(id) if !id.is_empty() => id,
            _ => return None,
        };
        object.remove("type");
        let Some(Value::Object(function)) = object.remove("function") else { return None };
        let text = |key: &str| match function.get(key) {
            Some(Value::String(text)) => text.clone(),
            // Some producers hand out the arguments as what they are instead of as text.
            Some(value @ Value::Object(_)) => value.to_string(),
            _ => String::new(),
        };
        let (name, arguments) = (text("name"), text("arguments"));
        Some(Self {
            id: id.into(),
            kind: Function::Function,
            function: FunctionCall { name, arguments },
            more: object,
        })
    }
}

impl<'de> Deserialize<'de> for ToolCall {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Value::deserialize(deserializer)?).ok_or_else(|| {
            serde::de::Error::custom("a call must be an object with an \"id\" and a \"function\"")
        })
    }
}

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

    /// LangGraph's own way to ask: a custom event named `on_interrupt`, whose value is whatever the graph asks with.
    pub(crate) fn read_lang_graph(event: &Value, fallback_id: String) -> Self {
        let id = event.get("rawEvent").and_then(|raw| raw.get("id")).and_then(Value::as_str);
        let mut read = Self::new(id.unwrap_or(&fallback_id), "langgraph:interrupt");
        read.channel = Channel::LangGraph;
        let value = event.get("value").cloned().unwrap_or_default();
        let asked = match value {
            // What is not text is sent as its JSON.
            Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            other => other,
        };
        match &asked {
            Value::Object(_) => read.fill(&asked),
            Value::String(text) => read.message = Some(text.clone()),
            other => read.message = Some(other.to_string()),
        }
        if let Value::Object(asked) = &asked
            && read.message.is_none()
        {
            read.message = Some(Value::Object(asked.clone()).to_string());
        }
        read.metadata = Some(asked);
        read
    }

    fn fill(&mut self, value: &Value) {
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
        self.tool_call_id = text("toolCallId", "tool_call_id").map(ToolCallId::from);
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
