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

/// A call that is about to be handed to the workbench, or one of an agent's own that it wants approved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingCall {
    /// The id the caller gave the call.
    pub call_id: Arc<str>,
    /// The command it names, by the command's own id. Of an approval, the agent's own tool or the kind of question.
    pub command_id: CommandId,
    /// The arguments. Those of a command match its declaration.
    pub arguments: CommandArguments,
    /// What the command states about an agent's word at this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_consent: Option<AgentConsent>,
    /// Which registration of the command this is: a command declared anew has another.
    #[serde(skip)]
    pub registration: RegistrationId,
    /// What the agent asks, where it is the agent that asks. No command of the workbench is meant then, whatever the
    /// name: a yes lets the agent go on with something of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Arc<Approval>>,
}

/// What an agent asks about a call of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Approval {
    /// The question in the agent's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether it takes other arguments. Where it does not, a yes with other arguments comes out as a no.
    pub takes_edits: bool,
}

impl Approval {
    /// A question in these words.
    pub fn new(message: Option<String>, takes_edits: bool) -> Self {
        Self { message, takes_edits }
    }
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
            approval: None,
        }
    }

    /// A call of an agent's own that it wants approved. It is asked about each time.
    pub fn to_approve(
        call_id: impl Into<Arc<str>>,
        tool: impl Into<CommandId>,
        arguments: CommandArguments,
        approval: Approval,
    ) -> Self {
        Self {
            call_id: call_id.into(),
            command_id: tool.into(),
            arguments,
            agent_consent: Some(AgentConsent::AskAlways),
            registration: RegistrationId::unique(),
            approval: Some(Arc::new(approval)),
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
