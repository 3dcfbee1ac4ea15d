//! A workbench: one person's state over a registry of commands.
//!
//! This file holds what a workbench is and how its state changes. How it is built is in `builder`, how a command is
//! decided about and run in `dispatch`, what the person triggers in `trigger`, and a plugin's view of it in `context`.

use std::fmt;
use std::sync::Arc;

use drawloom_command::PluginId;

use crate::audit::stream::AuditStream;
use crate::authorize::{Authority, Rights};
use crate::contain::DropContained;
use crate::controls::ForeignControls;
use crate::invocation::erased::Handler;
use crate::permissions::by_plugin::CapabilitiesByPlugin;
use crate::permissions::capability::{Capability, CapabilitySet};
use crate::permissions::revocations::RevocationChange;
use crate::permissions::store::{PermissionError, PermissionStore};
use crate::permissions::{self, PluginPermissions};
use crate::plugin::Activation;
use crate::ports::Ports;
use crate::principal::Principal;
use crate::registry::{self, Entries};
use crate::running::Running;
use crate::session::{Session, Window};
use crate::state::{Snapshot, State};
use crate::undo::history::Histories;
use crate::watch::Signals;

/// A registry of plugins, commands and controls.
///
/// A workbench has its own registry unless it is given one. One registry may serve many workbenches, each with its own
/// session, window, grants and revocations: see [`WorkbenchBuilder::registry`](crate::WorkbenchBuilder::registry).
/// Clones are the same registry.
#[derive(Clone, Default)]
pub struct Registry(pub(crate) Arc<Entries<Handler<Workbench>>>);

/// A command as it is registered.
pub(crate) type Registered = registry::Registered<Handler<Workbench>>;

/// The actions of an application, and the single place that decides which of them may run. Clones are the same workbench.
#[derive(Clone)]
pub struct Workbench {
    pub(crate) inner: Arc<WorkbenchInner>,
}

pub(crate) struct WorkbenchInner {
    pub(crate) registry: Registry,
    pub(crate) grants: Arc<CapabilitiesByPlugin>,
    pub(crate) state: State,
    pub(crate) signals: Signals,
    pub(crate) running: Arc<Running>,
    pub(crate) undo: Histories,
    pub(crate) ports: Arc<Ports>,
    pub(crate) audit: Option<Arc<AuditStream>>,
    pub(crate) store: Option<DropContained<Arc<dyn PermissionStore>>>,
    pub(crate) nesting_limit: u32,
    pub(crate) foreign_controls: ForeignControls,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Workbench {
    pub(crate) fn registry(&self) -> &Arc<Entries<Handler<Self>>> {
        &self.inner.registry.0
    }

    /// Deactivates a plugin. Everything that it registered is removed, and its contexts can no longer do anything. Returns
    /// whether it was active.
    pub fn deactivate(&self, plugin: &PluginId) -> bool {
        self.registry().deactivate(plugin)
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.inner.state.snapshot()
    }

    /// The current session.
    pub fn session(&self) -> Arc<Session> {
        self.snapshot().session
    }

    /// Replaces the session: the person signed in or out, or has other roles or data now.
    ///
    /// It is in force for every decision from now on. What already runs is not stopped, and keeps the session in which it was
    /// decided; the person can cancel it.
    pub fn set_session(&self, session: Session) {
        self.inner.state.set_session(session);
        self.rights_changed();
    }

    /// The current window.
    pub fn window(&self) -> Window {
        self.snapshot().window
    }

    /// Replaces the window. What already runs is not stopped.
    pub fn set_window(&self, window: Window) {
        self.inner.state.set_window(window);
        self.rights_changed();
    }

    /// Revokes a capability of a plugin, as the person wishes. It is in force when this returns. What already runs is not
    /// stopped, but what it invokes from now on is decided without the capability.
    ///
    /// Two saves never overlap: if another thread is saving a change at this moment, that thread saves this change too, and
    /// gets the error if saving fails.
    ///
    /// # Errors
    /// If the capability cannot be revoked, or the change was not kept.
    pub fn revoke(&self, plugin: &PluginId, capability: Capability) -> Result<(), PermissionError> {
        self.change(plugin, capability, RevocationChange::Revoked)
    }

    /// Restores a capability that was revoked. It is in force when this returns. A plugin never gets more than it was
    /// granted.
    ///
    /// # Errors
    /// If the capability cannot be revoked, or the change was not kept.
    pub fn restore(&self, plugin: &PluginId, capability: Capability) -> Result<(), PermissionError> {
        self.change(plugin, capability, RevocationChange::Restored)
    }

    fn change(
        &self,
        plugin: &PluginId,
        capability: Capability,
        change: RevocationChange,
    ) -> Result<(), PermissionError> {
        let store = self.inner.store.as_ref().and_then(DropContained::get).map(|store| &**store);
        self.inner.state.change(plugin, capability, change, store, || self.rights_changed())
    }

    /// The permissions report: every active plugin with each capability that it declares, in order.
    pub fn permissions(&self) -> Vec<PluginPermissions> {
        let revocations = self.snapshot().revocations;
        let plugins = self.registry().plugins().into_iter();
        plugins
            .map(|(plugin, activation)| {
                let (granted, revoked) = (self.inner.grants.of(&plugin), revocations.of(&plugin));
                permissions::report(plugin, activation, granted, revoked)
            })
            .collect()
    }

    /// Reports a change that the workbench cannot see: of the active language, or of the choices that a source gives. Those
    /// who watch their list are told if it has changed.
    pub fn announce_change(&self) {
        let commands = self.registry().commands();
        self.inner
            .signals
            .texts_changed(|| commands.iter().map(|command| (&command.declaration, &command.owner)));
    }

    fn rights_changed(&self) {
        // Whoever starts to watch after this reads the state as it is now.
        if self.inner.signals.is_empty() {
            return;
        }
        let commands = self.registry().commands();
        self.inner
            .signals
            .rights_changed(|| commands.iter().map(|command| (&command.declaration, &command.owner)));
    }

    /// What a plugin holds: declared, granted and not revoked.
    pub(crate) fn held(
        &self,
        snapshot: &Snapshot,
        plugin: &PluginId,
        activation: Activation,
    ) -> CapabilitySet {
        permissions::held(activation, self.inner.grants.of(plugin), snapshot.revocations.of(plugin))
    }

    /// What decides, at this moment, what a principal may run.
    pub(crate) fn authority(&self, principal: &Principal) -> Authority {
        let snapshot = self.snapshot();
        // Read after the snapshot: an activation that has ended never comes back, so one that is still there was there
        // when the snapshot was taken.
        let rights = match principal {
            Principal::Person => Rights::Person,
            Principal::Plugin(id, activation) => {
                let is_active = self.registry().is_active(id, *activation);
                let automation = self.held(&snapshot, id, *activation).contains(Capability::Automation);
                match is_active {
                    true => Rights::Plugin { id: id.clone(), automation },
                    false => Rights::Inactive,
                }
            }
        };
        Authority { snapshot, rights }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (plugins, commands) = self.0.counts();
        f.debug_struct("Registry")
            .field("plugins", &plugins)
            .field("commands", &commands)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Workbench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let snapshot = self.snapshot();
        f.debug_struct("Workbench")
            .field("registry", &self.inner.registry)
            .field("session", &snapshot.session)
            .field("window", &snapshot.window)
            .field("revoked", &snapshot.revocations)
            .finish_non_exhaustive()
    }
}
