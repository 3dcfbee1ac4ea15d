//! What the person revoked.

use std::collections::BTreeMap;

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

/// How the person changed a capability of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevocationChange {
    /// It was revoked.
    Revoked,
    /// It was restored.
    Restored,
}

/// What the person changed since the last save: capabilities that were revoked, and capabilities that were restored.
///
/// At most one change is kept for each plugin and capability: the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RevocationChanges(BTreeMap<(PluginId, Capability), RevocationChange>);

impl RevocationChanges {
    /// Each change, in order of plugin and capability.
    pub fn iter(&self) -> impl Iterator<Item = (&PluginId, Capability, RevocationChange)> {
        self.0.iter().map(|((plugin, capability), change)| (plugin, *capability, *change))
    }

    /// Makes these changes to what is kept.
    pub fn apply_to(&self, kept: &mut Revocations) {
        for (plugin, capability, change) in self.iter() {
            match change {
                RevocationChange::Revoked => kept.revoke(plugin.clone(), [capability].into_iter().collect()),
                RevocationChange::Restored => kept.restore(plugin, capability),
            }
        }
    }

    /// What has to be revoked in addition to what is kept.
    pub(crate) fn revoking(revoked: &Revocations, kept: &Revocations) -> Self {
        let mut changes = Self::default();
        for (plugin, capabilities) in revoked.iter() {
            for capability in capabilities.difference(kept.of(plugin)).iter() {
                changes.add(plugin.clone(), capability, RevocationChange::Revoked);
            }
        }
        changes
    }

    pub(crate) fn add(&mut self, plugin: PluginId, capability: Capability, change: RevocationChange) {
        self.0.insert((plugin, capability), change);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is the last change of the capability.
    pub(crate) fn holds(&self, plugin: &PluginId, capability: Capability, change: RevocationChange) -> bool {
        self.0.get(&(plugin.clone(), capability)) == Some(&change)
    }

    /// Adds later changes.
    pub(crate) fn extend(&mut self, later: &Self) {
        self.0.extend(later.0.clone());
    }

    /// Puts earlier changes back that were not kept. Later ones stay in force.
    pub(crate) fn put_back(&mut self, earlier: Self) {
        for (key, change) in earlier.0 {
            self.0.entry(key).or_insert(change);
        }
    }
}

impl FromIterator<(PluginId, CapabilitySet)> for Revocations {
    fn from_iter<I: IntoIterator<Item = (PluginId, CapabilitySet)>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}
