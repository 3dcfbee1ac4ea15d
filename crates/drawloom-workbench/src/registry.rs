//! What is registered: plugins, commands and controls, shared by every workbench that stands on it.
//!
//! INVARIANT: the lock in here is a leaf. Nothing of a product's runs while it is held, and nothing a product made
//! is dropped while it is held: what is taken out of the maps is handed out and dropped by the caller.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use drawloom_command::{Command, CommandDeclaration, CommandId, DeclarationError, PluginId, RegistrationId};

use crate::capability::{Capability, CapabilitySet};
use crate::contain::contained;
use crate::controls::{ControlId, MenuItem, Shortcut};
use crate::handler::{Handler, no_handler};
use crate::watch::Signals;

/// A registry of plugins, commands and controls.
///
/// A workbench makes its own unless it is given one. One registry may serve many workbenches, each with its own
/// session, window, grants and revocations: see [`WorkbenchBuilder::registry`](crate::WorkbenchBuilder::registry).
/// Clones are the same registry.
#[derive(Clone, Default)]
pub struct Registry(pub(crate) Arc<Inner>);

#[derive(Default)]
pub(crate) struct Inner {
    state: RwLock<State>,
    pub(crate) signals: Signals,
}

#[derive(Default)]
struct State {
    plugins: BTreeMap<PluginId, Activation>,
    commands: HashMap<CommandId, Arc<Registered>>,
    // The same commands in order of their ids, so that a list costs no sorting and a look-up no search.
    ordered: BTreeMap<CommandId, Arc<Registered>>,
    menu: BTreeMap<ControlId, Owned<MenuItem>>,
    shortcuts: BTreeMap<u64, Owned<Shortcut>>,
}

/// One activation of a plugin: a plugin that was deactivated and activated again has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    pub(crate) number: u64,
    pub(crate) declares: CapabilitySet,
}

struct Owned<T> {
    plugin: PluginId,
    // Which entry this is: its handle removes this one and no later one under the same name.
    serial: u64,
    item: Arc<T>,
}

/// A registered command.
pub(crate) struct Registered {
    pub(crate) declaration: CommandDeclaration,
    pub(crate) owner: PluginId,
    pub(crate) activation: Activation,
    pub(crate) registration: RegistrationId,
    pub(crate) handler: Handler,
}

impl Drop for Registered {
    fn drop(&mut self) {
        // What a handler holds is the product's, and may panic when it is dropped, wherever that comes to be.
        let handler = mem::replace(&mut self.handler, no_handler());
        let _ = contained("handler", || drop(handler));
        // So is what a source of choices holds.
        if let Ok(stand_in) = Command::new("gone", "Gone").declare() {
            let declaration = mem::replace(&mut self.declaration, stand_in);
            let _ = contained("choice source", || drop(declaration));
        }
    }
}

/// Why something could not be registered. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The declaration does not hold together.
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
    /// The id is taken.
    #[error("command \"{command}\" is registered already, by plugin \"{owner}\"")]
    CommandTaken {
        /// The id.
        command: CommandId,
        /// Who has it.
        owner: PluginId,
    },
    /// The control's id is taken.
    #[error("control \"{control}\" is registered already, by plugin \"{owner}\"")]
    ControlTaken {
        /// The id.
        control: ControlId,
        /// Who has it.
        owner: PluginId,
    },
    /// The plugin does not hold the capability to register.
    #[error("plugin \"{plugin}\" does not hold \"{capability}\": it must declare it and be granted it")]
    NotHeld {
        /// The plugin.
        plugin: PluginId,
        /// What it needs.
        capability: Capability,
    },
    /// The plugin was deactivated.
    #[error("plugin \"{plugin}\" is not active")]
    Inactive {
        /// The plugin.
        plugin: PluginId,
    },
}

impl RegisterError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Declaration(error) => error.code(),
            Self::CommandTaken { .. } => "command-taken",
            Self::ControlTaken { .. } => "control-taken",
            Self::NotHeld { .. } => "capability-not-held",
            Self::Inactive { .. } => "plugin-inactive",
        }
    }
}

/// What a handle removes when it is dropped.
#[derive(Clone, Debug)]
enum Entry {
    Command(CommandId, RegistrationId),
    Menu(ControlId, u64),
    Shortcut(u64),
}

/// The handle of something registered: dropping it removes the thing, at once and for every workbench.
#[must_use = "dropping a registration removes what was registered, and `let _ =` drops it at once; hold it or call `keep`"]
pub struct Registration {
    registry: Weak<Inner>,
    entry: Option<Entry>,
}

impl Registration {
    /// Removes what was registered. Dropping the handle does the same; this says it.
    pub fn dispose(self) {
        drop(self);
    }

