//! A command on offer, as the tool that an agent is told of.

use drawloom_command::InvocableCommand;
use drawloom_tools::tool_definition;

use crate::protocol::Tool;

/// Describes a command as an AG-UI tool: see [`tool_definition`](drawloom_tools::tool_definition). `agentConsent` and
/// `effects` are published in the metadata; a command that states neither has none.
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
    let definition = tool_definition(command);
    let metadata = definition.metadata();
    let tool = Tool::new(definition.name, definition.description).with_parameters(definition.parameters);
    match metadata {
        Some(metadata) => tool.with_metadata(metadata),
        None => tool,
    }
}

/// Describes each command as a tool; see [`tool_for`].
pub fn tools_for(commands: &[InvocableCommand]) -> Vec<Tool> {
    commands.iter().map(tool_for).collect()
}
