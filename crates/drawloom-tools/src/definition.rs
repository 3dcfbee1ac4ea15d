//! The definition of a command's tool, in a form that belongs to no protocol, and in the forms of the large model APIs.
//! What a definition must not contain, and what it should not contain, is in `lints`.

use std::sync::Arc;

use drawloom_command::{AgentConsent, CommandId, EffectKind, Effects, InvocableCommand, tool_name};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::result::ToolResult;

/// The definition of a command's tool: its name, its description and the schema of its arguments.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name by which a model calls the tool; see [`tool_name`].
    pub name: String,
    /// The command.
    pub command_id: CommandId,
    /// The label of a control for the command.
    pub title: Arc<str>,
    /// What the tool does and what it answers; see [`InvocableCommand::tool_description`].
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
    /// JSON Schema of the answer. `None` if the command states none.
    pub output_schema: Option<Arc<Value>>,
    /// Whether an agent may run the command without asking the user.
    pub agent_consent: Option<AgentConsent>,
    /// What the command does, as its author states it.
    pub effects: Option<Effects>,
}

/// Hints about a tool, as the Model Context Protocol spells them in the tool's `annotations`.
///
/// ```
/// use drawloom_command::Effects;
/// use drawloom_tools::ToolAnnotations;
/// use serde_json::json;
///
/// let annotations = |effects| serde_json::to_value(ToolAnnotations::from(effects));
/// assert_eq!(
///     annotations(Effects::reads().outside())?,
///     json!({ "readOnlyHint": true, "openWorldHint": true }),
/// );
/// assert_eq!(
///     annotations(Effects::destroys().idempotent())?,
///     json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false }),
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// Whether the tool only reads.
    #[serde(rename = "readOnlyHint")]
    pub read_only: bool,
    /// Whether the tool may destroy something. `None` for a tool that only reads: the hint has no meaning there.
    #[serde(rename = "destructiveHint", skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Whether calling the tool again with the same arguments has no further effect. `None` for a tool that only reads.
    #[serde(rename = "idempotentHint", skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Whether the tool acts outside the application.
    #[serde(rename = "openWorldHint")]
    pub open_world: bool,
}

/// Each hint is stated, because the protocol's default for one that is absent is the worst case.
impl From<Effects> for ToolAnnotations {
    fn from(effects: Effects) -> Self {
        let read_only = effects.kind() == EffectKind::Reads;
        let if_it_changes = |hint: bool| (!read_only).then_some(hint);
        Self {
            read_only,
            destructive: if_it_changes(effects.kind() == EffectKind::Destroys),
            idempotent: if_it_changes(effects.is_idempotent()),
            open_world: effects.acts_outside(),
        }
    }
}

/// Describes a command as a tool.
///
/// ```
/// use drawloom_command::{Command, RegistrationId};
/// use drawloom_tools::tool_definition;
///
/// let ping = Command::new("notes.ping", "Ping")
///     .answers("The time it took, in milliseconds")
///     .declare()?
///     .describe(RegistrationId::unique(), |text| text.clone())
///     .ok_or("a required choice has no choices")?;
/// let tool = tool_definition(&ping);
/// assert_eq!(tool.name, "notes__ping");
/// assert_eq!(tool.description, "Ping\nReturns: The time it took, in milliseconds");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tool_definition(command: &InvocableCommand) -> ToolDefinition {
    ToolDefinition {
        name: tool_name(command.id.as_str()),
        command_id: command.id.clone(),
        title: command.title.clone(),
        description: command.tool_description(),
        parameters: command.parameters(),
        output_schema: command.answer_schema.clone(),
        agent_consent: command.agent_consent,
        effects: command.effects,
    }
}

