//! What a caller needs of a workbench, and nothing more.

use std::future::Future;

use crate::declaration::AgentConsent;
use crate::id::{CommandId, RegistrationId};
use crate::invocable::InvocableCommand;
use crate::outcome::{CommandOutcome, Refusal};
use crate::value::CommandArguments;

/// The slice of a workbench one caller acts through: what it may reach, and reaching it.
///
/// A plugin's context is one. It is narrow on purpose, since it says exactly what an adapter can do with what it is
/// handed. One of your own that runs code it was given keeps the panics of that code to itself with
/// [`contained`](crate::contained) and [`Contained`](crate::Contained).
pub trait CommandAccess: Send + Sync {
    /// Everything the caller may reach at this moment, ordered by id, every text in the active language.
    fn invocable_commands(&self) -> Vec<InvocableCommand>;

    /// The command `id` as it stands at this moment, where it is one of [`CommandAccess::invocable_commands`].
    fn offer(&self, id: &CommandId) -> Option<CommandOffer>;

    /// The first command in order of ids, among those of [`CommandAccess::invocable_commands`], whose id `matches`.
    ///
    /// The default asks for the whole list; an access that can walk its ids more cheaply does.
    fn find(&self, matches: &dyn Fn(&CommandId) -> bool) -> Option<CommandOffer> {
        let id = self.invocable_commands().into_iter().map(|command| command.id).find(matches)?;
        self.offer(&id)
    }

    /// Says whether an invocation with these arguments would be let through now, running nothing.
    ///
    /// # Errors
    /// The refusal that [`CommandAccess::invoke_offered`] would give.
    fn review(&self, offer: &CommandOffer, arguments: &CommandArguments) -> Result<(), Refusal>;

    /// Refuses a call to something that is not offered to the caller, in the one wording for all that is not, and
    /// records it as every refusal is recorded.
    fn refuse(&self, id: &CommandId) -> Refusal;

    /// Runs a command by its id.
    fn invoke_command(
        &self,
        id: CommandId,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send;

    /// Runs a command only where it is still offered and still the registration that was offered.
    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send;
}

/// A command that was offered to a caller at some moment: what a decision is taken about, and what alone may run
/// after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandOffer {
    /// The command.
    pub id: CommandId,
    /// Which registration of it.
    pub registration: RegistrationId,
    /// What it states about an agent's word.
    pub agent_consent: Option<AgentConsent>,
}

impl CommandOffer {
    /// An offer of a registered command.
    pub fn new(id: CommandId, registration: RegistrationId, agent_consent: Option<AgentConsent>) -> Self {
        Self { id, registration, agent_consent }
    }
}
