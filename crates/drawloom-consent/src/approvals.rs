//! The approvals that a policy remembers, and the questions that are open.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};

use drawloom_command::{CommandId, PendingCall, RegistrationId};

use crate::confirm::{Confirmation, ConfirmationResponse};
use crate::question::{Answer, Prompter, SharedQuestion, WaiterId};

/// The approvals that a [`ConsentPolicy`](crate::ConsentPolicy) remembers: a handle to list and to withdraw them. Clones
/// share everything.
///
/// The handle does not keep the approvals alive: they end with the policy.
///
/// ```
/// use drawloom_command::{
///     AgentConsent, BeforeCall, CommandArguments, CommandOffer, PendingCall, RegistrationId,
/// };
/// use drawloom_consent::ConsentPolicy;
///
/// let policy = ConsentPolicy::new(|_: PendingCall| async { true });
/// let approvals = policy.approvals();
/// # futures::executor::block_on(async {
/// let offer = CommandOffer::new("notes.open".into(), RegistrationId::unique(), Some(AgentConsent::Ask));
/// policy.before(&PendingCall::new("call-1", &offer, CommandArguments::new())).await;
/// # });
/// assert_eq!(approvals.list()[0].command_id, "notes.open");
///
/// assert!(approvals.withdraw("notes.open"));
/// assert!(approvals.list().is_empty(), "the user is asked again");
/// ```
#[derive(Clone)]
pub struct Approvals(Weak<ApprovalStore>);

/// One approval that a policy remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RememberedApproval {
    /// The command that was approved.
    pub command_id: CommandId,
    /// The registration that was approved. The approval does not apply to another registration of the same id.
    pub registration: Option<RegistrationId>,
    /// The call about which the user was asked.
    pub call_id: Arc<str>,
    /// Who approved it, if the confirmation states it.
    pub decided_by: Option<Arc<str>>,
    /// The text that the user was shown, if the confirmation states it.
    pub shown: Option<Arc<str>>,
}

impl Approvals {
    pub(crate) fn new(store: &Arc<ApprovalStore>) -> Self {
        Self(Arc::downgrade(store))
    }

    /// The approvals, ordered by command id.
    pub fn list(&self) -> Vec<RememberedApproval> {
        self.0.upgrade().map(|store| store.lock().approved.values().cloned().collect()).unwrap_or_default()
    }

    /// Withdraws the approval of a command, so that the user is asked again. Returns whether there was one.
    ///
    /// A call that was let through before is not affected.
    pub fn withdraw(&self, command_id: &str) -> bool {
        self.0.upgrade().is_some_and(|store| store.lock().approved.remove(command_id).is_some())
    }

    /// Withdraws all approvals.
    pub fn withdraw_all(&self) {
        if let Some(store) = self.0.upgrade() {
            store.lock().approved.clear();
        }
    }
}

impl fmt::Debug for Approvals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.list()).finish()
    }
}

/// What a question is about: a command as it was declared.
type Subject = (CommandId, Option<RegistrationId>);

/// The approvals and the open questions of one policy.
#[derive(Default)]
pub(crate) struct ApprovalStore(Mutex<State>);

#[derive(Default)]
struct State {
    /// One entry for each command: the approval of another registration replaces it.
    approved: BTreeMap<CommandId, RememberedApproval>,
    // INVARIANT: each waiter holds the question, and clones and drops it only while the lock is held. So a question without
    // waiters is never found here.
    open: HashMap<Subject, Weak<SharedQuestion>>,
}

/// What the store has for a call to a command that states `ask`.
pub(crate) enum Lookup<'a> {
    /// The command was approved before.
    Approved(RememberedApproval),
    /// There is a question to wait for.
    Open(Waiter<'a>),
}

impl ApprovalStore {
    /// Looks up an approval or an open question, and opens a question if there is neither.
    pub(crate) fn look_up(&self, prompter: &Prompter, call: &PendingCall) -> Lookup<'_> {
        let subject = (call.command_id.clone(), call.registration);
        let mut state = self.lock();
        if let Some(approval) = state.approved.get(&call.command_id)
            && approval.registration == call.registration
        {
            return Lookup::Approved(approval.clone());
        }
        let (question, role) = match state.open.get(&subject).and_then(Weak::upgrade) {
            Some(question) => (question, Role::Joined),
            None => {
                let question = Arc::new(SharedQuestion::new(call.call_id.clone(), prompter.prompt(call)));
                state.open.insert(subject.clone(), Arc::downgrade(&question));
                (question, Role::AskedAbout)
            }
        };
        Lookup::Open(Waiter { store: self, subject, role, question: Some(question), id: WaiterId::default() })
    }

    /// Closes a question with its answer: the next call finds either an approval or nothing.
    fn close(&self, subject: &Subject, call_id: &Arc<str>, answer: &Answer) {
        let (command, registration) = subject;
        let mut state = self.lock();
        // INVARIANT: this is the question that was answered: the waiter that polled it holds it, and a subject has no other
        // question until this one is closed.
        state.open.remove(subject);
        if let Answer::Given(ConfirmationResponse { confirmation: Confirmation::Yes, decided_by, shown }) =
            answer
        {
            let approval = RememberedApproval {
                command_id: command.clone(),
                registration: *registration,
                call_id: call_id.clone(),
                decided_by: decided_by.clone(),
                shown: shown.clone(),
            };
            state.approved.insert(command.clone(), approval);
        }
    }

    /// Releases a waiter's hold on a question. If it was the last one, returns the question, to be dropped without the
    /// lock.
    #[must_use]
    fn release(&self, subject: &Subject, question: Arc<SharedQuestion>) -> Option<SharedQuestion> {
        let mut state = self.lock();
        let last = Arc::into_inner(question)?;
        // It may have been closed, and another one opened since.
        if state.open.get(subject).is_some_and(|open| open.strong_count() == 0) {
            state.open.remove(subject);
        }
        Some(last)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many approvals are remembered, and how many questions are open.
    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        let state = self.lock();
        (state.approved.len(), state.open.len())
    }
}

/// The role of a call in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The user is asked about this call.
    AskedAbout,
    /// The call came while the user was being asked about another call to the same command.
    Joined,
}

/// A call that waits for the answer to a question. It resolves to `None` if the answer was for another call only.
pub(crate) struct Waiter<'a> {
    store: &'a ApprovalStore,
    subject: Subject,
    role: Role,
    question: Option<Arc<SharedQuestion>>,
    id: WaiterId,
}

impl Waiter<'_> {
    pub(crate) fn role(&self) -> Role {
        self.role
    }
}

impl Future for Waiter<'_> {
    type Output = Option<Answer>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        let Self { store, subject, role, question, id } = &mut *self;
        let Some(question) = question else { return Poll::Pending };
        let close = |answer: &Answer| store.close(subject, question.call_id(), answer);
        question.poll(id, cx, close).map(|answer| match (role, &answer) {
            // Changed arguments are those of the other call.
            (Role::Joined, Answer::Given(given))
                if matches!(given.confirmation, Confirmation::YesWith(_)) =>
            {
                None
            }
            _ => Some(answer),
        })
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let Some(question) = self.question.take() else { return };
        question.remove(std::mem::take(&mut self.id));
        // A separate step, so that the question is dropped after the lock is released.
        let last = self.store.release(&self.subject, question);
        drop(last);
    }
}
