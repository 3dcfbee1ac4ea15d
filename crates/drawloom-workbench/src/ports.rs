//! The ports that a product implements: what shows notices, translates texts, takes audit records and tells the time.
//!
//! A port that panics loses what it was asked for; the panic is logged and ends here.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use drawloom_command::{CallOrigin, CommandArguments, CommandId, CommandOutcome, PluginId, Refusal};
use serde::{Serialize, Serializer};

use crate::authorize::Cause;
use crate::contain::{DropContained, contained, logging};
use crate::permissions::capability::Capability;
use crate::principal::Caller;

/// Shows notices to the person. A closure that takes a `&Notice` is a notifier.
///
/// A notifier is called inside the invocation that it tells about, and returns at once: it never waits for the person, a
/// lock that is held for long, or the network. A caller whose refusal took long could otherwise conclude that the command
/// exists and that only the grant is missing. [`NoticeQueue`](crate::NoticeQueue) is a notifier that keeps this rule, for a
/// product that shows notices in a task of its own.
pub trait Notifier: Send + Sync {
    /// Shows one notice, and returns at once.
    fn notify(&self, notice: &Notice);
}

impl<F: Fn(&Notice) + Send + Sync> Notifier for F {
    fn notify(&self, notice: &Notice) {
        self(notice);
    }
}

/// Something that the person is told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// A plugin was refused because it does not hold a capability.
    MissingGrant {
        /// The plugin.
        plugin: PluginId,
        /// The capability that is missing.
        capability: Capability,
        /// The command that was refused, if the plugin asked for a command.
        command: Option<CommandId>,
    },
    /// A command that the person triggered did not run.
    Refused {
        /// The command.
        command: CommandId,
        /// Why it did not run.
        refusal: Refusal,
    },
    /// A command that the person triggered ran and failed.
    Failed {
        /// The command.
        command: CommandId,
        /// What went wrong.
        message: String,
    },
    /// A command that the person triggered was cancelled while it ran.
    Cancelled {
        /// The command.
        command: CommandId,
        /// That it may have done a part of its work, and what the handler says about it.
        message: String,
    },
    /// A message of a plugin.
    Message {
        /// The plugin.
        plugin: PluginId,
        /// The message, translated.
        text: Arc<str>,
    },
}

/// One English sentence for the person.
impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingGrant { plugin, capability, command: Some(command) } => {
                write!(f, "plugin \"{plugin}\" may not run \"{command}\": it does not hold \"{capability}\"")
            }
            Self::MissingGrant { plugin, capability, command: None } => {
                write!(f, "plugin \"{plugin}\" was refused: it does not hold \"{capability}\"")
            }
            Self::Refused { command, refusal } => write!(f, "\"{command}\" did not run: {refusal}"),
            Self::Failed { command, message } => write!(f, "\"{command}\" failed: {message}"),
            Self::Cancelled { command, message } => write!(f, "\"{command}\" was stopped: {message}"),
            Self::Message { plugin, text } => write!(f, "{plugin}: {text}"),
        }
    }
}

/// Resolves translation keys to the active language.
///
/// When the active language changes, call
/// [`Workbench::announce_change`](crate::Workbench::announce_change), so that those who watch their list are told.
pub trait Translator: Send + Sync {
    /// The text for a key. `None` if there is no translation; the key is then shown as it is.
    fn translate(&self, key: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String> + Send + Sync> Translator for F {
    fn translate(&self, key: &str) -> Option<String> {
        self(key)
    }
}

/// Takes a record of each decision of the workbench. A closure that takes an `&AuditRecord` is an audit sink.
///
/// A hook that lets a call through leaves its basis in [`AuditRecord::origin`]. A call that a hook declines or answers does
/// not reach the workbench, so there is no record of it: adapters log it through `tracing`, and a product that must
/// keep it does so in its hook.
pub trait AuditSink: Send + Sync {
    /// Takes one record. It is called where the decision is made, so slow work belongs behind a channel.
    fn record(&self, record: &AuditRecord);
}

impl<F: Fn(&AuditRecord) + Send + Sync> AuditSink for F {
    fn record(&self, record: &AuditRecord) {
        self(record);
    }
}

/// One decision of the workbench, and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AuditRecord {
    /// Who asked.
    pub caller: Caller,
    /// Where the call comes from, and on what a hook's decision about it rests. Empty for triggers of the person and for
    /// invocations by plugins.
    #[serde(skip_serializing_if = "is_empty")]
    pub origin: CallOrigin,
    /// The command.
    pub command: CommandId,
    /// The arguments.
    pub arguments: CommandArguments,
    /// The outcome, as the caller was told. A command that was cancelled is serialized with the outcome `cancelled`, so that
    /// a record tells it from one that failed.
    #[serde(serialize_with = "serialize_outcome")]
    pub outcome: CommandOutcome,
    /// Why the call was refused, which the caller is not told. `None` if it was not refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The depth in a chain of commands: 1 for the first.
    pub depth: u32,
    /// How long the call took. `None` if the workbench was not given a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Duration>,
}

/// As on the wire, but a command that was cancelled has its own name.
fn serialize_outcome<S: Serializer>(outcome: &CommandOutcome, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Cancelled<'a> {
        outcome: &'static str,
        message: &'a str,
    }

