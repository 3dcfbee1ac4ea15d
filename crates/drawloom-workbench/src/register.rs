//! How a plugin registers commands and controls.

use std::future::Future;

use drawloom_command::{DeclaresAnswer, TypedArguments};
use futures_util::future::{Either, lazy};
use serde::Serialize;

use crate::context::PluginContext;
use crate::controls::{MenuItem, Shortcut};
use crate::invocation::call::Call;
use crate::invocation::handler::{Answering, HandlerError, erase};
use crate::permissions::capability::Capability;
use crate::registry::registration::{RegisterError, Registration};
use crate::workbench::Registered;

impl<S: Send + Sync + 'static> PluginContext<S> {
    /// Registers a command and its handler.
    ///
    /// The handler takes the [`Call`] and returns a future. What the future returns is the answer, if the command declares
    /// one. `?` turns any error that implements `Display` into a failure.
    ///
    /// A handler that needs the state of the application reads it from the call; see [`PluginContext::with_state`]. Or it
    /// captures what it needs, and clones that for each call, because each future lives on its own:
    ///
    /// ```
    /// # use std::sync::{Arc, Mutex};
    /// # use drawloom_command::Command;
    /// # use drawloom_workbench::{Call, PluginContext, RegisterError, Registration};
    /// # fn register(notes: &PluginContext, opened: Arc<Mutex<Vec<String>>>) -> Result<Registration, RegisterError> {
    /// notes.register(Command::new("notes.open", "Open"), move |call: Call| {
    ///     let opened = opened.clone();
    ///     async move {
    ///         let path = call.text("path")?.to_owned();
    ///         Ok(opened.lock().unwrap().push(path))
    ///     }
    /// })
    /// # }
    /// ```
    ///
    /// An async closure (`async move |call: Call| …`) can only be used if it captures nothing. Its future borrows what the
    /// closure captured, and so must end before the closure does. The future of a call must not depend on the handler:
    /// the command may be removed while it runs. The compiler then says "async closure does not implement `Fn` because
    /// it captures state from its environment":
    ///
    /// ```compile_fail
    /// # use std::sync::{Arc, Mutex};
    /// # use drawloom_command::Command;
    /// # use drawloom_workbench::{Call, PluginContext, RegisterError, Registration};
    /// # fn register(notes: &PluginContext, opened: Arc<Mutex<Vec<String>>>) -> Result<Registration, RegisterError> {
    /// notes.register(Command::new("notes.open", "Open"), async move |call: Call| {
    ///     let path = call.text("path")?.to_owned();
    ///     Ok(opened.lock().unwrap().push(path))
    /// })
    /// # }
    /// ```
    ///
    /// The command is a [`Command`](drawloom_command::Command), or one whose answer is a type (`answers_as`); then the
    /// handler has to return this type.
    ///
    /// # Errors
    /// [`RegisterError`] if the declaration is not valid, the id is taken, or the plugin may not register.
    pub fn register<F, Fut, A>(
        &self,
        command: impl DeclaresAnswer<A>,
        handler: F,
    ) -> Result<Registration, RegisterError>
    where
        F: Fn(Call<S>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
        A: Serialize,
    {
        self.require_contributions()?;
        let declaration = command.into_command().declare()?;
        self.workbench().warn_of(&declaration);
        let answering = match declaration.answers() {
            Some(_) => Answering::Value,
            None => Answering::Nothing,
        };
        let handler = erase(self.shared_state(), handler, answering);
        // A type without a size, such as `()`, carries no value that could be lost.
        let drops_value = declaration.answers().is_none() && size_of::<A>() > 0;
        let command = Registered::new(declaration, self.plugin().clone(), self.activation(), handler)
            .with_dropped_value(drops_value);
        self.workbench().registry().register(command)
    }

    /// Registers a command whose arguments are the fields of a type, in addition to those that `command` declares itself.
    ///
    /// The handler gets the typed arguments and the [`Call`], which keeps the others.
    ///
    /// ```
    /// # use drawloom_command::{ArgumentField, ArgumentProblem, Command, Argument, CommandArguments};
    /// # use drawloom_command::TypedArguments;
    /// # use drawloom_workbench::{PluginContext, RegisterError, Registration};
    /// # struct OpenNote { path: String }
    /// # impl TypedArguments for OpenNote {
    /// #     fn declare() -> Vec<Argument> {
    /// #         vec![String::declare("path")]
    /// #     }
    /// #     fn take_from(arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
    /// #         Ok(Self { path: ArgumentField::from_given("path", arguments.remove("path"))? })
    /// #     }
    /// # }
    /// fn register(notes: &PluginContext) -> Result<Registration, RegisterError> {
    ///     notes.register_typed(
    ///         Command::new("notes.open", "Open note").answers("What was opened").callable(),
    ///         |args: OpenNote, _call| async move { Ok(format!("opened {}", args.path)) },
    ///     )
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`PluginContext::register`].
    pub fn register_typed<T, F, Fut, A>(
        &self,
        command: impl DeclaresAnswer<A>,
        handler: F,
    ) -> Result<Registration, RegisterError>
    where
        T: TypedArguments,
        F: Fn(T, Call<S>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
        A: Serialize,
    {
        self.register(command.into_command().arguments(T::declare()), move |mut call| {
            match T::take_from(&mut call.arguments) {
                Ok(arguments) => Either::Left(handler(arguments, call)),
                Err(error) => Either::Right(lazy(|_| Err(error.into()))),
            }
        })
    }

    /// Registers a menu item.
    ///
    /// # Errors
    /// [`RegisterError`] if the id is taken or the plugin may not register.
    pub fn register_menu_item(&self, item: MenuItem) -> Result<Registration, RegisterError> {
        self.require_contributions()?;
        self.workbench().registry().register_menu_item(self.plugin(), self.activation(), item)
    }

    /// Registers a shortcut. If several have the same keys, the one that was registered first wins.
    ///
    /// # Errors
    /// [`RegisterError`] if the plugin may not register.
    pub fn register_shortcut(&self, shortcut: Shortcut) -> Result<Registration, RegisterError> {
        self.require_contributions()?;
        self.workbench().registry().register_shortcut(self.plugin(), self.activation(), shortcut)
    }

    fn require_contributions(&self) -> Result<(), RegisterError> {
        let plugin = self.plugin().clone();
        if !self.is_active() {
            return Err(RegisterError::Inactive { plugin });
        }
        if !self.holds(Capability::Contributions) {
            let capability = Capability::Contributions;
            return Err(RegisterError::MissingCapability { plugin, capability });
        }
        Ok(())
    }
}
