//! One call, as the handler of the command sees it.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{CommandArguments, CommandId, CommandOutcome, CommandScalar, Number, Progress};

use crate::context::PluginContext;
use crate::invocation::depth::AtDepth;
use crate::invocation::erased::Invocation;
use crate::principal::Caller;
use crate::running::control::{CancelSignal, Control};
use crate::session::{Person, Session, SessionDataAbsent};
use crate::undo::history::UndoCall;
use crate::undo::{ARGUMENT_BYTES, UndoError};
use crate::workbench::{Registered, Workbench};

/// A call that was let through: its arguments, who made it, the state `S` of the application, and the way to invoke
/// further commands.
///
/// The state is `()` unless the command was registered through [`PluginContext::with_state`].
///
/// Clones are the same call. A clone may be given to another task: what that task invokes through it still counts as
/// invoked by this command.
pub struct Call<S = ()> {
    inner: Arc<CallInner<S>>,
    pub(crate) arguments: CommandArguments,
}

struct CallInner<S> {
    control: Arc<Control>,
    // The context of the plugin that registered the command, with the state that it registered with.
    context: PluginContext<S>,
}

/// A handler asked for an argument that the call does not have in that form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the call has no {expected} argument \"{argument}\"")]
pub struct ArgumentAbsent {
    argument: String,
    expected: &'static str,
}

impl<S> Call<S> {
    pub(crate) fn new(invocation: Invocation<Workbench>, state: Arc<S>) -> Self {
        let Invocation { workbench, owner, activation, arguments, control } = invocation;
        let context = PluginContext::new(workbench, owner, activation, state);
        Self { inner: Arc::new(CallInner { control, context }), arguments }
    }

    /// The command that was called.
    pub fn command(&self) -> &CommandId {
        &self.inner.control.started.command
    }

    /// Who made the call.
    pub fn caller(&self) -> &Caller {
        &self.inner.control.started.caller
    }

    /// The person whom the call serves; see [`Call::session`]. `None` if nobody is signed in, or if the product does not say
    /// who it is.
    ///
    /// ```
    /// use drawloom_workbench::{Call, HandlerError};
    ///
    /// async fn whoami(call: Call) -> Result<String, HandlerError> {
    ///     let person = call.person().ok_or("sign in first")?;
    ///     Ok(format!("{person} ({})", person.id))
    /// }
    /// # let _ = whoami;
    /// ```
    pub fn person(&self) -> Option<&Person> {
        self.inner.control.started.session.person()
    }

    /// The product's own data in the session that the call serves; see [`Call::session`].
    ///
    /// ```
    /// use drawloom_workbench::{Call, HandlerError};
    ///
    /// struct Account { plan: String }
    ///
    /// async fn plan(call: Call) -> Result<String, HandlerError> {
    ///     Ok(call.session_data::<Account>()?.plan.clone())
    /// }
    /// # let _ = plan;
    /// ```
    ///
    /// # Errors
    /// If the session has no data, or data of another type.
    pub fn session_data<T: Any>(&self) -> Result<&T, SessionDataAbsent> {
        self.inner.control.started.session.data()
    }

    /// The session in which it was decided that the call may run. It stays the same while the call runs, also if the person
    /// signs out meanwhile. No capability is needed for it.
    ///
    /// If many people share one registry, it is the session of the workbench through which the call came.
    pub fn session(&self) -> &Session {
        &self.inner.control.started.session
    }

    /// The arguments. They match the declaration.
    pub fn arguments(&self) -> &CommandArguments {
        &self.arguments
    }

    /// Takes the arguments out of the call.
    pub fn into_arguments(self) -> CommandArguments {
        self.arguments
    }

    /// The text of a single text or choice argument.
    ///
    /// # Errors
    /// If the call has no such argument: it is optional and was left out, or it is declared differently.
    pub fn text(&self, name: &str) -> Result<&str, ArgumentAbsent> {
        self.arguments.text(name).ok_or_else(|| absent(name, "text"))
    }

