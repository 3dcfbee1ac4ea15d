//! The definition of a command's tool, in a form that no protocol owns, and in the forms of the large model APIs.

use std::sync::Arc;

use drawloom_command::{AgentConsent, CommandId, InvocableCommand, tool_name};
use serde_json::{Map, Value, json};

/// What a model is told about a command: the name of its tool, what it does, and what it takes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name by which a model calls the tool; see [`tool_name`].
    pub name: String,
    /// The command.
    pub command_id: CommandId,
    /// The label of a control for the command.
    pub title: Arc<str>,
    /// What the tool does and what it answers. Every protocol demands a description, so here, and nowhere else, the title
    /// is used for a command without a description.
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
    let not_blank = |text: &&Arc<str>| !text.trim().is_empty();
    let described = command.description.as_ref().filter(not_blank).unwrap_or(&command.title);
    let description = match command.answers.as_ref().filter(not_blank) {
        Some(answers) => format!("{described}\nReturns: {answers}"),
        None => described.to_string(),
    };
    ToolDefinition {
        name: tool_name(command.id.as_str()),
        command_id: command.id.clone(),
        title: command.title.clone(),
        description,
        parameters: command.parameters(),
        agent_consent: command.agent_consent,
    }
}

impl ToolDefinition {
    /// What the command states beyond its definition, for a protocol that has room for it: `agentConsent`, if the
    /// command states it. `None` for a command that states nothing.
    pub fn metadata(&self) -> Option<Map<String, Value>> {
        let consent = self.agent_consent?;
        Some(Map::from_iter([("agentConsent".to_owned(), Value::from(consent.as_str()))]))
    }

    /// The form that OpenAI's chat completions take in `tools`; many other APIs take the same form.
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

    /// The form that Anthropic's messages take in `tools`.
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
