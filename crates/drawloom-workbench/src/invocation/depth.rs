//! How deep commands have invoked each other. The depth is observed; handlers do not pass it on.
//!
//! A handler's future is only ever polled through [`AtDepth`], which marks the thread with the depth of the invocation for
//! the duration of the poll. Whatever is invoked during the poll, through whichever context, was invoked by that
//! handler, however many awaits, timers or joins lie between. Work that a handler gives to another task is not polled
//! inside the handler; it carries the depth through the handler's [`Call`](crate::Call).

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::BoxFuture;

use crate::running::control::Control;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The command whose handler is being polled on this thread.
    static RUNNING: RefCell<Option<Arc<Control>>> = const { RefCell::new(None) };
}

/// The depth of the handler that is being polled on this thread. 0 outside of every handler.
pub(crate) fn current() -> u32 {
    DEPTH.get()
}

/// The command whose handler is being polled on this thread. `None` outside of every handler.
pub(crate) fn running() -> Option<Arc<Control>> {
    RUNNING.try_with(|running| running.borrow().clone()).ok().flatten()
}

/// Marks this thread with a command. Returns the one that it was marked with.
fn mark_running(control: Option<Arc<Control>>) -> Option<Arc<Control>> {
    RUNNING.try_with(|running| running.replace(control)).ok().flatten()
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

/// A future that is made, polled and dropped at the depth of a command.
pub(crate) struct AtDepth<T: 'static> {
    // None once it was dropped.
    future: Option<BoxFuture<'static, T>>,
    mark: Mark,
}

/// With which command and depth the thread is marked.
struct Mark {
    control: Arc<Control>,
    rule: Rule,
}

#[derive(Clone, Copy)]
enum Rule {
    /// With this one: what a handler's future does is done by that handler, whoever polls it.
    Exactly,
    /// With this one, or the one of the thread if that is deeper: carried work may be awaited inside a deeper handler.
    AtLeast,
}

/// A marked thread. It is unmarked when this is dropped.
struct Marked {
    _depth: Entered,
    before: Option<Arc<Control>>,
    is_marked: bool,
}

impl Mark {
    fn enter(&self) -> Marked {
        let depth = self.control.started.depth;
        match self.rule {
            Rule::AtLeast if current() > depth => {
                Marked { _depth: enter(current()), before: None, is_marked: false }
            }
            Rule::Exactly | Rule::AtLeast => {
                let before = mark_running(Some(self.control.clone()));
                Marked { _depth: enter(depth), before, is_marked: true }
            }
        }
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        if self.is_marked {
            drop(mark_running(self.before.take()));
        }
    }
}

impl<T> AtDepth<T> {
    /// Calls a handler for its future.
    pub(crate) fn start(control: Arc<Control>, handler: impl FnOnce() -> BoxFuture<'static, T>) -> Self {
        let mark = Mark { control, rule: Rule::Exactly };
        let marked = mark.enter();
        let future = Some(handler());
        drop(marked);
        Self { future, mark }
    }

    /// Work that a handler gives to another task.
    pub(crate) fn carried(control: Arc<Control>, work: impl Future<Output = T> + Send + 'static) -> Self {
        Self { future: Some(Box::pin(work)), mark: Mark { control, rule: Rule::AtLeast } }
    }

    /// Drops the future now.
    pub(crate) fn close(&mut self) {
        let _entered = self.mark.enter();
        drop(self.future.take());
    }
}

impl<T> Future for AtDepth<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let _entered = self.mark.enter();
        let Some(future) = &mut self.future else { return Poll::Pending };
        let polled = future.as_mut().poll(cx);
        if polled.is_ready() {
            // Here the thread is marked, as its drop requires.
            self.future = None;
        }
        polled
    }
}

impl<T: 'static> Drop for AtDepth<T> {
    fn drop(&mut self) {
        if self.future.is_some() {
            // A field would be dropped after this function, when the thread is not marked any more.
            self.close();
        }
    }
}
