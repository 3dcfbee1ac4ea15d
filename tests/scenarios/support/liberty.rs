//! What a callback must be able to do whenever the workbench calls it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use drawloom::command::PluginId;
use drawloom::workbench::{Capability, PluginContext, Workbench};

use super::{assert_answered, assert_unavailable, callable, handle_of, invoke};

/// Registers `notes.new`, invokes it, unregisters it and revokes the `automation` of a plugin. A port is made before
/// its workbench, so what to do it with is given later.
#[derive(Clone)]
pub(crate) struct Liberty(Arc<Inner>);

struct Inner {
    revokes: PluginId,
    with: OnceLock<(Workbench, PluginContext)>,
    begun: AtomicUsize,
    taken: AtomicUsize,
}

impl Liberty {
    /// A callback that does all of this, and revokes the `automation` of this plugin.
    pub(crate) fn revoking(plugin: &str) -> Self {
        Self(Arc::new(Inner {
            revokes: plugin.into(),
            with: OnceLock::new(),
            begun: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
        }))
    }

    /// Sets the workbench. Until then, the callback does nothing.
    pub(crate) fn with(&self, workbench: &Workbench, notes: &PluginContext) {
        assert!(self.0.with.set((workbench.clone(), notes.clone())).is_ok());
    }

    /// Does it.
    pub(crate) fn take(&self) {
        let Some((workbench, notes)) = self.0.with.get() else { return };
        self.0.begun.fetch_add(1, Ordering::SeqCst);
        let new = handle_of(notes, callable("notes.new"));
        assert_answered(&invoke(notes, "notes.new"));
        new.dispose();
        assert_unavailable(&invoke(notes, "notes.new"));
        workbench.revoke(&self.0.revokes, Capability::Automation).unwrap();
        self.0.taken.fetch_add(1, Ordering::SeqCst);
    }

    /// Does it only the first time, because a callback may trigger itself.
    pub(crate) fn take_once(&self) {
        if self.0.with.get().is_some() && self.0.begun.load(Ordering::SeqCst) == 0 {
            self.take();
        }
    }

    /// Asserts that nothing has happened yet.
    #[track_caller]
    pub(crate) fn assert_untaken(&self) {
        assert_eq!(self.0.begun.load(Ordering::SeqCst), 0, "how often it was begun");
    }

    /// Asserts that all of it has happened so many times, and that the plugin has lost its `automation`.
    #[track_caller]
    pub(crate) fn assert_taken(&self, times: usize) {
        assert_eq!(self.0.taken.load(Ordering::SeqCst), times, "how often all four have happened");
        let (workbench, _) = self.0.with.get().expect("a workbench was given");
        let account = workbench.permissions();
        let plugin = account.iter().find(|plugin| plugin.plugin == self.0.revokes).expect("it is active");
        let automation = plugin.capabilities.iter().find(|one| one.capability == Capability::Automation);
        assert!(automation.expect("it declares it").revoked, "nothing was revoked");
    }
}