    /// The value of a single number argument.
    ///
    /// # Errors
    /// If the call has no such argument.
    pub fn number(&self, name: &str) -> Result<Number, ArgumentAbsent> {
        self.arguments.number(name).ok_or_else(|| absent(name, "number"))
    }

    /// The value of a single whole number argument, as an `i64`. [`Call::number`] reads a number beyond it.
    ///
    /// ```
    /// # use drawloom_workbench::{Call, HandlerError};
    /// async fn handler(call: Call) -> Result<(), HandlerError> {
    ///     let line: i64 = call.integer("line")?;
    ///     let limit: i64 = call.integer_or("limit", 20);
    ///     # let _ = (line, limit);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// If the call has no such argument, or the number is not whole or does not fit.
    pub fn integer(&self, name: &str) -> Result<i64, ArgumentAbsent> {
        self.arguments.integer(name).ok_or_else(|| absent(name, "whole number"))
    }

    /// The value of a single boolean argument.
    ///
    /// # Errors
    /// If the call has no such argument.
    pub fn boolean(&self, name: &str) -> Result<bool, ArgumentAbsent> {
        self.arguments.boolean(name).ok_or_else(|| absent(name, "boolean"))
    }

    /// The values of a list argument.
    ///
    /// # Errors
    /// If the call has no such argument.
    pub fn list(&self, name: &str) -> Result<&[CommandScalar], ArgumentAbsent> {
        self.arguments.list(name).ok_or_else(|| absent(name, "list"))
    }

    /// The text of a single text or choice argument, or `other` if the call has none.
    pub fn text_or<'a>(&'a self, name: &str, other: &'a str) -> &'a str {
        self.arguments.text_or(name, other)
    }

    /// The value of a single number argument, or `other` if the call has none.
    pub fn number_or(&self, name: &str, other: impl Into<Number>) -> Number {
        self.arguments.number_or(name, other)
    }

    /// The value of a single whole number argument, or `other` if the call has none.
    pub fn integer_or(&self, name: &str, other: i64) -> i64 {
        self.arguments.integer_or(name, other)
    }

    /// The value of a single boolean argument, or `other` if the call has none.
    pub fn boolean_or(&self, name: &str, other: bool) -> bool {
        self.arguments.boolean_or(name, other)
    }

    /// Reports how far the command has come. The person sees it in
    /// [`Workbench::running`](crate::Workbench::running), and a client of an agent as an update. The latest report replaces
    /// those before it; reporting never waits, and does nothing once the command has ended.
    ///
    /// ```
    /// use drawloom_command::Progress;
    /// # use drawloom_workbench::{Call, HandlerError};
    ///
    /// # async fn export_one(_: usize) {}
    /// async fn export(call: Call) -> Result<(), HandlerError> {
    ///     for done in 0..30 {
    ///         if call.is_cancelled() {
    ///             return Err(format!("{done} of 30 notes were exported").into());
    ///         }
    ///         let message = format!("{done} of 30");
    ///         call.progress(Progress::new().share(done as f64 / 30.0).phase("Exporting").message(message));
    ///         export_one(done).await;
    ///     }
    ///     Ok(())
    /// }
    /// # let _ = export;
    /// ```
    pub fn progress(&self, progress: Progress) {
        self.inner.control.set_progress(progress);
    }

    /// Whether the command was cancelled: by the person, with a command that invoked it, or because the future of its call
    /// was dropped.
    ///
    /// A handler that uses this, or [`Call::cancelled`], ends by itself: it tidies up and returns an error, whose message
    /// the caller gets. See [`Workbench::cancel`](crate::Workbench::cancel) for handlers that use neither.
    pub fn is_cancelled(&self) -> bool {
        self.inner.control.look()
    }

