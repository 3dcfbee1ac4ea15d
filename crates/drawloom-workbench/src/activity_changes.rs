//! Being told that what the person does has changed: what runs, or what can be undone.
//!
//! How a plugin is told that its list of commands has changed is in `watch`: there, it matters whom a change concerns.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::task::AtomicWaker;

use crate::contain::contained;
use crate::lock::lock;

/// A stream that yields when a list of the person has changed. It yields once for several changes that come together, and
/// never ends by itself. See [`Workbench::running_changes`](crate::Workbench::running_changes) and
/// [`Workbench::undo_changes`](crate::Workbench::undo_changes).
pub struct ActivityChanges {
    watcher: Arc<Watcher>,
}

/// Everyone who watches one list.
#[derive(Default)]
pub(crate) struct Watchers(Mutex<Vec<Weak<Watcher>>>);

#[derive(Default)]
struct Watcher {
    has_changed: AtomicBool,
    waker: AtomicWaker,
}

impl Watchers {
    pub(crate) fn add(&self) -> ActivityChanges {
        let watcher = Arc::<Watcher>::default();
        let mut watchers = lock(&self.0);
        // Dropped watchers are removed only when the vector would grow: adding stays cheap and the vector short.
        if watchers.len() == watchers.capacity() {
            watchers.retain(|watcher| watcher.strong_count() > 0);
        }
        watchers.push(Arc::downgrade(&watcher));
        ActivityChanges { watcher }
    }

    /// The list has changed. The wakers are code of the product, and run without the lock.
    pub(crate) fn changed(&self) {
        let watchers: Vec<_> = lock(&self.0).iter().filter_map(Weak::upgrade).collect();
        for watcher in watchers {
            if !watcher.has_changed.swap(true, Ordering::SeqCst) {
                let _ = contained("waker", || watcher.waker.wake());
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = contained("waker", || drop(self.waker.take()));
    }
}

impl Stream for ActivityChanges {
    type Item = ();

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        // The waker is code of the product.
        let _ = contained("waker", || self.watcher.waker.register(cx.waker()));
        match self.watcher.has_changed.swap(false, Ordering::SeqCst) {
            true => Poll::Ready(Some(())),
            false => Poll::Pending,
        }
    }
}

impl fmt::Debug for ActivityChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActivityChanges").finish_non_exhaustive()
    }
}
