//! What a plugin acts through: registering, listing, invoking, and the little else its capabilities allow.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{
    BoxFuture, CallOrigin, Command, CommandAccess, CommandArguments, CommandId, CommandOffer, CommandOutcome,
    InvocableCommand, PluginId, Refusal, RegistrationId, TypedArguments,
};
use futures_util::future::{Either, lazy};
use serde::Serialize;

use crate::call::Call;
use crate::capability::Capability;
use crate::controls::{MenuItem, Shortcut};
use crate::handler::{Answering, HandlerError, boxed};
use crate::ports::{Cause, Notice};
use crate::record::Log;
use crate::registry::{Activation, RegisterError, Registered, Registration};
use crate::seam::{Ask, Refused, Who};
use crate::session::Session;
use crate::watch::Changes;
use crate::workbench::Workbench;

/// A plugin's own view of a workbench. Clones are the same view.
///
/// It belongs to one activation: once the plugin is deactivated it reaches nothing and registers nothing, even if a
/// plugin of the same id is activated again.
#[derive(Clone)]
pub struct PluginContext {
    workbench: Workbench,
    plugin: PluginId,
    activation: Activation,
}

/// A plugin used something it does not hold the capability for. The person was told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("plugin \"{plugin}\" does not hold \"{capability}\"")]
#[non_exhaustive]
pub struct NotHeld {
    /// The plugin.
    pub plugin: PluginId,
    /// What it lacks.
    pub capability: Capability,
}

impl PluginContext {
    pub(crate) fn new(workbench: Workbench, plugin: PluginId, activation: Activation) -> Self {
        Self { workbench, plugin, activation }
    }

    /// The plugin.
    pub fn plugin(&self) -> &PluginId {
        &self.plugin
    }

    /// Whether the plugin holds the capability now: declared, granted and not revoked.
    pub fn holds(&self, capability: Capability) -> bool {
        self.registry().is_active(&self.plugin, self.activation)
            && self.workbench.holds(&self.workbench.now(), &self.plugin, self.activation, capability)
    }

    /// Registers a command and its behaviour.
    ///
    /// The handler is an async closure over the [`Call`]; whatever it returns is the answer where the command
    /// declares one. `?` turns any error that can be shown into a failure.
    ///
    /// # Errors
    /// [`RegisterError`] where the declaration does not hold together, the id is taken, or the plugin may not
    /// register.
    pub fn register<F, Fut, A>(&self, command: Command, handler: F) -> Result<Registration, RegisterError>
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
        A: Serialize,
    {
        self.require_contributions()?;
        let declaration = command.declare()?;
        self.workbench.warn_of(&declaration);
        let answering = match declaration.answers() {
            Some(_) => Answering::Value,
            None => Answering::Nothing,
        };
        self.registry().register(Registered {
            declaration,
            owner: self.plugin.clone(),
            activation: self.activation,
            registration: RegistrationId::unique(),
            handler: boxed(handler, answering),
        })
    }

