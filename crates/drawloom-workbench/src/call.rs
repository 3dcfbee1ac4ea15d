//! One call, as the handler of the command sees it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{BoxFuture, CommandArguments, CommandId, CommandOutcome, Number};

use crate::caller::Caller;
use crate::chain;
use crate::context::PluginContext;

/// A call that was let through: its arguments, who made it, and the way to invoke further commands.
///
/// Clones are the same call. A clone may be handed to another task: what is invoked through it, there, still counts
/// as invoked by this command.
#[derive(Clone)]
pub struct Call {
    pub(crate) inner: Arc<CallInner>,
    pub(crate) arguments: CommandArguments,
}

pub(crate) struct CallInner {
    pub(crate) command: CommandId,
    pub(crate) caller: Caller,
    pub(crate) context: PluginContext,
    pub(crate) depth: u32,
}

/// A handler asked for an argument that the call does not carry in that form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the call carries no {expected} named \"{argument}\"")]
pub struct ArgumentAbsent {
    argument: String,
    expected: &'static str,
}

impl Call {
    /// The command that was called.
    pub fn command(&self) -> &CommandId {
        &self.inner.command
    }

    /// Who called.
    pub fn caller(&self) -> &Caller {
        &self.inner.caller
    }

    /// The arguments, which match the declaration.
    pub fn arguments(&self) -> &CommandArguments {
        &self.arguments
    }

    /// Takes the arguments out.
    pub fn into_arguments(self) -> CommandArguments {
        self.arguments
    }

    /// The text of a single text or choice argument.
    ///
    /// # Errors
    /// Where the call carries none: the argument is optional, or is declared otherwise.
    pub fn text(&self, name: &str) -> Result<&str, ArgumentAbsent> {
        self.arguments.text(name).ok_or_else(|| absent(name, "text"))
    }

    /// The value of a single number argument.
    ///
    /// # Errors
    /// Where the call carries none.
    pub fn number(&self, name: &str) -> Result<Number, ArgumentAbsent> {
        self.arguments.number(name).ok_or_else(|| absent(name, "number"))
    }

    /// The value of a single boolean argument.
    ///
    /// # Errors
    /// Where the call carries none.
    pub fn boolean(&self, name: &str) -> Result<bool, ArgumentAbsent> {
        self.arguments.boolean(name).ok_or_else(|| absent(name, "boolean"))
    }

    /// The context of the plugin that registered the command, in the workbench the call came through: where many
    /// people share one registry, it is the caller's workbench and no other.
    pub fn context(&self) -> &PluginContext {
        &self.inner.context
    }

    /// Invokes a command as the plugin that registered this one, counting as invoked by it wherever the future is
    /// polled.
    pub fn invoke(
        &self,
        id: impl Into<CommandId>,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.inner.context.invoke_at(self.inner.depth, id.into(), arguments)
    }

    /// Makes everything that `work` invokes count as invoked by this command, for work that is handed to another
    /// task or thread. Work that is awaited inside the handler needs no such thing.
    ///
    /// ```
    /// # use drawloom_workbench::{Call, HandlerError};
    /// # fn spawn(_: impl Future<Output = ()> + Send + 'static) {}
    /// async fn handler(call: Call) -> Result<(), HandlerError> {
    ///     let context = call.context().clone();
    ///     spawn(call.carry(async move {
    ///         context.invoke("notes.index", Default::default()).await;
    ///     }));
    ///     Ok(())
    /// }
    /// ```
    pub fn carry<T: 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> impl Future<Output = T> + Send + 'static {
        Carried { work: Some(Box::pin(work)), depth: self.inner.depth }
    }
}

fn absent(argument: &str, expected: &'static str) -> ArgumentAbsent {
    ArgumentAbsent { argument: argument.to_owned(), expected }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("command", &self.inner.command)
            .field("caller", &self.inner.caller)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

struct Carried<T> {
    // Taken when it is dropped.
    work: Option<BoxFuture<'static, T>>,
    depth: u32,
}

impl<T> Carried<T> {
    /// Deeper already where the work is polled inside a nested handler: the chain never gets shorter.
    fn enter(&self) -> chain::Entered {
        chain::enter(self.depth.max(chain::current()))
    }
}

impl<T> Future for Carried<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let _entered = self.enter();
        match &mut self.work {
            Some(work) => work.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for Carried<T> {
    fn drop(&mut self) {
        let _entered = self.enter();
        drop(self.work.take());
    }
}
