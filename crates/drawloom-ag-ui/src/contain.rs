//! Keeping a hook's panic where it happened: in making its future, in polling it, and in dropping it.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_command::BoxFuture;

/// A hook's future, which comes to nothing where the hook panics. It never panics itself, neither polled nor dropped.
pub(crate) struct Contained<'h, T>(Option<BoxFuture<'h, T>>);

impl<'h, T> Contained<'h, T> {
    /// Calls the hook for its future.
    pub(crate) fn start(hook: impl FnOnce() -> BoxFuture<'h, T>) -> Self {
        Self(unless_it_panics(hook))
    }

    /// Drops the future after any unwinding, since a panic while unwinding would abort the process.
    fn close(&mut self) -> Option<()> {
        let future = self.0.take();
        unless_it_panics(|| drop(future))
    }
}

impl<T> Future for Contained<'_, T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(future) = &mut self.0 else { return Poll::Ready(None) };
        let value = match unless_it_panics(|| future.as_mut().poll(cx)) {
            Some(Poll::Pending) => return Poll::Pending,
            Some(Poll::Ready(value)) => Some(value),
            None => None,
        };
        Poll::Ready(self.close().and(value))
    }
}

impl<T> Drop for Contained<'_, T> {
    fn drop(&mut self) {
        self.close();
    }
}

/// Runs something of the hook's; nothing comes back where it panicked, and the developer's log gets to know with what.
fn unless_it_panics<T>(run: impl FnOnce() -> T) -> Option<T> {
    // What is left behind by a panic is only ever dropped.
    let payload = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => return Some(value),
        Err(payload) => payload,
    };
    tracing::error!(panic = message(&*payload), "the hook before a call panicked");
    // A payload is the hook's as well, and may panic when it is dropped. The payload of that is let go of.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
    None
}

fn message(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<&'static str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "not a text",
    }
}
