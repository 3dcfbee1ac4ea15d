//! The commands that run in one workbench, and those who watch them. What the person sees of it is in `running::list`.

pub(crate) mod control;
pub(crate) mod list;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::activity_changes::{ActivityChanges, Watchers};
use crate::lock::lock;
use crate::running::control::{Control, Listing, RunningId};

/// The commands that run in one workbench, and those who watch them.
///
/// INVARIANT: the lock is a leaf lock. No code of the product runs while it is held, and no command is dropped.
#[derive(Default)]
pub(crate) struct Running {
    commands: Mutex<BTreeMap<RunningId, Arc<Control>>>,
    watchers: Watchers,
}

impl Running {
    pub(crate) fn get(&self, id: RunningId) -> Option<Arc<Control>> {
        lock(&self.commands).get(&id).cloned()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Control>> {
        lock(&self.commands).values().cloned().collect()
    }

    pub(crate) fn watch(&self) -> ActivityChanges {
        self.watchers.add()
    }
}

impl Listing for Running {
    fn add(&self, control: &Arc<Control>) {
        lock(&self.commands).insert(control.id, control.clone());
        self.changed();
    }

    fn remove(&self, id: RunningId) {
        let removed = lock(&self.commands).remove(&id);
        if removed.is_some() {
            self.changed();
        }
    }

    fn changed(&self) {
        self.watchers.changed();
    }
}
