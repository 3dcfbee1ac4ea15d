//! The handle of something registered, and why something could not be registered.

use std::fmt;
use std::sync::Weak;

use drawloom_command::{CommandId, DeclarationError, PluginId, RegistrationId};

use crate::controls::ControlId;
use crate::permissions::capability::Capability;

/// What the handle of a registration removes.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Command(CommandId, RegistrationId),
    Menu(ControlId, u64),
    Shortcut(u64),
}

/// What a handle needs from the registry.
pub(crate) trait Remove: Send + Sync {
    fn remove(&self, entry: &Entry);
}

/// The handle of something registered. Dropping it removes the entry, at once and for every workbench.
#[must_use = "dropping a registration removes what was registered, and `let _ =` drops it at once; hold it or call `keep`"]
pub struct Registration {
    registry: Weak<dyn Remove>,
    entry: Option<Entry>,
}

impl Registration {
    pub(crate) fn new(registry: Weak<dyn Remove>, entry: Entry) -> Self {
        Self { registry, entry: Some(entry) }
    }

    /// Removes what was registered. Dropping the handle does the same.
    pub fn dispose(self) {
        drop(self);
    }

    /// Leaves what was registered in place until its plugin is deactivated.
    pub fn keep(mut self) {
        self.entry = None;
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let (Some(registry), Some(entry)) = (self.registry.upgrade(), self.entry.take()) else { return };
        registry.remove(&entry);
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").field("entry", &self.entry).finish_non_exhaustive()
    }
}

/// Why something could not be registered. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The declaration is not valid.
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
    /// A command is already registered under the id.
    #[error("command \"{command}\" is already registered by plugin \"{owner}\"")]
    CommandTaken {
        /// The id.
        command: CommandId,
        /// The plugin that registered it.
        owner: PluginId,
    },
    /// A control is already registered under the id.
    #[error("control \"{control}\" is already registered by plugin \"{owner}\"")]
    ControlTaken {
        /// The id.
        control: ControlId,
        /// The plugin that registered it.
        owner: PluginId,
    },
    /// The plugin does not hold the capability to register.
    #[error(
        "plugin \"{plugin}\" does not hold \"{capability}\": the plugin must declare it and the application must grant it"
    )]
    MissingCapability {
        /// The plugin.
        plugin: PluginId,
        /// What it needs.
        capability: Capability,
    },
    /// The plugin was deactivated.
    #[error("plugin \"{plugin}\" is not active")]
    Inactive {
        /// The plugin.
        plugin: PluginId,
    },
}

impl RegisterError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Declaration(error) => error.code(),
            Self::CommandTaken { .. } => "command-taken",
            Self::ControlTaken { .. } => "control-taken",
            Self::MissingCapability { .. } => "capability-not-held",
            Self::Inactive { .. } => "plugin-inactive",
        }
    }
}
