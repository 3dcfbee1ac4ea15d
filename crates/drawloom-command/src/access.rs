//! The interface of a workbench for one caller.

use std::pin::Pin;
use std::sync::Arc;

use futures_core::Stream;

use crate::declaration::{AgentConsent, Completion, Effects};
use crate::hook::{BoxFuture, HookDecision};
use crate::id::{CommandId, RegistrationId};
use crate::invocable::InvocableCommand;
use crate::origin::CallOrigin;
use crate::outcome::{CommandOutcome, Refusal};
use crate::progress::ProgressSlot;
use crate::tool_name::{plain_command_id, tool_name};
use crate::value::CommandArguments;

/// A stream that yields each time the list of what a caller may reach has changed; see [`CommandAccess::list_changes`].
pub type ListChanges = Pin<Box<dyn Stream<Item = ()> + Send>>;

/// The part of a workbench that one caller uses: the list of the commands that it may reach, and the ways to run them.
///
/// A plugin's context implements it. The trait is narrow, so that an adapter can do exactly this and nothing else. It is
/// usable as `dyn CommandAccess`. An implementation that runs user-supplied code catches its panics with
/// [`contained`](crate::contained()) and [`Contained`](crate::Contained).
pub trait CommandAccess: Send + Sync {
    /// Everything the caller may reach now, ordered by id, with every text in the active language.
    fn invocable_commands(&self) -> Vec<InvocableCommand>;

    /// A stream that yields each time [`CommandAccess::invocable_commands`] has changed, for an adapter that reports changes
    /// to its peer. `None`, the default, if this access does not report them.
    fn list_changes(&self) -> Option<ListChanges> {
        None
    }

    /// The entry of the command `id` in [`CommandAccess::invocable_commands`], if it is there now.
    ///
    /// The default searches the whole list. An access that can describe a single command overrides it.
    fn describe(&self, id: &CommandId) -> Option<InvocableCommand> {
        self.invocable_commands().into_iter().find(|command| command.id == *id)
    }

    /// The command `id`, if it is one of [`CommandAccess::invocable_commands`] now.
    fn offer(&self, id: &CommandId) -> Option<CommandOffer>;

    /// The command whose tool has this name (see [`tool_name`](crate::tool_name())), if it is one of
    /// [`CommandAccess::invocable_commands`] now.
    ///
    /// The default reads the id from a plain name and searches the whole list for any other. An access with an index
    /// by name overrides it.
    fn offer_by_tool_name(&self, name: &str) -> Option<CommandOffer> {
        if let Some(id) = plain_command_id(name) {
            return self.offer(&id.into());
        }
        let mut commands = self.invocable_commands().into_iter();
        let id = commands.find(|command| tool_name(command.id.as_str()) == name)?.id;
        self.offer(&id)
    }

    /// Checks whether an invocation with these arguments would be let through now. Runs nothing.
    ///
    /// # Errors
    /// The refusal that [`CommandAccess::invoke_offered`] would give. It is recorded like any other refusal.
    fn review(
        &self,
        offer: &CommandOffer,
        arguments: &CommandArguments,
        origin: &CallOrigin,
    ) -> Result<(), Refusal>;

    /// Refuses a call to a command that is not offered to the caller, with the one message for all such commands, and
    /// records the refusal like any other.
    fn refuse(&self, id: &CommandId, origin: &CallOrigin) -> Refusal;

    /// Records what the hook before a call decided. An adapter reports each decision once, before it acts on it, so that the
    /// record of a decision precedes the record of what ran because of it. A call that was cancelled while its hook was
    /// deciding is reported too.
    ///
    /// The default does nothing, for an access that keeps no records.
    fn record_decision(&self, decision: HookDecision<'_>) {
        let _ = decision;
    }

    /// Runs a command by its id.
    fn invoke_command(
        &self,
        id: CommandId,
        arguments: CommandArguments,
    ) -> BoxFuture<'static, CommandOutcome>;

    /// Runs a command only if it is still offered and still the registration that was offered.
    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome>;

    /// Like [`CommandAccess::invoke_offered`], and puts the progress that the command reports into a slot.
    ///
    /// The default reports no progress. An access whose commands report some overrides it.
    fn invoke_offered_with(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
        progress: ProgressSlot,
    ) -> BoxFuture<'static, CommandOutcome> {
        let _ = progress;
        self.invoke_offered(offer, arguments, origin)
    }
}

impl<T: CommandAccess + ?Sized> CommandAccess for Arc<T> {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        (**self).invocable_commands()
    }

    fn list_changes(&self) -> Option<ListChanges> {
        (**self).list_changes()
    }

    fn describe(&self, id: &CommandId) -> Option<InvocableCommand> {
        (**self).describe(id)
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        (**self).offer(id)
    }

    fn offer_by_tool_name(&self, name: &str) -> Option<CommandOffer> {
        (**self).offer_by_tool_name(name)
    }

    fn review(
        &self,
        offer: &CommandOffer,
        arguments: &CommandArguments,
        origin: &CallOrigin,
    ) -> Result<(), Refusal> {
        (**self).review(offer, arguments, origin)
    }

    fn refuse(&self, id: &CommandId, origin: &CallOrigin) -> Refusal {
        (**self).refuse(id, origin)
    }

    fn record_decision(&self, decision: HookDecision<'_>) {
        (**self).record_decision(decision);
    }

    fn invoke_command(
        &self,
        id: CommandId,
        arguments: CommandArguments,
    ) -> BoxFuture<'static, CommandOutcome> {
        (**self).invoke_command(id, arguments)
    }

    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome> {
        (**self).invoke_offered(offer, arguments, origin)
    }

    fn invoke_offered_with(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
        progress: ProgressSlot,
    ) -> BoxFuture<'static, CommandOutcome> {
        (**self).invoke_offered_with(offer, arguments, origin, progress)
    }
}

/// A command that was offered to a caller: the decision is about this registration, and only this registration may
/// run after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandOffer {
    /// The command.
    pub id: CommandId,
    /// The registration of the command.
    pub registration: RegistrationId,
    /// Whether an agent may run the command without asking the user.
    pub agent_consent: Option<AgentConsent>,
    /// What the command does, as its author states it.
    pub effects: Option<Effects>,
    completion: Completion,
}

impl CommandOffer {
    /// An offer of a registered command that states no effects, and declares no default and no secret argument.
    /// [`CommandDeclaration::offer`](crate::CommandDeclaration::offer) makes the offer of a declared command.
    pub fn new(id: CommandId, registration: RegistrationId, agent_consent: Option<AgentConsent>) -> Self {
        Self { id, registration, agent_consent, effects: None, completion: Completion::default() }
    }

    /// Sets what the command does.
    #[must_use]
    pub fn effects(mut self, effects: Option<Effects>) -> Self {
        self.effects = effects;
        self
    }

    /// Gives the arguments of a call what the declaration adds to them: see
    /// [`CommandDeclaration::complete`](crate::CommandDeclaration::complete). A hook then sees what the handler will get.
    pub fn complete(&self, arguments: &mut CommandArguments) {
        self.completion.apply(arguments);
    }

    /// Marks the arguments of a call that are secret, and adds no defaults.
    pub fn mark_secret(&self, arguments: &mut CommandArguments) {
        self.completion.mark(arguments);
    }

    /// Whether the command declares a secret argument. The text of a call to it may contain the value.
    pub fn has_secrets(&self) -> bool {
        self.completion.has_secrets()
    }

    pub(crate) fn with_completion(mut self, completion: Completion) -> Self {
        self.completion = completion;
        self
    }
}
