//! A running call that is answered even if its code panics.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_ag_ui::{FinishedCall, RunningCall};

use crate::conversation::CallSlot;
use crate::guarded::catch;

/// A running call, and its slot in the conversation.
pub(crate) struct GuardedCall {
    call: Option<RunningCall>,
    slot: Option<CallSlot>,
}

impl GuardedCall {
    pub(crate) fn new(call: RunningCall, slot: Option<CallSlot>) -> Self {
        Self { call: Some(call), slot }
    }

    /// The id of the message that will answer the call.
    pub(crate) fn message_id(&self) -> Option<&str> {
        self.call.as_ref().map(RunningCall::message_id)
    }

    /// Cancels the call, and returns its outcome.
    pub(crate) fn cancel(mut self) -> Option<(FinishedCall, Option<CallSlot>)> {
        Some((self.call.take()?.cancel(), self.slot))
    }
}

impl Future for GuardedCall {
    type Output = (FinishedCall, Option<CallSlot>);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // A call that was answered is not polled again.
        let Some(call) = &mut self.call else { return Poll::Pending };
        match catch("a call", || Pin::new(call).poll(cx)) {
            Some(Poll::Pending) => Poll::Pending,
            Some(Poll::Ready(finished)) => {
                let call = self.call.take();
                catch("a call", || drop(call));
                Poll::Ready((finished, self.slot))
            }
            None => match self.call.take() {
                Some(call) => Poll::Ready((call.cancel(), self.slot)),
                None => Poll::Pending,
            },
        }
    }
}

impl Drop for GuardedCall {
    fn drop(&mut self) {
        let call = self.call.take();
        catch("a call", || drop(call));
    }
}
