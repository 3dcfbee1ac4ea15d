//! A plugin as a composition sees it, and what a composition grants.

use std::collections::BTreeMap;

use drawloom_command::PluginId;

use crate::capability::{Capability, CapabilitySet};

/// A plugin to activate: its id, and the capabilities it says it needs.
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

    /// Declares capabilities, besides those declared before.
    pub fn declares(mut self, capabilities: impl IntoIterator<Item = Capability>) -> Self {
        self.declares = self.declares.union(capabilities.into_iter().collect());
        self
    }
}

/// What a composition grants, by plugin. Grants of several places add up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grants(BTreeMap<PluginId, CapabilitySet>);

impl Grants {
    pub(crate) fn add(&mut self, plugin: PluginId, capabilities: CapabilitySet) {
        let granted = self.0.entry(plugin).or_default();
        *granted = granted.union(capabilities);
    }

    pub(crate) fn of(&self, plugin: &PluginId) -> CapabilitySet {
        self.0.get(plugin).copied().unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&PluginId, CapabilitySet)> {
        self.0.iter().map(|(plugin, capabilities)| (plugin, *capabilities))
    }
}

/// Why a plugin was not activated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActivateError {
    /// The id is empty.
    #[error("a plugin has an empty id")]
    EmptyId,
    /// A plugin of that id is active.
    #[error("plugin \"{plugin}\" is active already")]
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
            Self::AlreadyActive { .. } => "plugin-already-active",
        }
    }
}
