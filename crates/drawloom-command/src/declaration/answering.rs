//! A command whose answer is a Rust type: the type gives the schema and the description, and the handler has to return it.

use std::fmt;
use std::marker::PhantomData;

use super::{Command, CommandDeclaration, DeclarationError};

/// A command that declares an answer of type `A`. Its handler has to return an `A`. `Command::answers_as` makes it.
#[must_use = "a command does nothing until it is registered"]
pub struct AnsweringCommand<A> {
    command: Command,
    answer: PhantomData<fn() -> A>,
}

/// What may be registered with a handler that returns an `A`: every [`Command`], and an [`AnsweringCommand`] of this very
/// type.
#[diagnostic::on_unimplemented(
    message = "the command declares another answer than its handler returns",
    label = "the handler of this command has to return what `answers_as` declares, and not `{A}`"
)]
pub trait DeclaresAnswer<A> {
    /// The command.
    fn into_command(self) -> Command;
}

impl<A> DeclaresAnswer<A> for Command {
    fn into_command(self) -> Command {
        self
    }
}

impl<A> DeclaresAnswer<A> for AnsweringCommand<A> {
    fn into_command(self) -> Command {
        self.command
    }
}

impl<A> AnsweringCommand<A> {
    /// Checks the declaration.
    ///
    /// # Errors
    /// As [`Command::declare`].
    pub fn declare(self) -> Result<CommandDeclaration, DeclarationError> {
        self.command.declare()
    }
}

#[cfg(feature = "schemars")]
impl Command {
    /// Makes a value of type `A` the answer. Its JSON Schema is published, and the doc comment of the type describes the
    /// answer if [`answers`](Command::answers) does not. A handler that returns another type does not compile.
    ///
    /// It ends the declaration, so it is called last. The value is not checked at run time: it is of the type.
    ///
    /// ```
    /// use drawloom_command::Command;
    /// use serde_json::json;
    ///
    /// /// The note that was opened.
    /// #[derive(serde::Serialize, schemars::JsonSchema)]
    /// struct OpenedNote {
    ///     path: String,
    /// }
    ///
    /// let open = Command::new("notes.open", "Open note").callable().answers_as::<OpenedNote>().declare()?;
    /// assert_eq!(open.answers(), Some("The note that was opened."));
    /// let schema = open.answer_schema().ok_or("no schema")?;
    /// assert_eq!(schema["properties"]["path"], json!({ "type": "string" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A type that contains itself has no schema without references, and [`declare`](AnsweringCommand::declare) refuses it.
    pub fn answers_as<A: serde::Serialize + schemars::JsonSchema>(self) -> AnsweringCommand<A> {
        let settings = schemars::generate::SchemaSettings::default().for_serialize();
        let schema = settings.into_generator().into_root_schema_for::<A>();
        AnsweringCommand { command: self.answer_schema(schema.as_value()), answer: PhantomData }
    }
}

// Derived, these would require the same of `A`.
impl<A> Clone for AnsweringCommand<A> {
    fn clone(&self) -> Self {
        Self { command: self.command.clone(), answer: PhantomData }
    }
}

impl<A> fmt::Debug for AnsweringCommand<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnsweringCommand").field(&self.command).finish()
    }
}
