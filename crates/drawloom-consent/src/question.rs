//! A question that several calls wait for: any of them may poll it, and the answer goes to all.
//!
//! `Shared` of `futures_util` is not sufficient. A waiter that finds it being polled elsewhere relies on that other waiter
//! to be polled again, and so waits forever if the other waiter is dropped; it wakes its waiters while it holds a lock; and
//! it answers a panic with a panic.

mod prompt;

use std::collections::BTreeMap;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use drawloom_command::{Panicked, contained_with};

pub(crate) use prompt::{Answer, Prompt, Prompter};

/// A question that is being asked. Dropping it withdraws the question.
pub(crate) struct SharedQuestion {
    /// The call about which the user is asked.
    call_id: Arc<str>,
    /// `None` while a waiter polls it, and once it is answered.
    prompt: Mutex<Option<Prompt>>,
    /// Separate from the question: whatever the confirmation waits for keeps this as its waker, and must not keep the
    /// question alive.
    waiters: Arc<Waiters>,
}

impl SharedQuestion {
    pub(crate) fn new(call_id: Arc<str>, prompt: Prompt) -> Self {
        Self { call_id, prompt: Mutex::new(Some(prompt)), waiters: Arc::default() }
    }

    pub(crate) fn call_id(&self) -> &Arc<str> {
        &self.call_id
    }

    /// Polls on behalf of one waiter. The waiter whose poll ends the question runs `on_answer`, once, before any other waiter
    /// gets the answer.
    pub(crate) fn poll(
        &self,
        waiter: &mut WaiterId,
        cx: &Context<'_>,
        on_answer: impl FnOnce(&Answer),
    ) -> Poll<Answer> {
        match self.waiters.register(waiter, cx.waker().clone()) {
            NextStep::Return(answer) => return Poll::Ready(answer),
            NextStep::Wait => return Poll::Pending,
            NextStep::Poll => {}
        }
        // INVARIANT: one waiter polls at a time, and none after the answer, so the prompt is present.
        let Some(mut prompt) = self.take() else { return Poll::Pending };
        let waker = Waker::from(self.waiters.clone());
        match Pin::new(&mut prompt).poll(&mut Context::from_waker(&waker)) {
            Poll::Pending => {
                *lock(&self.prompt) = Some(prompt);
                self.waiters.still_pending();
                Poll::Pending
            }
            Poll::Ready(answer) => {
                drop(prompt);
                on_answer(&answer);
                self.waiters.finish(answer.clone());
                Poll::Ready(answer)
            }
        }
    }

    /// Removes a waiter.
    pub(crate) fn remove(&self, waiter: WaiterId) {
        let waker = waiter.0.and_then(|id| self.waiters.lock().wakers.remove(&id));
        drop(waker);
    }

    fn take(&self) -> Option<Prompt> {
        lock(&self.prompt).take()
    }
}

/// The number of one waiter of a question. It has none until it is first polled.
#[derive(Default)]
pub(crate) struct WaiterId(Option<u64>);

/// What a waiter that is polled does next.
enum NextStep {
    Return(Answer),
    Poll,
    Wait,
}

/// The waiters, and whether the question has to be polled. It is the waker of the question.
#[derive(Default)]
struct Waiters(Mutex<WaiterState>);

struct WaiterState {
    answer: Option<Answer>,
    /// Whether a waiter is polling the question.
    polling: bool,
    /// Whether the question was woken since it was last polled.
    is_woken: bool,
    // INVARIANT: a waker belongs to the executor and may do anything when it is woken or dropped, even drop another call
    // that waits here. No waker is woken or dropped while the lock is held.
    wakers: BTreeMap<u64, Waker>,
    next_id: u64,
}

impl Default for WaiterState {
    fn default() -> Self {
        Self { answer: None, polling: false, is_woken: true, wakers: BTreeMap::new(), next_id: 0 }
    }
}

impl Waiters {
    /// Stores the waker of a waiter, and says what the waiter does next.
    fn register(&self, waiter: &mut WaiterId, waker: Waker) -> NextStep {
        let (next, replaced) = {
            let mut state = self.lock();
            if let Some(answer) = &state.answer {
                (NextStep::Return(answer.clone()), Some(waker))
            } else {
                let id = *waiter.0.get_or_insert(state.next_id);
                state.next_id = state.next_id.max(id + 1);
                let replaced = state.wakers.insert(id, waker);
                let next = if state.is_woken && !state.polling { NextStep::Poll } else { NextStep::Wait };
                if matches!(next, NextStep::Poll) {
                    state.polling = true;
                    state.is_woken = false;
                }
                (next, replaced)
            }
        };
        drop(replaced);
        next
    }

    /// Ends a poll that gave no answer.
    fn still_pending(&self) {
        let woken = {
            let mut state = self.lock();
            state.polling = false;
            if state.is_woken { mem::take(&mut state.wakers) } else { BTreeMap::new() }
        };
        wake(woken);
    }

    /// Ends the poll that gave the answer.
    fn finish(&self, answer: Answer) {
        let woken = {
            let mut state = self.lock();
            state.polling = false;
            state.answer = Some(answer);
            mem::take(&mut state.wakers)
        };
        wake(woken);
    }

    fn lock(&self) -> MutexGuard<'_, WaiterState> {
        lock(&self.0)
    }
}

impl Wake for Waiters {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let woken = {
            let mut state = self.lock();
            state.is_woken = true;
            // All of them, because any of them may be dropped before it is polled. While the question is being polled, its
            // waiters could do nothing; they are woken when the poll ends.
            if state.polling { BTreeMap::new() } else { mem::take(&mut state.wakers) }
        };
        wake(woken);
    }
}

/// Wakes each waiter separately: a waker is user-supplied, and if one panics, the others must still be woken.
fn wake(wakers: BTreeMap<u64, Waker>) {
    let report = |panicked: &Panicked| {
        tracing::error!(target: "drawloom_consent", panic = panicked.text(), "a waker panicked");
    };
    for waker in wakers.into_values() {
        contained_with(report, || waker.wake());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while a lock is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
