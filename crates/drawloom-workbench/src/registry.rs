//! What is registered: plugins, commands and controls, shared by every workbench on the same registry.
//!
//! The registry does not know what a handler is: it keeps one for each command and hands it out.
//!
//! INVARIANT: no code of the product runs while the lock is held, and nothing that the product made is dropped while it
//! is held. What is taken out of the maps is dropped after the lock was released.

pub(crate) mod registration;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::mem;
use std::sync::{Arc, RwLock, Weak};

use drawloom_command::{
    ChoiceSubscription, Command, CommandDeclaration, CommandId, PluginId, RegistrationId, tool_name,
};

use crate::contain::contained;
use crate::controls::{ControlId, MenuItem, Shortcut};
use crate::lock::{read, write};
use crate::lookups;
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
    plugins: BTreeMap<PluginId, Active>,
    commands: HashMap<CommandId, Arc<Registered<H>>>,
    // The same commands in order of their ids: a list needs no sorting, and a look-up no search.
    ordered: BTreeMap<CommandId, Arc<Registered<H>>>,
    // The callable ones by the name of their tool.
    by_tool_name: HashMap<Arc<str>, Arc<Registered<H>>>,
    menu: BTreeMap<ControlId, Owned<MenuItem>>,
    shortcuts: BTreeMap<u64, Owned<Shortcut>>,
    // The numbers of the shortcuts with the same keys, in the order they were registered.
    by_keys: HashMap<Arc<str>, BTreeSet<u64>>,
}

/// An active plugin, and what it registered, so that deactivating it costs no more than that.
struct Active {
    activation: Activation,
    commands: HashSet<CommandId>,
    menu: HashSet<ControlId>,
    shortcuts: HashSet<u64>,
}

impl Active {
    fn new(activation: Activation) -> Self {
        Self { activation, commands: HashSet::new(), menu: HashSet::new(), shortcuts: HashSet::new() }
    }
}

/// A control, and the plugin that registered it.
pub(crate) struct Control<T> {
    pub(crate) owner: PluginId,
    pub(crate) item: Arc<T>,
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
    /// Whether the handler returns a value although the command declares no answer.
    pub(crate) drops_value: bool,
    // The name of its tool, if the command is callable.
    tool_name: Option<Arc<str>>,
    choice_changes: Vec<ChoiceSubscription>,
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
        Self {
            declaration,
            owner,
            activation,
            registration,
            handler,
            drops_value: false,
            tool_name,
            choice_changes: Vec::new(),
        }
    }

    pub(crate) fn with_dropped_value(mut self, drops_value: bool) -> Self {
        self.drops_value = drops_value;
        self
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
            by_keys: HashMap::new(),
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
        for command in &taken {
            if let Some(active) = self.plugins.get_mut(&command.owner) {
                active.commands.remove(id);
            }
        }
        if let Some(name) = name {
            let is_it =
                self.by_tool_name.get(&*name).is_some_and(|command| command.registration == registration);
            taken.extend(if is_it { self.by_tool_name.remove(&*name) } else { None });
        }
        taken
    }

    fn take_shortcut(&mut self, number: u64) -> Option<Owned<Shortcut>> {
        let taken = self.shortcuts.remove(&number)?;
        if let Some(active) = self.plugins.get_mut(&taken.plugin) {
            active.shortcuts.remove(&number);
        }
        if let Some(numbers) = self.by_keys.get_mut(&taken.item.keys) {
            numbers.remove(&number);
            if numbers.is_empty() {
                self.by_keys.remove(&taken.item.keys);
            }
        }
        Some(taken)
    }

    fn take_menu_item(&mut self, id: &ControlId, number: u64) -> Option<Owned<MenuItem>> {
        if self.menu.get(id)?.number != number {
            return None;
        }
        let taken = self.menu.remove(id)?;
        if let Some(active) = self.plugins.get_mut(&taken.plugin) {
            active.menu.remove(id);
        }
        Some(taken)
    }

    /// The active plugin, if this is its current activation.
    fn active(&mut self, plugin: &PluginId, activation: Activation) -> Option<&mut Active> {
        self.plugins.get_mut(plugin).filter(|active| active.activation == activation)
    }
}

impl<H: Default> Entries<H> {
    pub(crate) fn activate(&self, plugin: &PluginId, declares: CapabilitySet) -> Option<Activation> {
        let activation = Activation::of_plugin(declares);
        let mut maps = write(&self.maps);
        if maps.plugins.contains_key(plugin) {
            return None;
        }
        // Nobody's list changes: nobody watches this activation yet, and it has registered nothing.
        maps.plugins.insert(plugin.clone(), Active::new(activation));
        Some(activation)
    }

    /// The activation of the application's own plugin, which is activated if it is not active.
    pub(crate) fn activate_application(&self) -> (PluginId, Activation) {
        let plugin = PluginId::from(APPLICATION);
        let mut maps = write(&self.maps);
        let active = || Active::new(Activation::of_application());
        let activation = maps.plugins.entry(plugin.clone()).or_insert_with(active).activation;
        drop(maps);
        (plugin, activation)
    }

