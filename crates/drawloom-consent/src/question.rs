//! A question several calls wait for: whichever of them is polled drives it, and the answer goes to all.
//!
//! `futures_util`'s `Shared` is close, and not enough. A waiter that finds it being polled elsewhere relies on the
//! one that polls to be polled again, and so waits forever where that one is dropped instead; it wakes its waiters
//! under a lock; and it answers a panic with a panic.

use std::collections::BTreeMap;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use drawloom_command::contained;

use crate::asking::{Answer, Asking};

/// A question that is being asked. Dropping it takes the question back.
pub(crate) struct Question {
    /// Empty while a waiter polls it, and once it is answered.
    asking: Mutex<Option<Asking>>,
    /// Apart from the question, since whatever the confirmation waits for keeps it: were it to keep the question too,
    /// the question would outlive those who wait.
    bell: Arc<Bell>,
}

impl Question {
    pub(crate) fn new(asking: Asking) -> Self {
        Self { asking: Mutex::new(Some(asking)), bell: Arc::default() }
    }

    /// Polls on behalf of the waiter whose `place` it is. The waiter that polls the question to its end runs
    /// `before_told`, once, before any other waiter gets the answer.
    pub(crate) fn poll(
        &self,
        place: &mut Place,
        cx: &Context<'_>,
        before_told: impl FnOnce(&Answer),
    ) -> Poll<Answer> {
        match self.bell.wait(place, cx.waker().clone()) {
            Turn::Told(answer) => return Poll::Ready(answer),
            Turn::Wait => return Poll::Pending,
            Turn::Poll => {}
        }
        // INVARIANT: the bell gives one turn to poll at a time, and none after the answer, so that it is there.
        let Some(mut asking) = self.take() else { return Poll::Pending };
        let waker = Waker::from(self.bell.clone());
        match Pin::new(&mut asking).poll(&mut Context::from_waker(&waker)) {
            Poll::Pending => {
                *lock(&self.asking) = Some(asking);
                self.bell.pending();
                Poll::Pending
            }
            Poll::Ready(answer) => {
                drop(asking);
                before_told(&answer);
                self.bell.tell(answer.clone());
                Poll::Ready(answer)
            }
        }
    }

    /// The waiter whose `place` it is goes.
    pub(crate) fn leave(&self, place: Place) {
        let gone = place.0.and_then(|place| self.bell.lock().waiting.remove(&place));
        drop(gone);
    }

    fn take(&self) -> Option<Asking> {
        lock(&self.asking).take()
    }
}

/// Where one waiter stands among those who wait for a question; nowhere until it is first polled.
#[derive(Default)]
pub(crate) struct Place(Option<u64>);

/// What a waiter that is polled is to do.
enum Turn {
    Told(Answer),
    Poll,
    Wait,
}

/// Who waits, and whether anything is to be done. It is the waker of the question.
#[derive(Default)]
struct Bell(Mutex<Waiting>);

struct Waiting {
    answer: Option<Answer>,
    /// Whether a waiter polls the question right now.
    polling: bool,
    /// Whether the question asked to be polled since it last was.
    due: bool,
    // INVARIANT: a waker is the executor's, and may do anything when it is woken or dropped, even let go of another
    // call that waits here. No waker is woken or dropped while the lock is held.
    waiting: BTreeMap<u64, Waker>,
    places: u64,
}

impl Default for Waiting {
    fn default() -> Self {
        Self { answer: None, polling: false, due: true, waiting: BTreeMap::new(), places: 0 }
    }
}

impl Bell {
    /// Takes note of a waiter, and of how to wake it.
    fn wait(&self, place: &mut Place, waker: Waker) -> Turn {
        let (turn, replaced) = {
            let mut bell = self.lock();
            if let Some(answer) = &bell.answer {
                (Turn::Told(answer.clone()), Some(waker))
            } else {
                let place = *place.0.get_or_insert(bell.places);
                bell.places = bell.places.max(place + 1);
                let replaced = bell.waiting.insert(place, waker);
                let turn = if bell.due && !bell.polling { Turn::Poll } else { Turn::Wait };
                if matches!(turn, Turn::Poll) {
                    bell.polling = true;
                    bell.due = false;
                }
                (turn, replaced)
            }
        };
        drop(replaced);
        turn
    }

    /// The waiter that polled is done, and there is no answer yet.
    fn pending(&self) {
        let woken = {
            let mut bell = self.lock();
            bell.polling = false;
            if bell.due { mem::take(&mut bell.waiting) } else { BTreeMap::new() }
        };
        wake(woken);
    }

    /// The waiter that polled is done, and this is the answer.
    fn tell(&self, answer: Answer) {
        let woken = {
            let mut bell = self.lock();
            bell.polling = false;
            bell.answer = Some(answer);
            mem::take(&mut bell.waiting)
        };
        wake(woken);
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.0)
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let woken = {
            let mut bell = self.lock();
            bell.due = true;
            // All of them, since any may be dropped before it is polled. Those who wait while the question is polled
            // are woken when that is over: they could do nothing before.
            if bell.polling { BTreeMap::new() } else { mem::take(&mut bell.waiting) }
        };
        wake(woken);
    }
}

/// Wakes each by itself: a waker is the product's code, and one that panics must not leave the others asleep.
fn wake(woken: BTreeMap<u64, Waker>) {
    for waker in woken.into_values() {
        if contained(|| waker.wake()).is_err() {
            tracing::error!("a waker panicked");
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while a lock is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
