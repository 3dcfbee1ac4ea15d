//! What the person took away: in force at once, and kept by a store.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use drawloom_command::PluginId;
use serde::{Deserialize, Serialize};

use crate::capability::{Capability, CapabilitySet};
use crate::contain::contained;

/// Everything the person took away, by plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    fn revoke(&mut self, plugin: &PluginId, capability: Capability) {
        self.0.entry(plugin.clone()).or_default().insert(capability);
    }

    fn restore(&mut self, plugin: &PluginId, capability: Capability) {
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

/// The revocations in force, and how far the store is behind them.
pub(crate) struct Permissions {
    state: Mutex<State>,
}

struct State {
    revocations: Arc<Revocations>,
    // Whether the store lacks something.
    behind: bool,
    // Whether somebody is saving: they save again for whoever changes something meanwhile, so that saves never
    // overlap and the last one wins, and nobody waits for a store with anything held.
    saving: bool,
}

impl Permissions {
    pub(crate) fn new(revocations: Revocations) -> Self {
        Self { state: Mutex::new(State { revocations: Arc::new(revocations), behind: false, saving: false }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn current(&self) -> Arc<Revocations> {
        self.state().revocations.clone()
    }

    /// Takes a capability away, or gives it back; `changed` hears of it once it is in force.
    pub(crate) fn change(
        &self,
        plugin: &PluginId,
        capability: Capability,
        change: Change,
        store: &dyn PermissionStore,
        changed: impl FnOnce(),
    ) -> Result<(), PermissionError> {
        if !capability.is_revocable() {
            return Err(PermissionError::NotRevocable { capability });
        }
        let is_new = {
            let mut state = self.state();
            let revocations = Arc::make_mut(&mut state.revocations);
            let is_new = revocations.of(plugin).contains(capability) != (change == Change::Revoke);
            match change {
                Change::Revoke => revocations.revoke(plugin, capability),
                Change::Restore => revocations.restore(plugin, capability),
            }
            state.behind |= is_new;
            is_new
        };
        if is_new {
            changed();
        }
        self.save(store)?;
        Ok(())
    }

    /// Brings the store up to date, unless somebody is at it already.
    fn save(&self, store: &dyn PermissionStore) -> Result<(), StoreError> {
        {
            let mut state = self.state();
            if state.saving || !state.behind {
                return Ok(());
            }
            state.saving = true;
        }
        loop {
            let revocations = {
                let mut state = self.state();
                if !state.behind {
                    state.saving = false;
                    return Ok(());
                }
                state.behind = false;
                state.revocations.clone()
            };
            let saved = contained("permission store", || store.save(&revocations))
                .unwrap_or(Err(StoreError::Panicked));
            if let Err(error) = saved {
                let mut state = self.state();
                state.behind = true;
                state.saving = false;
                drop(state);
                tracing::error!(%error, "revocations were not kept");
                return Err(error);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Revoke,
    Restore,
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

impl fmt::Debug for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.current().fmt(f)
    }
}
