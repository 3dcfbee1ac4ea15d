//! What is registered: plugins, commands and controls, shared by every workbench on the same registry.
//!
//! The registry does not know what a handler is: it keeps one for each command and hands it out.
//!
//! INVARIANT: no code of the product runs while the lock is held, and nothing that the product made is dropped while it
//! is held. What is taken out of the maps is dropped after the lock was released.

pub(crate) mod registration;

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::{Arc, RwLock, Weak};

use drawloom_command::{Command, CommandDeclaration, CommandId, PluginId, RegistrationId, tool_name};

use crate::contain::contained;
use crate::controls::{ControlId, MenuItem, Shortcut};
use crate::lock::{read, write};
use crate::permissions::capability::CapabilitySet;
use crate::plugin::{APPLICATION, Activation, unique_number};
use crate::registry::registration::{Entry, RegisterError, Registration, Remove};
use crate::watch::Signals;

/// Plugins, commands with their handlers of type `H`, and controls.
pub(crate) struct Entries<H: Default> {
    maps: RwLock<Maps<H>>,
    pub(crate) signals: Signals,
}

struct Maps<H: Default> {
    plugins: BTreeMap<PluginId, Activation>,
    commands: HashMap<CommandId, Arc<Registered<H>>>,
    // The same commands in order of their ids: a list needs no sorting, and a look-up no search.
    ordered: BTreeMap<CommandId, Arc<Registered<H>>>,
    // The callable ones by the name of their tool.
    by_tool_name: HashMap<Arc<str>, Arc<Registered<H>>>,
    menu: BTreeMap<ControlId, Owned<MenuItem>>,
    shortcuts: BTreeMap<u64, Owned<Shortcut>>,
}

struct Owned<T> {
    plugin: PluginId,
    // The handle of this entry removes this entry, and not a later one under the same name.
    number: u64,
    item: Arc<T>,
}

/// A registered command.
pub(crate) struct Registered<H: Default> {
    pub(crate) declaration: CommandDeclaration,
    pub(crate) owner: PluginId,
    pub(crate) activation: Activation,
    pub(crate) registration: RegistrationId,
    pub(crate) handler: H,
    // The name of its tool, if the command is callable.
    tool_name: Option<Arc<str>>,
}

impl<H: Default> Registered<H> {
    pub(crate) fn new(
        declaration: CommandDeclaration,
        owner: PluginId,
        activation: Activation,
        handler: H,
    ) -> Self {
        let tool_name = declaration.is_callable().then(|| tool_name(declaration.id().as_str()).into());
        let registration = RegistrationId::unique();
        Self { declaration, owner, activation, registration, handler, tool_name }
    }
}

impl<H: Default> Drop for Registered<H> {
    fn drop(&mut self) {
        // What a handler or a source of choices holds belongs to the product, and may panic when it is dropped.
        let handler = mem::take(&mut self.handler);
        let _ = contained("handler", || drop(handler));
        if let Ok(stand_in) = Command::new("removed", "Removed").declare() {
            let declaration = mem::replace(&mut self.declaration, stand_in);
            let _ = contained("choice source", || drop(declaration));
        }
    }
}

impl<H: Default> Default for Entries<H> {
    fn default() -> Self {
        Self { maps: RwLock::default(), signals: Signals::default() }
    }
}

impl<H: Default> Default for Maps<H> {
    fn default() -> Self {
        Self {
            plugins: BTreeMap::new(),
            commands: HashMap::new(),
            ordered: BTreeMap::new(),
            by_tool_name: HashMap::new(),
            menu: BTreeMap::new(),
            shortcuts: BTreeMap::new(),
        }
    }
}

impl<H: Default> Maps<H> {
    /// Removes a command, if it is still this registration. The caller drops what it gets after it released the lock.
    fn take_command(&mut self, id: &CommandId, registration: RegistrationId) -> Vec<Arc<Registered<H>>> {
        let Some(command) = self.commands.get(id) else { return Vec::new() };
        if command.registration != registration {
            return Vec::new();
        }
        let name = command.tool_name.clone();
        let mut taken: Vec<_> = self.commands.remove(id).into_iter().collect();
        taken.extend(self.ordered.remove(id));
        if let Some(name) = name {
            let is_it =
                self.by_tool_name.get(&*name).is_some_and(|command| command.registration == registration);
            taken.extend(if is_it { self.by_tool_name.remove(&*name) } else { None });
        }
        taken
    }
}

impl<H: Default> Entries<H> {
    pub(crate) fn activate(&self, plugin: &PluginId, declares: CapabilitySet) -> Option<Activation> {
        let activation = Activation::of_plugin(declares);
        let mut maps = write(&self.maps);
        if maps.plugins.contains_key(plugin) {
            return None;
        }
        maps.plugins.insert(plugin.clone(), activation);
        drop(maps);
        self.signals.raise();
        Some(activation)
    }

    /// The activation of the application's own plugin, which is activated if it is not active.
    pub(crate) fn activate_application(&self) -> (PluginId, Activation) {
        let plugin = PluginId::from(APPLICATION);
        let mut maps = write(&self.maps);
        let mut is_new = false;
        let activation = *maps.plugins.entry(plugin.clone()).or_insert_with(|| {
            is_new = true;
            Activation::of_application()
        });
        drop(maps);
        if is_new {
            self.signals.raise();
        }
        (plugin, activation)
    }

