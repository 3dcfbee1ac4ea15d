//! How deep commands have invoked each other, observed instead of passed.
//!
//! A handler's future is only ever polled through [`AtDepth`], which marks the thread with the depth of that
//! invocation for the length of the poll. Whatever is invoked during it, through whichever context, came from that
//! handler, however many awaits, timers or joins lie between. What a handler hands to another task is not polled
//! inside it; that work carries the depth through the handler's [`Call`](crate::Call).

use std::cell::Cell;
use std::future::{Future, pending};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_command::BoxFuture;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The depth of the handler being polled on this thread, or 0 outside of any.
pub(crate) fn current() -> u32 {
    DEPTH.get()
}

/// Marks this thread until the mark is dropped.
pub(crate) fn enter(depth: u32) -> Entered {
    Entered { before: DEPTH.replace(depth) }
}

pub(crate) struct Entered {
    before: u32,
}

impl Drop for Entered {
    fn drop(&mut self) {
        DEPTH.set(self.before);
    }
}

/// A handler's future: made, polled and dropped at its depth of the chain.
pub(crate) struct AtDepth<T: 'static> {
    future: BoxFuture<'static, T>,
    depth: u32,
}

impl<T> AtDepth<T> {
    /// Calls the handler for its future.
    pub(crate) fn start(depth: u32, handler: impl FnOnce() -> BoxFuture<'static, T>) -> Self {
        let _entered = enter(depth);
        Self { future: handler(), depth }
    }
}

impl<T> Future for AtDepth<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let _entered = enter(self.depth);
        self.future.as_mut().poll(cx)
    }
}

impl<T: 'static> Drop for AtDepth<T> {
    fn drop(&mut self) {
        // A field would be dropped after this, outside of the mark.
        let _entered = enter(self.depth);
        drop(mem::replace(&mut self.future, Box::pin(pending())));
    }
}
