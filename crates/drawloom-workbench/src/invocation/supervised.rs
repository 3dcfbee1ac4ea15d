//! A handler that runs, as the seam polls it: it ends when it returns, when it is cancelled, or when its future is
//! dropped.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{CommandOutcome, Failure};

use crate::invocation::depth::AtDepth;
use crate::invocation::erased::HandlerResult;
use crate::running::control::Control;
use crate::workbench::Workbench;

/// A running handler. Resolves to the outcome.
pub(crate) struct Supervised {
    handler: AtDepth<Option<HandlerResult>>,
    control: Arc<Control>,
    workbench: Workbench,
    has_ended: bool,
}

impl Supervised {
    pub(crate) fn new(
        handler: AtDepth<Option<HandlerResult>>,
        control: Arc<Control>,
        workbench: Workbench,
    ) -> Self {
        Self { handler, control, workbench, has_ended: false }
    }

    fn cancel(&mut self) -> CommandOutcome {
        self.handler.close();
        self.has_ended = true;
        Failure::cancelled().into()
    }
}

impl Future for Supervised {
    type Output = CommandOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<CommandOutcome> {
        if self.control.is_to_be_dropped() {
            return Poll::Ready(self.cancel());
        }
        if let Poll::Ready(result) = Pin::new(&mut self.handler).poll(cx) {
            self.has_ended = true;
            let is_cancelled = self.control.is_cancelled();
            return Poll::Ready(match result {
                Some(Ok(value)) => CommandOutcome::Answered { value },
                Some(Err(message)) if is_cancelled => Failure::cancelled_with(message).into(),
                Some(Err(message)) => CommandOutcome::failed(message),
                None => CommandOutcome::failed("the command panicked"),
            });
        }
        self.control.wait(cx);
        // It may have been cancelled while it was polled, by itself or before the waker was known.
        match self.control.is_to_be_dropped() {
            true => Poll::Ready(self.cancel()),
            false => Poll::Pending,
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        if !self.has_ended {
            // The future was dropped. What the handler gave to another task is told.
            self.control.abandon();
            self.handler.close();
        }
        // Also if the command failed or was cancelled: it may have done the part of its work that this undoes.
        if let Some(undo) = self.control.end() {
            self.workbench.keep_undo(&self.control, undo);
        }
    }
}
