//! What the product and the person change while the application runs: session, window and revocations.
//!
//! One lock guards all three, so that a decision is always about a state that existed, never about the session of one
//! moment and the window of another. The store and all other code of the product run without the lock.

use std::mem;
use std::sync::{Arc, RwLock};

use drawloom_command::PluginId;

use crate::lock::{read, write};
use crate::permissions::capability::Capability;
use crate::permissions::revocations::Revocations;
use crate::permissions::store::{self, PermissionError, PermissionStore, StoreError};
use crate::session::{Session, Window};

/// Session, window and revocations at one moment.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) session: Arc<Session>,
    pub(crate) window: Window,
    pub(crate) revocations: Arc<Revocations>,
}

/// The current state, and whether the store has it.
pub(crate) struct State {
    inner: RwLock<Inner>,
}

struct Inner {
    current: Snapshot,
    // Whether the store lacks a change.
    unsaved: bool,
    // Whether a thread is saving. It saves again for every change that is made meanwhile, so that saves never overlap,
    // the last one wins, and no thread waits for the store of another.
    saving: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Revoke,
    Restore,
}

impl State {
    /// Starts with a state whose revocations the store has, or does not have.
    pub(crate) fn new(current: Snapshot, is_kept: bool) -> Self {
        Self { inner: RwLock::new(Inner { current, unsaved: !is_kept, saving: false }) }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        read(&self.inner).current.clone()
    }

    pub(crate) fn set_session(&self, session: Session) {
        let session = Arc::new(session);
        let before = mem::replace(&mut write(&self.inner).current.session, session);
        drop(before);
    }

    pub(crate) fn set_window(&self, window: Window) {
        write(&self.inner).current.window = window;
    }

    /// Revokes or restores a capability. `changed` is called once the change is in force.
    pub(crate) fn change(
        &self,
        plugin: &PluginId,
        capability: Capability,
        change: Change,
        store: Option<&dyn PermissionStore>,
        changed: impl FnOnce(),
    ) -> Result<(), PermissionError> {
        if !capability.is_revocable() {
            return Err(PermissionError::NotRevocable { capability });
        }
        let is_new = {
            let mut state = write(&self.inner);
            let revocations = Arc::make_mut(&mut state.current.revocations);
            let is_new = revocations.of(plugin).contains(capability) != (change == Change::Revoke);
            match change {
                Change::Revoke => revocations.revoke(plugin.clone(), [capability].into_iter().collect()),
                Change::Restore => revocations.restore(plugin, capability),
            }
            state.unsaved |= is_new;
            is_new
        };
        if is_new {
            changed();
        }
        if let Some(store) = store {
            self.save(store)?;
        }
        Ok(())
    }

    /// Saves what is unsaved, unless another thread is saving: that thread then saves this too.
    fn save(&self, store: &dyn PermissionStore) -> Result<(), StoreError> {
        {
            let mut state = write(&self.inner);
            if state.saving || !state.unsaved {
                return Ok(());
            }
            state.saving = true;
        }
        loop {
            let revocations = {
                let mut state = write(&self.inner);
                if !state.unsaved {
                    state.saving = false;
                    return Ok(());
                }
                state.unsaved = false;
                state.current.revocations.clone()
            };
            if let Err(error) = store::save(store, &revocations) {
                let mut state = write(&self.inner);
                state.unsaved = true;
                state.saving = false;
                drop(state);
                tracing::error!(%error, "revocations were not kept");
                return Err(error);
            }
        }
    }
}
