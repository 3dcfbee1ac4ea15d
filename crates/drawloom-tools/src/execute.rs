//! One call on its way to one outcome: is its tool offered, can its arguments be read, do they match, what does the hook
//! decide, and only then the workbench runs the command.

mod asking;
mod execution;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use drawloom_command::{
    BeforeCall, CallOrigin, CommandAccess, CommandId, CommandOffer, Decision, DecisionSource, NullArguments,
    Panicked, PendingCall, ProgressSlot, QuestionEnd, contained_with, plain_command_id,
};

use crate::arguments::read_arguments_with;
use crate::definition::{ToolDefinition, tool_definition};
use crate::result::{EditedArguments, Editor, ToolOutcome, ToolResult};

pub use execution::{ExecutionStage, StageHandle, ToolExecution};

/// Runs a model's calls to the commands that one caller may reach. Clones share everything.
///
/// Each call goes the same way: the tool is offered now, the arguments can be read, they match the declaration, the
/// hook lets the call through, and the workbench runs it. A call to a tool that is not offered is refused with one
/// message, whatever the cause. The hook sees such a call first and may answer or decline it; it cannot make it run.
#[derive(Clone)]
pub struct ToolExecutor {
    inner: Arc<Inner>,
}

struct Inner {
    access: Arc<dyn CommandAccess>,
    hook: Option<Arc<dyn BeforeCall>>,
    nulls: NullArguments,
    edits: EditReport,
}

/// Builder for a [`ToolExecutor`].
#[must_use = "a builder does nothing until it builds"]
pub struct ToolExecutorBuilder(Inner);

/// Whether the model is told that the arguments of its call were changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditReport {
    /// The result says so, and with which arguments the command ran.
    #[default]
    Include,
    /// The result does not mention it.
    Omit,
}

/// One call of a model: the name of a tool, the text of the arguments, and the origin of the call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolCallRequest {
    /// The name of the tool, as the model sent it.
    pub name: String,
    /// The text of the arguments, as the model sent it.
    pub arguments: String,
    /// The origin of the call, which includes the call's id.
    pub origin: CallOrigin,
}

impl ToolCallRequest {
    /// A call with this id, to the tool of this name, with this text of arguments.
    pub fn new(call_id: impl Into<Arc<str>>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: arguments.into(), origin: CallOrigin::new(call_id) }
    }

    /// Replaces the origin, the call's id included.
    #[must_use]
    pub fn origin(mut self, origin: CallOrigin) -> Self {
        self.origin = origin;
        self
    }
}

impl ToolExecutorBuilder {
    /// Sets the hook that decides about each call before it runs, such as a `ConsentPolicy`. By default there is none, and
    /// every call that the workbench allows runs: nobody is asked, whatever the commands state about
    /// [`AgentConsent`](drawloom_command::AgentConsent).
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.0.hook = Some(Arc::new(hook));
        self
    }

    /// The hook in front of every call, for one that is to be put before it.
    pub fn hook(&self) -> Option<&Arc<dyn BeforeCall>> {
        self.0.hook.as_ref()
    }

    /// Sets how a null among the arguments is read. By default it is refused.
    pub fn null_arguments(mut self, nulls: NullArguments) -> Self {
        self.0.nulls = nulls;
        self
    }

    /// Sets whether the model is told that its arguments were changed. By default it is told.
    pub fn edit_report(mut self, edits: EditReport) -> Self {
        self.0.edits = edits;
        self
    }

    /// Builds the executor.
    pub fn build(self) -> ToolExecutor {
        ToolExecutor { inner: Arc::new(self.0) }
    }
}

impl ToolExecutor {
    /// Starts building an executor for the commands that `access` may reach.
    pub fn builder(access: impl CommandAccess + 'static) -> ToolExecutorBuilder {
        ToolExecutorBuilder(Inner {
            access: Arc::new(access),
            hook: None,
            nulls: NullArguments::default(),
            edits: EditReport::default(),
        })
    }

    /// The access through which commands are reached.
    pub fn access(&self) -> &Arc<dyn CommandAccess> {
        &self.inner.access
    }

    /// The hook that decides about each call.
    pub fn hook(&self) -> Option<&Arc<dyn BeforeCall>> {
        self.inner.hook.as_ref()
    }

