//! How a workbench is built.

use std::fmt;
use std::sync::Arc;

use drawloom_command::PluginId;

use crate::audit::event::AuditSink;
use crate::audit::stream::AuditStream;
use crate::clock::Clock;
use crate::contain::DropContained;
use crate::controls::ForeignControls;
use crate::permissions::by_plugin::CapabilitiesByPlugin;
use crate::permissions::capability::{Capability, CapabilitySet};
use crate::permissions::revocations::{RevocationChanges, Revocations};
use crate::permissions::store::{self, PermissionStore, StoreError};
use crate::ports::{Notifier, Ports, Translator};
use crate::session::{Session, Window};
use crate::state::{Snapshot, State};
use crate::undo::history::Histories;
use crate::watch::Signals;
use crate::workbench::{Registry, Workbench, WorkbenchInner};

/// How deep commands may invoke each other by default.
const NESTING_LIMIT: u32 = 16;

/// How many entries the undo history of a person has by default.
const UNDO_LIMIT: usize = 100;

/// Builder for a [`Workbench`].
///
/// By default nothing is granted, the session is anonymous, the window is the main window, texts are literal, nobody is
/// notified, and revocations end with the process. Clones share what they were given, so that one builder can build many
/// similar workbenches.
///
/// The type parameter says whether there is a permission store. Only a store can fail, so [`build`](Self::build) returns
/// a `Result` only after [`permission_store`](Self::permission_store).
#[derive(Clone)]
#[must_use = "a builder does nothing until it builds"]
pub struct WorkbenchBuilder<S = WithoutStore> {
    registry: Option<Registry>,
    grants: Arc<CapabilitiesByPlugin>,
    session: Arc<Session>,
    window: Window,
    revocations: Revocations,
    ports: Arc<Ports>,
    nesting_limit: u32,
    undo_limit: usize,
    foreign_controls: ForeignControls,
    store: S,
}

/// The type parameter of a [`WorkbenchBuilder`] that was given no permission store.
#[derive(Clone, Copy, Debug)]
pub struct WithoutStore(());

/// The type parameter of a [`WorkbenchBuilder`] that was given a permission store.
#[derive(Clone)]
pub struct WithStore(DropContained<Arc<dyn PermissionStore>>);

impl Workbench {
    /// Starts building a workbench.
    pub fn builder() -> WorkbenchBuilder {
        WorkbenchBuilder {
            registry: None,
            grants: Arc::default(),
            session: Arc::default(),
            window: Window::Main,
            revocations: Revocations::default(),
            ports: Arc::default(),
            nesting_limit: NESTING_LIMIT,
            undo_limit: UNDO_LIMIT,
            foreign_controls: ForeignControls::default(),
            store: WithoutStore(()),
        }
    }
}

impl<S> WorkbenchBuilder<S> {
    /// Grants capabilities to a plugin, in addition to those granted before.
    pub fn grant(
        mut self,
        plugin: impl Into<PluginId>,
        capabilities: impl IntoIterator<Item = Capability>,
    ) -> Self {
        Arc::make_mut(&mut self.grants).add(plugin.into(), capabilities.into_iter().collect());
        self
    }

    /// Uses a shared registry.
    ///
    /// ```
    /// use drawloom_workbench::{Capability, Registry, Session, Workbench};
    ///
    /// let registry = Registry::new();
    /// let everybody = Workbench::builder()
    ///     .registry(registry.clone())
    ///     .grant("copilot", [Capability::Automation]);
    /// let ada = everybody.clone().session(Session::authenticated(["editor"])).build();
    /// let bob = everybody.build();
    /// # let _ = (ada, bob);
    /// ```
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Sets the session to start with.
    pub fn session(mut self, session: Session) -> Self {
        self.session = Arc::new(session);
        self
    }

    /// Sets the window to start with.
    pub fn window(mut self, window: Window) -> Self {
        self.window = window;
        self
    }

    /// Sets what shows notices to the person.
    pub fn notifier(mut self, notifier: impl Notifier + 'static) -> Self {
        Arc::make_mut(&mut self.ports).set_notifier(Arc::new(notifier));
        self
    }

