//! What the person took away, the store that keeps it, and the account of what is left.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use drawloom_command::PluginId;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::capability::{Capability, CapabilitySet};
use crate::contain::contained;

/// Everything the person took away, by plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Revocations(BTreeMap<PluginId, CapabilitySet>);

impl Revocations {
    /// What was taken from one plugin.
    pub fn of(&self, plugin: &PluginId) -> CapabilitySet {
        self.0.get(plugin).copied().unwrap_or_default()
    }

    /// Plugins and what was taken from each, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&PluginId, CapabilitySet)> {
        self.0.iter().map(|(plugin, capabilities)| (plugin, *capabilities))
    }

    pub(crate) fn revoke(&mut self, plugin: &PluginId, capability: Capability) {
        self.0.entry(plugin.clone()).or_default().insert(capability);
    }

    pub(crate) fn restore(&mut self, plugin: &PluginId, capability: Capability) {
        if let Some(taken) = self.0.get_mut(plugin) {
            taken.remove(capability);
            if taken.is_empty() {
                self.0.remove(plugin);
            }
        }
    }

    /// Drops what nobody can take away. Returns whether there was any.
    fn drop_irrevocable(&mut self) -> bool {
        let before = self.clone();
        for taken in self.0.values_mut() {
            taken.remove(Capability::Contributions);
        }
        self.0.retain(|_, taken| !taken.is_empty());
        *self != before
    }
}

impl FromIterator<(PluginId, CapabilitySet)> for Revocations {
    fn from_iter<I: IntoIterator<Item = (PluginId, CapabilitySet)>>(items: I) -> Self {
        let mut all = BTreeMap::<PluginId, CapabilitySet>::new();
        for (plugin, capabilities) in items {
            let taken = all.entry(plugin).or_default();
            *taken = taken.union(capabilities);
        }
        all.retain(|_, taken| !taken.is_empty());
        Self(all)
    }
}

impl<'de> Deserialize<'de> for Revocations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByPlugin;

        impl<'de> Visitor<'de> for ByPlugin {
            type Value = Revocations;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("lists of capabilities by plugin")
            }

            // A map would silently keep the last of two lists, and a revocation of the first would be lost.
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Revocations, A::Error> {
                let mut all = BTreeMap::new();
                while let Some((plugin, taken)) = entries.next_entry::<PluginId, CapabilitySet>()? {
                    if all.contains_key(&plugin) {
                        return Err(de::Error::custom(format_args!("\"{plugin}\" is named twice")));
                    }
                    all.insert(plugin, taken);
                }
                Ok(all.into_iter().collect())
            }
        }

        deserializer.deserialize_map(ByPlugin)
    }
}

/// Keeps revocations beyond the process.
pub trait PermissionStore: Send + Sync {
    /// What was kept. Asked once, when the store is given to a workbench.
    ///
    /// # Errors
    /// Where it cannot be read. It is never taken for "nothing was revoked".
    fn load(&self) -> Result<Revocations, StoreError>;

    /// Keeps these instead of what was kept before. No two saves of one workbench overlap.
    ///
    /// # Errors
    /// Where they cannot be kept; what was kept before then still is.
    fn save(&self, revocations: &Revocations) -> Result<(), StoreError>;
}

/// Why a store did not load or keep revocations.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file could not be read.
    #[error("the permissions in {} cannot be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file could not be written; the one before is untouched.
    #[error("the permissions cannot be written to {}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is damaged, and was moved aside so that nothing of it is lost.
    #[error(
        "the permissions in {} are damaged ({reason}); the file was set aside as {}",
        .path.display(), .set_aside.display()
    )]
    Damaged {
        /// The file that was there.
        path: PathBuf,
        /// Where it is now.
        set_aside: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The store panicked.
    #[error("the permission store panicked")]
    Panicked,
    /// Whatever a store of the product's has to say.
    #[error("{0}")]
    Other(String),
}

/// Why a permission was not changed, or not kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PermissionError {
    /// The capability is not the person's to take away.
    #[error("\"{capability}\" cannot be revoked")]
    NotRevocable {
        /// The capability.
        capability: Capability,
    },
    /// The change is in force, but was not kept: it ends with the process.
    #[error("the change is in force but was not kept: {0}")]
    NotKept(#[from] StoreError),
}

/// A store that keeps nothing: what is revoked is revoked until the process ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoStore;

impl PermissionStore for NoStore {
    fn load(&self) -> Result<Revocations, StoreError> {
        Ok(Revocations::default())
    }

    fn save(&self, _: &Revocations) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Loads from a store, without what nobody can revoke.
pub(crate) fn load(store: &dyn PermissionStore) -> Result<Revocations, StoreError> {
    let mut revocations =
        contained("permission store", || store.load()).map_err(|_| StoreError::Panicked)??;
    if revocations.drop_irrevocable() {
        tracing::warn!("a stored revocation of \"contributions\" was dropped: it cannot be revoked");
    }
    Ok(revocations)
}

/// What one plugin declares, and where each of it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginPermissions {
    /// The plugin.
    pub plugin: PluginId,
    /// Every capability it declares, in order.
    pub capabilities: Vec<PermissionState>,
}

/// Where one declared capability of a plugin stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PermissionState {
    /// The capability.
    pub capability: Capability,
    /// Whether the composition grants it.
    pub granted: bool,
    /// Whether the person took it away.
    pub revoked: bool,
    /// Whether the person can.
    pub revocable: bool,
}

impl PermissionState {
    /// Whether the plugin holds it now.
    pub fn is_held(&self) -> bool {
        self.granted && !self.revoked
    }
}
