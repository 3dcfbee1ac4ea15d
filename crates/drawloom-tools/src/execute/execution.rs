//! A call that is being executed: the future of its result, how far it has come, and what is said if it is cancelled or
//! panics.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use drawloom_command::{BoxFuture, CommandOutcome, Contained, Failure, Panicked, Progress, ProgressSlot};

use crate::result::ToolResult;

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
    /// The result was returned.
    Done,
}

/// Reads the stage of a call while other code polls it. Clones read the same call. The default is a call that has not
/// started.
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

    pub(super) fn set(&self, stage: ExecutionStage) {
        let number = match stage {
            ExecutionStage::Reviewing => 0,
            ExecutionStage::Deciding => 1,
            ExecutionStage::Running => 2,
            ExecutionStage::Done => 3,
        };
        self.0.store(number, Ordering::Release);
    }
}

/// A call that is being executed. As a future it resolves to the result; it does nothing unless it is polled.
///
/// It does not panic, whatever the access, the hook and their futures do: see [`ToolResult::panicked`].
#[must_use = "the model waits for the result of this call"]
pub struct ToolExecution {
    stage: StageHandle,
    progress: ProgressSlot,
    future: Contained<BoxFuture<'static, ToolResult>>,
}

impl ToolExecution {
    pub(super) fn start<F>(run: impl FnOnce(StageHandle, ProgressSlot) -> F) -> Self
    where
        F: Future<Output = ToolResult> + Send + 'static,
    {
        let report: fn(&Panicked) =
            |panicked| tracing::error!(panic = panicked.text(), "the execution of a call panicked");
        let (stage, progress) = (StageHandle::default(), ProgressSlot::default());
        let future = Contained::start(report, || -> BoxFuture<'static, ToolResult> {
            Box::pin(run(stage.clone(), progress.clone()))
        });
        Self { stage, progress, future }
    }

    /// How far the call has come.
    pub fn stage(&self) -> ExecutionStage {
        self.stage.get()
    }

    /// A handle that reads the stage while other code polls the call.
    pub fn stage_handle(&self) -> StageHandle {
        self.stage.clone()
    }

    /// The latest progress that the command has reported, once for each that is taken. Poll it beside the call itself,
    /// in the same task:
    ///
    /// ```
    /// use std::future::poll_fn;
    /// use std::task::Poll;
    /// use drawloom_tools::{ToolExecution, ToolResult};
    ///
    /// async fn run(mut execution: ToolExecution) -> ToolResult {
    ///     poll_fn(|cx| {
    ///         let result = Pin::new(&mut execution).poll(cx);
    ///         while let (true, Poll::Ready(progress)) = (result.is_pending(), execution.poll_progress(cx)) {
    ///             println!("{progress}");
    ///         }
    ///         result
    ///     })
    ///     .await
    /// }
    /// # use std::{future::Future, pin::Pin};
    /// # let _ = run;
    /// ```
    pub fn poll_progress(&self, cx: &mut Context<'_>) -> Poll<Progress> {
        self.progress.poll_changed(cx)
    }

    /// Cancels the call. Whatever it was doing is dropped before this returns: a question to the user as well as a
    /// running command.
    pub fn cancel(mut self) -> ToolResult {
        self.future.close();
        ToolResult::cancelled(self.stage())
    }
}

impl Future for ToolExecution {
    type Output = ToolResult;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolResult> {
        if self.future.is_gone() {
            // The result was returned, and there is no other.
            return Poll::Pending;
        }
        let Poll::Ready(result) = Pin::new(&mut self.future).poll(cx) else { return Poll::Pending };
        let result = result.unwrap_or_else(|| ToolResult::panicked(self.stage()));
        self.stage.set(ExecutionStage::Done);
        Poll::Ready(result)
    }
}

impl ToolResult {
    /// The result of a call that was cancelled, or whose future was dropped, at this stage.
    pub fn cancelled(stage: ExecutionStage) -> Self {
        Self::broken_off(stage, ("cancelled", "the call was cancelled"), Failure::cancelled())
    }

    /// The result of a call in which the access panicked at this stage. The panic of a handler or of a hook does not
    /// come here: the workbench and the executor catch those.
    pub fn panicked(stage: ExecutionStage) -> Self {
        Self::broken_off(
            stage,
            ("internal-error", "an internal error occurred before it could run"),
            Failure::new("an internal error occurred, and it may have done a part of its work"),
        )
    }

    fn broken_off(stage: ExecutionStage, not_run: (&'static str, &str), failure: Failure) -> Self {
        match stage {
            ExecutionStage::Reviewing | ExecutionStage::Deciding => Self::not_run(not_run.0, not_run.1),
            ExecutionStage::Running | ExecutionStage::Done => CommandOutcome::from(failure).into(),
        }
    }
}

impl fmt::Debug for ToolExecution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolExecution").field("stage", &self.stage()).finish_non_exhaustive()
    }
}
