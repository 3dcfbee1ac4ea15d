//! The definition of a command's tool, in a form that belongs to no protocol, and in the forms of the large model APIs.
//! What a definition must not contain, and what it should not contain, is in `lints`.

use std::sync::Arc;

use drawloom_command::{AgentConsent, CommandId, InvocableCommand, tool_name};
use serde_json::{Map, Value, json};

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
    /// Whether an agent may run the command without asking the user.
    pub agent_consent: Option<AgentConsent>,
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
        agent_consent: command.agent_consent,
    }
}

impl ToolDefinition {
    /// The statements of the command for a protocol that has a place for them: `agentConsent`. `None` if the command states
    /// nothing.
    pub fn metadata(&self) -> Option<Map<String, Value>> {
        let consent = self.agent_consent?;
        Some(Map::from_iter([("agentConsent".to_owned(), Value::from(consent.as_str()))]))
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
