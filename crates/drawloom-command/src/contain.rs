//! Keeping a panic of someone else's code where it happened: in a call, in a future, and in what either leaves to be
//! dropped. Who is told of it, and what happens instead, is for the caller to say.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Something panicked and was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it panicked: {}", self.message().unwrap_or("with what is no text"))]
pub struct Panicked {
    message: Option<String>,
}

impl Panicked {
    /// What it panicked with, where that was a text.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Keeps the words, and drops the rest.
    fn with(payload: Box<dyn Any + Send>) -> Self {
        let message = match (payload.downcast_ref::<&'static str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => Some((*text).to_owned()),
            (_, text) => text.cloned(),
        };
        // A payload is someone else's code as well: it may panic when it is dropped, and so may what it panics with.
        // That one is let go of rather than followed.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        Self { message }
    }
}

/// Runs someone else's code, so that a panic in it ends here. What it was in the middle of changing is left as it
/// is: look at it again only where that does no harm.
///
/// An access or a hook of one's own calls what it was given through this, and so never breaks the adapter above it:
///
/// ```
/// use drawloom_command::{CommandArguments, CommandOutcome, contained};
///
/// fn run(handler: &dyn Fn(CommandArguments) -> String, arguments: CommandArguments) -> CommandOutcome {
///     match contained(|| handler(arguments)) {
///         Ok(text) => CommandOutcome::Answered { value: Some(text.into()) },
///         Err(panicked) => {
///             eprintln!("a handler panicked: {}", panicked.message().unwrap_or("no message"));
///             CommandOutcome::Failed { message: "the command panicked".to_owned() }
///         }
///     }
/// }
///
/// let outcome = run(&|_| panic!("out of ink"), CommandArguments::new());
/// assert_eq!(outcome, CommandOutcome::Failed { message: "the command panicked".to_owned() });
/// ```
///
/// # Errors
/// Where it panicked, with what it said.
pub fn contained<T>(run: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(run)).map_err(Panicked::with)
}

/// A future of someone else's, which comes to nothing where it panics: when it is made, polled or dropped. It is
/// dropped as soon as it is ready, so that a panic in that counts too.
///
/// A future that is dropped half-way has nobody left who waits for it. So each panic, of which there may be several,
/// is told to a function, which must not panic itself.
///
/// ```
/// use drawloom_command::{BeforeCall, Contained, Decision, PendingCall};
///
/// /// What the hook decides; a hook that is broken lets nothing through.
/// async fn decide(hook: &dyn BeforeCall, call: &PendingCall) -> Decision {
///     let told = |panicked: &_| eprintln!("a hook broke: {panicked}");
///     match Contained::start(told, || hook.before(call)).await {
///         Some(decision) => decision,
///         None => Decision::Decline { reason: "what decides about it broke".to_owned() },
///     }
/// }
/// # let _ = decide;
/// ```
#[derive(Debug)]
#[must_use = "a future does nothing unless it is polled"]
pub struct Contained<F> {
    /// None once it is over.
    future: Option<F>,
    told: fn(&Panicked),
}

impl<F> Contained<F> {
    /// Makes the future, right now, and tells `told` of each panic.
    pub fn start(told: fn(&Panicked), future: impl FnOnce() -> F) -> Self {
        Self { future: telling(told, future), told }
    }

    /// Drops the future. After any unwinding, since a panic while unwinding would abort the process.
    fn close(&mut self) -> Option<()> {
        let future = self.future.take();
        telling(self.told, || drop(future))
    }
}

impl<F: Future + Unpin> Future for Contained<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let told = self.told;
        let Some(future) = &mut self.future else { return Poll::Ready(None) };
        let value = match telling(told, || Pin::new(future).poll(cx)) {
            Some(Poll::Pending) => return Poll::Pending,
            Some(Poll::Ready(value)) => Some(value),
            None => None,
        };
        if self.close().is_none() {
            telling(told, || drop(value));
            return Poll::Ready(None);
        }
        Poll::Ready(value)
    }
}

impl<F> Drop for Contained<F> {
    fn drop(&mut self) {
        self.close();
    }
}

fn telling<T>(told: fn(&Panicked), run: impl FnOnce() -> T) -> Option<T> {
    contained(run).inspect_err(told).ok()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::future::{pending, ready};
    use std::panic::panic_any;
    use std::task::Waker;

    use super::*;
    use crate::hook::BoxFuture;

    /// Panics when it is dropped, with another of its kind as often as it says.
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
        static TOLD: RefCell<Vec<Option<String>>> = const { RefCell::new(Vec::new()) };
    }

    fn told(panicked: &Panicked) {
        TOLD.with_borrow_mut(|told| told.push(panicked.message.clone()));
    }

    fn start<'f, T>(future: impl FnOnce() -> BoxFuture<'f, T>) -> Contained<BoxFuture<'f, T>> {
        TOLD.take();
        Contained::start(told, future)
    }

    fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
        Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
    }

    /// What was told since the future was started.
    fn heard() -> Vec<String> {
        TOLD.take().into_iter().map(|message| message.unwrap_or_else(|| "?".to_owned())).collect()
    }

    #[test]
    fn a_panic_is_stopped_with_the_words_it_has() {
        assert_eq!(contained(|| 1), Ok(1));
        let words = |run: fn()| contained(run).unwrap_err().message;
        assert_eq!(words(|| panic!("plain")).as_deref(), Some("plain"));
        assert_eq!(words(|| panic!("{}", 2)).as_deref(), Some("2"));
        assert_eq!(words(|| panic_any(3)), None);
    }

    #[test]
    fn what_it_panicked_with_may_panic_when_it_is_dropped_and_so_may_what_that_panics_with() {
        for again in 0..3 {
            assert_eq!(contained(|| panic_any(Bomb(again))), Err(Panicked { message: None }));
        }
    }

    #[test]
    fn a_future_comes_to_what_it_comes_to() {
        let mut future = start(|| Box::pin(ready(1)));
        assert_eq!(poll(&mut future), Poll::Ready(Some(1)));
        assert_eq!(poll(&mut future), Poll::Ready(None), "it is over");
        drop(future);
        assert_eq!(heard(), [""; 0]);
    }

    #[test]
    fn a_future_that_panics_comes_to_nothing() {
        let mut unmade = start::<()>(|| panic!("made"));
        assert_eq!(poll(&mut unmade), Poll::Ready(None));
        drop(unmade);
        assert_eq!(heard(), ["made"]);

        let mut polled = start::<()>(|| Box::pin(async { panic!("polled") }));
        assert_eq!(poll(&mut polled), Poll::Ready(None));
        drop(polled);
        assert_eq!(heard(), ["polled"]);
    }

    #[test]
    fn a_future_that_panics_when_it_is_dropped_comes_to_nothing_even_if_it_was_ready() {
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
        assert_eq!(heard(), ["the last"]);

        // Nor does the value get out that nobody takes.
        let mut future = start(|| Box::pin(Ready { value: Some(Bomb(1)), _bomb: Bomb(0) }));
        assert!(matches!(poll(&mut future), Poll::Ready(None)));
        assert_eq!(heard(), ["the last", "?"]);
    }

    #[test]
    fn a_future_that_is_dropped_half_way_is_told_of() {
        let mut future = start(|| {
            let bomb = Bomb(0);
            Box::pin(async move {
                let _bomb = bomb;
                pending::<()>().await;
            })
        });
        assert_eq!(poll(&mut future), Poll::Pending);
        drop(future);
        assert_eq!(heard(), ["the last"]);
    }
}
