//! Asking the person once: one confirmation and its deadline, from the question to the answer. Whatever panics in
//! them ends here, as an answer. Who waits for the answer, and what is kept of it, is not known here.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{BoxFuture, CommandId, Panicked, PendingCall, contained};

use crate::confirmation::{Confirm, Confirmation};

/// Starts the time within which an answer counts.
pub(crate) type Deadline = dyn Fn() -> BoxFuture<'static, ()> + Send + Sync;

/// How the person is asked.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) confirm: Arc<dyn Confirm>,
    pub(crate) deadline: Option<Arc<Deadline>>,
}

impl Person {
    /// Asks about a call, once the future is first polled.
    pub(crate) fn ask(&self, call: &PendingCall) -> Asking {
        Asking {
            person: self.clone(),
            about: About { command: call.command_id.clone(), call: call.call_id.clone() },
            unasked: Some(call.clone()),
            deadline: None,
            confirmation: None,
        }
    }
}

/// What asking came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The product's confirmation gave it, or its deadline did.
    Given(Confirmation),
    /// Something of the product's panicked.
    Broke,
}

impl Answer {
    fn is_yes(&self) -> bool {
        matches!(self, Self::Given(confirmation) if confirmation.is_yes())
    }
}

/// A question to the person, and a future of the answer. It never panics, neither polled nor dropped.
pub(crate) struct Asking {
    person: Person,
    about: About,
    unasked: Option<PendingCall>,
    deadline: Option<BoxFuture<'static, ()>>,
    confirmation: Option<BoxFuture<'static, Confirmation>>,
}

impl Asking {
    fn step(&mut self, cx: &mut Context<'_>) -> Poll<Confirmation> {
        if let Some(call) = self.unasked.take() {
            // The deadline comes first, so that one which panics leaves nobody with a question that is moot.
            self.deadline = self.person.deadline.as_ref().map(|start| start());
            self.confirmation = Some(self.person.confirm.confirm(call));
        }
        let late = self.deadline.as_mut().is_some_and(|deadline| deadline.as_mut().poll(cx).is_ready());
        let Some(confirmation) = &mut self.confirmation else { return Poll::Ready(Confirmation::Cancelled) };
        match confirmation.as_mut().poll(cx) {
            Poll::Pending if late => Poll::Ready(Confirmation::TimedOut),
            polled => polled,
        }
    }

    /// Drops what the product supplied, and says whether that went well. One after the other and after any
    /// unwinding, since a panic while unwinding would abort the process.
    fn close(&mut self) -> Option<()> {
        let (confirmation, deadline) = (self.confirmation.take(), self.deadline.take());
        let confirmation = self.about.unless_it_panics(|| drop(confirmation));
        let deadline = self.about.unless_it_panics(|| drop(deadline));
        confirmation.and(deadline)
    }
}

impl Future for Asking {
    type Output = Answer;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Answer> {
        let about = self.about.clone();
        let answer = match about.unless_it_panics(|| self.step(cx)) {
            Some(Poll::Pending) => return Poll::Pending,
            Some(Poll::Ready(confirmation)) => Answer::Given(confirmation),
            None => Answer::Broke,
        };
        match self.close() {
            None if answer.is_yes() => Poll::Ready(Answer::Broke),
            // A no stays the no it was.
            _ => Poll::Ready(answer),
        }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.close();
    }
}

/// What a question is about, for the developer's log.
#[derive(Clone)]
struct About {
    command: CommandId,
    call: Arc<str>,
}

impl About {
    /// Runs something of the product's; nothing comes back where it panicked. The developer's log gets to know with
    /// what, and nobody else does.
    fn unless_it_panics<T>(&self, run: impl FnOnce() -> T) -> Option<T> {
        // What is left behind by a panic is only ever dropped.
        let log = |panicked: &Panicked| {
            tracing::error!(
                target: "drawloom_consent",
                command = %self.command,
                call = &*self.call,
                panic = panicked.message().unwrap_or("not a text"),
                "a confirmation panicked"
            );
        };
        contained(run).inspect_err(log).ok()
    }
}
