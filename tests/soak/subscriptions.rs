//! Subscriptions to what an agent may reach, each woken once and dropped.

use drawloom::prelude::*;
use futures::{FutureExt, StreamExt};

use crate::Stage;

pub(crate) struct Subscriptions {
    notes: PluginContext,
    copilot: PluginContext,
}

impl Subscriptions {
    pub(crate) fn new(stage: &Stage) -> Self {
        Self { notes: stage.notes.clone(), copilot: stage.copilot.clone() }
    }

    pub(crate) fn round(&mut self, subscriptions: u64) {
        let mut changes: Vec<_> = (0..subscriptions).map(|_| self.copilot.changes()).collect();
        for changes in &mut changes {
            assert!(changes.next().now_or_never().is_none(), "nothing has changed");
        }
        let passing = Command::new("notes.passing", "Passing").callable();
        drop(self.notes.register(passing, |_: Call| async { Ok(()) }).unwrap());
        for changes in &mut changes {
            assert!(changes.next().now_or_never().flatten().is_some(), "a command came and went");
        }
    }
}
