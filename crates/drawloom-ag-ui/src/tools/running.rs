//! The stages of a call between the adapter and its answer: ready, running, finished.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{
    CallOrigin, CommandAccess, CommandId, CommandOutcome, Contained, Panicked, Progress, plain_command_id,
};
use drawloom_tools::{
    ErrorPlacement, ExecutionStage, ResultText, StageHandle, ToolCallRequest, ToolExecution, ToolExecutor,
    ToolOutcome, ToolResult,
};

use super::call_origin;
use crate::calls::{CallEnd, CallKey, DueCall, Treatment};
use crate::protocol::ToolCallId;

/// The refusal of a call that the agent's backend did not answer.
const NO_RESULT: &str =
    "Nobody here offers this tool, and the agent's backend reported no result for the call.";
/// The refusal of such a call if an interrupt was bound to its id in this turn.
const NO_RESULT_OF_BOUND: &str = "The agent asked about this call, so it does not run here, and the agent's backend reported no result for it.";

/// A call that is ready to be executed. It does not borrow the adapter, so several calls can run at once, on any
/// executor, while more events arrive.
///
/// The agent waits for the answer. Nobody answers a call that is dropped.
#[must_use = "the agent waits for the answer to this call"]
#[derive(Debug)]
pub struct ReadyCall(RunningCall);

/// A call that is being executed. The future resolves to the finished call, which is passed to
/// [`CommandTools::finished`](crate::CommandTools::finished).
#[must_use = "the agent waits for the answer to this call"]
pub struct RunningCall {
    key: CallKey,
    id: ToolCallId,
    tool: String,
    message_id: String,
    no_result: Option<&'static str>,
    stage: StageHandle,
    work: Work,
}

/// What is done for a call.
enum Work {
    Execution(ToolExecution),
    /// It does not run, and this is why.
    Refusal(&'static str, String),
    /// Its tool is not offered, and its arguments are not known completely, so the hook is not asked.
    Unoffered(Contained<Arc<dyn CommandAccess>>, CallOrigin),
}

/// A call that was executed or cancelled, and its outcome.
#[must_use = "the agent waits for the answer to this call"]
#[derive(Debug)]
pub struct FinishedCall {
    pub(super) key: CallKey,
    result: ToolResult,
    no_result: Option<&'static str>,
    is_cancelled: bool,
}

impl ReadyCall {
    pub(super) fn new(call: DueCall, agent: Option<Arc<str>>, executor: &ToolExecutor) -> Self {
        let DueCall { key, id, tool, message_id, run_ids, treatment } = call;
        let origin = call_origin(id.as_str(), &run_ids, agent);
        let call = |arguments| ToolCallRequest::new("", tool.clone(), arguments).origin(origin.clone());
        let mut no_result = None;
        let work = match treatment {
            Treatment::Run { arguments } => Work::Execution(executor.execute(call(arguments))),
            Treatment::Refuse(reason) => {
                tracing::info!(call = %id, %tool, reason = reason.code(), "call refused");
                Work::Refusal(reason.code(), reason.to_string())
            }
            Treatment::Unoffered { arguments } => Work::unoffered(executor, arguments.map(call), &origin),
            Treatment::NoResult { arguments, was_bound } => {
                no_result = Some(if was_bound { NO_RESULT_OF_BOUND } else { NO_RESULT });
                Work::unoffered(executor, arguments.map(call), &origin)
            }
        };
        let stage = match &work {
            Work::Execution(execution) => execution.stage_handle(),
            Work::Refusal(..) | Work::Unoffered(..) => StageHandle::default(),
        };
        Self(RunningCall { key, id, tool, message_id, no_result, stage, work })
    }

    /// The id that the agent gave the call.
    pub fn id(&self) -> &ToolCallId {
        self.0.id()
    }

    /// The tool that it calls; empty if the agent named none.
    pub fn tool(&self) -> &str {
        self.0.tool()
    }

    /// The id of the message that will answer it. Calls of different runs may have one id, but never one message.
    pub fn message_id(&self) -> &str {
        self.0.message_id()
    }

    /// Starts the call. It does nothing before it is polled.
    pub fn start(self) -> RunningCall {
        self.0
    }

    /// Cancels the call before it runs.
    pub fn cancel(self) -> FinishedCall {
        self.0.cancel()
    }

