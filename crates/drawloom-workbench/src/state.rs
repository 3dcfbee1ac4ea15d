//! What the product and the person change while the application runs: session, window and revocations.
//!
//! One lock guards all three, so that a decision is always about a state that existed, never about the session of one
//! moment and the window of another. The store and all other code of the product run without the lock.

use std::mem;
use std::sync::{Arc, RwLock};

use drawloom_command::PluginId;

use crate::contain::logging;
use crate::lock::{read, write};
use crate::lookups;
use crate::permissions::capability::Capability;
use crate::permissions::revocations::{RevocationChange, RevocationChanges, Revocations};
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
    // The changes that the store lacks.
    unsaved: RevocationChanges,
    // Whether a thread is saving. It saves again for every change that is made meanwhile, so that saves never overlap,
    // the last one wins, and no thread waits for the store of another.
    saving: bool,
    // What the store was given since this saving began.
    given: RevocationChanges,
}

impl State {
    /// Starts with a state, and with what the store lacks of it.
    pub(crate) fn new(current: Snapshot, unsaved: RevocationChanges) -> Self {
        Self {
            inner: RwLock::new(Inner {
                current,
                unsaved,
                saving: false,
                given: RevocationChanges::default(),
            }),
        }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        lookups::note("state");
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
        change: RevocationChange,
        store: Option<&dyn PermissionStore>,
        changed: impl FnOnce(),
    ) -> Result<(), PermissionError> {
        if !capability.is_revocable() {
            return Err(PermissionError::NotRevocable { capability });
        }
        let is_new = {
            let mut state = write(&self.inner);
            let revocations = Arc::make_mut(&mut state.current.revocations);
            let is_new = revocations.of(plugin).contains(capability) != (change == RevocationChange::Revoked);
            match change {
                RevocationChange::Revoked => {
                    revocations.revoke(plugin.clone(), [capability].into_iter().collect())
                }
                RevocationChange::Restored => revocations.restore(plugin, capability),
            }
            // Also if nothing changed here: another process may have changed it in the store. A store that does this in each
            // save is not given it twice, or saving would never end.
            let is_given = state.saving && state.given.holds(plugin, capability, change);
            if store.is_some() && (is_new || !is_given) {
                state.unsaved.add(plugin.clone(), capability, change);
            }
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
            if state.saving || state.unsaved.is_empty() {
                return Ok(());
            }
            state.saving = true;
            state.given = RevocationChanges::default();
        }
        loop {
            let (changes, revocations) = {
                let mut state = write(&self.inner);
                if state.unsaved.is_empty() {
                    state.saving = false;
                    return Ok(());
                }
                let changes = mem::take(&mut state.unsaved);
                state.given.extend(&changes);
                (changes, state.current.revocations.clone())
            };
            if let Err(error) = store::save(store, &changes, &revocations) {
                let mut state = write(&self.inner);
                state.unsaved.put_back(changes);
                state.saving = false;
                drop(state);
                logging(|| tracing::error!(%error, "revocations were not kept"));
                return Err(error);
            }
        }
    }
}