    /// Leaves what was registered in place until its plugin is deactivated.
    pub fn keep(mut self) {
        self.entry = None;
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let (Some(registry), Some(entry)) = (self.registry.upgrade(), self.entry.take()) else { return };
        registry.remove(&entry);
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").field("entry", &self.entry).finish_non_exhaustive()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0.read();
        f.debug_struct("Registry")
            .field("plugins", &state.plugins.len())
            .field("commands", &state.commands.len())
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// A registry with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Numbers for activations and controls, unique within the process.
fn serial() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Inner {
    // A panic cannot happen under the lock, and if it did the maps would still hold together.
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn activate(&self, plugin: &PluginId, declares: CapabilitySet) -> Option<Activation> {
        let activation = Activation { number: serial(), declares };
        let mut state = self.write();
        if state.plugins.contains_key(plugin) {
            return None;
        }
        state.plugins.insert(plugin.clone(), activation);
        drop(state);
        self.signals.raise();
        Some(activation)
    }

    pub(crate) fn deactivate(&self, plugin: &PluginId) -> bool {
        let mut state = self.write();
        if state.plugins.remove(plugin).is_none() {
            return false;
        }
        let commands: Vec<_> = state.commands.extract_if(|_, command| command.owner == *plugin).collect();
        for (id, _) in &commands {
            state.ordered.remove(id);
        }
        let menu: Vec<_> = state.menu.extract_if(.., |_, item| item.plugin == *plugin).collect();
        let shortcuts: Vec<_> = state.shortcuts.extract_if(.., |_, item| item.plugin == *plugin).collect();
        drop(state);
        drop((commands, menu, shortcuts));
        self.signals.raise();
        true
    }

    pub(crate) fn activation(&self, plugin: &PluginId) -> Option<Activation> {
        self.read().plugins.get(plugin).copied()
    }

    /// Whether this very activation is the plugin's current one.
    pub(crate) fn is_active(&self, plugin: &PluginId, activation: Activation) -> bool {
        self.activation(plugin) == Some(activation)
    }

    pub(crate) fn plugins(&self) -> Vec<(PluginId, Activation)> {
        self.read().plugins.iter().map(|(id, activation)| (id.clone(), *activation)).collect()
    }

    pub(crate) fn register(self: &Arc<Self>, command: Registered) -> Result<Registration, RegisterError> {
        let id = command.declaration.id().clone();
        let entry = Entry::Command(id.clone(), command.registration);
        let command = Arc::new(command);
        let mut state = self.write();
        if state.plugins.get(&command.owner) != Some(&command.activation) {
            drop(state);
            return Err(RegisterError::Inactive { plugin: command.owner.clone() });
        }
        if let Some(taken) = state.commands.get(&id) {
            let owner = taken.owner.clone();
            drop(state);
            return Err(RegisterError::CommandTaken { command: id, owner });
        }
        state.commands.insert(id.clone(), command.clone());
        state.ordered.insert(id, command);
        drop(state);
        self.signals.raise();
        Ok(self.handle(entry))
    }

    pub(crate) fn register_menu_item(
        self: &Arc<Self>,
        plugin: &PluginId,
        activation: Activation,
        item: MenuItem,
    ) -> Result<Registration, RegisterError> {
        let id = item.id.clone();
        let owned = Owned { plugin: plugin.clone(), serial: serial(), item: Arc::new(item) };
        let entry = Entry::Menu(id.clone(), owned.serial);
        let mut state = self.write();
        if state.plugins.get(plugin) != Some(&activation) {
            return Err(RegisterError::Inactive { plugin: plugin.clone() });
        }
        if let Some(taken) = state.menu.get(&id) {
            return Err(RegisterError::ControlTaken { control: id, owner: taken.plugin.clone() });
        }
        state.menu.insert(id, owned);
        drop(state);
        Ok(self.handle(entry))
    }

    pub(crate) fn register_shortcut(
        self: &Arc<Self>,
        plugin: &PluginId,
        activation: Activation,
        shortcut: Shortcut,
    ) -> Result<Registration, RegisterError> {
        let owned = Owned { plugin: plugin.clone(), serial: serial(), item: Arc::new(shortcut) };
        let serial = owned.serial;
        let mut state = self.write();
        if state.plugins.get(plugin) != Some(&activation) {
            return Err(RegisterError::Inactive { plugin: plugin.clone() });
        }
        state.shortcuts.insert(serial, owned);
        drop(state);
        Ok(self.handle(Entry::Shortcut(serial)))
    }

    fn handle(self: &Arc<Self>, entry: Entry) -> Registration {
        Registration { registry: Arc::downgrade(self), entry: Some(entry) }
    }

    fn remove(&self, entry: &Entry) {
        let mut state = self.write();
        let removed = match entry {
            Entry::Command(id, registration) => {
                let is_it =
                    state.commands.get(id).is_some_and(|command| command.registration == *registration);
                let command = if is_it { state.commands.remove(id) } else { None };
                let again = if is_it { state.ordered.remove(id) } else { None };
                drop(state);
                command.is_some() && again.is_some()
            }
            Entry::Menu(id, serial) => {
                let is_it = state.menu.get(id).is_some_and(|item| item.serial == *serial);
                let item = if is_it { state.menu.remove(id) } else { None };
                drop(state);
                item.is_some()
            }
            Entry::Shortcut(serial) => {
                let item = state.shortcuts.remove(serial);
                drop(state);
                item.is_some()
            }
        };
        if removed {
            self.signals.raise();
        }
    }

    pub(crate) fn command(&self, id: &CommandId) -> Option<Arc<Registered>> {
        self.read().commands.get(id).cloned()
    }

    /// Every command, in order of the ids.
    pub(crate) fn commands(&self) -> Vec<Arc<Registered>> {
        self.read().ordered.values().cloned().collect()
    }

    pub(crate) fn menu_items(&self) -> Vec<Arc<MenuItem>> {
        self.read().menu.values().map(|owned| owned.item.clone()).collect()
    }

    /// Every shortcut, in the order they were registered.
    pub(crate) fn shortcuts(&self) -> Vec<Arc<Shortcut>> {
        self.read().shortcuts.values().map(|owned| owned.item.clone()).collect()
    }
}