    /// Sets what translates texts.
    pub fn translator(mut self, translator: impl Translator + 'static) -> Self {
        Arc::make_mut(&mut self.ports).set_translator(Arc::new(translator));
        self
    }

    /// Sets what takes the records of decisions and invocations.
    pub fn audit(mut self, audit: impl AuditSink + 'static) -> Self {
        Arc::make_mut(&mut self.ports).set_audit(Arc::new(audit));
        self
    }

    /// Sets the clock, for how long invocations take and when records were made.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        Arc::make_mut(&mut self.ports).set_clock(Arc::new(clock));
        self
    }

    /// Limits how deep commands may invoke each other; 16 by default. With 0, nothing runs.
    pub fn nesting_limit(mut self, limit: u32) -> Self {
        self.nesting_limit = limit;
        self
    }

    /// Limits how many entries the undo history of each person has; 100 by default. With 0, nothing can be undone. See
    /// [`Workbench::undo_history`].
    pub fn undo_limit(mut self, limit: usize) -> Self {
        self.undo_limit = limit;
        self
    }

    /// Sets which commands of other plugins a control may name; callable ones by default. A control that names another one
    /// is not offered.
    pub fn foreign_controls(mut self, allowed: ForeignControls) -> Self {
        self.foreign_controls = allowed;
        self
    }

    /// Revokes capabilities from the start, in addition to what a store holds. A store gets them with the next change.
    pub fn revoked(
        mut self,
        plugin: impl Into<PluginId>,
        capabilities: impl IntoIterator<Item = Capability>,
    ) -> Self {
        let revoked: CapabilitySet =
            capabilities.into_iter().filter(|capability| capability.is_revocable()).collect();
        self.revocations.revoke(plugin.into(), revoked);
        self
    }

    /// Sets the store that keeps what the person revoked.
    pub fn permission_store(self, store: impl PermissionStore + 'static) -> WorkbenchBuilder<WithStore> {
        let Self {
            registry,
            grants,
            session,
            window,
            revocations,
            ports,
            nesting_limit,
            undo_limit,
            foreign_controls,
            store: _,
        } = self;
        let store = WithStore(DropContained::new("permission store", Arc::new(store)));
        WorkbenchBuilder {
            registry,
            grants,
            session,
            window,
            revocations,
            ports,
            nesting_limit,
            undo_limit,
            foreign_controls,
            store,
        }
    }

    fn finish(self, kept: &Revocations, store: Option<DropContained<Arc<dyn PermissionStore>>>) -> Workbench {
        let unsaved = RevocationChanges::revoking(&self.revocations, kept);
        let mut revocations = self.revocations;
        revocations.extend(kept);
        let snapshot =
            Snapshot { session: self.session, window: self.window, revocations: Arc::new(revocations) };
        Workbench {
            inner: Arc::new(WorkbenchInner {
                registry: self.registry.unwrap_or_default(),
                grants: self.grants,
                state: State::new(snapshot, unsaved),
                signals: Signals::default(),
                audit: self.ports.audit().cloned().map(AuditStream::new).map(Arc::new),
                running: Arc::default(),
                undo: Histories::new(self.undo_limit),
                ports: self.ports,
                store,
                nesting_limit: self.nesting_limit,
                foreign_controls: self.foreign_controls,
            }),
        }
    }
}

impl WorkbenchBuilder<WithoutStore> {
    /// Builds the workbench.
    pub fn build(self) -> Workbench {
        self.finish(&Revocations::default(), None)
    }
}

impl WorkbenchBuilder<WithStore> {
    /// Loads what the person revoked, and builds the workbench.
    ///
    /// # Errors
    /// If the store cannot be loaded. A workbench never starts as if nothing had been revoked.
    pub fn build(self) -> Result<Workbench, StoreError> {
        let store = self.store.0.clone();
        let kept = match store.get() {
            Some(store) => store::load(&**store)?,
            None => Revocations::default(),
        };
        Ok(self.finish(&kept, Some(store)))
    }
}

impl fmt::Debug for WithStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithStore").finish_non_exhaustive()
    }
}

impl<S: fmt::Debug> fmt::Debug for WorkbenchBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkbenchBuilder")
            .field("grants", &self.grants)
            .field("session", &self.session)
            .field("window", &self.window)
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}
