//! What the product and the person change while the application runs: session, window and what was taken away.
//!
//! They stand under one lock, so that a decision is taken about a moment that there was, never about the session of
//! one and the window of another. The lock is a leaf: neither the store nor anything else is called under it.

use std::mem;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use drawloom_command::PluginId;

use crate::capability::Capability;
use crate::contain::contained;
use crate::permissions::{PermissionError, PermissionStore, Revocations, StoreError};
use crate::session::{Session, Window};

/// How things stood at one moment.
#[derive(Clone)]
pub(crate) struct Moment {
    pub(crate) session: Arc<Session>,
    pub(crate) window: Window,
    pub(crate) revocations: Arc<Revocations>,
}

/// How things stand, and how far the store is behind them.
pub(crate) struct Present {
    state: RwLock<State>,
}

struct State {
    moment: Moment,
    // Whether the store lacks something.
    behind: bool,
    // Whether somebody is saving: they save again for whoever changes something meanwhile, so that saves never
    // overlap and the last one wins, and nobody waits for a store with anything held.
    saving: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Revoke,
    Restore,
}

impl Present {
    /// Starts at a moment whose revocations the store has, or has not.
    pub(crate) fn new(moment: Moment, is_kept: bool) -> Self {
        Self { state: RwLock::new(State { moment, behind: !is_kept, saving: false }) }
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> Moment {
        self.read().moment.clone()
    }

    pub(crate) fn set_session(&self, session: Session) {
        let session = Arc::new(session);
        let before = mem::replace(&mut self.write().moment.session, session);
        drop(before);
    }

    pub(crate) fn set_window(&self, window: Window) {
        self.write().moment.window = window;
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
            let mut state = self.write();
            let revocations = Arc::make_mut(&mut state.moment.revocations);
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
            let mut state = self.write();
            if state.saving || !state.behind {
                return Ok(());
            }
            state.saving = true;
        }
        loop {
            let revocations = {
                let mut state = self.write();
                if !state.behind {
                    state.saving = false;
                    return Ok(());
                }
                state.behind = false;
                state.moment.revocations.clone()
            };
            let saved = contained("permission store", || store.save(&revocations))
                .unwrap_or(Err(StoreError::Panicked));
            if let Err(error) = saved {
                let mut state = self.write();
                state.behind = true;
                state.saving = false;
                drop(state);
                tracing::error!(%error, "revocations were not kept");
                return Err(error);
            }
        }
    }
}
