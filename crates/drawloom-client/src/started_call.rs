//! A call that was started, and where its answer belongs in the conversation.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_ag_ui::{FinishedCall, RunningCall};

use crate::conversation::CallSlot;

/// A running call, and its slot in the conversation.
pub(crate) struct StartedCall {
    call: RunningCall,
    slot: Option<CallSlot>,
}

impl StartedCall {
    pub(crate) fn new(call: RunningCall, slot: Option<CallSlot>) -> Self {
        Self { call, slot }
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
        Pin::new(&mut self.call).poll(cx).map(|finished| (finished, slot))
    }
}
