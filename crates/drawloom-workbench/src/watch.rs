//! Being told that a list has changed.
//!
//! What the list is does not matter here: a watcher is given a closure that reads it.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll};

use drawloom_command::InvocableCommand;
use futures_core::Stream;
use futures_util::task::AtomicWaker;

use crate::contain::contained;
use crate::lock::lock;

type ReadList = Box<dyn Fn() -> Vec<InvocableCommand> + Send + Sync>;

/// A stream that yields each time the list of what a plugin may invoke differs from the list when it last yielded.
///
/// It yields once for several changes that come together, and not for a change that leaves the list as it was. It never
/// ends by itself. The workbench does not see when the active language or the choices of a source change: the product
/// reports that with [`Workbench::announce_change`](crate::Workbench::announce_change).
pub struct Changes {
    list: ReadList,
    signal: Arc<Signal>,
    // The fingerprint of the list when the stream last yielded.
    last: u64,
}

impl Changes {
    pub(crate) fn new(
        sources: &[&Signals],
        list: impl Fn() -> Vec<InvocableCommand> + Send + Sync + 'static,
    ) -> Self {
        let signal = Arc::new(Signal::default());
        for source in sources {
            source.add(&signal);
        }
        // The list is read after the signal was added, so that no change is missed in between.
        let last = fingerprint(&list());
        Self { list: Box::new(list), signal, last }
    }
}

impl Stream for Changes {
    type Item = ();

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        self.signal.waker.register(cx.waker());
        if self.signal.raised.swap(false, Ordering::AcqRel) {
            let now = fingerprint(&(self.list)());
            if now != self.last {
                self.last = now;
                return Poll::Ready(Some(()));
            }
        }
        Poll::Pending
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

/// Two lists with the same fingerprint are the same list, except with a probability of 1 in 2⁶⁴.
fn fingerprint(list: &[InvocableCommand]) -> u64 {
    struct Hashing(DefaultHasher);

    impl io::Write for Hashing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut hashing = Hashing(DefaultHasher::new());
    for command in list {
        command.registration.hash(&mut hashing.0);
        // These are plain strings and enums, so this cannot fail. If it did, a change might not be told.
        let _ = serde_json::to_writer(&mut hashing, command);
    }
    hashing.0.finish()
}

#[derive(Default)]
pub(crate) struct Signal {
    raised: AtomicBool,
    waker: AtomicWaker,
}

/// Everyone who watches one thing.
#[derive(Default)]
pub(crate) struct Signals(Mutex<Vec<Weak<Signal>>>);

impl Signals {
    fn add(&self, signal: &Arc<Signal>) {
        let mut signals = lock(&self.0);
        // Dropped watchers are removed only when the vector would grow: adding stays cheap and the vector short.
        if signals.len() == signals.capacity() {
            signals.retain(|signal| signal.strong_count() > 0);
        }
        signals.push(Arc::downgrade(signal));
    }

    /// Wakes everyone. Wakers are code of the product: they run without the lock, and if one panics, the others are
    /// still woken.
    pub(crate) fn raise(&self) {
        let signals: Vec<Arc<Signal>> = {
            let signals = lock(&self.0);
            if signals.is_empty() {
                return;
            }
            signals.iter().filter_map(Weak::upgrade).collect()
        };
        for signal in signals {
            signal.raised.store(true, Ordering::Release);
            let _ = contained("waker", || signal.waker.wake());
        }
    }
}
