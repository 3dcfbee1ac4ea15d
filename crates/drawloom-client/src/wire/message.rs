//! The messages of a conversation, and the calls in them.

use drawloom_ag_ui::{ToolCallId, ToolMessage};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

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
