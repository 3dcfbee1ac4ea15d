//! Keeping a panic of the product's own code where it happened: in its transport, its dialogs, its clock, its tap, and in
//! the drop of each.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_ag_ui::{RunningCall, ToolMessage};
use drawloom_command::{BoxFuture, CommandOutcome, Panicked, contained};

use crate::conversation::answer_to;

/// Something of the product's. After a panic it is gone: what it left behind is not made use of.
pub(crate) struct OfTheProduct<T> {
    what: &'static str,
    inner: Option<T>,
}

impl<T> OfTheProduct<T> {
    /// Makes it. Where that panics, it is gone from the start.
    pub(crate) fn make(what: &'static str, make: impl FnOnce() -> T) -> Self {
        Self { what, inner: unless_it_panics(what, make) }
    }

    /// Makes use of it; nothing comes back where it is gone.
    pub(crate) fn with<R>(&mut self, make_use: impl FnOnce(&mut T) -> R) -> Option<R> {
        let inner = self.inner.as_mut()?;
        let made = unless_it_panics(self.what, || make_use(inner));
        if made.is_none() {
            self.close();
        }
        made
    }

    fn close(&mut self) {
        let inner = self.inner.take();
        unless_it_panics(self.what, || drop(inner));
    }
}

impl<T> Drop for OfTheProduct<T> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<T> Future for OfTheProduct<BoxFuture<'static, T>> {
    /// Nothing where it panicked.
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        match self.with(|future| future.as_mut().poll(cx)) {
            Some(Poll::Pending) => Poll::Pending,
            Some(Poll::Ready(value)) => {
                self.close();
                Poll::Ready(Some(value))
            }
            None => Poll::Ready(None),
        }
    }
}

impl<T> fmt::Debug for OfTheProduct<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OfTheProduct").field("what", &self.what).finish_non_exhaustive()
    }
}

/// A call that is being answered, and is answered even where what answers it panics.
pub(crate) struct Answering(Option<RunningCall>);

impl Answering {
    pub(crate) fn new(call: RunningCall) -> Self {
        Self(Some(call))
    }

    pub(crate) fn call(&self) -> Option<&RunningCall> {
        self.0.as_ref()
    }

    /// Calls it off, and answers it.
    pub(crate) fn cancel(mut self) -> Option<ToolMessage> {
        self.0.take().map(called_off)
    }
}

fn called_off(call: RunningCall) -> ToolMessage {
    let id = call.id().clone();
    unless_it_panics("a call", || call.cancel()).unwrap_or_else(|| {
        let message = "it broke, and may have done a part of its work".to_owned();
        answer_to(id, &CommandOutcome::Failed { message })
    })
}

impl Future for Answering {
    type Output = ToolMessage;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolMessage> {
        // What was answered is not polled again.
        let Some(call) = &mut self.0 else { return Poll::Pending };
        let polled = unless_it_panics("a call", || Pin::new(call).poll(cx));
        match (polled, self.0.take()) {
            (Some(Poll::Pending), call) => {
                self.0 = call;
                Poll::Pending
            }
            (Some(Poll::Ready(message)), call) => {
                unless_it_panics("a call", || drop(call));
                Poll::Ready(message)
            }
            (None, Some(call)) => Poll::Ready(called_off(call)),
            (None, None) => Poll::Pending,
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let call = self.0.take();
        unless_it_panics("a call", || drop(call));
    }
}

/// Runs something of the product's; nothing comes back where it panicked, and the developer's log gets to know with what.
pub(crate) fn unless_it_panics<T>(what: &'static str, run: impl FnOnce() -> T) -> Option<T> {
    let log = |panicked: &Panicked| {
        let message = panicked.message().unwrap_or("not a text");
        tracing::error!(what, panic = message, "something of the product's panicked");
    };
    contained(run).inspect_err(log).ok()
}