    pub(crate) fn deactivate(&self, plugin: &PluginId) -> bool {
        let mut maps = write(&self.maps);
        if maps.plugins.remove(plugin).is_none() {
            return false;
        }
        let own: Vec<_> = maps
            .commands
            .iter()
            .filter(|(_, command)| command.owner == *plugin)
            .map(|(id, command)| (id.clone(), command.registration))
            .collect();
        let commands: Vec<_> =
            own.iter().flat_map(|(id, registration)| maps.take_command(id, *registration)).collect();
        let menu: Vec<_> = maps.menu.extract_if(.., |_, item| item.plugin == *plugin).collect();
        let shortcuts: Vec<_> = maps.shortcuts.extract_if(.., |_, item| item.plugin == *plugin).collect();
        drop(maps);
        drop((commands, menu, shortcuts));
        self.signals.raise();
        true
    }

    pub(crate) fn activation(&self, plugin: &PluginId) -> Option<Activation> {
        read(&self.maps).plugins.get(plugin).copied()
    }

    /// Whether this very activation is the plugin's current one.
    pub(crate) fn is_active(&self, plugin: &PluginId, activation: Activation) -> bool {
        self.activation(plugin) == Some(activation)
    }

    pub(crate) fn plugins(&self) -> Vec<(PluginId, Activation)> {
        read(&self.maps).plugins.iter().map(|(id, activation)| (id.clone(), *activation)).collect()
    }

    pub(crate) fn command(&self, id: &CommandId) -> Option<Arc<Registered<H>>> {
        read(&self.maps).commands.get(id).cloned()
    }

    /// The callable command whose tool has this name.
    pub(crate) fn command_of_tool(&self, name: &str) -> Option<Arc<Registered<H>>> {
        read(&self.maps).by_tool_name.get(name).cloned()
    }

    /// Every command, in order of the ids.
    pub(crate) fn commands(&self) -> Vec<Arc<Registered<H>>> {
        read(&self.maps).ordered.values().cloned().collect()
    }

    pub(crate) fn menu_items(&self) -> Vec<Arc<MenuItem>> {
        read(&self.maps).menu.values().map(|owned| owned.item.clone()).collect()
    }

    /// Every shortcut, in the order they were registered.
    pub(crate) fn shortcuts(&self) -> Vec<Arc<Shortcut>> {
        read(&self.maps).shortcuts.values().map(|owned| owned.item.clone()).collect()
    }

    /// How many plugins and commands there are.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let maps = read(&self.maps);
        (maps.plugins.len(), maps.commands.len())
    }
}

impl<H: Default + Send + Sync + 'static> Entries<H> {
    pub(crate) fn register(self: &Arc<Self>, command: Registered<H>) -> Result<Registration, RegisterError> {
        let id = command.declaration.id().clone();
        let entry = Entry::Command(id.clone(), command.registration);
        let command = Arc::new(command);
        let mut maps = write(&self.maps);
        if maps.plugins.get(&command.owner) != Some(&command.activation) {
            drop(maps);
            return Err(RegisterError::Inactive { plugin: command.owner.clone() });
        }
        if let Some(taken) = maps.commands.get(&id) {
            let owner = taken.owner.clone();
            drop(maps);
            return Err(RegisterError::CommandTaken { command: id, owner });
        }
        if let Some(name) = &command.tool_name {
            // Two ids share a name only if 64 bits of SHA-256 agree. Then the first one keeps the name.
            maps.by_tool_name.entry(name.clone()).or_insert_with(|| command.clone());
        }
        maps.commands.insert(id.clone(), command.clone());
        maps.ordered.insert(id, command);
        drop(maps);
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
        let owned = Owned { plugin: plugin.clone(), number: unique_number(), item: Arc::new(item) };
        let entry = Entry::Menu(id.clone(), owned.number);
        let mut maps = write(&self.maps);
        if maps.plugins.get(plugin) != Some(&activation) {
            return Err(RegisterError::Inactive { plugin: plugin.clone() });
        }
        if let Some(taken) = maps.menu.get(&id) {
            return Err(RegisterError::ControlTaken { control: id, owner: taken.plugin.clone() });
        }
        maps.menu.insert(id, owned);
        drop(maps);
        Ok(self.handle(entry))
    }

    pub(crate) fn register_shortcut(
        self: &Arc<Self>,
        plugin: &PluginId,
        activation: Activation,
        shortcut: Shortcut,
    ) -> Result<Registration, RegisterError> {
        let number = unique_number();
        let owned = Owned { plugin: plugin.clone(), number, item: Arc::new(shortcut) };
        let mut maps = write(&self.maps);
        if maps.plugins.get(plugin) != Some(&activation) {
            return Err(RegisterError::Inactive { plugin: plugin.clone() });
        }
        maps.shortcuts.insert(number, owned);
        drop(maps);
        Ok(self.handle(Entry::Shortcut(number)))
    }

    fn handle(self: &Arc<Self>, entry: Entry) -> Registration {
        let registry: Weak<Self> = Arc::downgrade(self);
        Registration::new(registry, entry)
    }
}

impl<H: Default + Send + Sync> Remove for Entries<H> {
    fn remove(&self, entry: &Entry) {
        let mut maps = write(&self.maps);
        let is_removed = match entry {
            Entry::Command(id, registration) => {
                let taken = maps.take_command(id, *registration);
                drop(maps);
                !taken.is_empty()
            }
            Entry::Menu(id, number) => {
                let is_it = maps.menu.get(id).is_some_and(|item| item.number == *number);
                let item = if is_it { maps.menu.remove(id) } else { None };
                drop(maps);
                item.is_some()
            }
            Entry::Shortcut(number) => {
                let item = maps.shortcuts.remove(number);
                drop(maps);
                item.is_some()
            }
        };
        if is_removed {
            self.signals.raise();
        }
    }
}
