//! The ports that a product implements: what shows notices and translates texts, and all ports together. The audit sink is in
//! `audit`, the clock in `clock`.
//!
//! A port that panics loses what it was asked for; the panic is logged and ends here.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use drawloom_command::{CommandId, PluginId, Refusal};

use crate::audit::event::AuditSink;
use crate::clock::Clock;
use crate::contain::{DropContained, contained, logging};
use crate::permissions::capability::Capability;

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

impl Notice {
    /// A stable name for the kind of notice. With the fields, a product can say it in its own words; [`Refusal::code`] and the parts
    /// of a refusal say why a command did not run.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingGrant { .. } => "missing-grant",
            Self::Refused { .. } => "refused",
            Self::Failed { .. } => "failed",
            Self::Cancelled { .. } => "cancelled",
            Self::Message { .. } => "message",
        }
    }
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

    /// The audit sink, which the workbench writes to through its own `AuditStream`.
    pub(crate) fn audit(&self) -> Option<&DropContained<Arc<dyn AuditSink>>> {
        self.audit.as_ref()
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

    /// The time of day, if there is a clock that knows it.
    pub(crate) fn time_of_day(&self) -> Option<SystemTime> {
        let clock = self.clock.as_ref()?.get()?;
        contained("clock", || clock.time_of_day()).ok().flatten()
    }

    /// The time, if there is a clock.
    pub(crate) fn time(&self) -> Option<Duration> {
        let clock = self.clock.as_ref()?.get()?;
        contained("clock", || clock.now()).ok()
    }
}