impl ToolDefinition {
    /// The statements of the command for a protocol that has a place for them: `agentConsent` and `effects`. `None` if
    /// the command states neither.
    pub fn metadata(&self) -> Option<Map<String, Value>> {
        let consent = self.agent_consent.map(|consent| ("agentConsent", Value::from(consent.as_str())));
        // Words and flags: this cannot fail.
        let effects = self.effects.and_then(|effects| serde_json::to_value(effects).ok());
        let stated = [consent, effects.map(|effects| ("effects", effects))].into_iter().flatten();
        let metadata: Map<String, Value> = stated.map(|(name, value)| (name.to_owned(), value)).collect();
        (!metadata.is_empty()).then_some(metadata)
    }

    /// The effects of the command as annotations of a tool of the Model Context Protocol. `None` if the command states
    /// none. What the answer may contain and whether it can be undone have no annotation there.
    pub fn annotations(&self) -> Option<ToolAnnotations> {
        self.effects.map(ToolAnnotations::from)
    }

    /// JSON Schema of [`structured_answer`](Self::structured_answer), for protocols in which a structured answer is an object,
    /// such as the Model Context Protocol. An answer that is not an object is its member `answer`. `None` if the command states
    /// no schema.
    ///
    /// ```
    /// use drawloom_command::{Command, CommandOutcome, RegistrationId};
    /// use drawloom_tools::{ToolResult, tool_definition};
    /// use serde_json::json;
    ///
    /// let count = Command::new("notes.count", "Count notes")
    ///     .answers("How many notes there are")
    ///     .answer_schema(&json!({ "type": "integer" }))
    ///     .declare()?
    ///     .describe(RegistrationId::unique(), |text| text.clone())
    ///     .ok_or("a required choice has no choices")?;
    /// let tool = tool_definition(&count);
    /// let schema = json!({ "type": "object", "properties": { "answer": { "type": "integer" } }, "required": ["answer"] });
    /// assert_eq!(tool.structured_schema(), Some(schema));
    ///
    /// let result = ToolResult::from(CommandOutcome::Answered { value: Some(3.into()) });
    /// assert_eq!(tool.structured_answer(&result), Some(json!({ "answer": 3 })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn structured_schema(&self) -> Option<Value> {
        let schema = self.output_schema.as_deref()?;
        Some(match is_object(schema) {
            true => schema.clone(),
            false => {
                json!({ "type": "object", "properties": { MEMBER: schema }, "required": [MEMBER] })
            }
        })
    }

    /// The answer of a call to this tool as an object, for protocols that have a place for it beside the text. `None` if the
    /// command states no schema, or did not answer.
    pub fn structured_answer(&self, result: &ToolResult) -> Option<Value> {
        let schema = self.output_schema.as_deref()?;
        // An answer is plain data with finite numbers: this cannot fail.
        let value = serde_json::to_value(result.value()?).ok()?;
        Some(match is_object(schema) {
            true => value,
            false => json!({ MEMBER: value }),
        })
    }

    /// The tool as an entry of `tools` in OpenAI's chat completions. Many other APIs accept the same form.
    pub fn to_openai(&self) -> Value {
        json!({
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": self.parameters,
            },
        })
    }

    /// The tool as an entry of `tools` in Anthropic's messages.
    pub fn to_anthropic(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "input_schema": self.parameters,
        })
    }
}

/// The member that holds an answer where an object is required and the answer is none.
const MEMBER: &str = "answer";

/// Whether every value of the schema is an object.
fn is_object(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}

#[cfg(test)]
mod tests {
    use drawloom_command::{Command, RegistrationId};

    use super::*;

    fn described(command: Command) -> String {
        let declared = command.declare().unwrap();
        tool_definition(&declared.describe(RegistrationId::unique(), Clone::clone).unwrap()).description
    }

    #[test]
    fn a_blank_description_or_answer_is_none() {
        for (description, expected) in [("", "Ping"), (" \n", "Ping"), ("Pings.", "Pings.")] {
            assert_eq!(described(Command::new("ping", "Ping").description(description)), expected);
        }
        assert_eq!(described(Command::new("ping", "Ping").answers(" ")), "Ping");
    }
}
