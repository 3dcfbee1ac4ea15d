//! A workbench: one person's view of a registry, with everything the seam decides from.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use drawloom_command::{CommandArguments, CommandId, CommandOutcome, InvocableCommand, PluginId};

use crate::capability::{Capability, CapabilitySet};
use crate::contain::contained;
use crate::context::PluginContext;
use crate::controls::{MenuItem, Shortcut};
use crate::permissions::{
    self, NoStore, PermissionError, PermissionState, PermissionStore, PluginPermissions, Revocations,
    StoreError,
};
use crate::plugin::{ActivateError, Grants, Plugin};
use crate::ports::{AuditSink, Clock, Notice, Notifier, Translator};
use crate::present::{Change, Moment, Present};
use crate::registry::{Activation, Registry};
use crate::seam::{Ask, Standing, Who};
use crate::session::{Session, Window};
use crate::watch::Signals;

/// How deep commands may invoke each other unless the builder says otherwise.
const NESTING_LIMIT: u32 = 16;

/// An application's actions, and the seam that decides alone which of them may run. Clones are the same workbench.
#[derive(Clone)]
pub struct Workbench {
    pub(crate) inner: Arc<WorkbenchInner>,
}

pub(crate) struct WorkbenchInner {
    pub(crate) registry: Registry,
    pub(crate) grants: Arc<Grants>,
    present: Present,
    pub(crate) signals: Signals,
    pub(crate) ports: Ports,
}

#[derive(Clone)]
pub(crate) struct Ports {
    pub(crate) notifier: Option<Arc<dyn Notifier>>,
    pub(crate) translator: Option<Arc<dyn Translator>>,
    pub(crate) audit: Option<Arc<dyn AuditSink>>,
    pub(crate) clock: Option<Arc<dyn Clock>>,
    pub(crate) store: Arc<dyn PermissionStore>,
    pub(crate) nesting_limit: u32,
}

/// A workbench in the making. Whatever is not set has its default: nothing granted, an anonymous session, the main
/// window, literal texts, nobody told, nothing kept. Clones share what they were given, which makes a builder the
/// way to build many alike.
#[derive(Clone)]
#[must_use = "a builder does nothing until it builds"]
pub struct WorkbenchBuilder {
    registry: Option<Registry>,
    grants: Arc<Grants>,
    session: Arc<Session>,
    window: Window,
    revocations: Revocations,
    // What the store holds.
    kept: Revocations,
    ports: Ports,
}

impl WorkbenchBuilder {
    /// Grants capabilities to a plugin, besides those granted before.
    pub fn grant(
        mut self,
        plugin: impl Into<PluginId>,
        capabilities: impl IntoIterator<Item = Capability>,
    ) -> Self {
        Arc::make_mut(&mut self.grants).add(plugin.into(), capabilities.into_iter().collect());
        self
    }

    /// Stands on a registry that others may stand on too.
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

    /// Starts with this session.
    pub fn session(mut self, session: Session) -> Self {
        self.session = Arc::new(session);
        self
    }

    /// Starts in this window.
    pub fn window(mut self, window: Window) -> Self {
        self.window = window;
        self
    }

    /// Tells the person through this.
    pub fn notifier(mut self, notifier: impl Notifier + 'static) -> Self {
        self.ports.notifier = Some(Arc::new(notifier));
        self
    }

    /// Resolves texts through this.
    pub fn translator(mut self, translator: impl Translator + 'static) -> Self {
        self.ports.translator = Some(Arc::new(translator));
        self
    }

    /// Records every decision of the seam with this; see [`AuditSink`] for what is not one.
    pub fn audit(mut self, audit: impl AuditSink + 'static) -> Self {
        self.ports.audit = Some(Arc::new(audit));
        self
    }

    /// Measures how long invocations take with this.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.ports.clock = Some(Arc::new(clock));
        self
    }

    /// Limits how deep commands may invoke each other; 16 by default. At 0 nothing runs.
    pub fn nesting_limit(mut self, limit: u32) -> Self {
        self.ports.nesting_limit = limit;
        self
    }

    /// Loads what the person took away, and keeps further changes there.
    ///
    /// # Errors
    /// Where the store cannot be loaded: a workbench never starts as if nothing had been revoked.
    pub fn permission_store(mut self, store: impl PermissionStore + 'static) -> Result<Self, StoreError> {
        let store = Arc::new(store);
        self.kept = permissions::load(&*store)?;
        self.revocations = [&self.revocations, &self.kept]
            .into_iter()
            .flat_map(Revocations::iter)
            .map(|(plugin, taken)| (plugin.clone(), taken))
            .collect();
        self.ports.store = store;
        Ok(self)
    }

    /// Starts with these revocations, besides those of a store. A store is given them with the next change.
    pub fn revoked(
        mut self,
        plugin: impl Into<PluginId>,
        capabilities: impl IntoIterator<Item = Capability>,
    ) -> Self {
        let taken: CapabilitySet =
            capabilities.into_iter().filter(|capability| capability.is_revocable()).collect();
        let plugin = plugin.into();
        let all = self.revocations.iter().map(|(plugin, taken)| (plugin.clone(), taken));
        self.revocations = all.chain([(plugin, taken)]).collect();
        self
    }

    /// The workbench.
    pub fn build(self) -> Workbench {
        let is_kept = self.revocations == self.kept;
        Workbench {
            inner: Arc::new(WorkbenchInner {
                registry: self.registry.unwrap_or_default(),
                grants: self.grants,
                present: Present::new(
                    Moment {
                        session: self.session,
                        window: self.window,
                        revocations: Arc::new(self.revocations),
                    },
                    is_kept,
                ),
                signals: Signals::default(),
                ports: self.ports,
            }),
        }
    }
}