    /// Waits until the command is cancelled; see [`Call::is_cancelled`].
    ///
    /// ```
    /// use futures::future::{Either, select};
    /// # use drawloom_workbench::{Call, HandlerError};
    /// # async fn download() -> Result<(), HandlerError> { Ok(()) }
    ///
    /// async fn fetch(call: Call) -> Result<(), HandlerError> {
    ///     let download = std::pin::pin!(download());
    ///     match select(download, call.cancelled()).await {
    ///         Either::Left((downloaded, _)) => downloaded,
    ///         Either::Right(_) => Err("the download was stopped".into()),
    ///     }
    /// }
    /// # let _ = fetch;
    /// ```
    pub fn cancelled(&self) -> CancelSignal {
        self.inner.control.look();
        CancelSignal::new(self.inner.control.clone())
    }

    /// The state that the command was registered with; see [`PluginContext::with_state`].
    pub fn state(&self) -> &S {
        self.inner.context.state()
    }

    /// The context of the plugin that registered the command. It belongs to the workbench through which the call came:
    /// if many people share one registry, that is the workbench of the caller.
    pub fn context(&self) -> &PluginContext<S> {
        &self.inner.context
    }
}

impl<S: Send + Sync + 'static> Call<S> {
    /// Invokes a command as the plugin that registered this one. The invocation counts as made by this command, wherever
    /// the future is polled.
    pub fn invoke(
        &self,
        id: impl Into<CommandId>,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.inner.context.invoke_from(self.inner.control.clone(), id.into(), arguments)
    }

    /// Registers what undoes this call: a command of the same plugin, and the arguments for it. The person finds it in
    /// [`Workbench::undo_history`](crate::Workbench::undo_history) once the call has ended, also if it fails or is
    /// cancelled after this. So register it when the work is done that it undoes.
    ///
    /// A later call of this function replaces what was registered before.
    ///
    /// ```
    /// # use drawloom_command::CommandArguments;
    /// # use drawloom_workbench::{Call, HandlerError};
    /// # struct Notes;
    /// # impl Notes { async fn rename(&self, _: &str, _: &str) -> Result<String, String> { Ok(String::new()) } }
    /// async fn rename(call: Call<Notes>) -> Result<(), HandlerError> {
    ///     let id = call.text("id")?;
    ///     let before = call.state().rename(id, call.text("title")?).await?;
    ///     call.undo_with("notes.rename", CommandArguments::new().with("id", id).with("title", before))?;
    ///     Ok(())
    /// }
    /// # let _ = rename;
    /// ```
    ///
    /// # Errors
    /// [`UndoError`] if the plugin has registered no such command, the arguments are larger than 64 KiB, or the call has
    /// ended.
    pub fn undo_with(
        &self,
        command: impl Into<CommandId>,
        arguments: CommandArguments,
    ) -> Result<(), UndoError> {
        let command = command.into();
        let registered = self.inner.context.workbench().registry().command(&command);
        let is_own = |registered: &Arc<Registered>| registered.owner == *self.inner.context.plugin();
        let Some(registered) = registered.filter(is_own) else { return Err(UndoError::NotOwn { command }) };
        let undo = UndoCall::new(&registered.declaration, arguments);
        if undo.bytes > ARGUMENT_BYTES {
            return Err(UndoError::TooLarge { command, bytes: undo.bytes, limit: ARGUMENT_BYTES });
        }
        match self.inner.control.set_undo(Some(undo)) {
            true => Ok(()),
            false => Err(UndoError::Ended { command }),
        }
    }

    /// Takes back what [`Call::undo_with`] registered, for a handler that has undone its work itself.
    pub fn clear_undo(&self) {
        self.inner.control.set_undo(None);
    }

    /// Makes everything that `work` invokes count as invoked by this command. Use it for work that the handler gives to
    /// another task or thread. Work that the handler itself awaits does not need it.
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
        AtDepth::carried(self.inner.control.clone(), work)
    }
}

fn absent(argument: &str, expected: &'static str) -> ArgumentAbsent {
    ArgumentAbsent { argument: argument.to_owned(), expected }
}

// Derived, it would require `S: Clone`.
impl<S> Clone for Call<S> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), arguments: self.arguments.clone() }
    }
}

impl<S> fmt::Debug for Call<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("command", self.command())
            .field("caller", self.caller())
            .field("person", &self.person())
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
