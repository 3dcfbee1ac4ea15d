//! What the person does: triggers commands, and is shown what can be triggered.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{CommandArguments, CommandId, CommandOutcome, PluginId};

use crate::authorize::Authority;
use crate::contain::log;
use crate::controls::{
    ControlState, MenuItem, OfferedMenuItem, OfferedShortcut, Shortcut, TriggerableCommand,
};
use crate::dispatch::{Request, permitted, unavailable};
use crate::principal::Principal;
use crate::registry::Control;
use crate::workbench::{Registered, Workbench};

impl Workbench {
    /// Runs a command for the person, as a control, a key or a palette entry does. The session and the window decide; no
    /// grant is needed. The person is told about a refusal or a failure.
    pub fn trigger(&self, id: impl Into<CommandId>) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.trigger_with(id, CommandArguments::new())
    }

    /// Like [`Workbench::trigger`], with the arguments of a control.
    pub fn trigger_with(
        &self,
        id: impl Into<CommandId>,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.dispatch(Request::new(Principal::Person, id.into()), arguments)
    }

    /// What the person could trigger at this moment, for a palette or a menu, ordered by id. Commands that declare
    /// themselves context-only are left out. A command with required arguments is listed with them: it runs once the person has
    /// given them. A command that is not available now is listed as disabled, with its reason. Inside a handler at the nesting
    /// limit the list is empty.
    pub fn triggerable_commands(&self) -> Vec<TriggerableCommand> {
        if self.is_at_limit() {
            return Vec::new();
        }
        let authority = self.authority(&Principal::Person);
        let commands = self.registry().commands();
        let shown = commands.iter().filter(|command| !command.declaration.is_context_only());
        shown
            .filter(|command| permitted(&authority, command).is_ok())
            .filter_map(|command| {
                let described = self.describe_unconditionally(command)?;
                Some(TriggerableCommand { command: described, state: self.state_of(command) })
            })
            .collect()
    }

    /// The choices of an argument that the person has at this moment, for a form in which `given` is filled in so far.
    ///
    /// `None` if the person may not trigger the command, the argument is not a choice, or its choices depend on an argument
    /// that does not match yet.
    pub fn choices(
        &self,
        id: impl Into<CommandId>,
        argument: &str,
        given: &CommandArguments,
    ) -> Option<Arc<[Arc<str>]>> {
        if self.is_at_limit() {
            return None;
        }
        let authority = self.authority(&Principal::Person);
        let command = self.registry().command(&id.into())?;
        permitted(&authority, &command).ok()?;
        command.declaration.choices_of(argument, given)
    }

    /// How a control for the command is shown now. Reads code of the command.
    fn state_of(&self, command: &Registered) -> ControlState {
        let disabled = unavailable(command).map(|reason| self.inner.ports.translate(reason));
        let on = command.declaration.is_on(|panicked| log("condition", panicked));
        ControlState { disabled, on }
    }

    /// The menu items that are offered to the person at this moment, ordered by id and translated. Each would run, except one
    /// whose [`state`](OfferedMenuItem::state) is disabled, because its command is not available now.
    ///
    /// An item is left out if its command is not registered, may not run now, or does not accept the item's arguments; and
    /// if the command belongs to another plugin and [`ForeignControls`](crate::ForeignControls) does not allow that.
    pub fn menu_items(&self) -> Vec<OfferedMenuItem> {
        if self.is_at_limit() {
            return Vec::new();
        }
        let authority = self.authority(&Principal::Person);
        let items = self.registry().menu_items().into_iter();
        items
            .filter_map(|Control { owner, item }| {
                let offered = self.offered(&authority, &owner, &item.command, &item.arguments)?;
                let (command_owner, state) = (offered.owner.clone(), self.state_of(&offered));
                let title = self.inner.ports.translate(&item.title);
                let MenuItem { id, title: _, command, arguments } = (*item).clone();
                Some(OfferedMenuItem { id, title, command, arguments, owner, command_owner, state })
            })
            .collect()
    }

    /// The shortcuts that are offered to the person at this moment, in the order they were registered. The conditions are
    /// those of [`Workbench::menu_items`]. If several have the same keys, the one that was registered first wins: the others are
    /// never offered.
    pub fn shortcuts(&self) -> Vec<OfferedShortcut> {
        if self.is_at_limit() {
            return Vec::new();
        }
        let authority = self.authority(&Principal::Person);
        let mut claimed = HashSet::new();
        let shortcuts = self.registry().shortcuts().into_iter();
        shortcuts
            .filter(|shortcut| claimed.insert(shortcut.item.keys.clone()))
            .filter_map(|shortcut| self.offered_shortcut(&authority, shortcut))
            .collect()
    }

    /// The shortcut with these keys, if it is in the list of [`Workbench::shortcuts`].
    pub fn shortcut(&self, keys: &str) -> Option<OfferedShortcut> {
        if self.is_at_limit() {
            return None;
        }
        let shortcut = self.registry().shortcut(keys)?;
        self.offered_shortcut(&self.authority(&Principal::Person), shortcut)
    }

    fn offered_shortcut(
        &self,
        authority: &Authority,
        shortcut: Control<Shortcut>,
    ) -> Option<OfferedShortcut> {
        let Control { owner, item } = shortcut;
        let offered = self.offered(authority, &owner, &item.command, &item.arguments)?;
        let (command_owner, state) = (offered.owner.clone(), self.state_of(&offered));
        let Shortcut { keys, command, arguments } = (*item).clone();
        Some(OfferedShortcut { keys, command, arguments, owner, command_owner, state })
    }

    /// A control's command, if the control is offered. Choices are read only if everything else allows it.
    fn offered(
        &self,
        authority: &Authority,
        owner: &PluginId,
        command: &CommandId,
        arguments: &CommandArguments,
    ) -> Option<Arc<Registered>> {
        let command = self.registry().command(command)?;
        let may_name = command.owner == *owner || self.inner.foreign_controls.allow(&command.declaration);
        let is_offered = may_name
            && permitted(authority, &command).is_ok()
            && command.declaration.check(arguments).is_ok();
        is_offered.then_some(command)
    }
}
