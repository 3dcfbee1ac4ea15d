//! A command's behaviour, boxed once when it is registered.

use std::future::{Future, ready};
use std::sync::Arc;

use drawloom_command::{BoxFuture, CommandAnswer};
use serde::Serialize;

use crate::call::Call;

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

/// What a handler came to: its answer where one is declared, or why it failed.
pub(crate) type Ran = Result<Option<CommandAnswer>, String>;

pub(crate) type Handler = Arc<dyn Fn(Call) -> BoxFuture<'static, Ran> + Send + Sync>;

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
    Arc::new(|_| Box::pin(ready(Ok(None))))
}

pub(crate) fn boxed<F, Fut, A>(handler: F, answering: Answering) -> Handler
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
    A: Serialize,
{
    Arc::new(move |call| {
        let running = handler(call);
        Box::pin(async move {
            let value = running.await.map_err(|error| error.message)?;
            match answering {
                Answering::Nothing => Ok(None),
                // A value's own serialisation is the author's code too: it runs, and may panic, in here.
                Answering::Value => {
                    CommandAnswer::from_value(&value).map(Some).map_err(|error| error.to_string())
                }
            }
        })
    })
}