    pub(crate) fn deactivate(&self, plugin: &PluginId) -> bool {
        let mut maps = write(&self.maps);
        let Some(Active { activation: _, commands, menu, shortcuts }) = maps.plugins.remove(plugin) else {
            return false;
        };
        let mut taken = Vec::new();
        for id in &commands {
            if let Some(registration) = maps.commands.get(id).map(|command| command.registration) {
                taken.extend(maps.take_command(id, registration));
            }
        }
        for id in &menu {
            maps.menu.remove(id);
        }
        for number in shortcuts {
            maps.take_shortcut(number);
        }
        drop(maps);
        drop(taken);
        let removed: Vec<CommandId> = commands.into_iter().collect();
        self.signals.removed(&removed);
        self.signals.deactivated(plugin);
        true
    }

    pub(crate) fn activation(&self, plugin: &PluginId) -> Option<Activation> {
        lookups::note("activation");
        read(&self.maps).plugins.get(plugin).map(|active| active.activation)
    }

    /// Whether this very activation is the plugin's current one.
    pub(crate) fn is_active(&self, plugin: &PluginId, activation: Activation) -> bool {
        self.activation(plugin) == Some(activation)
    }

    pub(crate) fn plugins(&self) -> Vec<(PluginId, Activation)> {
        read(&self.maps).plugins.iter().map(|(id, active)| (id.clone(), active.activation)).collect()
    }

    pub(crate) fn command(&self, id: &CommandId) -> Option<Arc<Registered<H>>> {
        lookups::note("command");
        read(&self.maps).commands.get(id).cloned()
    }

    /// The callable command whose tool has this name.
    pub(crate) fn command_of_tool(&self, name: &str) -> Option<Arc<Registered<H>>> {
        lookups::note("tool");
        read(&self.maps).by_tool_name.get(name).cloned()
    }

    /// Every command, in order of the ids.
    pub(crate) fn commands(&self) -> Vec<Arc<Registered<H>>> {
        read(&self.maps).ordered.values().cloned().collect()
    }

    pub(crate) fn menu_items(&self) -> Vec<Control<MenuItem>> {
        read(&self.maps).menu.values().map(Owned::control).collect()
    }

    /// Every shortcut, in the order they were registered.
    pub(crate) fn shortcuts(&self) -> Vec<Control<Shortcut>> {
        read(&self.maps).shortcuts.values().map(Owned::control).collect()
    }

    /// The shortcut that has these keys: the one that was registered first.
    pub(crate) fn shortcut(&self, keys: &str) -> Option<Control<Shortcut>> {
        let maps = read(&self.maps);
        let number = maps.by_keys.get(keys)?.first()?;
        maps.shortcuts.get(number).map(Owned::control)
    }

    /// How many plugins and commands there are.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let maps = read(&self.maps);
        (maps.plugins.len(), maps.commands.len())
    }
}

impl<H: Default + Send + Sync + 'static> Entries<H> {
    pub(crate) fn register(
        self: &Arc<Self>,
        mut command: Registered<H>,
    ) -> Result<Registration, RegisterError> {
        let id = command.declaration.id().clone();
        // Before the command can be found: whoever finds it earlier reads the choices as they are then.
        command.choice_changes = self.choice_changes(&command);
        let entry = Entry::Command(id.clone(), command.registration);
        let command = Arc::new(command);
        let mut maps = write(&self.maps);
        if maps.active(&command.owner, command.activation).is_none() {
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
        if let Some(active) = maps.active(&command.owner, command.activation) {
            active.commands.insert(id.clone());
        }
        maps.commands.insert(id.clone(), command.clone());
        maps.ordered.insert(id, command.clone());
        drop(maps);
        self.signals.registered(&command.declaration, &command.owner);
        Ok(self.handle(entry))
    }

    /// Reports each change of a set of choices that the command uses, to those to whom the command is offered. The
    /// subscriptions end with the registration.
    fn choice_changes(self: &Arc<Self>, command: &Registered<H>) -> Vec<ChoiceSubscription> {
        let sets = command.declaration.choice_sets();
        sets.map(|set| {
            let (registry, registration) = (Arc::downgrade(self), command.registration);
            let id = command.declaration.id().clone();
            set.subscribe(move || {
                let Some(registry) = registry.upgrade() else { return };
                if let Some(command) = registry.command(&id)
                    && command.registration == registration
                {
                    registry.signals.choices_changed(&command.declaration, &command.owner);
                }
            })
        })
        .collect()
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
        if maps.active(plugin, activation).is_none() {
            return Err(RegisterError::Inactive { plugin: plugin.clone() });
        }
        if let Some(taken) = maps.menu.get(&id) {
            return Err(RegisterError::ControlTaken { control: id, owner: taken.plugin.clone() });
        }
        if let Some(active) = maps.active(plugin, activation) {
            active.menu.insert(id.clone());
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
        let Some(active) = maps.active(plugin, activation) else {
            return Err(RegisterError::Inactive { plugin: plugin.clone() });
        };
        active.shortcuts.insert(number);
        maps.by_keys.entry(owned.item.keys.clone()).or_default().insert(number);
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
        match entry {
            Entry::Command(id, registration) => {
                let taken = maps.take_command(id, *registration);
                drop(maps);
                let is_removed = !taken.is_empty();
                drop(taken);
                if is_removed {
                    self.signals.removed(std::slice::from_ref(id));
                }
            }
            // No list of commands changes with a control.
            Entry::Menu(id, number) => drop(maps.take_menu_item(id, *number)),
            Entry::Shortcut(number) => drop(maps.take_shortcut(*number)),
        }
    }
}

impl<T> Owned<T> {
    fn control(&self) -> Control<T> {
        Control { owner: self.plugin.clone(), item: self.item.clone() }
    }
}
