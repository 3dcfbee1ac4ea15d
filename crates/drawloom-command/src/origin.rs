//! The origin of a call, passed through the workbench so that the audit can record it.

use std::sync::Arc;

use serde::Serialize;

use crate::hook::DecisionBasis;

/// The origin of a call: the call, run, turn and thread of an agent, and the basis of the decision to let it through.
///
/// It decides nothing. The caller fills in what it knows, and the workbench passes it to the audit.
///
/// ```
/// use drawloom_command::CallOrigin;
///
/// let origin = CallOrigin::new("call_1").run("run-7").turn("run-6").thread("thread-3").agent("copilot");
/// assert_eq!(origin.call_id.as_deref(), Some("call_1"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallOrigin {
    /// The id that the caller gave the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<Arc<str>>,
    /// The run of the agent in which the call was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Arc<str>>,
    /// The turn to which the run belongs: what the agent does in answer to one message of the person, in one run or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<Arc<str>>,
    /// The conversation to which the run belongs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<Arc<str>>,
    /// The agent, by a name that the product chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<Arc<str>>,
    /// The basis of the hook's decision, if a hook decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Arc<DecisionBasis>>,
}

impl CallOrigin {
    /// The origin of a call with this id.
    pub fn new(call_id: impl Into<Arc<str>>) -> Self {
        Self { call_id: Some(call_id.into()), ..Self::default() }
    }

    /// Sets the run.
    #[must_use]
    pub fn run(mut self, run_id: impl Into<Arc<str>>) -> Self {
        self.run_id = Some(run_id.into());
        self
    }

    /// Sets the turn.
    #[must_use]
    pub fn turn(mut self, turn_id: impl Into<Arc<str>>) -> Self {
        self.turn_id = Some(turn_id.into());
        self
    }

    /// Sets the conversation.
    #[must_use]
    pub fn thread(mut self, thread_id: impl Into<Arc<str>>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }

    /// Sets the agent's name.
    #[must_use]
    pub fn agent(mut self, agent: impl Into<Arc<str>>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// Sets the basis of the hook's decision.
    #[must_use]
    pub fn basis(mut self, basis: DecisionBasis) -> Self {
        self.basis = Some(Arc::new(basis));
        self
    }
}