    pub(super) fn stage(&self) -> StageHandle {
        self.0.stage.clone()
    }
}

impl Work {
    fn unoffered(executor: &ToolExecutor, call: Option<ToolCallRequest>, origin: &CallOrigin) -> Self {
        match call {
            Some(call) => Self::Execution(executor.execute_not_offered(call)),
            None => {
                let report: fn(&Panicked) =
                    |panicked| tracing::error!(panic = panicked.text(), "the refusal of a call panicked");
                Self::Unoffered(Contained::start(report, || executor.access().clone()), origin.clone())
            }
        }
    }
}

impl RunningCall {
    /// The id that the agent gave the call.
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// The tool that it calls; empty if the agent named none.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The id of the message that will answer it. Calls of different runs may have one id, but never one message.
    pub fn message_id(&self) -> &str {
        &self.message_id
    }

    /// The stage of the call.
    pub fn stage(&self) -> ExecutionStage {
        self.stage.get()
    }

    /// The latest progress that the command has reported, once for each that is taken. Poll it after the call itself, in
    /// the same task.
    pub fn poll_progress(&self, cx: &mut Context<'_>) -> Poll<Progress> {
        match &self.work {
            Work::Execution(execution) => execution.poll_progress(cx),
            Work::Refusal(..) | Work::Unoffered(..) => Poll::Pending,
        }
    }

    /// Cancels the call. Its command or the question to the user is dropped first. A panic during this drop is caught.
    pub fn cancel(self) -> FinishedCall {
        let Self { key, no_result, stage, work, .. } = self;
        drop(work);
        let result = ToolResult::cancelled(stage.get());
        FinishedCall { no_result, ..FinishedCall::abandoned(key, result) }
    }
}

impl Future for RunningCall {
    type Output = FinishedCall;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<FinishedCall> {
        let call = &mut *self;
        let result = match &mut call.work {
            Work::Execution(execution) => match Pin::new(execution).poll(cx) {
                Poll::Ready(result) => result,
                Poll::Pending => return Poll::Pending,
            },
            Work::Refusal(code, reason) => ToolResult::not_run(code, std::mem::take(reason)),
            Work::Unoffered(access, origin) => {
                // Recorded under the id that the agent meant, as far as the name tells.
                let command = plain_command_id(&call.tool)
                    .map_or_else(|| CommandId::from(&*call.tool), CommandId::from);
                access
                    .with(|access| access.refuse(&command, origin))
                    .map_or_else(|| ToolResult::panicked(call.stage.get()), Into::into)
            }
        };
        let (key, no_result) = (call.key, call.no_result);
        Poll::Ready(FinishedCall { key, result, no_result, is_cancelled: false })
    }
}

impl fmt::Debug for RunningCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningCall")
            .field("id", &self.id)
            .field("tool", &self.tool)
            .field("stage", &self.stage())
            .finish_non_exhaustive()
    }
}

impl FinishedCall {
    /// The outcome of a call that was cancelled.
    pub(super) fn abandoned(key: CallKey, result: ToolResult) -> Self {
        Self { key, result, no_result: None, is_cancelled: true }
    }

    /// The outcome of the call.
    pub fn result(&self) -> &ToolResult {
        &self.result
    }

    /// The text for the agent.
    pub(super) fn text(&self, errors: ErrorPlacement) -> ResultText {
        let mut text = self.result.text(errors);
        let is_refused = matches!(self.result.outcome, ToolOutcome::Command(CommandOutcome::Refused(_)));
        if let Some(words) = self.no_result.filter(|_| is_refused || self.is_cancelled) {
            // It is not known whether the backend ran it.
            if errors == ErrorPlacement::ErrorAndContent {
                text.content = words.to_owned();
            }
            text.error = Some(words.to_owned());
        }
        text
    }

    pub(super) fn into_end(self) -> CallEnd {
        match self.result.outcome {
            ToolOutcome::Command(CommandOutcome::Refused(_)) => CallEnd::DidNotRun,
            ToolOutcome::Command(outcome) => CallEnd::Ran(Arc::new(outcome)),
            ToolOutcome::AnsweredByHook { content } => {
                CallEnd::Ran(Arc::new(CommandOutcome::Answered { value: Some(content.into()) }))
            }
            _ if self.is_cancelled => CallEnd::Cancelled,
            _ => CallEnd::DidNotRun,
        }
    }
}
