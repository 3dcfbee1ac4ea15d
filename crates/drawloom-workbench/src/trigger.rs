//! What the person does: triggers commands, and is shown what can be triggered.

use std::future::Future;

use drawloom_command::{CommandArguments, CommandId, CommandOutcome, InvocableCommand};

use crate::authorize::Authority;
use crate::controls::{MenuItem, Shortcut};
use crate::dispatch::{Request, permitted};
use crate::principal::Principal;
use crate::workbench::Workbench;

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
    /// themselves context-only are left out.
    pub fn triggerable_commands(&self) -> Vec<InvocableCommand> {
        let authority = self.authority(&Principal::Person);
        self.list(|command| !command.declaration.is_context_only() && permitted(&authority, command).is_ok())
    }

    /// The menu items whose command the person could trigger at this moment, ordered by id and translated.
    pub fn menu_items(&self) -> Vec<MenuItem> {
        let authority = self.authority(&Principal::Person);
        let items = self.registry().menu_items();
        items
            .iter()
            .filter(|item| self.offers_control(&authority, &item.command))
            .map(|item| MenuItem { title: self.inner.ports.translate(&item.title), ..(**item).clone() })
            .collect()
    }

    /// The shortcuts whose command the person could trigger at this moment, in the order they were registered.
    pub fn shortcuts(&self) -> Vec<Shortcut> {
        let authority = self.authority(&Principal::Person);
        let shortcuts = self.registry().shortcuts();
        shortcuts
            .iter()
            .filter(|shortcut| self.offers_control(&authority, &shortcut.command))
            .map(|shortcut| (**shortcut).clone())
            .collect()
    }

    /// The shortcut with these keys, if the person could trigger its command at this moment. If several have the same keys,
    /// the one that was registered first counts.
    pub fn shortcut(&self, keys: &str) -> Option<Shortcut> {
        let shortcuts = self.registry().shortcuts();
        let shortcut = shortcuts.iter().find(|shortcut| *shortcut.keys == *keys)?;
        let is_offered = self.offers_control(&self.authority(&Principal::Person), &shortcut.command);
        is_offered.then(|| (**shortcut).clone())
    }

    fn offers_control(&self, authority: &Authority, command: &CommandId) -> bool {
        self.registry().command(command).is_some_and(|command| {
            permitted(authority, &command).is_ok() && command.declaration.can_be_called()
        })
    }
}
