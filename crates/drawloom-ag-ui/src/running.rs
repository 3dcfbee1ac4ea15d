//! A call on its way to its answer that can still be called off.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::BoxFuture;

use crate::answerer::Progress;
use crate::wire::{ToolCallId, ToolMessage};

/// A call that is being answered, and can be called off: see [`ReadyCall::start`](crate::ReadyCall::start). As a future it
/// is the answer.
#[must_use = "the agent waits for the answer to this call"]
pub struct RunningCall {
    pub(crate) id: ToolCallId,
    pub(crate) progress: Arc<Progress>,
    pub(crate) answer: BoxFuture<'static, ToolMessage>,
    pub(crate) given_up: Box<dyn FnOnce() -> ToolMessage + Send>,
}

impl RunningCall {
    /// The id the agent gave the call.
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// Whether it has been handed to the workbench, where it may have run. Before that a hook decides about it.
    pub fn has_reached_seam(&self) -> bool {
        self.progress.has_reached_seam()
    }

    /// Calls it off, and answers it: as one that did not run, or that may have done a part of its work. Whatever it
    /// was doing is dropped first, a question to the person as well as a command.
    pub fn cancel(self) -> ToolMessage {
        drop(self.answer);
        (self.given_up)()
    }
}

impl Future for RunningCall {
    type Output = ToolMessage;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolMessage> {
        self.answer.as_mut().poll(cx)
    }
}

impl fmt::Debug for RunningCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningCall").field("id", &self.id).finish_non_exhaustive()
    }
}
