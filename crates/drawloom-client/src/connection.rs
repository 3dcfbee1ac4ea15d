//! The connection of the current run. The client and its cancellers share it, so that cancelling closes it at once,
//! even if nobody polls the client.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, ThreadId};
use std::time::Duration;

use drawloom_ag_ui::recording::Frame;
use drawloom_command::BoxFuture;
use futures_util::task::AtomicWaker;

use crate::guarded::{Guarded, guarded_transport};
use crate::transport::{Frames, TransportError};

/// How long cancelling waits for another thread that is polling the connection at that moment. A poll returns at once,
/// unless the transport blocks its thread.
const POLL_TIMEOUT: Duration = Duration::from_secs(1);

/// Cancels a client's turn. The connection is closed before [`cancel`](Canceller::cancel) returns. When the client is
/// polled next, running calls are dropped, each call is answered as cancelled, and nothing else starts.
///
/// Cancelling has no effect while there is no turn.
#[derive(Clone, Debug, Default)]
pub struct Canceller(Arc<Shared>);

#[derive(Default)]
struct Shared {
    is_cancelled: AtomicBool,
    slot: Mutex<Slot>,
    polled: Condvar,
    waker: AtomicWaker,
}

/// The state of the connection.
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

/// The result of polling a connection.
pub(crate) enum Polled {
    /// The run was started.
    Started,
    /// The run could not be started.
    NotStarted(TransportError),
    Frame(Frame),
    /// No more frames arrive: the stream ended, or failed with this error.
    Over(Option<TransportError>),
}

impl Canceller {
    /// Cancels the current turn and closes its connection.
    ///
    /// If another thread is polling the connection at this moment, this waits until it has; a transport that blocks the
    /// thread that polls it is waited for at most a second. A transport that calls this while it is polled is closed
    /// as soon as that poll returns.
    pub fn cancel(&self) {
        // Set before the slot is read, because the polling thread checks it after the poll.
        self.0.is_cancelled.store(true, Ordering::SeqCst);
        let mut slot = self.lock();
        let mut closed = Slot::Closed;
        match *slot {
            Slot::Closed => drop(slot),
            Slot::Idle(_) => {
                closed = std::mem::take(&mut slot);
                drop(slot);
            }
            Slot::Polled(thread) if thread == thread::current().id() => drop(slot),
            Slot::Polled(_) => {
                let is_polled = |slot: &mut Slot| matches!(slot, Slot::Polled(_)) && self.is_cancelled();
                drop(self.0.polled.wait_timeout_while(slot, POLL_TIMEOUT, is_polled));
            }
        }
        // The code of the transport and of the executor runs without the lock.
        drop(closed);
        self.0.waker.wake();
    }