    /// Registers a command whose arguments are the fields of a type, besides any that `command` has of its own.
    ///
    /// The handler receives them apart from the [`Call`], which keeps the others.
    ///
    /// ```
    /// # use drawloom_command::{ArgumentField, ArgumentProblem, Command, Argument, CommandArguments};
    /// # use drawloom_command::TypedArguments;
    /// # use drawloom_workbench::{PluginContext, RegisterError, Registration};
    /// # struct OpenNote { path: String }
    /// # impl TypedArguments for OpenNote {
    /// #     fn declare() -> Vec<Argument> {
    /// #         vec![String::declare("path")]
    /// #     }
    /// #     fn take_from(arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
    /// #         Ok(Self { path: ArgumentField::from_given("path", arguments.remove("path"))? })
    /// #     }
    /// # }
    /// fn register(notes: &PluginContext) -> Result<Registration, RegisterError> {
    ///     notes.register_typed(
    ///         Command::new("notes.open", "Open note").answers("What was opened").callable(),
    ///         |args: OpenNote, _call| async move { Ok(format!("opened {}", args.path)) },
    ///     )
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`PluginContext::register`].
    pub fn register_typed<T, F, Fut, A>(
        &self,
        command: Command,
        handler: F,
    ) -> Result<Registration, RegisterError>
    where
        T: TypedArguments,
        F: Fn(T, Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
        A: Serialize,
    {
        self.register(command.arguments(T::declare()), move |mut call| {
            match T::take_from(&mut call.arguments) {
                Ok(arguments) => Either::Left(handler(arguments, call)),
                Err(error) => Either::Right(lazy(|_| Err(error.into()))),
            }
        })
    }

    /// Registers a menu item.
    ///
    /// # Errors
    /// [`RegisterError`] where the id is taken or the plugin may not register.
    pub fn register_menu_item(&self, item: MenuItem) -> Result<Registration, RegisterError> {
        self.require_contributions()?;
        self.registry().register_menu_item(&self.plugin, self.activation, item)
    }

    /// Registers a shortcut. Where two claim the same keys, the first one registered has them.
    ///
    /// # Errors
    /// [`RegisterError`] where the plugin may not register.
    pub fn register_shortcut(&self, shortcut: Shortcut) -> Result<Registration, RegisterError> {
        self.require_contributions()?;
        self.registry().register_shortcut(&self.plugin, self.activation, shortcut)
    }

    /// Everything the plugin may reach at this moment; see [`CommandAccess::invocable_commands`].
    ///
    /// A list is a moment. Keep none: ask again, or watch [`PluginContext::changes`].
    pub fn invocable_commands(&self) -> Vec<InvocableCommand> {
        let standing = self.workbench.standing(&self.who());
        self.workbench.list(|command| standing.offers(command))
    }

    /// Runs a command by its id.
    pub fn invoke(
        &self,
        id: impl Into<CommandId>,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.invoke_at(0, id.into(), arguments)
    }

    pub(crate) fn invoke_at(
        &self,
        depth: u32,
        command: CommandId,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.workbench.dispatch(Ask { who: self.who(), command, depth, offered: None }, arguments)
    }

    /// A stream that yields each time the list of [`PluginContext::invocable_commands`] has changed.
    pub fn changes(&self) -> Changes {
        Changes::new(self.clone(), &[&self.registry().signals, &self.workbench.inner.signals])
    }

    /// The session, for a plugin that holds [`Capability::Session`].
    ///
    /// # Errors
    /// [`NotHeld`] where it does not; the person is told.
    pub fn session(&self) -> Result<Arc<Session>, NotHeld> {
        self.require(Capability::Session)?;
        Ok(self.workbench.session())
    }

    /// Tells the person something, for a plugin that holds [`Capability::Ui`]: a translation key or a literal.
    ///
    /// # Errors
    /// [`NotHeld`] where it does not; the person is told of that instead.
    pub fn tell(&self, text: impl Into<Arc<str>>) -> Result<(), NotHeld> {
        self.require(Capability::Ui)?;
        let text = self.workbench.translate(&text.into());
        self.workbench.notify(&Notice::Message { plugin: self.plugin.clone(), text });
        Ok(())
    }

    fn require(&self, capability: Capability) -> Result<(), NotHeld> {
        if self.holds(capability) {
            return Ok(());
        }
        if self.registry().is_active(&self.plugin, self.activation) {
            self.workbench.notify(&Notice::MissingGrant {
                plugin: self.plugin.clone(),
                capability,
                command: None,
            });
        }
        Err(NotHeld { plugin: self.plugin.clone(), capability })
    }

    fn require_contributions(&self) -> Result<(), RegisterError> {
        if !self.registry().is_active(&self.plugin, self.activation) {
            return Err(RegisterError::Inactive { plugin: self.plugin.clone() });
        }
        if !self.holds(Capability::Contributions) {
            let capability = Capability::Contributions;
            return Err(RegisterError::NotHeld { plugin: self.plugin.clone(), capability });
        }
        Ok(())
    }

    fn who(&self) -> Who {
        Who::Plugin(self.plugin.clone(), self.activation)
    }

    fn registry(&self) -> &Arc<crate::registry::Inner> {
        &self.workbench.inner.registry.0
    }

    fn offer_of(&self, command: &Registered) -> CommandOffer {
        let declaration = &command.declaration;
        CommandOffer::new(declaration.id().clone(), command.registration, declaration.agent_consent())
    }

    fn ask_for(&self, offer: &CommandOffer) -> Ask {
        Ask { who: self.who(), command: offer.id.clone(), depth: 0, offered: Some(offer.registration) }
    }
}

impl CommandAccess for PluginContext {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        self.invocable_commands()
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        let command = self.registry().command(id)?;
        let is_offered =
            self.workbench.standing(&self.who()).offers(&command) && command.declaration.can_be_called();
        is_offered.then(|| self.offer_of(&command))
    }

    fn review(
        &self,
        offer: &CommandOffer,
        arguments: &CommandArguments,
        _origin: &CallOrigin,
    ) -> Result<(), Refusal> {
        self.workbench.review(&self.ask_for(offer), arguments)
    }

    fn refuse(&self, id: &CommandId, _origin: &CallOrigin) -> Refusal {
        let ask = Ask { who: self.who(), command: id.clone(), depth: 0, offered: None };
        let refused = Refused::from(Cause::NotOffered);
        let refusal = refused.refusal.clone();
        let depth = crate::chain::current().saturating_add(1);
        Log::open(&self.workbench, &ask, &CommandArguments::new(), depth).refuse(refused);
        refusal
    }

    fn invoke_command(
        &self,
        id: CommandId,
        arguments: CommandArguments,
    ) -> BoxFuture<'static, CommandOutcome> {
        Box::pin(self.invoke_at(0, id, arguments))
    }

    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        _origin: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome> {
        Box::pin(self.workbench.dispatch(self.ask_for(offer), arguments))
    }
}

impl fmt::Debug for PluginContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginContext").field("plugin", &self.plugin).finish_non_exhaustive()
    }
}
