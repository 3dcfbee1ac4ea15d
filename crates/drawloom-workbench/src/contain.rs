//! Keeping a panic where it happened: in a handler, in its future, in that future's drop, and in every port.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_command::BoxFuture;

use crate::chain;

/// Something panicked and was stopped here.
#[derive(Debug)]
pub(crate) struct Panicked;

/// Runs a port's code; a panic in it is logged and ends here.
pub(crate) fn contained<T>(what: &'static str, run: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let message = take_message(payload);
        tracing::error!(port = what, panic = %message, "a port of the workbench panicked");
        Panicked
    })
}

/// The words of a panic. A payload may panic again when it is dropped, and again when that one is: it is let go of
/// rather than followed.
fn take_message(payload: Box<dyn Any + Send>) -> String {
    let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no message".to_owned(),
    };
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
    message
}

/// A handler's future: polled at its depth of the chain, its panics its own.
pub(crate) struct Contained<T> {
    future: Option<BoxFuture<'static, T>>,
    depth: u32,
}

impl<T> Contained<T> {
    /// Calls the handler for its future.
    pub(crate) fn start(
        depth: u32,
        handler: impl FnOnce() -> BoxFuture<'static, T>,
    ) -> Result<Self, Panicked> {
        let _entered = chain::enter(depth);
        contained("handler", handler).map(|future| Self { future: Some(future), depth })
    }
}

impl<T> Future for Contained<T> {
    type Output = Result<T, Panicked>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let _entered = chain::enter(self.depth);
        let Some(future) = &mut self.future else { return Poll::Ready(Err(Panicked)) };
        match contained("handler", || future.as_mut().poll(cx)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(panicked) => Poll::Ready(Err(panicked)),
        }
    }
}

impl<T> Drop for Contained<T> {
    fn drop(&mut self) {
        if let Some(future) = self.future.take() {
            let _entered = chain::enter(self.depth);
            // Already logged, and there is nobody left to tell.
            let _ = contained("handler", || drop(future));
        }
    }
}
