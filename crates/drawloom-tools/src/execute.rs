//! One call on its way to one outcome: is its tool offered, can its arguments be read, do they match, what does the hook
//! decide, and only then the seam.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use drawloom_command::{
    BeforeCall, BoxFuture, CallOrigin, CommandAccess, CommandId, CommandOffer, CommandOutcome, Contained,
    Decision, DecisionSource, HookResponse, NullArguments, Panicked, PendingCall, plain_command_id,
};

use crate::arguments::read_arguments_with;
use crate::definition::{ToolDefinition, tool_definition};
use crate::result::{EditedArguments, Editor, ToolOutcome, ToolResult};

/// Runs a model's calls to the commands that one caller may reach. Clones share everything.
///
/// Each call goes the same way: the tool is offered now, the arguments can be read, they match the declaration, the
/// hook lets the call through, and the workbench runs it. A call to a tool that is not offered is refused with one
/// message, whatever the cause; the hook sees it first and may answer or decline it, and cannot make it run.
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
pub struct ToolExecutorBuilder {
    access: Arc<dyn CommandAccess>,
    hook: Option<Arc<dyn BeforeCall>>,
    nulls: NullArguments,
    edits: EditReport,
}

/// Whether the model is told that the arguments of its call were changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditReport {
    /// The result says so, and with which arguments the command ran.
    #[default]
    Tell,
    /// The result says nothing about it.
    Omit,
}

/// One call of a model: a name, a text of arguments, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The name of the tool, as the model sent it.
    pub name: String,
    /// The text of the arguments, as the model sent it.
    pub arguments: String,
    /// Where the call comes from, with the call's id.
    pub origin: CallOrigin,
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExecutionStage {
    /// The hook has not been asked.
    Reviewing,
    /// The hook is deciding; it may be asking the user.
    Deciding,
    /// The call was handed to the workbench, and the command may have run.
    Running,
    /// The result is there.
    Done,
}

/// Where the stage of a call can be read while somebody else polls it. Clones read the same call.
#[derive(Clone, Debug, Default)]
pub struct StageHandle(Arc<AtomicU8>);

impl StageHandle {
    /// How far the call has come.
    pub fn get(&self) -> ExecutionStage {
        match self.0.load(Ordering::Acquire) {
            0 => ExecutionStage::Reviewing,
            1 => ExecutionStage::Deciding,
            2 => ExecutionStage::Running,
            _ => ExecutionStage::Done,
        }
    }

    fn set(&self, stage: ExecutionStage) {
        let number = match stage {
            ExecutionStage::Reviewing => 0,
            ExecutionStage::Deciding => 1,
            ExecutionStage::Running => 2,
            ExecutionStage::Done => 3,
        };
        self.0.store(number, Ordering::Release);
    }
}

/// A call that is being executed. As a future it is the result; it does nothing unless it is polled.
#[must_use = "the model waits for the result of this call"]
pub struct ToolExecution {
    stage: StageHandle,
    // None once it is over.
    future: Option<BoxFuture<'static, ToolResult>>,
}

impl ToolCall {
    /// A call with this id, to the tool of this name, with this text of arguments.
    pub fn new(call_id: impl Into<Arc<str>>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: arguments.into(), origin: CallOrigin::new(call_id) }
    }

    /// Replaces where the call comes from.
    #[must_use]
    pub fn origin(mut self, origin: CallOrigin) -> Self {
        self.origin = origin;
        self
    }
}

impl ToolExecutorBuilder {
    /// Puts a hook in front of every call.
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.hook = Some(Arc::new(hook));
        self
    }

    /// The hook in front of every call, for one that is to be put before it.
    pub fn hook(&self) -> Option<&Arc<dyn BeforeCall>> {
        self.hook.as_ref()
    }

    /// Sets how a null among the arguments is read. By default it is refused.
    pub fn null_arguments(mut self, nulls: NullArguments) -> Self {
        self.nulls = nulls;
        self
    }

    /// Sets whether the model is told that its arguments were changed. By default it is told.
    pub fn edit_report(mut self, edits: EditReport) -> Self {
        self.edits = edits;
        self
    }

    /// Builds the executor.
    pub fn build(self) -> ToolExecutor {
        let Self { access, hook, nulls, edits } = self;
        ToolExecutor { inner: Arc::new(Inner { access, hook, nulls, edits }) }
    }
}