    /// Registers the polling task, so that it is woken when the turn is cancelled. Check afterwards whether it already is.
    pub(crate) fn register(&self, cx: &Context<'_>) {
        self.0.waker.register(cx.waker());
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::SeqCst)
    }

    /// Resets the state for the next turn.
    pub(crate) fn reset(&self) {
        self.0.is_cancelled.store(false, Ordering::SeqCst);
    }

    /// Takes the connection of a new run. If the turn was cancelled meanwhile, the connection is closed instead.
    pub(crate) fn open(&self, connection: Connection) {
        let mut slot = self.lock();
        let unused = if self.is_cancelled() {
            Slot::Idle(connection)
        } else {
            std::mem::replace(&mut *slot, Slot::Idle(connection))
        };
        drop(slot);
        drop(unused);
    }

    /// Closes the connection.
    pub(crate) fn close(&self) {
        let closed = std::mem::take(&mut *self.lock());
        drop(closed);
    }

    /// Polls the connection. Pending if there is none.
    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<Polled> {
        let mut slot = self.lock();
        let mut connection = match std::mem::replace(&mut *slot, Slot::Polled(thread::current().id())) {
            Slot::Idle(connection) => connection,
            other => {
                *slot = other;
                return Poll::Pending;
            }
        };
        drop(slot);
        let polled = connection.poll(cx);
        let is_over = matches!(polled, Poll::Ready(Polled::NotStarted(_) | Polled::Over(_)));
        let mut slot = self.lock();
        let is_cancelled = self.is_cancelled();
        if is_cancelled || is_over {
            // The connection is closed before `cancel` returns, on any thread that waits.
            drop(slot);
            drop(connection);
            slot = self.lock();
            *slot = Slot::Closed;
        } else {
            *slot = Slot::Idle(connection);
        }
        drop(slot);
        // Only cancelling waits for the end of a poll.
        if is_cancelled {
            self.0.polled.notify_all();
            return Poll::Pending;
        }
        polled
    }

    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.0.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Polled> {
        match self {
            Self::Starting(starting) => match starting.with(|starting| starting.as_mut().poll(cx)) {
                Some(Poll::Pending) => Poll::Pending,
                Some(Poll::Ready(Ok(frames))) => {
                    *self = Self::Open(guarded_transport(|| frames));
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
        f.debug_struct("Shared").field("is_cancelled", &self.is_cancelled).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::Stream;
    use futures_util::task::noop_waker_ref;
    use std::pin::Pin;
    use std::sync::mpsc;

    type OnPoll = Box<dyn FnMut() + Send>;

    /// Frames that do this whenever they are polled, and say when they are dropped.
    struct Watched(OnPoll, Arc<AtomicBool>);

    impl Stream for Watched {
        type Item = Result<Frame, TransportError>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            self.0();
            Poll::Ready(Some(Ok(Frame::Event("{}".to_owned()))))
        }
    }

    impl Drop for Watched {
        fn drop(&mut self) {
            self.1.store(true, Ordering::SeqCst);
        }
    }

    fn watched(on_poll: impl FnMut() + Send + 'static) -> (Connection, Arc<AtomicBool>) {
        let is_closed = Arc::new(AtomicBool::new(false));
        let frames: Frames = Box::pin(Watched(Box::new(on_poll), is_closed.clone()));
        (Connection::Open(guarded_transport(|| frames)), is_closed)
    }

    fn poll(canceller: &Canceller) -> Poll<Polled> {
        canceller.poll(&mut Context::from_waker(noop_waker_ref()))
    }

    #[test]
    fn a_connection_that_nobody_polls_is_closed_before_cancelling_returns() {
        let canceller = Canceller::default();
        let (connection, is_closed) = watched(|| {});
        canceller.open(connection);
        assert!(matches!(poll(&canceller), Poll::Ready(Polled::Frame(_))));
        assert!(!is_closed.load(Ordering::SeqCst));
        canceller.clone().cancel();
        assert!(is_closed.load(Ordering::SeqCst));
        assert!(poll(&canceller).is_pending());
        // A connection that opens too late is closed at once.
        let (late, is_closed) = watched(|| {});
        canceller.open(late);
        assert!(is_closed.load(Ordering::SeqCst));
    }

    #[test]
    fn a_connection_that_is_polled_is_closed_before_cancelling_returns() {
        let canceller = Canceller::default();
        let ((tells, told), (release, released)) = (mpsc::channel(), mpsc::channel::<()>());
        let (connection, is_closed) = watched(move || {
            tells.send(()).unwrap();
            released.recv().unwrap();
        });
        canceller.open(connection);
        let polling = thread::spawn({
            let canceller = canceller.clone();
            move || poll(&canceller).is_pending()
        });
        told.recv().unwrap();
        let cancelling = thread::spawn({
            let (canceller, is_closed) = (canceller.clone(), is_closed.clone());
            move || {
                canceller.cancel();
                is_closed.load(Ordering::SeqCst)
            }
        });
        while !canceller.is_cancelled() {
            thread::yield_now();
        }
        assert!(!is_closed.load(Ordering::SeqCst));
        release.send(()).unwrap();
        assert!(cancelling.join().unwrap(), "it was open when cancelling returned");
        assert!(polling.join().unwrap(), "a cancelled connection gave a frame");
    }

    #[test]
    fn a_transport_that_cancels_while_it_is_polled_is_closed_after_that() {
        let canceller = Canceller::default();
        let cancels = canceller.clone();
        let (connection, is_closed) = watched(move || cancels.cancel());
        canceller.open(connection);
        assert!(poll(&canceller).is_pending());
        assert!(is_closed.load(Ordering::SeqCst));
    }
}
