//! Controls: what the person uses to run a command. Each names a command by id and runs exactly that command.

use std::sync::Arc;

use drawloom_command::{CommandArguments, CommandDeclaration, CommandId, InvocableCommand, PluginId};
use serde::Serialize;

/// The id of a control.
pub type ControlId = Arc<str>;

/// A menu item to register. It names a command.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MenuItem {
    /// The id of the item itself.
    pub id: ControlId,
    /// The title: a translation key or a literal.
    pub title: Arc<str>,
    /// The command that it runs.
    pub command: CommandId,
    /// The arguments that it passes to the command.
    pub arguments: CommandArguments,
}

impl MenuItem {
    /// An item that runs a command without arguments.
    pub fn new(id: impl Into<ControlId>, title: impl Into<Arc<str>>, command: impl Into<CommandId>) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            command: command.into(),
            arguments: CommandArguments::new(),
        }
    }

    /// Sets the arguments that the item passes to the command.
    #[must_use]
    pub fn arguments(mut self, arguments: CommandArguments) -> Self {
        self.arguments = arguments;
        self
    }
}

/// A key combination to register. It names a command. The product defines how keys are spelled.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shortcut {
    /// The keys, as the product spells them.
    pub keys: Arc<str>,
    /// The command that they run.
    pub command: CommandId,
    /// The arguments that the shortcut passes to the command.
    pub arguments: CommandArguments,
}

impl Shortcut {
    /// A shortcut that runs a command without arguments.
    pub fn new(keys: impl Into<Arc<str>>, command: impl Into<CommandId>) -> Self {
        Self { keys: keys.into(), command: command.into(), arguments: CommandArguments::new() }
    }

    /// Sets the arguments that the shortcut passes to the command.
    #[must_use]
    pub fn arguments(mut self, arguments: CommandArguments) -> Self {
        self.arguments = arguments;
        self
    }
}

/// Which commands of other plugins a control may name. Commands of its own plugin may always be named.
///
/// A control runs its command as the person, with the arguments and under the title that the control's plugin chose. So a
/// control that names a command of another plugin uses that command in a way that its author did not provide for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForeignControls {
    /// Those that are callable: their authors expect other plugins to use them.
    #[default]
    Callable,
    /// None.
    Refused,
}

impl ForeignControls {
    /// Whether a control of one plugin may name this command of another plugin.
    pub(crate) fn allow(self, command: &CommandDeclaration) -> bool {
        match self {
            Self::Callable => command.is_callable(),
            Self::Refused => false,
        }
    }
}

/// How a control for a command is shown to the person at this moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ControlState {
    /// Why the control is disabled, translated: a condition under which the command is available does not hold. A trigger
    /// would be refused with this reason. `None` if it is enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled: Option<Arc<str>>,
    /// Whether the command is on. `None` if it is not a toggle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<bool>,
}

impl ControlState {
    /// Whether the command runs if it is triggered.
    pub fn is_enabled(&self) -> bool {
        self.disabled.is_none()
    }
}

/// A command that the person may trigger, for a palette or a menu.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TriggerableCommand {
    /// The command: its texts, and the arguments that it needs.
    #[serde(flatten)]
    pub command: InvocableCommand,
    /// Whether it is enabled, and whether it is on.
    #[serde(flatten)]
    pub state: ControlState,
}

/// A menu item that is offered to the person: what it shows and runs, and who is responsible for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OfferedMenuItem {
    /// The id of the item itself.
    pub id: ControlId,
    /// The title, translated.
    pub title: Arc<str>,
    /// The command that it runs.
    pub command: CommandId,
    /// The arguments that it passes to the command.
    pub arguments: CommandArguments,
    /// The plugin that registered the item.
    pub owner: PluginId,
    /// The plugin that registered the command.
    pub command_owner: PluginId,
    /// Whether the item is enabled, and whether the command is on.
    pub state: ControlState,
}

/// A shortcut that is offered to the person: what it runs, and who is responsible for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OfferedShortcut {
    /// The keys, as the product spells them.
    pub keys: Arc<str>,
    /// The command that they run.
    pub command: CommandId,
    /// The arguments that the shortcut passes to the command.
    pub arguments: CommandArguments,
    /// The plugin that registered the shortcut.
    pub owner: PluginId,
    /// The plugin that registered the command.
    pub command_owner: PluginId,
    /// Whether the shortcut is enabled, and whether the command is on.
    pub state: ControlState,
}
