//! Tests of the policy as a whole, and what they share: a confirmation whose questions a test answers by hand, and a
//! task that a test polls by hand.

mod approvals;
mod failures;
mod interleavings;
mod reentry;
mod rules;
mod statements;
mod threads;
mod traces;
mod waiting;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use drawloom_command::{
    AgentConsent, BeforeCall, BoxFuture, CommandArguments, CommandOffer, Decision, HookResponse, PendingCall,
    RegistrationId,
};
use futures::channel::oneshot;
use futures::executor::block_on;

use crate::{Confirm, Confirmation, ConfirmationResponse, ConsentPolicy, ConsentPolicyBuilder};

/// A call to a command that was just registered.
fn call(id: &str, states: impl Into<Option<AgentConsent>>) -> PendingCall {
    call_to(id, RegistrationId::unique(), states)
}

fn call_to(id: &str, registration: RegistrationId, states: impl Into<Option<AgentConsent>>) -> PendingCall {
    let offer = CommandOffer::new(id.into(), registration, states.into());
    PendingCall::new("call-1", &offer, CommandArguments::new())
}

fn ask(id: &str) -> PendingCall {
    call(id, AgentConsent::Ask)
}

fn declined(reason: &str) -> Decision {
    Decision::Decline { reason: reason.into() }
}

/// Decides about a call while no other call waits.
fn decide(policy: &ConsentPolicy, call: &PendingCall) -> Decision {
    let mut task = Task::new(policy, call);
    loop {
        assert!(task.is_woken(), "it waits for somebody else");
        if let Some(decision) = task.poll() {
            return decision;
        }
    }
}

/// A confirmation that the test answers.
#[derive(Default)]
struct Desk(Mutex<Vec<Question>>);

struct Question {
    call: PendingCall,
    answer: Option<oneshot::Sender<ConfirmationResponse>>,
}

impl Desk {
    fn policy() -> (Arc<Self>, ConsentPolicy) {
        let (desk, builder) = Self::builder();
        (desk, builder.build())
    }

    fn builder() -> (Arc<Self>, ConsentPolicyBuilder) {
        let desk = Arc::new(Self::default());
        (desk.clone(), ConsentPolicy::builder(desk))
    }

    /// How many questions were asked.
    fn asked(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// The call a question was about.
    fn call(&self, question: usize) -> PendingCall {
        self.0.lock().unwrap()[question].call.clone()
    }

    fn answer(&self, question: usize, answer: impl Into<ConfirmationResponse>) {
        let sender = self.0.lock().unwrap()[question].answer.take().unwrap();
        sender.send(answer.into()).unwrap();
    }

    /// Whether nobody waits for a question that has no answer.
    fn is_taken_back(&self, question: usize) -> bool {
        self.0.lock().unwrap()[question].answer.as_ref().unwrap().is_canceled()
    }
}

impl Confirm for Desk {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        let (answer, answered) = oneshot::channel();
        self.0.lock().unwrap().push(Question { call, answer: Some(answer) });
        Box::pin(async { answered.await.unwrap_or(Confirmation::Cancelled.into()) })
    }
}

/// A pending decision, which the test polls.
struct Task<'a> {
    response: BoxFuture<'a, HookResponse>,
    flag: Arc<Flag>,
}

struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl<'a> Task<'a> {
    fn new(policy: &'a ConsentPolicy, call: &'a PendingCall) -> Self {
        Self { response: policy.before(call), flag: Arc::new(Flag(AtomicBool::new(true))) }
    }

    /// A task that is polled once and then waits.
    fn waiting(policy: &'a ConsentPolicy, call: &'a PendingCall) -> Self {
        let mut task = Self::new(policy, call);
        assert_eq!(task.poll(), None);
        task
    }

    fn is_woken(&self) -> bool {
        self.flag.0.load(Ordering::SeqCst)
    }

    fn poll(&mut self) -> Option<Decision> {
        self.poll_response().map(|response| response.decision)
    }

    fn poll_response(&mut self) -> Option<HookResponse> {
        self.flag.0.store(false, Ordering::SeqCst);
        let waker = Waker::from(self.flag.clone());
        match self.response.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(response) => Some(response),
            Poll::Pending => None,
        }
    }

    /// Polls as an executor would: only a task that was woken.
    fn poll_if_woken(&mut self) -> Option<Decision> {
        if self.is_woken() { self.poll() } else { None }
    }
}
