//! The JSON Schema of a command's arguments, in the subset that the model APIs take.
//!
//! `type`, `properties` and `required` are always there, every list has `items`, an `enum` holds at least one text,
//! and none of `$schema`, `$ref`, `oneOf` and `additionalProperties` ever appears: some API refuses each of them.

use serde_json::{Map, Value, json};

use crate::argument::{ArgumentKind, NumberRange};
use crate::invocable::{InvocableArgument, InvocableCommand};

impl InvocableCommand {
    /// The arguments as a JSON Schema object. An optional choice that has no choices at the moment is left out: there
    /// is nothing it could be given.
    ///
    /// ```
    /// use drawloom_command::{Command, Argument, RegistrationId};
    ///
    /// let open = Command::new("notes.open", "Open note")
    ///     .argument(Argument::text("path").description("Where the note is").required())
    ///     .argument(Argument::choice("mode", ["preview", "permanent"]).list())
    ///     .declare()?
    ///     .describe(RegistrationId::unique(), |text| text.clone())
    ///     .ok_or("a required choice has no choices")?;
    /// assert_eq!(
    ///     open.parameters(),
    ///     serde_json::json!({
    ///         "type": "object",
    ///         "properties": {
    ///             "path": { "type": "string", "description": "Where the note is" },
    ///             "mode": { "type": "array", "items": { "type": "string", "enum": ["preview", "permanent"] } },
    ///         },
    ///         "required": ["path"],
    ///     }),
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parameters(&self) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for argument in self.arguments.iter().filter(|argument| argument.can_be_given()) {
            properties.insert(argument.name.to_string(), property(argument));
            if argument.required {
                required.push(Value::from(&*argument.name));
            }
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }
}

impl InvocableArgument {
    fn can_be_given(&self) -> bool {
        self.choices.as_ref().is_none_or(|choices| !choices.is_empty())
    }
}

fn property(argument: &InvocableArgument) -> Value {
    let item = match (argument.kind, argument.integer) {
        (ArgumentKind::Text, _) => json!({ "type": "string" }),
        (ArgumentKind::Boolean, _) => json!({ "type": "boolean" }),
        (ArgumentKind::Number, None) => number(argument.range),
        (ArgumentKind::Number, Some(range)) => {
            json!({ "type": "integer", "minimum": bound(range.min), "maximum": bound(range.max) })
        }
        (ArgumentKind::Choice, _) => {
            let choices = argument.choices.iter().flat_map(|choices| choices.iter());
            json!({ "type": "string", "enum": choices.map(|choice| &**choice).collect::<Vec<_>>() })
        }
    };
    let mut property = if argument.list { json!({ "type": "array", "items": item }) } else { item };
    if let (Some(description), Value::Object(fields)) = (&argument.description, &mut property) {
        fields.insert("description".to_owned(), Value::from(&**description));
    }
    property
}

/// A schema of numbers, with the bounds that are not those of every number.
fn number(range: Option<NumberRange>) -> Value {
    let mut number = Map::from_iter([("type".to_owned(), Value::from("number"))]);
    if let Some(range) = range {
        let bounds = [("minimum", range.min(), f64::MIN), ("maximum", range.max(), f64::MAX)];
        for (name, bound, _) in bounds.into_iter().filter(|(_, bound, widest)| bound != widest) {
            number.insert(name.to_owned(), Value::from(bound));
        }
    }
    Value::Object(number)
}

/// A bound as JSON carries it: every bound of a declared range fits an `i64` or a `u64`.
fn bound(value: i128) -> Value {
    match u64::try_from(value) {
        Ok(value) => Value::from(value),
        Err(_) => Value::from(i64::try_from(value).unwrap_or(i64::MIN)),
    }
}
