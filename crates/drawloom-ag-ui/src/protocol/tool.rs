//! What is sent to an agent about a tool: the tool as it is offered, and the answer to a call.
//!
//! How a command becomes a tool and an outcome becomes a message is decided elsewhere.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ToolCallId;

/// A tool on offer, as `RunAgentInput.tools` takes it. What is absent is left out, never sent as a null.
///
/// ```
/// use drawloom_ag_ui::protocol::Tool;
///
/// let tool = Tool::new("notes__open", "Opens a note in the editor.");
/// assert_eq!(
///     serde_json::to_string(&tool)?,
///     r#"{"name":"notes__open","description":"Opens a note in the editor."}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tool {
    /// The name a model calls the tool by.
    pub name: String,
    /// What the tool does. The protocol demands one.
    pub description: String,
    /// JSON Schema of the arguments.
    #[serde(default, skip_serializing_if = "is_absent")]
    pub parameters: Option<Value>,
    /// What else a host may want to know about the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
}

impl Tool {
    /// A tool that says nothing of its arguments and carries no metadata.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self { name: name.into(), description: description.into(), parameters: None, metadata: None }
    }

    /// With this JSON Schema for the arguments.
    #[must_use]
    pub fn with_parameters(mut self, parameters: Value) -> Self {
        self.parameters = Some(parameters);
        self
    }

    /// With this metadata.
    #[must_use]
    pub fn with_metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(metadata);
        self
    }
}

/// A schema that is null is no schema, and the protocol takes none.
fn is_absent(value: &Option<Value>) -> bool {
    value.as_ref().is_none_or(Value::is_null)
}

/// The answer to a call, as a message of role `tool`.
///
/// ```
/// use drawloom_ag_ui::protocol::ToolMessage;
///
/// let message = ToolMessage::new("m1", "call_1", "").with_error("the command did not run");
/// assert_eq!(
///     serde_json::to_string(&message)?,
///     r#"{"role":"tool","id":"m1","toolCallId":"call_1","content":"","error":"the command did not run"}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Reading one back takes text as `content`; the parts that AG-UI also allows there are never sent by this crate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename = "tool", rename_all = "camelCase", from = "ReadToolMessage")]
#[non_exhaustive]
pub struct ToolMessage {
    /// The message's own id.
    pub id: String,
    /// The call it answers.
    pub tool_call_id: ToolCallId,
    /// What the tool answered.
    pub content: String,
    /// Set where the tool gave no answer: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl ToolMessage {
    /// An answer without an error.
    pub fn new(
        id: impl Into<String>,
        tool_call_id: impl Into<ToolCallId>,
        content: impl Into<String>,
    ) -> Self {
        Self { id: id.into(), tool_call_id: tool_call_id.into(), content: content.into(), error: None }
    }

    /// Says that the tool gave no answer, and why.
    #[must_use]
    pub fn with_error(mut self, error: impl Into<String>) -> Self {
        self.error = Some(error.into());
        self
    }
}

/// What a [`ToolMessage`] is read from, so that a message of another role is an error. (serde's `tag` on a struct
/// writes the role but does not check it.)
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadToolMessage {
    #[serde(rename = "role")]
    _role: ToolRole,
    id: String,
    tool_call_id: ToolCallId,
    content: String,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
enum ToolRole {
    #[serde(rename = "tool")]
    Tool,
}

impl From<ReadToolMessage> for ToolMessage {
    fn from(read: ReadToolMessage) -> Self {
        let ReadToolMessage { _role: ToolRole::Tool, id, tool_call_id, content, error } = read;
        Self { id, tool_call_id, content, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn metadata() -> Map<String, Value> {
        Map::from_iter([("agentConsent".to_owned(), json!("ask"))])
    }

    #[test]
    fn a_tool_leaves_out_what_it_does_not_say() {
        let bare = Tool::new("notes__ping", "Does it.");
        assert_eq!(
            serde_json::to_value(&bare).unwrap(),
            json!({"name": "notes__ping", "description": "Does it."})
        );
        let null_schema = bare.with_parameters(Value::Null);
        assert_eq!(
            serde_json::to_value(&null_schema).unwrap(),
            json!({"name": "notes__ping", "description": "Does it."})
        );
    }

    #[test]
    fn a_tool_reads_back_as_it_was() {
        let tool = Tool::new("notes__open", "Opens a note.")
            .with_parameters(json!({"type": "object", "properties": {}, "required": []}))
            .with_metadata(metadata());
        let text = serde_json::to_string(&tool).unwrap();
        assert_eq!(serde_json::from_str::<Tool>(&text).unwrap(), tool);
        let nulls = r#"{"name":"a","description":"b","parameters":null,"metadata":null,"more":1}"#;
        assert_eq!(serde_json::from_str::<Tool>(nulls).unwrap(), Tool::new("a", "b"));
    }

    #[test]
    fn a_message_always_says_its_role() {
        let message = ToolMessage::new("m", "c", "plain");
        assert_eq!(
            serde_json::to_value(&message).unwrap(),
            json!({"role": "tool", "id": "m", "toolCallId": "c", "content": "plain"})
        );
        let failed = message.with_error("it broke");
        assert_eq!(
            serde_json::to_value(&failed).unwrap(),
            json!({"role": "tool", "id": "m", "toolCallId": "c", "content": "plain", "error": "it broke"})
        );
    }

    #[test]
    fn a_message_reads_back_and_a_message_of_another_role_does_not() {
        let message = ToolMessage::new("m", "c", "plain").with_error("it broke");
        let text = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<ToolMessage>(&text).unwrap(), message);
        let of_a_user = r#"{"role":"user","id":"m","toolCallId":"c","content":"plain"}"#;
        assert!(serde_json::from_str::<ToolMessage>(of_a_user).is_err());
        let of_nobody = r#"{"id":"m","toolCallId":"c","content":"plain"}"#;
        assert!(serde_json::from_str::<ToolMessage>(of_nobody).is_err());
        let with_null = r#"{"role":"tool","id":"m","toolCallId":"c","content":"plain","error":null}"#;
        assert_eq!(
            serde_json::from_str::<ToolMessage>(with_null).unwrap(),
            ToolMessage::new("m", "c", "plain")
        );
    }

    #[test]
    fn the_ag_ui_crate_reads_the_tools_we_send() {
        let bare: ag_ui::Tool =
            serde_json::from_value(serde_json::to_value(Tool::new("a", "b")).unwrap()).unwrap();
        assert_eq!(bare, ag_ui::Tool::new("a", "b", Value::Null));

        let schema =
            json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
        let full = Tool::new("a", "b").with_parameters(schema.clone()).with_metadata(metadata());
        let read: ag_ui::Tool = serde_json::from_value(serde_json::to_value(full).unwrap()).unwrap();
        let mut expected = ag_ui::Tool::new("a", "b", schema);
        expected.metadata = Some(metadata());
        assert_eq!(read, expected);
    }

    #[test]
    fn the_ag_ui_crate_reads_the_messages_we_send() {
        for message in
            [ToolMessage::new("m", "c", "plain"), ToolMessage::new("m", "c", "").with_error("it broke")]
        {
            let text = serde_json::to_string(&message).unwrap();
            let ag_ui::Message::Tool(read) = serde_json::from_str::<ag_ui::Message>(&text).unwrap() else {
                panic!("not read as a tool message: {text}");
            };
            assert_eq!(read.id.as_str(), "m");
            assert_eq!(read.tool_call_id.as_str(), "c");
            assert_eq!(read.content.as_text(), Some(message.content.as_str()));
            assert_eq!(read.error, message.error);
        }
    }
}
