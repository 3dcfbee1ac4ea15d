//! The hook before a call: what it sees and what it may decide.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;

use crate::access::CommandOffer;
use crate::declaration::AgentConsent;
use crate::id::{CommandId, RegistrationId};
use crate::value::CommandArguments;

/// A boxed future, as the ports of drawloom return them.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A call that is about to be handed to the workbench.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingCall {
    /// The id the caller gave the call.
    pub call_id: Arc<str>,
    /// The command it names, by the command's own id.
    pub command_id: CommandId,
    /// The arguments, which match the declaration.
    pub arguments: CommandArguments,
    /// What the command states about an agent's word at this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_consent: Option<AgentConsent>,
    /// Which registration of the command this is: a command declared anew has another.
    #[serde(skip)]
    pub registration: RegistrationId,
}

impl PendingCall {
    /// A call to the command that was offered.
    pub fn new(call_id: impl Into<Arc<str>>, offer: &CommandOffer, arguments: CommandArguments) -> Self {
        Self {
            call_id: call_id.into(),
            command_id: offer.id.clone(),
            arguments,
            agent_consent: offer.agent_consent,
            registration: offer.registration,
        }
    }
}

/// What becomes of a pending call. A decision only narrows: the workbench refuses afterwards what it always refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// It goes to the workbench.
    Run,
    /// It goes to the workbench with these arguments instead, which are checked like any others.
    RunWith(CommandArguments),
    /// It does not run, and the caller is told so.
    Decline {
        /// Why, in words for the caller.
        reason: String,
    },
    /// It does not run; the hook served it.
    Answer {
        /// What the caller gets as the result.
        content: String,
    },
}

/// A hook in front of every call: the place to say no, never a way to say yes to something out of reach.
///
/// A closure that takes the [`PendingCall`] and returns a future is one:
///
/// ```
/// use drawloom_command::{BeforeCall, Decision, PendingCall};
///
/// fn hook() -> impl BeforeCall {
///     |call: PendingCall| async move {
///         if call.command_id == "notes.export" {
///             return Decision::Answer { content: "Exports are run from the menu.".into() };
///         }
///         Decision::Run
///     }
/// }
/// # let _ = hook();
/// ```
pub trait BeforeCall: Send + Sync {
    /// Decides what becomes of the call. A hook that panics declines it.
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, Decision>;
}

impl<F, Fut> BeforeCall for F
where
    F: Fn(PendingCall) -> Fut + Send + Sync,
    Fut: Future<Output = Decision> + Send + 'static,
{
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, Decision> {
        Box::pin(self(call.clone()))
    }
}

impl<T: BeforeCall + ?Sized> BeforeCall for Arc<T> {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, Decision> {
        (**self).before(call)
    }
}
