//! The ports a product plugs into: what tells the person, what translates, what is recorded, what tells the time.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use drawloom_command::{CommandArguments, CommandId, CommandOutcome, PluginId, Refusal};
use serde::Serialize;

use crate::caller::Caller;
use crate::capability::Capability;

/// Tells the person something. A closure that takes a [`Notice`] is one.
pub trait Notifier: Send + Sync {
    /// Tells the person.
    fn notify(&self, notice: &Notice);
}

impl<F: Fn(&Notice) + Send + Sync> Notifier for F {
    fn notify(&self, notice: &Notice) {
        self(notice);
    }
}

/// What the person is told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// A plugin was refused for lack of a grant that the person could give back.
    MissingGrant {
        /// The plugin.
        plugin: PluginId,
        /// What it lacks.
        capability: Capability,
        /// The command it was refused, where there is one.
        command: Option<CommandId>,
    },
    /// What the person triggered did not run.
    Refused {
        /// What was triggered.
        command: CommandId,
        /// Why it did not run.
        refusal: Refusal,
    },
    /// What the person triggered ran and broke.
    Failed {
        /// What was triggered.
        command: CommandId,
        /// What went wrong.
        message: String,
    },
    /// A plugin has something to say.
    Message {
        /// The plugin.
        plugin: PluginId,
        /// What it says, translated.
        text: Arc<str>,
    },
}

/// One sentence a person can read, in English.
impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingGrant { plugin, capability, command: Some(command) } => {
                write!(f, "\"{plugin}\" was kept from \"{command}\": it does not hold \"{capability}\"")
            }
            Self::MissingGrant { plugin, capability, command: None } => {
                write!(f, "\"{plugin}\" was refused: it does not hold \"{capability}\"")
            }
            Self::Refused { command, refusal } => write!(f, "\"{command}\" did not run: {refusal}"),
            Self::Failed { command, message } => write!(f, "\"{command}\" failed: {message}"),
            Self::Message { plugin, text } => write!(f, "{plugin}: {text}"),
        }
    }
}

/// Resolves translation keys to the active language.
///
/// When the active language changes, call
/// [`Workbench::announce_change`](crate::Workbench::announce_change), so that whoever watches its list is told.
pub trait Translator: Send + Sync {
    /// The text for a key, or none where there is no translation: the key then reads as itself.
    fn translate(&self, key: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String> + Send + Sync> Translator for F {
    fn translate(&self, key: &str) -> Option<String> {
        self(key)
    }
}

/// Keeps what the seam decided, for those who answer for it. A closure that takes an [`AuditRecord`] is one.
///
/// What a hook decides before the seam is asked, such as a person's no, is no decision of the seam: the adapter and the
/// consent policy tell of those through `tracing`, and a product that must keep them does so in its hook.
pub trait AuditSink: Send + Sync {
    /// Takes one decision. It is called where the decision is taken: whatever is slow belongs behind a channel.
    fn record(&self, record: &AuditRecord);
}

impl<F: Fn(&AuditRecord) + Send + Sync> AuditSink for F {
    fn record(&self, record: &AuditRecord) {
        self(record);
    }
}

/// One decision of the seam, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AuditRecord {
    /// Who asked.
    pub caller: Caller,
    /// For which command.
    pub command: CommandId,
    /// With which arguments.
    pub arguments: CommandArguments,
    /// How it ended, as the caller was told.
    pub outcome: CommandOutcome,
    /// Why it was refused, which the caller is not told; none where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// How deep in a chain of commands it was asked: 1 for the first.
    pub depth: u32,
    /// How long it took, where the workbench was given a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Duration>,
}

/// Why the seam refused, told to the developer and the audit only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Cause {
    /// Nothing is registered under the id.
    Unknown,
    /// The command is closed to others than its own plugin.
    NotCallable,
    /// The command is not for this window.
    Window,
    /// The session does not meet what the command requires.
    Session,
    /// The plugin does not hold the capability to reach others' commands.
    MissingGrant,
    /// The plugin that asks was deactivated.
    Inactive,
    /// The command is no longer the one that was offered.
    Replaced,
    /// The caller asked for something that was not offered to it.
    NotOffered,
    /// The chain is too deep.
    TooDeep,
    /// The arguments do not match the declaration.
    Arguments,
}

impl Cause {
    /// The cause's name in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::NotCallable => "not-callable",
            Self::Window => "window",
            Self::Session => "session",
            Self::MissingGrant => "missing-grant",
            Self::Inactive => "inactive",
            Self::Replaced => "replaced",
            Self::NotOffered => "not-offered",
            Self::TooDeep => "too-deep",
            Self::Arguments => "arguments",
        }
    }
}

/// Tells how much time has passed since some fixed moment. The workbench has no clock of its own.
///
/// ```
/// use std::time::Instant;
/// let start = Instant::now();
/// let builder = drawloom_workbench::Workbench::builder().clock(move || start.elapsed());
/// # let _ = builder;
/// ```
pub trait Clock: Send + Sync {
    /// The time since that moment.
    fn now(&self) -> Duration;
}

impl<F: Fn() -> Duration + Send + Sync> Clock for F {
    fn now(&self) -> Duration {
        self()
    }
}
