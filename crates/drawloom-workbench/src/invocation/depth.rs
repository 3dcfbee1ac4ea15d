//! How deep commands have invoked each other. The depth is observed; handlers do not pass it on.
//!
//! A handler's future is only ever polled through [`AtDepth`], which marks the thread with the depth of the invocation for
//! the duration of the poll. Whatever is invoked during the poll, through whichever context, was invoked by that
//! handler, however many awaits, timers or joins lie between. Work that a handler gives to another task is not polled
//! inside the handler; it carries the depth through the handler's [`Call`](crate::Call).

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_command::BoxFuture;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The depth of the handler that is being polled on this thread. 0 outside of every handler.
pub(crate) fn current() -> u32 {
    DEPTH.get()
}

/// The depth of what is invoked now, by somebody who says to be at depth `known`.
pub(crate) fn next(known: u32) -> u32 {
    known.max(current()).saturating_add(1)
}

/// Marks this thread with a depth until the returned value is dropped.
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

/// A future that is made, polled and dropped at a depth.
pub(crate) struct AtDepth<T: 'static> {
    // None once it was dropped.
    future: Option<BoxFuture<'static, T>>,
    mark: Mark,
}

/// Which depth the thread is marked with.
#[derive(Clone, Copy)]
enum Mark {
    /// This one: what a handler's future does is done by that handler, whoever polls it.
    Exactly(u32),
    /// This one, or the one of the thread if that is greater: carried work may be awaited inside a deeper handler.
    AtLeast(u32),
}

impl Mark {
    fn enter(self) -> Entered {
        match self {
            Self::Exactly(depth) => enter(depth),
            Self::AtLeast(depth) => enter(depth.max(current())),
        }
    }
}

impl<T> AtDepth<T> {
    /// Calls a handler for its future.
    pub(crate) fn start(depth: u32, handler: impl FnOnce() -> BoxFuture<'static, T>) -> Self {
        let mark = Mark::Exactly(depth);
        let _entered = mark.enter();
        Self { future: Some(handler()), mark }
    }

    /// Work that a handler at this depth gives to another task.
    pub(crate) fn carried(depth: u32, work: impl Future<Output = T> + Send + 'static) -> Self {
        Self { future: Some(Box::pin(work)), mark: Mark::AtLeast(depth) }
    }
}

impl<T> Future for AtDepth<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let _entered = self.mark.enter();
        match &mut self.future {
            Some(future) => future.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

impl<T: 'static> Drop for AtDepth<T> {
    fn drop(&mut self) {
        // A field would be dropped after this function, when the thread is not marked any more.
        let _entered = self.mark.enter();
        drop(self.future.take());
    }
}
