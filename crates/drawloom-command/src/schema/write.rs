//! Writing the JSON Schema of a command's arguments, in the subset that the model APIs accept.
//!
//! `type`, `properties` and `required` are always present, every list has `items`, and an `enum` contains at least one
//! text. `$schema`, `$ref`, `oneOf` and `additionalProperties` never appear, because at least one API rejects each of
//! them. The rules and their sources are listed in the documentation of `drawloom-tools`.

use serde_json::{Map, Value, json};

use crate::argument::ArgumentKind;
use crate::invocable::{InvocableArgument, InvocableCommand};

impl InvocableCommand {
    /// The arguments as a JSON Schema object. An optional choice that has no choices at the moment is left out, because
    /// no value for it would be accepted.
    ///
    /// Defaults are published, and the labels of choices are part of the description. The choices of an argument that
    /// depend on other arguments are not published. Whether an argument is secret is not published either, because some
    /// model APIs reject the keyword for it.
    ///
    /// The limits of a number type beyond ±(2⁵³−1), such as the maximum of an `i64`, are not published. The check
    /// applies them nevertheless.
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
        for argument in self.arguments.iter().filter(|argument| argument.has_values()) {
            properties.insert(argument.name.to_string(), property(argument));
            if argument.required {
                required.push(Value::from(&*argument.name));
            }
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }
}

impl InvocableArgument {
    fn has_values(&self) -> bool {
        self.choices.as_ref().is_none_or(|choices| !choices.is_empty())
    }
}

fn property(argument: &InvocableArgument) -> Value {
    let mut item = Map::new();
    let kind = match (argument.kind, argument.integer) {
        (ArgumentKind::Text | ArgumentKind::Choice, _) => "string",
        (ArgumentKind::Boolean, _) => "boolean",
        (ArgumentKind::Number, None) => "number",
        (ArgumentKind::Number, Some(_)) => "integer",
    };
    item.insert("type".to_owned(), Value::from(kind));
    if let Some(choices) = &argument.choices {
        item.insert("enum".to_owned(), choices.iter().map(|choice| &**choice).collect());
    }
    let mut bound =
        |name: &str, bound: Option<Value>| item.extend(bound.map(|bound| (name.to_owned(), bound)));
    if let Some(length) = argument.length {
        bound("minLength", Some(length.min()).filter(|min| *min > 0).map(Value::from));
        bound("maxLength", length.max().map(Value::from));
    }
    if let Some(range) = argument.integer {
        bound("minimum", range.published_min().map(whole));
        bound("maximum", range.published_max().map(whole));
    }
    if let Some(range) = argument.range {
        bound("minimum", range.published_min().map(Value::from));
        bound("maximum", range.published_max().map(Value::from));
    }
    let mut property = match argument.list {
        true => Map::from_iter([
            ("type".to_owned(), Value::from("array")),
            ("items".to_owned(), Value::Object(item)),
        ]),
        false => item,
    };
    if let Some(description) = argument.tool_description() {
        property.insert("description".to_owned(), Value::from(description));
    }
    if let Some(default) = &argument.default {
        // Text, finite numbers, booleans and lists of them: this cannot fail.
        property.extend(serde_json::to_value(default).map(|default| ("default".to_owned(), default)));
    }
    Value::Object(property)
}

/// A bound as JSON carries it: every bound of a declared range fits an `i64` or a `u64`.
fn whole(bound: i128) -> Value {
    match u64::try_from(bound) {
        Ok(bound) => Value::from(bound),
        Err(_) => Value::from(i64::try_from(bound).unwrap_or(i64::MIN)),
    }
}
