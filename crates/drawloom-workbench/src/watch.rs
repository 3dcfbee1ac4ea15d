//! Being told that what one may reach has changed.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use drawloom_command::InvocableCommand;
use futures_util::Stream;
use futures_util::task::AtomicWaker;

use crate::contain::contained;
use crate::context::PluginContext;

/// A stream that yields once the list of what a plugin may reach differs from what it was when last told.
///
/// Changes that come together are told together; one that leaves the list as it was is not told. It never ends by
/// itself. A choice read from a source, and the active language, change without the workbench knowing: the product
/// says so with [`Workbench::announce_change`](crate::Workbench::announce_change).
pub struct Changes {
    context: PluginContext,
    signal: Arc<Signal>,
    seen: u64,
}

impl Changes {
    pub(crate) fn new(context: PluginContext, sources: &[&Signals]) -> Self {
        let signal = Arc::new(Signal::default());
        for source in sources {
            source.add(&signal);
        }
        // After the signal is in place, so that no change falls between.
        let seen = fingerprint(&context.invocable_commands());
        Self { context, signal, seen }
    }
}

impl Stream for Changes {
    type Item = ();

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        self.signal.waker.register(cx.waker());
        if self.signal.raised.swap(false, Ordering::AcqRel) {
            let now = fingerprint(&self.context.invocable_commands());
            if now != self.seen {
                self.seen = now;
                return Poll::Ready(Some(()));
            }
        }
        Poll::Pending
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("plugin", self.context.plugin()).finish_non_exhaustive()
    }
}

/// Two lists with one fingerprint are the same list, but for a chance of one in 2⁶⁴.
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
        // Plain strings and enums: this cannot fail, and a failure would only tell too little.
        let _ = serde_json::to_writer(&mut hashing, command);
    }
    hashing.0.finish()
}

#[derive(Default)]
pub(crate) struct Signal {
    raised: AtomicBool,
    waker: AtomicWaker,
}

/// Everybody who watches one thing.
#[derive(Default)]
pub(crate) struct Signals(Mutex<Vec<Weak<Signal>>>);

impl Signals {
    fn add(&self, signal: &Arc<Signal>) {
        let mut signals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Forgetting the gone ones only when the list would grow keeps adding cheap and the list short.
        if signals.len() == signals.capacity() {
            signals.retain(|signal| signal.strong_count() > 0);
        }
        signals.push(Arc::downgrade(signal));
    }

    /// Wakes everybody. A waker is a product's code, so the lock is released before, and one that panics does not
    /// keep the others asleep.
    pub(crate) fn raise(&self) {
        let signals: Vec<Arc<Signal>> = {
            let signals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