impl ToolExecutor {
    /// Starts building an executor for what `access` may reach.
    pub fn builder(access: impl CommandAccess + 'static) -> ToolExecutorBuilder {
        ToolExecutorBuilder {
            access: Arc::new(access),
            hook: None,
            nulls: NullArguments::default(),
            edits: EditReport::default(),
        }
    }

    /// The access through which commands are reached.
    pub fn access(&self) -> &Arc<dyn CommandAccess> {
        &self.inner.access
    }

    /// The hook in front of every call.
    pub fn hook(&self) -> Option<&Arc<dyn BeforeCall>> {
        self.inner.hook.as_ref()
    }

    /// The definition of every tool that is offered now, ordered by command id. Ask again for each request: a list that is
    /// kept promises commands that may be gone.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.inner.access.invocable_commands().iter().map(tool_definition).collect()
    }

    /// Whether a tool of this name is offered now.
    pub fn is_offered(&self, name: &str) -> bool {
        self.inner.access.offer_by_tool_name(name).is_some()
    }

    /// Executes a call.
    pub fn execute(&self, call: ToolCall) -> ToolExecution {
        self.start(call, Inner::offer)
    }

    /// Refuses a call to a tool that was found not to be offered, even if it is offered by now. The hook sees the call
    /// first and may answer or decline it.
    pub fn execute_not_offered(&self, call: ToolCall) -> ToolExecution {
        self.start(call, |_, _| None)
    }

    fn start(&self, call: ToolCall, offer: fn(&Inner, &str) -> Option<CommandOffer>) -> ToolExecution {
        let stage = StageHandle::default();
        let (inner, reached) = (self.inner.clone(), stage.clone());
        let future = Box::pin(async move {
            let result = match offer(&inner, &call.name) {
                Some(offer) => inner.run(call, &offer, &reached).await,
                None => inner.not_offered(call, &reached).await,
            };
            reached.set(ExecutionStage::Done);
            result
        });
        ToolExecution { stage, future: Some(future) }
    }
}

impl Inner {
    fn offer(&self, name: &str) -> Option<CommandOffer> {
        self.access.offer_by_tool_name(name)
    }

    async fn run(&self, call: ToolCall, offer: &CommandOffer, stage: &StageHandle) -> ToolResult {
        let ToolCall { arguments: text, origin, .. } = call;
        let arguments = match read_arguments_with(&text, self.nulls) {
            Ok(arguments) => arguments,
            Err(error) => {
                tracing::info!(call = ?origin.call_id, command = %offer.id, reason = error.code(), "call refused");
                return ToolResult::not_run(error.to_string());
            }
        };
        // The text may be large, and only what was read of it is needed from here on.
        drop(text);
        let Some(hook) = &self.hook else {
            stage.set(ExecutionStage::Running);
            return self.access.invoke_offered(offer, arguments, origin).await.into();
        };
        // Nobody is asked about a call that would be refused anyway.
        if let Err(refusal) = self.access.review(offer, &arguments, &origin) {
            return refusal.into();
        }
        let pending = PendingCall::new(call_id(&origin), offer, arguments);
        let response = decide(&**hook, &pending, stage).await;
        let (arguments, edited) = match response.decision {
            Decision::Run => (pending.arguments, None),
            Decision::RunWith(arguments) => {
                let by = match response.basis.source {
                    DecisionSource::Rule => Editor::Application,
                    _ => Editor::User,
                };
                let is_told = self.edits == EditReport::Tell && arguments != pending.arguments;
                let edited = is_told.then(|| EditedArguments { arguments: arguments.clone(), by });
                (arguments, edited)
            }
            decision => return not_let_through(&pending, decision),
        };
        stage.set(ExecutionStage::Running);
        let outcome = self.access.invoke_offered(offer, arguments, origin.basis(response.basis)).await;
        ToolResult { outcome: ToolOutcome::Command(outcome), edited }
    }

