//! A handler as the registry keeps it: without the types that its author wrote it with.
//!
//! Both types are generic over the workbench `W`, so that the registry, and what is below the workbench, need not know it.

use std::future::ready;
use std::sync::Arc;

use drawloom_command::{BoxFuture, CommandAnswer, CommandArguments, PluginId};

use crate::plugin::Activation;
use crate::running::control::Control;

/// What a handler is started with.
pub(crate) struct Invocation<W> {
    pub(crate) workbench: W,
    pub(crate) owner: PluginId,
    pub(crate) activation: Activation,
    pub(crate) arguments: CommandArguments,
    pub(crate) control: Arc<Control>,
}

/// What a handler returned if it did not panic: its answer, if the command declares one, or why it failed.
pub(crate) type HandlerResult = Result<Option<CommandAnswer>, String>;

type Start<W> = dyn Fn(Invocation<W>) -> BoxFuture<'static, Option<HandlerResult>> + Send + Sync;

/// A handler as it is kept. It never panics, and neither does its future, when it is polled or dropped; the future
/// resolves to `None` if the author's code panicked.
pub(crate) struct Handler<W>(Arc<Start<W>>);

impl<W: 'static> Handler<W> {
    pub(crate) fn new(
        start: impl Fn(Invocation<W>) -> BoxFuture<'static, Option<HandlerResult>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(start))
    }

    pub(crate) fn start(&self, invocation: Invocation<W>) -> BoxFuture<'static, Option<HandlerResult>> {
        (self.0)(invocation)
    }
}

/// A handler that does nothing. It takes the place of one that was taken out.
impl<W: 'static> Default for Handler<W> {
    fn default() -> Self {
        Self::new(|_| Box::pin(ready(Some(Ok(None)))))
    }
}
