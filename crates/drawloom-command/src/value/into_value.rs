//! Arguments from Rust values and JSON values, and back into a JSON value.

use serde::Serialize;
use serde_json::Value;

use super::{CommandArgumentValue, CommandArguments, CommandScalar, ReadArgumentsError};
use crate::answer::{AnswerError, CommandAnswer};
use crate::number::Number;

impl CommandArguments {
    /// The fields of a serializable value as arguments. A field that is `None` is not given.
    ///
    /// ```
    /// use drawloom_command::CommandArguments;
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct OpenNote {
    ///     path: &'static str,
    ///     line: Option<u64>,
    ///     tags: Vec<&'static str>,
    /// }
    ///
    /// let open = OpenNote { path: "inbox", line: None, tags: vec!["new"] };
    /// assert_eq!(
    ///     CommandArguments::from_serialize(&open)?,
    ///     CommandArguments::new().with("path", "inbox").with("tags", vec!["new"]),
    /// );
    /// # Ok::<(), drawloom_command::ReadArgumentsError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadArgumentsError`], which names the argument, if a field is neither a scalar nor a list of scalars, or the value
    /// has no fields.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, ReadArgumentsError> {
        let members = match CommandAnswer::from_value(value).map_err(unusable)? {
            CommandAnswer::Map(members) => members,
            other => return Err(ReadArgumentsError::NotAnObject(kind_of(&other))),
        };
        let given = members.into_iter().filter(|(_, value)| *value != CommandAnswer::Null);
        given.map(|(name, value)| value_of(&name, value).map(|value| (name, value))).collect()
    }
}

/// Why a value cannot be taken apart, as an author reads it.
fn unusable(error: AnswerError) -> ReadArgumentsError {
    ReadArgumentsError::NotPlainData(match error {
        AnswerError::Number(error) => format!("it contains a number that cannot be represented: {error}"),
        AnswerError::Key(keys) => format!("it contains a map whose keys are {keys}; keys must be text"),
        AnswerError::DuplicateKey(key) => format!("the key {key:?} is repeated"),
        AnswerError::RawJson => "it contains JSON as text; use the value that the text represents".to_owned(),
        AnswerError::TooDeep => "it is nested too deeply".to_owned(),
        AnswerError::Serialize(error) => error,
    })
}

fn value_of(name: &str, value: CommandAnswer) -> Result<CommandArgumentValue, ReadArgumentsError> {
    let nested = || ReadArgumentsError::Nested(name.to_owned());
    let scalar = |value| match value {
        CommandAnswer::Text(text) => Ok(CommandScalar::Text(text)),
        CommandAnswer::Number(number) => Ok(CommandScalar::Number(number)),
        CommandAnswer::Boolean(value) => Ok(CommandScalar::Boolean(value)),
        CommandAnswer::Null => Err(ReadArgumentsError::NullInList(name.to_owned())),
        CommandAnswer::List(_) | CommandAnswer::Map(_) => Err(nested()),
    };
    match value {
        CommandAnswer::List(values) => {
            values.into_iter().map(scalar).collect::<Result<_, _>>().map(CommandArgumentValue::List)
        }
        CommandAnswer::Null => Err(ReadArgumentsError::Null(name.to_owned())),
        single => scalar(single).map(CommandArgumentValue::Single),
    }
}

fn kind_of(value: &CommandAnswer) -> &'static str {
    match value {
        CommandAnswer::Null => "null",
        CommandAnswer::Boolean(_) => "a boolean",
        CommandAnswer::Number(_) => "a number",
        CommandAnswer::Text(_) => "text",
        CommandAnswer::List(_) => "a list",
        CommandAnswer::Map(_) => "an object",
    }
}

