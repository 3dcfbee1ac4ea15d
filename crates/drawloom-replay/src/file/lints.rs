//! Warnings about a workbench file: parts that are valid, but probably not intended. The search for them is in
//! [`find`].

mod find;

use std::fmt;

use drawloom::command::{AgentConsent, CommandId, PluginId};

pub(crate) use find::lint;

use super::location::FileLocation;

/// A part of a workbench file that is valid, but probably not intended, with its location.
///
/// ```
/// use drawloom_replay::{FileWorkbench, TranscriptLine};
///
/// let text = r#"{ "plugins": [ { "id": "notes", "declares": ["contributions"], "commands": [
///     { "id": "notes.count", "title": "Count notes", "behaviour": { "answer": 3 } } ] } ],
///   "grants": { "notes": ["contributions"] } }"#;
/// let file = FileWorkbench::load(text, |_: &TranscriptLine| {})?;
/// let warnings = file.warnings();
/// assert_eq!(warnings[0].code(), "answer-dropped");
/// assert_eq!(
///     warnings[0].to_string(),
///     "line 2, column 65, plugins[0].commands[0].behaviour: command \"notes.count\" returns an answer but declares \
///      no \"answers\", so the answer is dropped: add \"answers\" with a description of the answer",
/// );
/// # Ok::<(), drawloom_replay::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileWarning {
    location: FileLocation,
    kind: FileWarningKind,
}

/// What is probably not intended in a workbench file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileWarningKind {
    /// A command returns an answer but declares none.
    #[error(
        "command \"{command}\" returns an answer but declares no \"answers\", so the answer is dropped: add \
         \"answers\" with a description of the answer"
    )]
    AnswerDropped {
        /// The command.
        command: CommandId,
    },
    /// There are callable commands, but no agent that could call them.
    #[error(
        "there is no \"agent\", so no agent is offered the callable commands: add \"agent\" with the id of the \
         plugin that acts as the agent"
    )]
    NoAgent,
    /// The agent cannot reach the callable commands of other plugins.
    #[error("agent \"{agent}\" is not offered the commands of other plugins, because {cause}")]
    AgentWithoutAutomation {
        /// The agent.
        agent: PluginId,
        /// Why the agent does not hold `automation`.
        cause: MissingAutomation,
    },
    /// The file has an answer of the person about a command that no plugin of the file declares.
    #[error(
        "no plugin of the file declares a command \"{name}\", so this answer is used only if an agent asks about a \
         tool of its own with this name: if a command is meant, correct the id"
    )]
    AnswerForUnknownCommand {
        /// The name that the answer is for.
        name: String,
    },
    /// A callable command declares a consent statement, but only `drive` acts on it.
    #[error(
        "command \"{command}\" states \"{}\" but the file has no \"consent\", so \"replay\" runs the command without \
         asking anybody, while \"drive\" asks: add \"consent\" with the answers of the person",
        .statement.as_str()
    )]
    ConsentNotAsked {
        /// The command.
        command: CommandId,
        /// What the command states about consent.
        statement: AgentConsent,
    },
    /// An argument is a choice without choices.
    #[error(
        "argument \"{argument}\" of command \"{command}\" is a choice without choices, so no agent is shown the \
         argument and no value matches it: list its \"choices\", or remove the argument"
    )]
    NoChoices {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: String,
    },
    /// A grant or a revocation names a plugin that is not in the file.
    #[error(
        "there is no plugin \"{plugin}\" in the file, so this has no effect: correct the id, or remove the entry"
    )]
    UnknownPlugin {
        /// The plugin.
        plugin: PluginId,
    },
    /// A behaviour names a command that no plugin of the file declares.
    #[error(
        "no plugin of the file declares a command \"{command}\", so this behaviour always fails or is refused: \
         correct the id, or declare the command"
    )]
    UnknownCommand {
        /// The command.
        command: CommandId,
    },
}

/// Why an agent does not hold `automation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingAutomation {
    /// The agent's plugin does not declare it.
    NotDeclared,
    /// It is not granted.
    NotGranted,
    /// It is revoked.
    Revoked,
}

impl fmt::Display for MissingAutomation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotDeclared => "its plugin does not declare \"automation\": add it to \"declares\"",
            Self::NotGranted => "it is not granted \"automation\": add it under \"grants\"",
            Self::Revoked => "its \"automation\" is revoked: remove it from \"revoked\"",
        })
    }
}

impl FileWarning {
    /// A stable code for this kind of warning.
    pub fn code(&self) -> &'static str {
        match &self.kind {
            FileWarningKind::AnswerDropped { .. } => "answer-dropped",
            FileWarningKind::NoAgent => "no-agent",
            FileWarningKind::AgentWithoutAutomation { .. } => "agent-without-automation",
            FileWarningKind::AnswerForUnknownCommand { .. } => "answer-for-unknown-command",
            FileWarningKind::ConsentNotAsked { .. } => "consent-not-asked",
            FileWarningKind::NoChoices { .. } => "no-choices",
            FileWarningKind::UnknownPlugin { .. } => "unknown-plugin",
            FileWarningKind::UnknownCommand { .. } => "unknown-command",
        }
    }

    /// The location in the file.
    pub fn location(&self) -> &FileLocation {
        &self.location
    }

    /// What is probably not intended at this location.
    pub fn kind(&self) -> &FileWarningKind {
        &self.kind
    }
}

impl fmt::Display for FileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.kind)
    }
}

#[cfg(test)]
mod tests;
