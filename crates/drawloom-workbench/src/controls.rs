//! Controls: what the person pulls. Each names a command by id and runs exactly that.

use std::sync::Arc;

use drawloom_command::{CommandArguments, CommandId};

/// The id of a control.
pub type ControlId = Arc<str>;

/// A menu item that names a command.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MenuItem {
    /// The item's own id.
    pub id: ControlId,
    /// What it shows: a translation key or a literal.
    pub title: Arc<str>,
    /// The command it runs.
    pub command: CommandId,
    /// The arguments it holds as data.
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

    /// Makes the item hold these arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: CommandArguments) -> Self {
        self.arguments = arguments;
        self
    }
}

/// A key combination that names a command. How keys are spelled is the product's.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shortcut {
    /// The keys, in the product's spelling.
    pub keys: Arc<str>,
    /// The command they run.
    pub command: CommandId,
    /// The arguments the shortcut holds as data.
    pub arguments: CommandArguments,
}

impl Shortcut {
    /// A shortcut that runs a command without arguments.
    pub fn new(keys: impl Into<Arc<str>>, command: impl Into<CommandId>) -> Self {
        Self { keys: keys.into(), command: command.into(), arguments: CommandArguments::new() }
    }

    /// Makes the shortcut hold these arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: CommandArguments) -> Self {
        self.arguments = arguments;
        self
    }
}
