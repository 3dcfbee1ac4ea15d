//! A command on offer, as the tool an agent is told of.

use drawloom_command::InvocableCommand;
use serde_json::{Map, Value};

use crate::tool_name::tool_name;
use crate::wire::Tool;

/// Describes a command as a tool: its arguments as JSON Schema, and what it states about an agent's word in the
/// metadata, under `agentConsent`. The protocol demands a description, so here, and nowhere else, the title stands in
/// for one that is not there; and for a blank one, which some model interfaces refuse.
///
/// ```
/// use drawloom_ag_ui::tool_for;
/// use drawloom_command::{AgentConsent, Command, RegistrationId};
///
/// let ping = Command::new("notes.ping", "Ping")
///     .agent_consent(AgentConsent::AskAlways)
///     .declare()?
///     .describe(RegistrationId::unique(), |text| text.clone())
///     .ok_or("a required choice has no choices")?;
/// assert_eq!(
///     serde_json::to_value(tool_for(&ping))?,
///     serde_json::json!({
///         "name": "notes__ping",
///         "description": "Ping",
///         "parameters": { "type": "object", "properties": {}, "required": [] },
///         "metadata": { "agentConsent": "ask-always" },
///     }),
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tool_for(command: &InvocableCommand) -> Tool {
    let described = command.description.as_ref().filter(|description| !description.trim().is_empty());
    let description = described.unwrap_or(&command.title);
    let tool =
        Tool::new(tool_name(command.id.as_str()), &**description).with_parameters(command.parameters());
    match command.agent_consent {
        Some(consent) => {
            let statement = ("agentConsent".to_owned(), Value::from(consent.as_str()));
            tool.with_metadata(Map::from_iter([statement]))
        }
        None => tool,
    }
}

/// Describes each command as a tool; see [`tool_for`].
pub fn tools_for(commands: &[InvocableCommand]) -> Vec<Tool> {
    commands.iter().map(tool_for).collect()
}

#[cfg(test)]
mod tests {
    use drawloom_command::{Command, RegistrationId};

    use super::*;

    #[test]
    fn a_blank_description_is_none() {
        for (description, told) in [("", "Ping"), (" \n", "Ping"), ("Pings.", "Pings.")] {
            let declared = Command::new("ping", "Ping").description(description).declare().unwrap();
            let described = declared.describe(RegistrationId::unique(), Clone::clone).unwrap();
            assert_eq!(tool_for(&described).description, told);
        }
    }
}
