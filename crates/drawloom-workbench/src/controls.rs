//! Controls: what the person uses to run a command. Each names a command by id and runs exactly that command.

use std::sync::Arc;

use drawloom_command::{CommandArguments, CommandId};

/// The id of a control.
pub type ControlId = Arc<str>;

/// A menu item that names a command.
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

/// A key combination that names a command. The product defines how keys are spelled.
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
