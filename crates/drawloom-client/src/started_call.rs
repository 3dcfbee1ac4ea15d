//! A call that was started, and where its answer belongs in the conversation.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_ag_ui::{FinishedCall, RunningCall};

use crate::conversation::CallSlot;
use crate::update::{Update, UpdateQueue};

/// A running call, and its slot in the conversation.
pub(crate) struct StartedCall {
    call: RunningCall,
    slot: Option<CallSlot>,
    updates: Arc<UpdateQueue>,
}

impl StartedCall {
    pub(crate) fn new(call: RunningCall, slot: Option<CallSlot>, updates: Arc<UpdateQueue>) -> Self {
        Self { call, slot, updates }
    }

    /// The id of the message that will answer the call.
    pub(crate) fn message_id(&self) -> &str {
        self.call.message_id()
    }

    /// Cancels the call, and returns its outcome.
    pub(crate) fn cancel(self) -> (FinishedCall, Option<CallSlot>) {
        (self.call.cancel(), self.slot)
    }
}

impl Future for StartedCall {
    type Output = (FinishedCall, Option<CallSlot>);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let slot = self.slot;
        if let Poll::Ready(finished) = Pin::new(&mut self.call).poll(cx) {
            return Poll::Ready((finished, slot));
        }
        // The task is woken again for what is reported from now on.
        if let Poll::Ready(progress) = self.call.poll_progress(cx) {
            self.updates.push(Update::Progress { call_id: self.call.id().clone(), progress });
        }
        Poll::Pending
    }
}
