//! A handler as its author writes it, boxed once when it is registered.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{CommandAnswer, Contained, Panicked};
use serde::Serialize;

use crate::contain::{DropContained, contained, log};
use crate::invocation::call::Call;
use crate::invocation::erased::{Handler, HandlerResult};
use crate::workbench::Workbench;

/// Why a handler failed. Anything that implements `Display` converts into it, so `?` works in every handler.
///
/// ```
/// use drawloom_workbench::HandlerError;
///
/// fn parse(text: &str) -> Result<u8, HandlerError> {
///     Ok(text.parse::<u8>()?)
/// }
/// assert_eq!(parse("300").unwrap_err().message(), "number too large to fit in target type");
/// ```
#[derive(Debug)]
pub struct HandlerError {
    message: String,
}

impl HandlerError {
    /// What went wrong. The caller is told this.
    pub fn message(&self) -> &str {
        &self.message
    }
}

// The type itself does not implement `Display`: this would then conflict with `From<T> for T`.
impl<E: std::fmt::Display> From<E> for HandlerError {
    fn from(error: E) -> Self {
        Self { message: error.to_string() }
    }
}

/// What happens to the value that a handler returns.
#[derive(Clone, Copy)]
pub(crate) enum Answering {
    /// It is the answer.
    Value,
    /// It is dropped, because the command declares no answer.
    Nothing,
}

/// Boxes a handler together with the state that it was registered with.
pub(crate) fn erase<S, F, Fut, A>(state: Arc<S>, handler: F, answering: Answering) -> Handler<Workbench>
where
    S: Send + Sync + 'static,
    F: Fn(Call<S>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
    A: Serialize,
{
    let log_panic: fn(&Panicked) = |panicked| log("handler", panicked);
    // Both are dropped with the registration, and each may panic then.
    let (state, handler) = (DropContained::new("handler", state), DropContained::new("handler", handler));
    Handler::new(move |invocation| {
        let (Some(state), Some(handler)) = (state.get(), handler.get()) else { return Box::pin(ready(None)) };
        let call = Call::new(invocation, state.clone());
        let running = Contained::start(log_panic, || Box::pin(handler(call)));
        Box::pin(Handling { running, answering })
    })
}

/// A handler that is running. Its poll, its drop, and the serialisation and drop of its value are contained separately:
/// an async block around them would drop one while another unwinds, and a second panic while unwinding aborts the
/// process.
struct Handling<Fut> {
    running: Contained<Pin<Box<Fut>>>,
    answering: Answering,
}

impl<Fut, A> Future for Handling<Fut>
where
    Fut: Future<Output = Result<A, HandlerError>>,
    A: Serialize,
{
    type Output = Option<HandlerResult>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answering = self.answering;
        Pin::new(&mut self.running).poll(cx).map(|returned| answering.answer(returned?))
    }
}

impl Answering {
    /// Makes the answer from what a handler returned. The serialisation of the value is code of the author too.
    fn answer<A: Serialize>(self, returned: Result<A, HandlerError>) -> Option<HandlerResult> {
        let value = match returned {
            Ok(value) => value,
            Err(error) => return Some(Err(error.message)),
        };
        let answer = match self {
            Self::Nothing => Ok(Ok(None)),
            Self::Value => contained("handler", || CommandAnswer::from_value(&value))
                .map(|answer| answer.map(Some).map_err(|error| error.to_string())),
        };
        contained("handler", || drop(value)).and(answer).ok()
    }
}
