//! The hook before a call: what it sees and what it may decide. The basis of its decision is in `basis`.

mod basis;
mod decided;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::FutureExt;
use serde::Serialize;
use serde_json::Value;

use crate::access::CommandOffer;
use crate::declaration::{AgentConsent, Effects};
use crate::id::{CommandId, RegistrationId};
use crate::value::CommandArguments;

pub use basis::{DecisionBasis, DecisionSource, QuestionEnd};
pub use decided::{DecisionReport, HookDecision};

/// A boxed future, as the ports of drawloom return them.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A call before it goes to the workbench, or an agent's own call that the agent wants approved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingCall {
    /// The id that the caller gave the call.
    pub call_id: Arc<str>,
    /// The command, by its own id. For a call to something that is not offered, the name as far as it can be read; for
    /// an approval, the agent's own tool or the kind of question.
    pub command_id: CommandId,
    /// The arguments. Those of an offered command match its declaration, and contain the defaults of what was omitted. A
    /// hook can read the secret ones; they are left out when the call is serialized.
    pub arguments: CommandArguments,
    /// Whether an agent may run the command without asking the user, as the command states it now. `None` if the
    /// command states nothing or is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_consent: Option<AgentConsent>,
    /// What the command does, as its author states it now. `None` if the command states nothing or is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<Effects>,
    /// The registration of the command. `None` if no command of this id is offered: the hook may answer or decline such
    /// a call, and the call never runs.
    #[serde(skip)]
    pub registration: Option<RegistrationId>,
    /// The agent's question, if the agent asks about a call of its own. A yes lets the agent continue; it runs no command
    /// of the workbench.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Arc<Approval>>,
}

/// What an agent asks about a call of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Approval {
    /// The text of the agent's question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether the answer may change the arguments. If not, a yes with other arguments is sent as a no.
    pub takes_edits: bool,
    /// What else the agent says about the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// JSON Schema of the answer, if the agent gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_schema: Option<Value>,
}

impl Approval {
    /// A question with this text.
    pub fn new(message: Option<String>, takes_edits: bool) -> Self {
        Self { message, takes_edits, ..Self::default() }
    }

    /// Sets what else the agent says about the question.
    #[must_use]
    pub fn metadata(mut self, metadata: Option<Value>) -> Self {
        self.metadata = metadata;
        self
    }

    /// Sets the JSON Schema of the answer.
    #[must_use]
    pub fn response_schema(mut self, schema: Option<Value>) -> Self {
        self.response_schema = schema;
        self
    }
}

impl PendingCall {
    /// A call to the command that was offered.
    pub fn new(call_id: impl Into<Arc<str>>, offer: &CommandOffer, mut arguments: CommandArguments) -> Self {
        offer.complete(&mut arguments);
        Self {
            call_id: call_id.into(),
            command_id: offer.id.clone(),
            arguments,
            agent_consent: offer.agent_consent,
            effects: offer.effects,
            registration: Some(offer.registration),
            approval: None,
        }
    }

    /// A call to something that is not offered.
    pub fn not_offered(
        call_id: impl Into<Arc<str>>,
        command_id: CommandId,
        arguments: CommandArguments,
    ) -> Self {
        Self {
            call_id: call_id.into(),
            command_id,
            arguments,
            agent_consent: None,
            effects: None,
            registration: None,
            approval: None,
        }
    }

    /// An agent's own call that the agent wants approved. The user is asked about it each time.
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
            effects: None,
            registration: None,
            approval: Some(Arc::new(approval)),
        }
    }
}

/// What happens to a pending call. The enum is exhaustive: an adapter must handle each decision. A decision can only narrow: afterwards the workbench still refuses everything that
/// it would refuse without the hook.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The call goes to the workbench.
    Run,
    /// The call goes to the workbench with these arguments instead. They are checked like any other arguments.
    RunWith(CommandArguments),
    /// The call does not run, and the caller is told the reason.
    Decline {
        /// The reason, as a text for the caller.
        reason: String,
    },
    /// The call does not run; the hook answers it.
    Answer {
        /// What the caller gets as the result.
        content: String,
    },
}

impl Decision {
    /// The decision's name in logs and records.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::RunWith(_) => "run-with",
            Self::Decline { .. } => "decline",
            Self::Answer { .. } => "answer",
        }
    }
}

/// A decision together with what the hook knows about it.
///
/// A [`Decision`] converts into one that says nothing more.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HookResponse {
    /// The decision.
    pub decision: Decision,
    /// The basis of the decision.
    pub basis: DecisionBasis,
}

impl HookResponse {
    /// A decision and its basis.
    pub fn new(decision: Decision, basis: DecisionBasis) -> Self {
        Self { decision, basis }
    }
}

impl From<Decision> for HookResponse {
    fn from(decision: Decision) -> Self {
        Self { decision, basis: DecisionBasis::default() }
    }
}

impl PartialEq<Decision> for HookResponse {
    fn eq(&self, decision: &Decision) -> bool {
        self.decision == *decision
    }
}

/// A hook that decides about each call before it runs. It cannot make a command reachable.
///
/// A closure that takes the [`PendingCall`] and returns a future of a [`Decision`] or a [`HookResponse`] is a hook:
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
    /// Decides what happens to the call. If the hook panics, the call is declined.
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse>;
}

impl<F, Fut> BeforeCall for F
where
    F: Fn(PendingCall) -> Fut + Send + Sync,
    Fut: Future<Output: Into<HookResponse>> + Send + 'static,
{
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        // Not an async block: one that unwinds drops what it awaited while it unwinds, and a second panic in that drop
        // would abort the process.
        Box::pin(self(call.clone()).map(Into::into))
    }
}

impl<T: BeforeCall + ?Sized> BeforeCall for Arc<T> {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        (**self).before(call)
    }
}