impl Workbench {
    /// Starts building a workbench.
    pub fn builder() -> WorkbenchBuilder {
        WorkbenchBuilder {
            registry: None,
            grants: Arc::default(),
            session: Arc::default(),
            window: Window::Main,
            revocations: Revocations::default(),
            kept: Revocations::default(),
            ports: Ports {
                notifier: None,
                translator: None,
                audit: None,
                clock: None,
                store: Arc::new(NoStore),
                nesting_limit: NESTING_LIMIT,
            },
        }
    }

    /// Activates a plugin: it is there for every workbench on the same registry.
    ///
    /// # Errors
    /// Where a plugin of that id is active.
    pub fn activate(&self, plugin: Plugin) -> Result<PluginContext, ActivateError> {
        if plugin.id.as_str().is_empty() {
            return Err(ActivateError::EmptyId);
        }
        for capability in self.inner.grants.of(&plugin.id).iter() {
            if !plugin.declares.contains(capability) {
                tracing::warn!(
                    plugin = plugin.id.as_str(),
                    capability = capability.as_str(),
                    "a grant is inert: the plugin does not declare the capability"
                );
            }
        }
        match self.inner.registry.0.activate(&plugin.id, plugin.declares) {
            Some(activation) => Ok(PluginContext::new(self.clone(), plugin.id, activation)),
            None => Err(ActivateError::AlreadyActive { plugin: plugin.id }),
        }
    }

    /// The context of an active plugin in this workbench, where the plugin was activated through another one on the
    /// same registry.
    pub fn context(&self, plugin: impl Into<PluginId>) -> Option<PluginContext> {
        let plugin = plugin.into();
        let activation = self.inner.registry.0.activation(&plugin)?;
        Some(PluginContext::new(self.clone(), plugin, activation))
    }

    /// Deactivates a plugin: all it registered is gone, and its contexts reach nothing any more. Returns whether it
    /// was active.
    pub fn deactivate(&self, plugin: &PluginId) -> bool {
        self.inner.registry.0.deactivate(plugin)
    }

