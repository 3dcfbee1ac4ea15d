//! The only place that catches a panic: in a call of user-supplied code, in a user-supplied value, and in the drop of
//! either. Whom a panic is reported to, and what happens instead, is decided by the caller.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// User-supplied code panicked, and the panic was caught.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it panicked: {}", self.text())]
pub struct Panicked {
    message: Option<String>,
}

impl Panicked {
    /// The message of the panic, if the payload of the panic is text.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The message of the panic for a log, or "no message".
    pub fn text(&self) -> &str {
        self.message().unwrap_or("no message")
    }

    /// Keeps the message and drops the payload.
    fn from_payload(payload: Box<dyn Any + Send>) -> Self {
        let message = match (payload.downcast_ref::<&'static str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => Some((*text).to_owned()),
            (_, text) => text.cloned(),
        };
        // The payload is user-supplied as well. Its drop may panic, and the drop of that second payload may panic again:
        // the second payload is leaked.
        if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(second);
        }
        Self { message }
    }
}

/// Calls user-supplied code and catches a panic in it. After a panic, data that the code was changing may be
/// inconsistent: use such data again only if that does no harm.
///
/// An implementation of [`CommandAccess`](crate::CommandAccess) or [`BeforeCall`](crate::BeforeCall) calls handlers and
/// callbacks through this function, so that their panics do not reach the adapter above it:
///
/// ```
/// use drawloom_command::{CommandArguments, CommandOutcome, contained};
///
/// fn run(handler: &dyn Fn(CommandArguments) -> String, arguments: CommandArguments) -> CommandOutcome {
///     match contained(|| handler(arguments)) {
///         Ok(text) => CommandOutcome::Answered { value: Some(text.into()) },
///         Err(panicked) => {
///             eprintln!("a handler panicked: {}", panicked.text());
///             CommandOutcome::failed("the command panicked")
///         }
///     }
/// }
///
/// let outcome = run(&|_| panic!("out of ink"), CommandArguments::new());
/// assert_eq!(outcome, CommandOutcome::failed("the command panicked"));
/// ```
///
/// # Errors
/// [`Panicked`] with the message of the panic.
pub fn contained<T>(run: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(run)).map_err(Panicked::from_payload)
}

/// Like [`contained`], and reports a panic. Returns `None` after a panic.
///
/// ```
/// use drawloom_command::contained_with;
///
/// let port = "translator";
/// let report = |panicked: &_| eprintln!("port {port}: {panicked}");
/// assert_eq!(contained_with(report, || "Open note"), Some("Open note"));
/// assert_eq!(contained_with(report, || -> u32 { panic!("no such language") }), None);
/// ```
pub fn contained_with<T>(report: impl FnOnce(&Panicked), run: impl FnOnce() -> T) -> Option<T> {
    match contained(run) {
        Ok(value) => Some(value),
        Err(panicked) => {
            // A log may be user-supplied code too. There is nobody to whom its panic could be reported.
            let _ = contained(|| report(&panicked));
            None
        }
    }
}

/// A user-supplied value, such as a future or a stream: panics are caught when it is made, used and dropped.
///
/// After the first panic the value is dropped and gone. Several panics may happen (one in a poll, another in the drop
/// that follows), and a value that is dropped early has nobody who waits for it, so each panic is reported to a
/// function. The function may capture what the report needs, such as the name of a port.
///
/// A contained future resolves to `None` after a panic. It is dropped as soon as it is ready, so that a panic in its
/// drop counts too.
///
/// ```
/// use drawloom_command::{BeforeCall, Contained, Decision, HookResponse, PendingCall};
///
/// /// The decision of the hook. A call whose hook panics is declined.
/// async fn decide(name: &str, hook: &dyn BeforeCall, call: &PendingCall) -> HookResponse {
///     let report = |panicked: &_| eprintln!("hook {name}: {panicked}");
///     match Contained::start(report, || hook.before(call)).await {
///         Some(response) => response,
///         None => Decision::Decline { reason: "the approval hook panicked".to_owned() }.into(),
///     }
/// }
/// # let _ = decide;
/// ```
#[must_use = "a future does nothing unless it is polled"]
pub struct Contained<T, R: Fn(&Panicked) = fn(&Panicked)> {
    /// `None` after the value ended: it was ready, or a panic was caught.
    value: Option<T>,
    report: R,
}

impl<T, R: Fn(&Panicked)> Contained<T, R> {
    /// Makes the value now. Each panic is passed to `report`.
    pub fn start(report: R, make: impl FnOnce() -> T) -> Self {
        Self { value: contained_with(&report, make), report }
    }

    /// Uses the value. Returns `None` if the value is gone, or is gone now because `run` panicked.
    pub fn with<U>(&mut self, run: impl FnOnce(&mut T) -> U) -> Option<U> {
        let value = self.value.as_mut()?;
        let used = contained_with(&self.report, || run(value));
        if used.is_none() {
            self.close();
        }
        used
    }

    /// Whether the value is gone.
    pub fn is_gone(&self) -> bool {
        self.value.is_none()
    }

    /// Drops the value now. Returns whether that happened without a panic.
    pub fn close(&mut self) -> bool {
        // After any unwinding has ended: a panic while unwinding would abort the process.
        let value = self.value.take();
        contained_with(&self.report, || drop(value)).is_some()
    }
}

impl<F: Future + Unpin, R: Fn(&Panicked) + Unpin> Future for Contained<F, R> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let value = match self.with(|future| Pin::new(future).poll(cx)) {
            Some(Poll::Pending) => return Poll::Pending,
            Some(Poll::Ready(value)) => value,
            None => return Poll::Ready(None),
        };
        if self.close() {
            return Poll::Ready(Some(value));
        }
        contained_with(&self.report, || drop(value));
        Poll::Ready(None)
    }
}

