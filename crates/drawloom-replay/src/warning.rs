//! What a workbench file can get silently wrong, and where. How it is found is in [`find`].

mod find;

use std::fmt;

use drawloom::command::{AgentConsent, CommandId, PluginId};

pub(crate) use find::of;

use crate::place::Place;

/// Something in a workbench file that works as written and hardly as meant, and where.
///
/// ```
/// use drawloom_replay::{FileWorkbench, Step};
///
/// let text = r#"{ "plugins": [ { "id": "notes", "declares": ["contributions"], "commands": [
///     { "id": "notes.count", "title": "Count notes", "behaviour": { "answer": 3 } } ] } ],
///   "grants": { "notes": ["contributions"] } }"#;
/// let file = FileWorkbench::load(text, |_: &Step| {})?;
/// let warnings = file.warnings();
/// assert_eq!(warnings[0].code(), "answer-dropped");
/// assert_eq!(
///     warnings[0].to_string(),
///     "line 2, column 65, plugins[0].commands[0].behaviour: command \"notes.count\" answers something and \
///      declares no \"answers\", so the answer is dropped: say in \"answers\" what it is",
/// );
/// # Ok::<(), drawloom_replay::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileWarning {
    place: Place,
    concern: FileConcern,
}

/// What a workbench file gets silently wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileConcern {
    /// A command answers something and declares no answer.
    #[error(
        "command \"{command}\" answers something and declares no \"answers\", so the answer is dropped: say in \
         \"answers\" what it is"
    )]
    AnswerDropped {
        /// The command.
        command: CommandId,
    },
    /// There are callable commands, and nobody to call them.
    #[error(
        "there is no \"agent\", so nobody is offered the callable commands: name there the plugin that is the agent"
    )]
    NoAgent,
    /// The agent cannot reach the callable commands of other plugins.
    #[error("agent \"{agent}\" is offered no command of another plugin, since {lack}")]
    AgentWithoutAutomation {
        /// The agent.
        agent: PluginId,
        /// Why not.
        lack: Lack,
    },
    /// The person's answer is about a command that no plugin of the file declares.
    #[error(
        "no plugin of the file declares a command \"{name}\", so this answers only an agent that asks about a tool of \
         its own by that name: where a command is meant, correct its id"
    )]
    AnswerForNoCommand {
        /// What the answer is for.
        name: String,
    },
    /// A callable command states something about an agent's word that only `drive` heeds.
    #[error(
        "command \"{command}\" states \"{}\" and the file has no \"consent\", so \"replay\" runs it and asks nobody, \
         while \"drive\" heeds it: add \"consent\" with the person's answers",
        .states.as_str()
    )]
    NobodyAsks {
        /// The command.
        command: CommandId,
        /// What it states.
        states: AgentConsent,
    },
    /// An argument is a choice of nothing.
    #[error(
        "argument \"{argument}\" of command \"{command}\" is a choice without choices, so no agent is shown it and \
         nothing can be given for it: list its \"choices\", or take it out"
    )]
    NoChoices {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: String,
    },
    /// Something is granted to, or taken from, a plugin that is not in the file.
    #[error(
        "there is no plugin \"{plugin}\" in the file, so this does nothing: correct the id, or take it out"
    )]
    UnknownPlugin {
        /// The plugin.
        plugin: PluginId,
    },
    /// A behaviour is about a command that no plugin of the file declares.
    #[error(
        "no plugin of the file declares a command \"{command}\", so this never does anything: correct the id, or \
         declare the command"
    )]
    UnknownCommand {
        /// The command.
        command: CommandId,
    },
}

/// Why an agent has no `automation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lack {
    /// Its plugin does not declare it.
    Undeclared,
    /// It is not granted.
    Ungranted,
    /// It is revoked.
    Revoked,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undeclared => "it does not declare \"automation\": add it to its \"declares\"",
            Self::Ungranted => "it is not granted \"automation\": add it under \"grants\"",
            Self::Revoked => "\"automation\" is revoked: take it out of \"revoked\"",
        })
    }
}

impl FileWarning {
    /// A stable name for this kind of warning.
    pub fn code(&self) -> &'static str {
        match &self.concern {
            FileConcern::AnswerDropped { .. } => "answer-dropped",
            FileConcern::NoAgent => "no-agent",
            FileConcern::AgentWithoutAutomation { .. } => "agent-without-automation",
            FileConcern::AnswerForNoCommand { .. } => "answer-for-no-command",
            FileConcern::NobodyAsks { .. } => "nobody-asks",
            FileConcern::NoChoices { .. } => "no-choices",
            FileConcern::UnknownPlugin { .. } => "unknown-plugin",
            FileConcern::UnknownCommand { .. } => "unknown-command",
        }
    }

    /// Where in the file it is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What is wrong there.
    pub fn concern(&self) -> &FileConcern {
        &self.concern
    }
}

impl fmt::Display for FileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.concern)
    }
}

#[cfg(test)]
mod tests;
