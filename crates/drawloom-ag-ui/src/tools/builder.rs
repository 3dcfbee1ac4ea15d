//! The builder for the adapter.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;

use drawloom_command::{BeforeCall, CommandAccess, NullArguments};
use drawloom_tools::{EditReport, ErrorPlacement, ToolExecutor, ToolExecutorBuilder};

use super::CommandTools;
use crate::calls::{AssemblerLimits, Ledger, UnofferedCalls};

/// Builder for [`CommandTools`].
#[must_use = "a builder does nothing until it builds"]
pub struct CommandToolsBuilder {
    executor: ToolExecutorBuilder,
    errors: ErrorPlacement,
    unoffered: UnofferedCalls,
    limits: AssemblerLimits,
    agent: Option<Arc<str>>,
}

impl CommandToolsBuilder {
    pub(super) fn new(access: impl CommandAccess + 'static) -> Self {
        Self {
            executor: ToolExecutor::builder(access),
            errors: ErrorPlacement::default(),
            unoffered: UnofferedCalls::default(),
            limits: AssemblerLimits::default(),
            agent: None,
        }
    }

    /// Sets the hook that decides before every call, such as a `ConsentPolicy`. Without a hook nobody is asked, whatever
    /// the commands state about [`AgentConsent`](drawloom_command::AgentConsent).
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.executor = self.executor.before(hook);
        self
    }

    /// The hook before every call, so that another hook can be added before it.
    pub fn hook(&self) -> Option<&Arc<dyn BeforeCall>> {
        self.executor.hook()
    }

    /// Sets what happens to calls to tools that are not offered. By default they are refused at once.
    pub fn unoffered_calls(mut self, unoffered: UnofferedCalls) -> Self {
        self.unoffered = unoffered;
        self
    }

    /// Sets where the text of a refusal or a failure is placed. By default it is in `error` only.
    pub fn error_placement(mut self, errors: ErrorPlacement) -> Self {
        self.errors = errors;
        self
    }

    /// Sets how a null among the arguments is read. By default it is refused.
    pub fn null_arguments(mut self, nulls: NullArguments) -> Self {
        self.executor = self.executor.null_arguments(nulls);
        self
    }

    /// Sets whether the agent is told that the arguments of its call were changed. By default it is told.
    pub fn edit_report(mut self, edits: EditReport) -> Self {
        self.executor = self.executor.edit_report(edits);
        self
    }

    /// Sets the agent's name, which the product chooses. It is in the [`CallOrigin`](drawloom_command::CallOrigin) of each
    /// call, so that records name the agent. By default the calls name no agent.
    pub fn agent(mut self, name: impl Into<Arc<str>>) -> Self {
        self.agent = Some(name.into());
        self
    }

    /// Sets the limits on what the adapter stores for an agent.
    pub fn limits(mut self, limits: AssemblerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Builds the adapter.
    pub fn build(self) -> CommandTools {
        CommandTools {
            ledger: Ledger::new(self.limits, self.unoffered),
            executor: self.executor.build(),
            errors: self.errors,
            agent: self.agent,
            handed_out: BTreeMap::new(),
            withdrawn: VecDeque::new(),
        }
    }
}

impl fmt::Debug for CommandToolsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandToolsBuilder")
            .field("errors", &self.errors)
            .field("unoffered", &self.unoffered)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