impl<T, R: Fn(&Panicked)> Drop for Contained<T, R> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<T, R: Fn(&Panicked)> fmt::Debug for Contained<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contained").field("is_gone", &self.is_gone()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::future::{pending, ready};
    use std::panic::panic_any;
    use std::task::Waker;

    use super::*;
    use crate::hook::BoxFuture;

    /// Panics when it is dropped. The payload is another bomb, as many times as the number says.
    struct Bomb(u32);

    impl Drop for Bomb {
        fn drop(&mut self) {
            match self.0 {
                0 => panic!("the last"),
                left => panic_any(Self(left - 1)),
            }
        }
    }

    thread_local! {
        static REPORTED: RefCell<Vec<Option<String>>> = const { RefCell::new(Vec::new()) };
    }

    fn report(panicked: &Panicked) {
        REPORTED.with_borrow_mut(|reported| reported.push(panicked.message.clone()));
    }

    fn start<'f, T>(future: impl FnOnce() -> BoxFuture<'f, T>) -> Contained<BoxFuture<'f, T>> {
        REPORTED.take();
        Contained::start(report as fn(&Panicked), future)
    }

    fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
        Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
    }

    /// The messages that were reported since the future was started.
    fn reported() -> Vec<String> {
        REPORTED.take().into_iter().map(|message| message.unwrap_or_else(|| "?".to_owned())).collect()
    }

    #[test]
    fn a_panic_is_caught_with_its_message() {
        assert_eq!(contained(|| 1), Ok(1));
        let words = |run: fn()| contained(run).unwrap_err().message;
        assert_eq!(words(|| panic!("plain")).as_deref(), Some("plain"));
        assert_eq!(words(|| panic!("{}", 2)).as_deref(), Some("2"));
        assert_eq!(words(|| panic_any(3)), None);
    }

    #[test]
    fn the_payload_of_a_panic_may_panic_again_and_again() {
        for again in 0..3 {
            assert_eq!(contained(|| panic_any(Bomb(again))), Err(Panicked { message: None }));
        }
    }

    #[test]
    fn a_future_resolves_to_its_value_once() {
        let mut future = start(|| Box::pin(ready(1)));
        assert_eq!(poll(&mut future), Poll::Ready(Some(1)));
        assert_eq!(poll(&mut future), Poll::Ready(None), "it is over");
        drop(future);
        assert_eq!(reported(), [""; 0]);
    }

    #[test]
    fn a_future_that_panics_resolves_to_none() {
        let mut unmade = start::<()>(|| panic!("made"));
        assert_eq!(poll(&mut unmade), Poll::Ready(None));
        drop(unmade);
        assert_eq!(reported(), ["made"]);

        let mut polled = start::<()>(|| Box::pin(async { panic!("polled") }));
        assert_eq!(poll(&mut polled), Poll::Ready(None));
        drop(polled);
        assert_eq!(reported(), ["polled"]);
    }

    #[test]
    fn a_ready_future_that_panics_in_its_drop_resolves_to_none() {
        /// Ready with a value, and panics when it is dropped.
        struct Ready<T> {
            value: Option<T>,
            _bomb: Bomb,
        }
        impl<T: Unpin> Future for Ready<T> {
            type Output = T;
            fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
                Poll::Ready(self.value.take().expect("polled once"))
            }
        }
        let mut future = start(|| Box::pin(Ready { value: Some(1), _bomb: Bomb(0) }));
        assert_eq!(poll(&mut future), Poll::Ready(None));
        assert_eq!(reported(), ["the last"]);

        // The value of such a future is dropped, and may panic too.
        let mut future = start(|| Box::pin(Ready { value: Some(Bomb(1)), _bomb: Bomb(0) }));
        assert!(matches!(poll(&mut future), Poll::Ready(None)));
        assert_eq!(reported(), ["the last", "?"]);
    }

    #[test]
    fn a_panic_in_an_early_drop_is_reported() {
        let mut future = start(|| {
            let bomb = Bomb(0);
            Box::pin(async move {
                let _bomb = bomb;
                pending::<()>().await;
            })
        });
        assert_eq!(poll(&mut future), Poll::Pending);
        drop(future);
        assert_eq!(reported(), ["the last"]);
    }

    #[test]
    fn the_report_may_capture_its_context_and_may_panic() {
        let names = RefCell::new(Vec::new());
        let port = "clock".to_owned();
        let report = |panicked: &Panicked| {
            names.borrow_mut().push(format!("{port}: {}", panicked.text()));
            panic!("the log is full");
        };
        let mut stream = Contained::start(report, || vec![1, 2]);
        assert_eq!(stream.with(|items| items.pop()), Some(Some(2)));
        assert!(!stream.is_gone());
        assert_eq!(stream.with(|_| -> u32 { panic!("stuck") }), None);
        assert_eq!(stream.with(|items| items.len()), None, "it is gone");
        assert_eq!(contained_with(report, || panic_any(7)), None::<()>);
        drop(stream);
        assert_eq!(*names.borrow(), ["clock: stuck", "clock: no message"]);
    }

    #[test]
    fn a_value_that_panics_and_panics_again_in_its_drop_is_reported_twice() {
        REPORTED.take();
        let mut bomb = Contained::start(report, || Bomb(0));
        assert_eq!(bomb.with(|_| -> u32 { panic!("used") }), None);
        drop(bomb);
        assert_eq!(reported(), ["used", "the last"]);
    }
}
