//! What the person revoked.

use drawloom_command::PluginId;
use serde::{Deserialize, Serialize};

use crate::permissions::by_plugin::CapabilitiesByPlugin;
use crate::permissions::capability::{Capability, CapabilitySet};

/// Everything that the person revoked, by plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revocations(CapabilitiesByPlugin);

impl Revocations {
    /// What is revoked for one plugin.
    pub fn of(&self, plugin: &PluginId) -> CapabilitySet {
        self.0.of(plugin)
    }

    /// Plugins and what is revoked for each, in order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (&PluginId, CapabilitySet)> {
        self.0.iter()
    }

    pub(crate) fn revoke(&mut self, plugin: PluginId, capabilities: CapabilitySet) {
        self.0.add(plugin, capabilities);
    }

    pub(crate) fn restore(&mut self, plugin: &PluginId, capability: Capability) {
        self.0.remove(plugin, capability);
    }

    /// Adds what others hold.
    pub(crate) fn extend(&mut self, others: &Self) {
        for (plugin, capabilities) in others.iter() {
            self.0.add(plugin.clone(), capabilities);
        }
    }

    /// Drops what nobody can revoke. Returns whether there was any.
    pub(crate) fn drop_irrevocable(&mut self) -> bool {
        self.0.retain(Capability::is_revocable)
    }
}

impl FromIterator<(PluginId, CapabilitySet)> for Revocations {
    fn from_iter<I: IntoIterator<Item = (PluginId, CapabilitySet)>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}
