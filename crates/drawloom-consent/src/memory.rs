//! What a policy keeps: the yeses given so far, and the questions that are open.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};

use drawloom_command::{CommandId, PendingCall, RegistrationId};

use crate::asking::{Answer, Person};
use crate::confirmation::Confirmation;
use crate::question::{Place, Question};

/// What a yes is for: a command as it was declared.
type Subject = (CommandId, Option<RegistrationId>);

/// The yeses and the open questions of one policy.
#[derive(Default)]
pub(crate) struct Memory(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// One entry for a command, so that declaring it over and over takes no more room.
    yes: HashMap<CommandId, Option<RegistrationId>>,
    // INVARIANT: whoever waits holds the question, and takes hold and lets go of it only while the lock is held. So a
    // question without waiters is never found here.
    open: HashMap<Subject, Weak<Question>>,
}

/// What there is for a call to a command that states `ask`.
pub(crate) enum Entry<'a> {
    /// The person said yes to the command before.
    Yes,
    /// A question to wait for.
    Open(Waiter<'a>),
}

impl Memory {
    /// Looks up what there is for a call, and opens a question where there is nothing.
    pub(crate) fn enter(&self, person: &Person, call: &PendingCall) -> Entry<'_> {
        let subject = (call.command_id.clone(), call.registration);
        let mut kept = self.lock();
        if kept.yes.get(&call.command_id) == Some(&call.registration) {
            return Entry::Yes;
        }
        let (question, part) = match kept.open.get(&subject).and_then(Weak::upgrade) {
            Some(question) => (question, Part::Joined),
            None => {
                let question = Arc::new(Question::new(person.ask(call)));
                kept.open.insert(subject.clone(), Arc::downgrade(&question));
                (question, Part::AskedAbout)
            }
        };
        let place = Place::default();
        Entry::Open(Waiter { memory: self, subject, part, question: Some(question), place })
    }

    /// Closes a question with its answer, so that the next call finds either a yes or nothing.
    fn close(&self, subject: &Subject, answer: &Answer) {
        let (command, registration) = subject;
        let mut kept = self.lock();
        // INVARIANT: it is the question that is answered: it is held by the waiter that polled it, and a subject has
        // no other until it is closed.
        kept.open.remove(subject);
        if *answer == Answer::Given(Confirmation::Yes) {
            kept.yes.insert(command.clone(), *registration);
        }
    }

    /// Lets go of a question. What comes back is to be dropped, and was the last hold on it.
    #[must_use]
    fn release(&self, subject: &Subject, question: Arc<Question>) -> Option<Question> {
        let mut kept = self.lock();
        let last = Arc::into_inner(question)?;
        // It may have been closed, and another opened since.
        if kept.open.get(subject).is_some_and(|open| open.strong_count() == 0) {
            kept.open.remove(subject);
        }
        Some(last)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Nothing panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many yeses are kept, and how many questions are open.
    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        let kept = self.lock();
        (kept.yes.len(), kept.open.len())
    }
}

/// The part a call has in a question.
#[derive(Clone, Copy)]
enum Part {
    /// The person is asked about this very call.
    AskedAbout,
    /// The call came while the person was being asked about another call to the same command.
    Joined,
}

/// A call that waits for the answer to a question. It resolves to nothing where the answer was for another call only.
pub(crate) struct Waiter<'a> {
    memory: &'a Memory,
    subject: Subject,
    part: Part,
    question: Option<Arc<Question>>,
    place: Place,
}

impl Future for Waiter<'_> {
    type Output = Option<Answer>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        let Self { memory, subject, part, question, place } = &mut *self;
        let Some(question) = question else { return Poll::Pending };
        question.poll(place, cx, |answer| memory.close(subject, answer)).map(|answer| match (part, answer) {
            // An edit is of the arguments of one call, and those of this call are others.
            (Part::Joined, Answer::Given(Confirmation::YesWith(_))) => None,
            (_, answer) => Some(answer),
        })
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let Some(question) = self.question.take() else { return };
        question.leave(std::mem::take(&mut self.place));
        // A separate step, so that the question is dropped after the lock is released.
        let last = self.memory.release(&self.subject, question);
        drop(last);
    }
}