    async fn not_offered(&self, call: ToolCall, stage: &StageHandle) -> ToolResult {
        let ToolCall { name, arguments, origin } = call;
        // Recorded under the id that the model meant, as far as the name tells.
        let command = plain_command_id(&name).map_or_else(|| CommandId::from(name), CommandId::from);
        // Arguments that cannot be read are not shown to the hook as if there were none.
        if let (Some(hook), Ok(arguments)) = (&self.hook, read_arguments_with(&arguments, self.nulls)) {
            let pending = PendingCall::not_offered(call_id(&origin), command.clone(), arguments);
            match decide(&**hook, &pending, stage).await.decision {
                Decision::Run | Decision::RunWith(_) => {}
                decision => return not_let_through(&pending, decision),
            }
        }
        self.access.refuse(&command, &origin).into()
    }
}

fn call_id(origin: &CallOrigin) -> Arc<str> {
    origin.call_id.clone().unwrap_or_else(|| Arc::from(""))
}

async fn decide(hook: &dyn BeforeCall, call: &PendingCall, stage: &StageHandle) -> HookResponse {
    stage.set(ExecutionStage::Deciding);
    let response = Contained::start(log_panic, || hook.before(call)).await;
    response.unwrap_or_else(|| {
        tracing::error!(call = &*call.call_id, command = %call.command_id, "call refused: its hook panicked");
        Decision::Decline { reason: "the approval hook panicked".to_owned() }.into()
    })
}

fn not_let_through(call: &PendingCall, decision: Decision) -> ToolResult {
    let (id, command) = (&*call.call_id, &call.command_id);
    match decision {
        Decision::Answer { content } => {
            tracing::info!(call = id, %command, "call answered by the hook");
            ToolOutcome::AnsweredByHook { content }.into()
        }
        Decision::Decline { reason } => {
            tracing::info!(call = id, %command, %reason, "call declined");
            ToolResult::not_run(reason)
        }
        // INVARIANT: the callers handle both; a call that comes here must not run.
        Decision::Run | Decision::RunWith(_) => ToolResult::not_run("the call was not let through"),
    }
}

fn log_panic(panicked: &Panicked) {
    tracing::error!(panic = panicked.message().unwrap_or("not a text"), "the hook before a call panicked");
}

impl ToolExecution {
    /// How far the call has come.
    pub fn stage(&self) -> ExecutionStage {
        self.stage.get()
    }

    /// A handle that reads the stage while somebody else polls the call.
    pub fn stage_handle(&self) -> StageHandle {
        self.stage.clone()
    }

    /// Cancels the call. Whatever it was doing is dropped first: a question to the user as well as a command.
    pub fn cancel(mut self) -> ToolResult {
        drop(self.future.take());
        Self::abandoned(self.stage())
    }

    /// The result of a call that was dropped at this stage.
    pub fn abandoned(stage: ExecutionStage) -> ToolResult {
        match stage {
            ExecutionStage::Reviewing | ExecutionStage::Deciding => {
                ToolResult::not_run("the call was cancelled")
            }
            ExecutionStage::Running | ExecutionStage::Done => {
                let message = "it was cancelled and may have done a part of its work".to_owned();
                CommandOutcome::Failed { message }.into()
            }
        }
    }
}

impl Future for ToolExecution {
    type Output = ToolResult;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolResult> {
        match &mut self.future {
            Some(future) => future.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

impl fmt::Debug for ToolExecution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolExecution").field("stage", &self.stage()).finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolExecutor").field("hook", &self.inner.hook.is_some()).finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolExecutorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolExecutorBuilder").field("hook", &self.hook.is_some()).finish_non_exhaustive()
    }
}
