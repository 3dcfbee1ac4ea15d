//! Reading arguments from a JSON Schema: whatever an argument can state, and a refusal of everything else.
//!
//! A schema says more than a declaration can. What would be lost is refused where it stands, so that a command never
//! takes less or more than its schema says: a keyword is either understood here, or known to say nothing about values.

mod keywords;
mod reader;
#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value;

use crate::declaration::Command;

/// Something in a JSON Schema that no argument can state, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    path: String,
    what: String,
}

impl SchemaError {
    /// Where it stands: a JSON Pointer into the schema, through references as if their targets stood there.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.what, self.path)
    }
}

impl std::error::Error for SchemaError {}

impl Command {
    /// Declares the arguments that a JSON Schema of an object describes, in the order of its properties.
    ///
    /// A property that is required is required, one that may be null is optional, and nothing is lost: a schema that
    /// says what no argument can state (an object, a date, a pattern, a length, anything of several kinds) makes
    /// [`declare`](Command::declare) and so the registration an error that names the place.
    ///
    /// The schema of a declaration reads back as the arguments it was made of, in the order of their names where the
    /// schema was kept in that order.
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
    ///     },
    ///     "required": ["path"],
    /// }));
    /// let error = open.declare().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"command "notes.open": no argument can state "format" at "/properties/due/format""#,
    /// );
    /// ```
    pub fn arguments_from_schema(self, schema: &Value) -> Self {
        match reader::arguments(schema) {
            Ok(arguments) => self.arguments(arguments),
            Err(error) => self.with_fault(error),
        }
    }

    /// Declares the arguments that the JSON Schema of a type describes, as [`Command::arguments_from_schema`] does.
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

/// A JSON Pointer into the schema.
struct Place(String);

impl Place {
    fn field(&self, name: &str) -> Self {
        Self(format!("{}/{}", self.0, name.replace('~', "~0").replace('/', "~1")))
    }

    fn item(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    fn refuse<T>(&self, what: &str) -> Result<T, SchemaError> {
        Err(SchemaError { path: self.0.clone(), what: what.to_owned() })
    }
}
