//! A plugin, as an application activates it.

use std::sync::atomic::{AtomicU64, Ordering};

use drawloom_command::PluginId;

use crate::permissions::capability::{Capability, CapabilitySet};

/// The id of the application's own plugin.
pub(crate) const APPLICATION: &str = "application";

/// A plugin to activate: its id, and the capabilities that it declares.
#[derive(Clone, Debug)]
#[must_use = "a plugin does nothing until it is activated"]
pub struct Plugin {
    pub(crate) id: PluginId,
    pub(crate) declares: CapabilitySet,
}

impl Plugin {
    /// A plugin that declares nothing.
    pub fn new(id: impl Into<PluginId>) -> Self {
        Self { id: id.into(), declares: CapabilitySet::default() }
    }

    /// Declares capabilities, in addition to those declared before.
    pub fn declares(mut self, capabilities: impl IntoIterator<Item = Capability>) -> Self {
        self.declares = self.declares.union(capabilities.into_iter().collect());
        self
    }
}

/// One activation of a plugin. A plugin that is deactivated and activated again gets a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    number: u64,
    pub(crate) declares: CapabilitySet,
    /// What the plugin holds without a grant. Only the application's own plugin has any.
    pub(crate) inherent: CapabilitySet,
}

impl Activation {
    pub(crate) fn of_plugin(declares: CapabilitySet) -> Self {
        Self { number: unique_number(), declares, inherent: CapabilitySet::default() }
    }

    /// An activation of the application's own plugin.
    pub(crate) fn of_application() -> Self {
        let contributions: CapabilitySet = [Capability::Contributions].into_iter().collect();
        Self { number: unique_number(), declares: contributions, inherent: contributions }
    }
}

/// A number for an activation or a control, unique within the process.
pub(crate) fn unique_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Why a plugin was not activated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActivateError {
    /// The id is empty.
    #[error("a plugin has an empty id; give it one")]
    EmptyId,
    /// The id belongs to the application itself.
    #[error(
        "the plugin id \"application\" is reserved for the application itself; use `Workbench::application`, or \
         choose another id"
    )]
    ReservedId,
    /// A plugin with this id is active.
    #[error("plugin \"{plugin}\" is already active")]
    AlreadyActive {
        /// The plugin.
        plugin: PluginId,
    },
}

impl ActivateError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyId => "empty-plugin-id",
            Self::ReservedId => "reserved-plugin-id",
            Self::AlreadyActive { .. } => "plugin-already-active",
        }
    }
}
