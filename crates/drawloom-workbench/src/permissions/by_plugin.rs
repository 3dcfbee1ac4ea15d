//! Sets of capabilities by plugin: the one type behind what is granted and what is revoked.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use drawloom_command::PluginId;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::permissions::capability::{Capability, CapabilitySet};

/// Sets of capabilities by plugin. A plugin with an empty set is not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct CapabilitiesByPlugin(BTreeMap<PluginId, CapabilitySet>);

impl CapabilitiesByPlugin {
    pub(crate) fn of(&self, plugin: &PluginId) -> CapabilitySet {
        self.0.get(plugin).copied().unwrap_or_default()
    }

    /// Plugins and their sets, in order of the ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&PluginId, CapabilitySet)> {
        self.0.iter().map(|(plugin, capabilities)| (plugin, *capabilities))
    }

    pub(crate) fn add(&mut self, plugin: PluginId, capabilities: CapabilitySet) {
        if !capabilities.is_empty() {
            let all = self.0.entry(plugin).or_default();
            *all = all.union(capabilities);
        }
    }

    pub(crate) fn remove(&mut self, plugin: &PluginId, capability: Capability) {
        if let Some(left) = self.0.get_mut(plugin) {
            left.remove(capability);
            if left.is_empty() {
                self.0.remove(plugin);
            }
        }
    }

    /// Removes the capabilities that do not pass. Returns whether there were any.
    pub(crate) fn retain(&mut self, passes: impl Fn(Capability) -> bool) -> bool {
        let mut removed = false;
        self.0.retain(|_, set| {
            let left: CapabilitySet = set.iter().filter(|capability| passes(*capability)).collect();
            removed |= left != *set;
            *set = left;
            !left.is_empty()
        });
        removed
    }
}

impl FromIterator<(PluginId, CapabilitySet)> for CapabilitiesByPlugin {
    fn from_iter<I: IntoIterator<Item = (PluginId, CapabilitySet)>>(items: I) -> Self {
        let mut all = Self::default();
        for (plugin, capabilities) in items {
            all.add(plugin, capabilities);
        }
        all
    }
}

impl<'de> Deserialize<'de> for CapabilitiesByPlugin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByPlugin;

        impl<'de> Visitor<'de> for ByPlugin {
            type Value = CapabilitiesByPlugin;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("lists of capabilities by plugin")
            }

            // A map would silently keep the last of two lists, and a revocation in the first would be lost.
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut all = BTreeMap::new();
                while let Some((plugin, capabilities)) = entries.next_entry::<PluginId, CapabilitySet>()? {
                    match all.entry(plugin) {
                        Entry::Vacant(vacant) => vacant.insert(capabilities),
                        Entry::Occupied(occupied) => {
                            let plugin = occupied.key();
                            return Err(de::Error::custom(format_args!("plugin \"{plugin}\" is repeated")));
                        }
                    };
                }
                Ok(all.into_iter().collect())
            }
        }

        deserializer.deserialize_map(ByPlugin)
    }
}