    /// The definition of every tool that is offered now, ordered by command id. Ask again for each request: a list that
    /// was kept may name commands that can no longer be reached.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.inner.access.invocable_commands().iter().map(tool_definition).collect()
    }

    /// Whether a tool of this name is offered now. It is not, if the access panics.
    pub fn is_offered(&self, name: &str) -> bool {
        let report =
            |panicked: &Panicked| tracing::error!(panic = panicked.text(), "the look-up of a tool panicked");
        contained_with(report, || self.inner.access.offer_by_tool_name(name).is_some()).unwrap_or(false)
    }

    /// Executes a call. Nothing happens until the returned future is polled; whether the tool is offered is decided at
    /// its first poll.
    pub fn execute(&self, call: ToolCallRequest) -> ToolExecution {
        let inner = self.inner.clone();
        ToolExecution::start(move |stage, progress| async move {
            match inner.access.offer_by_tool_name(&call.name) {
                Some(offer) => inner.run_offered(call, &offer, &stage, progress).await,
                None => inner.refuse_not_offered(call, &stage).await,
            }
        })
    }

    /// Refuses a call to a tool that was found not to be offered earlier, even if it is offered by now. The hook sees the
    /// call first and may answer or decline it.
    pub fn execute_not_offered(&self, call: ToolCallRequest) -> ToolExecution {
        let inner = self.inner.clone();
        ToolExecution::start(move |stage, _| async move { inner.refuse_not_offered(call, &stage).await })
    }
}

impl Inner {
    async fn run_offered(
        &self,
        call: ToolCallRequest,
        offer: &CommandOffer,
        stage: &StageHandle,
        progress: ProgressSlot,
    ) -> ToolResult {
        let ToolCallRequest { arguments: text, origin, .. } = call;
        let arguments = match read_arguments_with(&text, self.nulls) {
            Ok(arguments) => arguments,
            Err(error) => {
                tracing::info!(call = ?origin.call_id, command = %offer.id, reason = error.code(), "call refused");
                return ToolResult::not_run(error.code(), error.to_string());
            }
        };
        // The text may be large, and is not needed any more.
        drop(text);
        let Some(hook) = &self.hook else {
            stage.set(ExecutionStage::Running);
            return self.access.invoke_offered_with(offer, arguments, origin, progress).await.into();
        };
        // The user is not asked about a call that would be refused anyway.
        if let Err(refusal) = self.access.review(offer, &arguments, &origin) {
            return refusal.into();
        }
        let pending = PendingCall::new(call_id(&origin), offer, arguments);
        let response = self.decide(&**hook, &pending, &origin, stage).await;
        let (arguments, edited) = match response.decision {
            Decision::Run => (pending.arguments, None),
            Decision::RunWith(mut arguments) => {
                // The report says with which arguments the command runs, and leaves secret ones out.
                offer.complete(&mut arguments);
                let by = match (response.basis.source, response.basis.answer) {
                    // A plain yes was about arguments that the application had changed before.
                    (DecisionSource::Rule, _) | (_, Some(QuestionEnd::Yes)) => Editor::Application,
                    _ => Editor::User,
                };
                let is_reported = self.edits == EditReport::Include && arguments != pending.arguments;
                let edited = is_reported.then(|| EditedArguments { arguments: arguments.clone(), by });
                (arguments, edited)
            }
            Decision::Decline { reason } => return declined(&pending, reason),
            Decision::Answer { content } => return answered(&pending, content),
        };
        stage.set(ExecutionStage::Running);
        let origin = origin.basis(response.basis);
        let outcome = self.access.invoke_offered_with(offer, arguments, origin, progress).await;
        ToolResult { outcome: ToolOutcome::Command(outcome), edited }
    }

    async fn refuse_not_offered(&self, call: ToolCallRequest, stage: &StageHandle) -> ToolResult {
        let ToolCallRequest { name, arguments, mut origin } = call;
        // The refusal is recorded under the id that the model meant, as far as the name tells.
        let command = plain_command_id(&name).map_or_else(|| CommandId::from(name), CommandId::from);
        // A call whose arguments cannot be read is not shown to the hook: it would look like a call without arguments.
        if let (Some(hook), Ok(arguments)) = (&self.hook, read_arguments_with(&arguments, self.nulls)) {
            let pending = PendingCall::not_offered(call_id(&origin), command.clone(), arguments);
            let response = self.decide(&**hook, &pending, &origin, stage).await;
            match response.decision {
                // The hook cannot make it run.
                Decision::Run | Decision::RunWith(_) => origin = origin.basis(response.basis),
                Decision::Decline { reason } => return declined(&pending, reason),
                Decision::Answer { content } => return answered(&pending, content),
            }
        }
        self.access.refuse(&command, &origin).into()
    }
}

fn call_id(origin: &CallOrigin) -> Arc<str> {
    origin.call_id.clone().unwrap_or_else(|| Arc::from(""))
}

fn declined(call: &PendingCall, reason: String) -> ToolResult {
    tracing::info!(call = &*call.call_id, command = %call.command_id, %reason, "call declined");
    ToolResult::not_run("declined", reason)
}

fn answered(call: &PendingCall, content: String) -> ToolResult {
    tracing::info!(call = &*call.call_id, command = %call.command_id, "call answered by the hook");
    ToolOutcome::AnsweredByHook { content }.into()
}

impl fmt::Debug for ToolExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolExecutor").field("hook", &self.inner.hook.is_some()).finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolExecutorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolExecutorBuilder").field("hook", &self.0.hook.is_some()).finish_non_exhaustive()
    }
}
