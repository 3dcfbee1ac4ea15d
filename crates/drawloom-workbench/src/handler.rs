//! A command's behaviour, boxed once when it is registered.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{BoxFuture, CommandAnswer, Contained, Panicked};
use serde::Serialize;

use crate::call::Call;
use crate::contain::{contained, log};

/// Why a handler gave no answer. Anything that can be shown turns into one, so `?` works in every handler.
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
    /// What went wrong, as the caller is told.
    pub fn message(&self) -> &str {
        &self.message
    }
}

// The type is not `Display` itself, or this would collide with the blanket `From<T> for T`.
impl<E: std::fmt::Display> From<E> for HandlerError {
    fn from(error: E) -> Self {
        Self { message: error.to_string() }
    }
}

/// What a handler came to where it did not panic: its answer where one is declared, or why it failed.
pub(crate) type Ran = Result<Option<CommandAnswer>, String>;

/// A handler as it is kept. It never panics, and neither does its future, polled or dropped.
pub(crate) type Handler = Arc<dyn Fn(Call) -> BoxFuture<'static, Option<Ran>> + Send + Sync>;

/// What becomes of the value a handler returns.
#[derive(Clone, Copy)]
pub(crate) enum Answering {
    /// It is the answer.
    Value,
    /// It is dropped: the command declares no answer.
    Nothing,
}

/// A handler that does nothing, to stand where one was taken out.
pub(crate) fn no_handler() -> Handler {
    Arc::new(|_| Box::pin(ready(Some(Ok(None)))))
}

pub(crate) fn boxed<F, Fut, A>(handler: F, answering: Answering) -> Handler
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
    A: Serialize,
{
    let told: fn(&Panicked) = |panicked| log("handler", panicked);
    Arc::new(move |call| {
        let running = Contained::start(told, || Box::pin(handler(call)));
        Box::pin(Handling { running, answering })
    })
}

/// A handler that is running. Its poll, its drop, and the serialisation and drop of its value are each contained by
/// themselves: an async block around them would drop the one while the panic of another unwinds, and two panics at once
/// end the process.
struct Handling<Fut> {
    running: Contained<Pin<Box<Fut>>>,
    answering: Answering,
}

impl<Fut, A> Future for Handling<Fut>
where
    Fut: Future<Output = Result<A, HandlerError>>,
    A: Serialize,
{
    type Output = Option<Ran>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answering = self.answering;
        Pin::new(&mut self.running).poll(cx).map(|ran| answering.answer(ran?))
    }
}

impl Answering {
    /// Makes the answer of what a handler returned. A value's own serialisation is the author's code too.
    fn answer<A: Serialize>(self, ran: Result<A, HandlerError>) -> Option<Ran> {
        let value = match ran {
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
