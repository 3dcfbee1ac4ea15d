//! One question to the user: a confirmation and its deadline, from the first poll to the answer. A panic in either ends
//! here, as an answer. Who waits for the answer, and what is remembered of it, is not known here.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{
    BoxFuture, CommandId, Contained, DecisionBasis, DecisionSource, Panicked, PendingCall, QuestionEnd,
};

use crate::confirm::{Confirm, Confirmation, ConfirmationResponse};

/// Starts the time within which an answer counts.
pub(crate) type Deadline = dyn Fn() -> BoxFuture<'static, ()> + Send + Sync;

/// How the user is asked.
#[derive(Clone)]
pub(crate) struct Prompter {
    pub(crate) confirm: Arc<dyn Confirm>,
    pub(crate) deadline: Option<Arc<Deadline>>,
}

impl Prompter {
    /// A question about a call. The user is asked when it is first polled.
    pub(crate) fn prompt(&self, call: &PendingCall) -> Prompt {
        Prompt { prompter: self.clone(), call: Some(call.clone()), deadline: None, confirmation: None }
    }
}

/// How a question ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The confirmation or the deadline gave it.
    Given(ConfirmationResponse),
    /// The confirmation or the deadline panicked.
    Panicked,
}

impl Answer {
    fn given(confirmation: Confirmation) -> Self {
        Self::Given(confirmation.into())
    }

    /// The basis of a decision that rests on this answer.
    pub(crate) fn basis(&self, source: DecisionSource) -> DecisionBasis {
        match self {
            Self::Given(response) => response.basis(source),
            Self::Panicked => DecisionBasis::new(source).answer(QuestionEnd::Panicked),
        }
    }

    fn is_yes(&self) -> bool {
        matches!(self, Self::Given(response) if response.confirmation.is_yes())
    }
}

type Report = Box<dyn Fn(&Panicked) + Send + Sync>;
type Supplied<T> = Contained<BoxFuture<'static, T>, Report>;

/// A question to the user, and a future of the answer. It never panics, neither polled nor dropped.
pub(crate) struct Prompt {
    prompter: Prompter,
    /// `None` once the user was asked.
    call: Option<PendingCall>,
    deadline: Option<Supplied<()>>,
    confirmation: Option<Supplied<ConfirmationResponse>>,
}

impl Prompt {
    fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<Answer> {
        if let Some(call) = self.call.take() {
            let (command, id) = (call.command_id.clone(), call.call_id.clone());
            // The deadline comes first: if it panics, the user does not see a question that has no effect.
            let deadline = self.prompter.deadline.clone();
            self.deadline = deadline.map(|start| Contained::start(report(&command, &id), || start()));
            if self.deadline.as_ref().is_some_and(Contained::is_gone) {
                return Poll::Ready(Answer::Panicked);
            }
            let confirm = self.prompter.confirm.clone();
            self.confirmation = Some(Contained::start(report(&command, &id), || confirm.confirm(call)));
        }
        let late = match &mut self.deadline {
            None => false,
            Some(deadline) => match deadline.with(|deadline| deadline.as_mut().poll(cx)) {
                Some(polled) => polled.is_ready(),
                None => return Poll::Ready(Answer::Panicked),
            },
        };
        let Some(confirmation) = &mut self.confirmation else {
            return Poll::Ready(Answer::given(Confirmation::Cancelled));
        };
        match confirmation.with(|confirmation| confirmation.as_mut().poll(cx)) {
            Some(Poll::Pending) if late => Poll::Ready(Answer::given(Confirmation::TimedOut)),
            Some(Poll::Pending) => Poll::Pending,
            Some(Poll::Ready(response)) => Poll::Ready(Answer::Given(response)),
            None => Poll::Ready(Answer::Panicked),
        }
    }

    /// Drops what was supplied. Returns whether that happened without a panic.
    fn close(&mut self) -> bool {
        let confirmation = self.confirmation.take().is_none_or(|mut confirmation| confirmation.close());
        let deadline = self.deadline.take().is_none_or(|mut deadline| deadline.close());
        confirmation && deadline
    }
}

impl Future for Prompt {
    type Output = Answer;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Answer> {
        let Poll::Ready(answer) = self.poll_answer(cx) else { return Poll::Pending };
        // A no stays the no that it was.
        let is_closed = self.close();
        Poll::Ready(if !is_closed && answer.is_yes() { Answer::Panicked } else { answer })
    }
}

/// Writes a panic to the developer's log. Nobody else learns its message.
fn report(command: &CommandId, call: &Arc<str>) -> Report {
    let (command, call) = (command.clone(), call.clone());
    Box::new(move |panicked| {
        tracing::error!(
            target: "drawloom_consent",
            %command,
            call = &*call,
            panic = panicked.text(),
            "a confirmation panicked"
        );
    })
}

impl fmt::Debug for Prompter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompter").field("deadline", &self.deadline.is_some()).finish_non_exhaustive()
    }
}
