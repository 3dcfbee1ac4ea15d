//! A call that is being answered, and is answered even if what answers it panics.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_ag_ui::{RunningCall, ToolMessage};
use drawloom_command::CommandOutcome;

use crate::conversation::answer_to;
use crate::guarded::catch;

/// See the [module](self).
pub(crate) struct GuardedCall(Option<RunningCall>);

impl GuardedCall {
    pub(crate) fn new(call: RunningCall) -> Self {
        Self(Some(call))
    }

    pub(crate) fn call(&self) -> Option<&RunningCall> {
        self.0.as_ref()
    }

    /// Cancels it, and answers it.
    pub(crate) fn cancel(mut self) -> Option<ToolMessage> {
        self.0.take().map(cancelled)
    }
}

fn cancelled(call: RunningCall) -> ToolMessage {
    let id = call.id().clone();
    catch("a call", || call.cancel()).unwrap_or_else(|| {
        let message = "it panicked, and may have done a part of its work".to_owned();
        answer_to(id, &CommandOutcome::Failed { message })
    })
}

impl Future for GuardedCall {
    type Output = ToolMessage;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolMessage> {
        // A call that was answered is not polled again.
        let Some(call) = &mut self.0 else { return Poll::Pending };
        let polled = catch("a call", || Pin::new(call).poll(cx));
        match (polled, self.0.take()) {
            (Some(Poll::Pending), call) => {
                self.0 = call;
                Poll::Pending
            }
            (Some(Poll::Ready(message)), call) => {
                catch("a call", || drop(call));
                Poll::Ready(message)
            }
            (None, Some(call)) => Poll::Ready(cancelled(call)),
            (None, None) => Poll::Pending,
        }
    }
}

impl Drop for GuardedCall {
    fn drop(&mut self) {
        let call = self.0.take();
        catch("a call", || drop(call));
    }
}
