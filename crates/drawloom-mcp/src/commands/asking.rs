//! From the consent policy to the call that it decides about: the policy asks, and the call brings the question to its own
//! client.

use std::collections::HashMap;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use drawloom_command::{BoxFuture, PendingCall, Progress};
use drawloom_consent::{Confirm, Confirmation, ConfirmationResponse};
use drawloom_tools::{ToolExecution, ToolResult};
use tokio::sync::{mpsc, oneshot};

/// Asks about each call through the client that made it. Clones ask through the same clients.
#[derive(Clone, Default)]
pub(crate) struct ClientConfirm(Arc<Mutex<Calls>>);

type Calls = HashMap<Arc<str>, mpsc::Sender<Question>>;

/// A question about a call. Whoever drops it without an answer cancels it.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) call: PendingCall,
    pub(crate) answer: oneshot::Sender<ConfirmationResponse>,
}

/// A call that is being executed, and the questions about it.
#[derive(Debug)]
pub(crate) struct RunningCall {
    execution: ToolExecution,
    questions: mpsc::Receiver<Question>,
    _registered: Registered,
}

/// What happens next to a running call.
#[derive(Debug)]
pub(crate) enum CallEvent {
    Done(ToolResult),
    Asks(Box<Question>),
    Reports(Progress),
}

/// The entry of a call, which is removed with it.
#[derive(Debug)]
struct Registered {
    confirm: ClientConfirm,
    call_id: Arc<str>,
}

impl ClientConfirm {
    fn calls(&self) -> MutexGuard<'_, Calls> {
        // The map is whole after every statement that changes it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins an execution with the questions about it. The id must be that of the call, and no other call may have it.
    pub(crate) fn run(&self, call_id: Arc<str>, execution: ToolExecution) -> RunningCall {
        // A policy asks about a call once. A hook that asks more often than it is answered is told so.
        let (sender, questions) = mpsc::channel(4);
        self.calls().insert(call_id.clone(), sender);
        let registered = Registered { confirm: self.clone(), call_id };
        RunningCall { execution, questions, _registered: registered }
    }
}

impl Confirm for ClientConfirm {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        let sender = self.calls().get(&call.call_id).cloned();
        let (answer, answered) = oneshot::channel();
        let is_sent = sender.is_some_and(|sender| sender.try_send(Question { call, answer }).is_ok());
        Box::pin(async move {
            if !is_sent {
                return Confirmation::Errored("the client that made the call cannot be reached".to_owned())
                    .into();
            }
            answered.await.unwrap_or_else(|_| Confirmation::Cancelled.into())
        })
    }
}

impl RunningCall {
    /// Runs the call until it has a result or a question, or reports progress if that is wanted. Cancelling this loses
    /// nothing.
    pub(crate) async fn next(&mut self, reports: bool) -> CallEvent {
        poll_fn(|cx| {
            if let Poll::Ready(result) = Pin::new(&mut self.execution).poll(cx) {
                return Poll::Ready(CallEvent::Done(result));
            }
            if let Poll::Ready(Some(question)) = self.questions.poll_recv(cx) {
                return Poll::Ready(CallEvent::Asks(Box::new(question)));
            }
            if reports && let Poll::Ready(progress) = self.execution.poll_progress(cx) {
                return Poll::Ready(CallEvent::Reports(progress));
            }
            Poll::Pending
        })
        .await
    }

    /// Cancels the call: what it was doing is dropped.
    pub(crate) fn cancel(self) -> ToolResult {
        self.execution.cancel()
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let _removed = self.confirm.calls().remove(&self.call_id);
    }
}

impl fmt::Debug for ClientConfirm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConfirm").field("calls", &self.calls().len()).finish()
    }
}