/// The members of a JSON object as arguments. A null is refused, and numbers stay exact.
///
/// ```
/// use drawloom_command::CommandArguments;
/// use serde_json::json;
///
/// let arguments = CommandArguments::try_from(json!({ "path": "inbox", "line": 12 }))?;
/// assert_eq!(arguments, CommandArguments::new().with("path", "inbox").with("line", 12));
/// let error = CommandArguments::try_from(json!({ "path": { "name": "inbox" } })).unwrap_err();
/// assert_eq!(error.code(), "nested-argument");
/// # Ok::<(), drawloom_command::ReadArgumentsError>(())
/// ```
impl TryFrom<Value> for CommandArguments {
    type Error = ReadArgumentsError;

    fn try_from(value: Value) -> Result<Self, ReadArgumentsError> {
        let Value::Object(members) = value else {
            return Err(ReadArgumentsError::NotAnObject(kind_of_json(&value)));
        };
        let members = members.into_iter();
        members.map(|(name, value)| json_value(&name, value).map(|value| (name, value))).collect()
    }
}

fn json_value(name: &str, value: Value) -> Result<CommandArgumentValue, ReadArgumentsError> {
    let scalar = |value| match value {
        Value::String(text) => Ok(CommandScalar::Text(text)),
        Value::Bool(value) => Ok(CommandScalar::Boolean(value)),
        // By its text: a feature of `serde_json` may keep more digits than a double has.
        Value::Number(number) => Number::parse(&number.to_string())
            .map(CommandScalar::Number)
            .map_err(|error| ReadArgumentsError::Number(name.to_owned(), error)),
        Value::Null => Err(ReadArgumentsError::NullInList(name.to_owned())),
        Value::Array(_) | Value::Object(_) => Err(ReadArgumentsError::Nested(name.to_owned())),
    };
    match value {
        Value::Array(values) => {
            values.into_iter().map(scalar).collect::<Result<_, _>>().map(CommandArgumentValue::List)
        }
        Value::Null => Err(ReadArgumentsError::Null(name.to_owned())),
        single => scalar(single).map(CommandArgumentValue::Single),
    }
}

fn kind_of_json(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The arguments as they are serialized: an object, without the secret arguments.
impl From<CommandArguments> for Value {
    fn from(arguments: CommandArguments) -> Self {
        // Text, finite numbers, booleans and lists of them: this cannot fail.
        serde_json::to_value(arguments).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    fn code(value: &impl Serialize) -> &'static str {
        CommandArguments::from_serialize(value).map_or_else(|error| error.code(), |_| "read")
    }

    #[test]
    fn a_value_that_is_not_arguments_is_refused_by_its_kind() {
        assert_eq!(code(&()), "not-an-object");
        assert_eq!(code(&["a"]), "not-an-object");
        assert_eq!(code(&BTreeMap::from([("a", [1, 2])])), "read");
        assert_eq!(code(&BTreeMap::from([("a", [[1]])])), "nested-argument");
        assert_eq!(code(&BTreeMap::from([("a", BTreeMap::from([("b", 1)]))])), "nested-argument");
        assert_eq!(code(&BTreeMap::from([("a", [None::<u8>])])), "null-in-list");
        assert_eq!(code(&BTreeMap::from([("a", f64::NAN)])), "not-plain-data");
        assert_eq!(code(&BTreeMap::from([(1, "a")])), "not-plain-data");
        let error = CommandArguments::from_serialize(&BTreeMap::from([("place", [[1]])])).unwrap_err();
        assert!(error.to_string().contains("\"place\""), "{error}");
    }

    #[test]
    fn a_json_value_is_read_as_its_text_would_be() {
        for text in [
            r#"{"a":9007199254740993,"b":[-9223372036854775808,1.5],"c":true,"d":"x","e":[]}"#,
            r#"{"a":null}"#,
            r#"{"a":[null]}"#,
            r#"{"a":{"b":1}}"#,
            r#"{"a":[[1]]}"#,
            "[]",
            "1",
            "null",
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(CommandArguments::try_from(value), CommandArguments::from_json(text), "{text}");
        }
    }

    #[test]
    fn a_json_value_holds_what_is_not_secret() {
        let arguments = CommandArguments::new().with("n", u64::MAX).with("key", "k").secret(["key"]);
        assert_eq!(Value::from(arguments), json!({ "n": u64::MAX }));
    }
}