    match outcome {
        CommandOutcome::Failed(failure) if failure.is_cancelled() => {
            Cancelled { outcome: outcome.name(), message: &failure.message }.serialize(serializer)
        }
        _ => outcome.serialize(serializer),
    }
}

fn is_empty(origin: &CallOrigin) -> bool {
    *origin == CallOrigin::default()
}

/// Tells how much time has passed since a fixed moment. The workbench itself has no clock.
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

/// The ports that a workbench was given. Each may panic when it is dropped, also several of them.
#[derive(Clone, Default)]
pub(crate) struct Ports {
    notifier: Option<DropContained<Arc<dyn Notifier>>>,
    translator: Option<DropContained<Arc<dyn Translator>>>,
    audit: Option<DropContained<Arc<dyn AuditSink>>>,
    clock: Option<DropContained<Arc<dyn Clock>>>,
}

thread_local! {
    /// Whether this thread is telling the person something that a plugin asked for.
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

impl Ports {
    pub(crate) fn set_notifier(&mut self, notifier: Arc<dyn Notifier>) {
        self.notifier = Some(DropContained::new("notifier", notifier));
    }

    pub(crate) fn set_translator(&mut self, translator: Arc<dyn Translator>) {
        self.translator = Some(DropContained::new("translator", translator));
    }

    pub(crate) fn set_audit(&mut self, audit: Arc<dyn AuditSink>) {
        self.audit = Some(DropContained::new("audit sink", audit));
    }

    pub(crate) fn set_clock(&mut self, clock: Arc<dyn Clock>) {
        self.clock = Some(DropContained::new("clock", clock));
    }

    pub(crate) fn has_translator(&self) -> bool {
        self.translator.is_some()
    }

    pub(crate) fn audit(&self) -> Option<&dyn AuditSink> {
        Some(&**self.audit.as_ref()?.get()?)
    }

    /// The text in the active language; the text itself if there is no translation.
    pub(crate) fn translate(&self, text: &Arc<str>) -> Arc<str> {
        match self.translation(text) {
            Some(translated) => translated.into(),
            None => text.clone(),
        }
    }

    /// The translation of a key, if there is one.
    pub(crate) fn translation(&self, key: &str) -> Option<String> {
        let translator = self.translator.as_ref()?.get()?;
        contained("translator", || translator.translate(key)).unwrap_or(None)
    }

    pub(crate) fn notify(&self, notice: &Notice) {
        if let Some(notifier) = self.notifier.as_ref().and_then(DropContained::get) {
            let _ = contained("notifier", || notifier.notify(notice));
        }
    }

    /// Tells the person something for a plugin. What a port asks for while it is telling such a notice is logged only:
    /// otherwise a notifier that uses its own plugin's context would be called by itself without an end.
    pub(crate) fn notify_for_plugin(&self, notice: impl FnOnce() -> Notice) {
        struct Telling;

        impl Drop for Telling {
            fn drop(&mut self) {
                TELLING.set(false);
            }
        }

        if TELLING.replace(true) {
            logging(|| {
                tracing::warn!("a port asked for a notice while it told another one; it is not shown")
            });
            return;
        }
        let _telling = Telling;
        self.notify(&notice());
    }

    /// The time, if there is a clock.
    pub(crate) fn time(&self) -> Option<Duration> {
        let clock = self.clock.as_ref()?.get()?;
        contained("clock", || clock.now()).ok()
    }
}
