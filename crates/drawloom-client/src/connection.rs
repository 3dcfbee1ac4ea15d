//! The connection of the run that is going on. The client and its cancellers share it, so that cancelling closes it at
//! once, whether anybody polls the client or not.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, ThreadId};
use std::time::Duration;

use drawloom_ag_ui::recording::Frame;
use drawloom_command::BoxFuture;
use futures_util::task::AtomicWaker;

use crate::guarded::Guarded;
use crate::transport::{Frames, TransportError};

/// How long cancelling waits for another thread that is polling the connection at that moment. A poll returns at once,
/// unless the transport blocks its thread.
const POLL_TIMEOUT: Duration = Duration::from_secs(1);

/// Cancels a client's turn. The connection is closed before [`cancel`](Canceller::cancel) returns. When the client is
/// polled next, what runs is dropped, each call is answered as cancelled, and nothing further starts.
///
/// Cancelling while no turn is going on does nothing.
#[derive(Clone, Debug, Default)]
pub struct Canceller(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    polled: Condvar,
    waker: AtomicWaker,
}

#[derive(Default)]
struct State {
    is_cancelled: bool,
    slot: Slot,
}

/// Where the connection is.
#[derive(Default)]
enum Slot {
    #[default]
    Closed,
    Idle(Connection),
    /// This thread is polling it, without the lock.
    Polled(ThreadId),
}

/// A connection to an agent, for one run.
pub(crate) enum Connection {
    /// The run is being started.
    Starting(Guarded<BoxFuture<'static, Result<Frames, TransportError>>>),
    /// Its events arrive.
    Open(Guarded<Frames>),
}

/// What became of a connection that was polled.
pub(crate) enum Polled {
    /// The run was started.
    Started,
    /// The run could not be started.
    NotStarted(TransportError),
    Frame(Frame),
    /// No more frames come: of themselves, or because of this error.
    Over(Option<TransportError>),
}

impl Canceller {
    /// Cancels the turn that is going on, and closes its connection.
    ///
    /// If another thread is polling the connection at this moment, this waits until it has; a transport that blocks the
    /// thread that polls it is waited for at most a second. A transport that calls this while it is polled is closed
    /// as soon as that poll returns.
    pub fn cancel(&self) {
        let mut state = self.lock();
        state.is_cancelled = true;
        let mut closed = Slot::Closed;
        match state.slot {
            Slot::Closed => drop(state),
            Slot::Idle(_) => {
                closed = std::mem::take(&mut state.slot);
                drop(state);
            }
            Slot::Polled(thread) if thread == thread::current().id() => drop(state),
            Slot::Polled(_) => {
                let is_polled =
                    |state: &mut State| matches!(state.slot, Slot::Polled(_)) && state.is_cancelled;
                drop(self.0.polled.wait_timeout_while(state, POLL_TIMEOUT, is_polled));
            }
        }
        // The code of the transport and of the executor runs without the lock.
        drop(closed);
        self.0.waker.wake();
    }

    /// Whether the turn is to end. Whoever polls is woken once it is.
    pub(crate) fn poll_cancelled(&self, cx: &Context<'_>) -> bool {
        self.0.waker.register(cx.waker());
        self.is_cancelled()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.lock().is_cancelled
    }

    /// Makes ready for the next turn.
    pub(crate) fn reset(&self) {
        self.lock().is_cancelled = false;
    }

    /// Takes the connection of a new run. If the turn was cancelled meanwhile, the connection is closed instead.
    pub(crate) fn open(&self, connection: Connection) {
        let mut state = self.lock();
        if state.is_cancelled {
            drop(state);
            drop(connection);
            return;
        }
        let before = std::mem::replace(&mut state.slot, Slot::Idle(connection));
        drop(state);
        drop(before);
    }

    /// Closes the connection.
    pub(crate) fn close(&self) {
        let slot = std::mem::take(&mut self.lock().slot);
        drop(slot);
    }

    /// Polls the connection. Pending if there is none.
    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<Polled> {
        let mut state = self.lock();
        let mut connection = match std::mem::take(&mut state.slot) {
            Slot::Idle(connection) => connection,
            other => {
                state.slot = other;
                return Poll::Pending;
            }
        };
        state.slot = Slot::Polled(thread::current().id());
        drop(state);
        let polled = connection.poll(cx);
        let is_over = matches!(polled, Poll::Ready(Polled::NotStarted(_) | Polled::Over(_)));
        let mut state = self.lock();
        let is_cancelled = state.is_cancelled;
        if is_cancelled || is_over {
            // Closed before cancelling returns, on whichever thread that waits.
            drop(state);
            drop(connection);
            state = self.lock();
            state.slot = Slot::Closed;
        } else {
            state.slot = Slot::Idle(connection);
        }
        drop(state);
        self.0.polled.notify_all();
        if is_cancelled { Poll::Pending } else { polled }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Polled> {
        match self {
            Self::Starting(starting) => match starting.with(|starting| starting.as_mut().poll(cx)) {
                Some(Poll::Pending) => Poll::Pending,
                Some(Poll::Ready(Ok(frames))) => {
                    *self = Self::Open(Guarded::new("the transport", || frames));
                    Poll::Ready(Polled::Started)
                }
                Some(Poll::Ready(Err(error))) => Poll::Ready(Polled::NotStarted(error)),
                None => Poll::Ready(Polled::NotStarted(TransportError::Panicked)),
            },
            Self::Open(frames) => match frames.with(|frames| frames.as_mut().poll_next(cx)) {
                Some(Poll::Pending) => Poll::Pending,
                Some(Poll::Ready(Some(Ok(frame)))) => Poll::Ready(Polled::Frame(frame)),
                Some(Poll::Ready(Some(Err(error)))) => Poll::Ready(Polled::Over(Some(error))),
                Some(Poll::Ready(None)) => Poll::Ready(Polled::Over(None)),
                None => Poll::Ready(Polled::Over(Some(TransportError::Panicked))),
            },
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Shared").field("is_cancelled", &state.is_cancelled).finish_non_exhaustive()
    }
}