    /// Runs a command for the person, as a control, a key or a palette entry does: session and window decide, and no
    /// grant is asked for. The person is told of a refusal or a failure.
    pub fn trigger(&self, id: impl Into<CommandId>) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.trigger_with(id, CommandArguments::new())
    }

    /// Like [`Workbench::trigger`], with the arguments a control holds as data.
    pub fn trigger_with(
        &self,
        id: impl Into<CommandId>,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.dispatch(Ask { who: Who::Person, command: id.into(), depth: 0, offered: None }, arguments)
    }

    /// What the person could trigger here and now, for a palette or a menu, ordered by id; commands that declare
    /// themselves context-only are left out.
    pub fn triggerable_commands(&self) -> Vec<InvocableCommand> {
        let standing = self.standing(&Who::Person);
        self.list(|command| !command.declaration.is_context_only() && standing.permits(command).is_ok())
    }

    /// The menu items whose command the person could trigger here and now, ordered by id, translated.
    pub fn menu_items(&self) -> Vec<MenuItem> {
        let standing = self.standing(&Who::Person);
        let items = self.inner.registry.0.menu_items();
        items
            .iter()
            .filter(|item| self.offers_control(&standing, &item.command))
            .map(|item| MenuItem { title: self.translate(&item.title), ..(**item).clone() })
            .collect()
    }

    /// The shortcuts whose command the person could trigger here and now, in the order they were registered.
    pub fn shortcuts(&self) -> Vec<Shortcut> {
        let standing = self.standing(&Who::Person);
        let shortcuts = self.inner.registry.0.shortcuts();
        shortcuts
            .iter()
            .filter(|shortcut| self.offers_control(&standing, &shortcut.command))
            .map(|shortcut| (**shortcut).clone())
            .collect()
    }

    /// The shortcut that has these keys, which is the first one registered for them, where the person could trigger
    /// its command here and now.
    pub fn shortcut(&self, keys: &str) -> Option<Shortcut> {
        let shortcuts = self.inner.registry.0.shortcuts();
        let shortcut = shortcuts.iter().find(|shortcut| *shortcut.keys == *keys)?;
        let is_offered = self.offers_control(&self.standing(&Who::Person), &shortcut.command);
        is_offered.then(|| (**shortcut).clone())
    }

    fn offers_control(&self, standing: &Standing, command: &CommandId) -> bool {
        self.inner
            .registry
            .0
            .command(command)
            .is_some_and(|command| standing.permits(&command).is_ok() && command.declaration.can_be_called())
    }

    pub(crate) fn now(&self) -> Moment {
        self.inner.present.now()
    }

    /// The session now.
    pub fn session(&self) -> Arc<Session> {
        self.now().session
    }

    /// Replaces the session: the person signed in, signed out, or has other roles.
    pub fn set_session(&self, session: Session) {
        self.inner.present.set_session(session);
        self.inner.signals.raise();
    }

    /// The window now.
    pub fn window(&self) -> Window {
        self.now().window
    }

    /// Replaces the window.
    pub fn set_window(&self, window: Window) {
        self.inner.present.set_window(window);
        self.inner.signals.raise();
    }

    /// Takes a capability from a plugin, on the person's word. It is in force when this returns.
    ///
    /// Two saves never overlap: where another change is just being saved, whoever saves it saves this one too, and is
    /// told where that fails.
    ///
    /// # Errors
    /// Where the capability cannot be revoked, or the change was not kept.
    pub fn revoke(&self, plugin: &PluginId, capability: Capability) -> Result<(), PermissionError> {
        self.change(plugin, capability, Change::Revoke)
    }

    /// Gives back what was revoked. It is in force when this returns; a plugin never gets more than it was granted.
    ///
    /// # Errors
    /// Where the capability cannot be revoked, or the change was not kept.
    pub fn restore(&self, plugin: &PluginId, capability: Capability) -> Result<(), PermissionError> {
        self.change(plugin, capability, Change::Restore)
    }

    fn change(
        &self,
        plugin: &PluginId,
        capability: Capability,
        change: Change,
    ) -> Result<(), PermissionError> {
        let store = &*self.inner.ports.store;
        self.inner.present.change(plugin, capability, change, store, || self.inner.signals.raise())
    }

    /// The permissions account: every active plugin, and where each capability it declares stands.
    pub fn permissions(&self) -> Vec<PluginPermissions> {
        let revocations = self.now().revocations;
        let plugins = self.inner.registry.0.plugins();
        plugins
            .into_iter()
            .map(|(plugin, activation)| {
                let granted = self.inner.grants.of(&plugin);
                let revoked = revocations.of(&plugin);
                let state = |capability| PermissionState {
                    capability,
                    granted: granted.contains(capability),
                    revoked: revoked.contains(capability),
                    revocable: capability.is_revocable(),
                };
                PluginPermissions { plugin, capabilities: activation.declares.iter().map(state).collect() }
            })
            .collect()
    }

    /// Says that something changed which the workbench cannot see: the active language, or what a source of choices
    /// would answer. Whoever watches its list is told where its list is another now.
    pub fn announce_change(&self) {
        self.inner.signals.raise();
    }

    /// What a plugin holds at a moment: declared, granted and not revoked.
    pub(crate) fn holds(
        &self,
        moment: &Moment,
        plugin: &PluginId,
        activation: Activation,
        capability: Capability,
    ) -> bool {
        activation.declares.contains(capability)
            && self.inner.grants.of(plugin).contains(capability)
            && !moment.revocations.of(plugin).contains(capability)
    }

    pub(crate) fn translate(&self, text: &Arc<str>) -> Arc<str> {
        match self.translated(text) {
            Some(translated) => translated.into(),
            None => text.clone(),
        }
    }

    /// The translation of a key, where there is one.
    pub(crate) fn translated(&self, key: &str) -> Option<String> {
        let translator = self.inner.ports.translator.as_ref()?;
        contained("translator", || translator.translate(key)).unwrap_or(None)
    }

    pub(crate) fn notify(&self, notice: &Notice) {
        if let Some(notifier) = &self.inner.ports.notifier {
            let _ = contained("notifier", || notifier.notify(notice));
        }
    }

    /// The time, where the workbench was given a clock.
    pub(crate) fn time(&self) -> Option<Duration> {
        let clock = self.inner.ports.clock.as_ref()?;
        contained("clock", || clock.now()).ok()
    }
}

impl fmt::Debug for Workbench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = self.now();
        f.debug_struct("Workbench")
            .field("registry", &self.inner.registry)
            .field("session", &moment.session)
            .field("window", &moment.window)
            .field("revoked", &moment.revocations)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for WorkbenchBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkbenchBuilder")
            .field("grants", &self.grants)
            .field("session", &self.session)
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}
