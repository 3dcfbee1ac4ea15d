//! Reading arguments from a JSON Schema: everything that an argument can state, and an error for everything else.
//!
//! A schema can state more than a declaration. What would be lost is an error that names its location, so that a command
//! never accepts less or more than its schema: a keyword is either understood here, or known to limit nothing.

mod keywords;
mod reader;
#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value;

use crate::declaration::Command;
use crate::text::enumerate;

/// What is wrong with a JSON Schema: what an argument cannot state, or what cannot be published. At least one problem. As text,
/// it shows the first sixteen problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    // INVARIANT: not empty.
    pub(super) problems: Vec<SchemaProblem>,
}

/// One problem of a JSON Schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaProblem {
    pub(super) path: String,
    pub(super) what: String,
}

impl SchemaError {
    /// The problems, in the order of the schema. At most 64 are kept.
    pub fn problems(&self) -> &[SchemaProblem] {
        &self.problems
    }
}

impl SchemaProblem {
    /// The location: a JSON Pointer into the schema. It continues through a reference as if the target of the reference
    /// were written in its place.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enumerate(f, &self.problems, "; ", |f, problem| problem.fmt(f))
    }
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "{} at the top of the schema", self.what),
            path => write!(f, "{} at {path:?}", self.what),
        }
    }
}

impl std::error::Error for SchemaError {}

impl Command {
    /// Declares the arguments that a JSON Schema of an object describes, in the order of its properties.
    ///
    /// A required property becomes a required argument. A property that may be null becomes an optional argument, even
    /// if it is required: leaving the argument out takes the place of the null. If the schema states something that an
    /// argument cannot state (an object, a date, a pattern, values of several kinds), [`declare`](Command::declare), and
    /// with it the registration, returns an error that names every such location.
    ///
    /// Undeclared arguments are always refused, so `additionalProperties` changes nothing. A `default` that matches becomes
    /// the default of an optional argument, `writeOnly` makes an argument secret, and the `title` (or else the
    /// `description`) of each constant under `oneOf` or `anyOf` becomes the label of a choice. Keywords that limit no value
    /// and that an argument does not keep (such as `examples`) are listed by
    /// [`CommandDeclaration::ignored_keywords`](crate::CommandDeclaration::ignored_keywords).
    ///
    /// The schema of a declaration reads back as the same arguments, in the order of their names if the schema was kept
    /// in that order, except for what [`InvocableCommand::parameters`](crate::InvocableCommand::parameters) does not
    /// publish as a keyword.
    ///
    /// ```
    /// use drawloom_command::Command;
    /// use serde_json::json;
    ///
    /// let open = Command::new("notes.open", "Open note").arguments_from_schema(&json!({
    ///     "type": "object",
    ///     "properties": {
    ///         "path": { "type": "string", "description": "Where the note is" },
    ///         "due": { "type": "string", "format": "date" },
    ///         "size": { "type": "object" },
    ///     },
    ///     "required": ["path"],
    /// }));
    /// let error = open.declare().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "command \"notes.open\": an argument cannot state \"format\" at \"/properties/due/format\"; \
    ///      an argument cannot be an object at \"/properties/size\"",
    /// );
    /// ```
    pub fn arguments_from_schema(self, schema: &Value) -> Self {
        match reader::arguments(schema) {
            Ok(read) => self.arguments(read.arguments).with_ignored_keywords(read.ignored),
            Err(error) => self.with_schema_error(error),
        }
    }

    /// Declares the arguments that the JSON Schema of a type describes; see [`Command::arguments_from_schema`].
    ///
    /// ```
    /// use drawloom_command::Command;
    ///
    /// #[derive(schemars::JsonSchema)]
    /// struct OpenNote {
    ///     /// Where the note is.
    ///     path: String,
    ///     line: Option<u32>,
    /// }
    ///
    /// let open = Command::new("notes.open", "Open note").arguments_from_schema_of::<OpenNote>().declare()?;
    /// let names: Vec<&str> = open.arguments().iter().map(|argument| argument.name()).collect();
    /// assert_eq!(names, ["line", "path"]);
    /// # Ok::<(), drawloom_command::DeclarationError>(())
    /// ```
    #[cfg(feature = "schemars")]
    pub fn arguments_from_schema_of<T: schemars::JsonSchema>(self) -> Self {
        self.arguments_from_schema(
            schemars::SchemaGenerator::default().into_root_schema_for::<T>().as_value(),
        )
    }
}
