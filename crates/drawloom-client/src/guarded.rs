//! User-supplied code that may panic: the transport, the dialogs, the clock, the tap, and the drop of each. A panic stays
//! where it happened.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_command::{BoxFuture, Panicked, contained};

/// A user-supplied value. After a panic it is gone: what the panic left behind is not used.
pub(crate) struct Guarded<T> {
    what: &'static str,
    value: Option<T>,
}

impl<T> Guarded<T> {
    /// Makes the value. If that panics, it is gone from the start.
    pub(crate) fn new(what: &'static str, make: impl FnOnce() -> T) -> Self {
        Self { what, value: catch(what, make) }
    }

    /// Uses the value. None if it is gone.
    pub(crate) fn with<R>(&mut self, use_it: impl FnOnce(&mut T) -> R) -> Option<R> {
        let value = self.value.as_mut()?;
        let used = catch(self.what, || use_it(value));
        if used.is_none() {
            self.discard();
        }
        used
    }

    fn discard(&mut self) {
        let value = self.value.take();
        catch(self.what, || drop(value));
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        self.discard();
    }
}

impl<T> Future for Guarded<BoxFuture<'static, T>> {
    /// None if it panicked.
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        match self.with(|future| future.as_mut().poll(cx)) {
            Some(Poll::Pending) => Poll::Pending,
            Some(Poll::Ready(value)) => {
                self.discard();
                Poll::Ready(Some(value))
            }
            None => Poll::Ready(None),
        }
    }
}

impl<T> fmt::Debug for Guarded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded").field("what", &self.what).finish_non_exhaustive()
    }
}

/// Runs user-supplied code. None if it panicked; the developer's log says with what.
pub(crate) fn catch<T>(what: &'static str, run: impl FnOnce() -> T) -> Option<T> {
    let log = |panicked: &Panicked| {
        let message = panicked.message().unwrap_or("not a text");
        tracing::error!(what, panic = message, "user-supplied code panicked");
    };
    contained(run).inspect_err(log).ok()
}
