//! Reading the JSON text of a call's arguments, exactly and within bounds.
//!
//! The text may come from a model, so everything that could be misread silently is an error: a repeated key, a nested
//! object, a number out of range. The cost is linear in the text, and nesting is not followed, so depth costs nothing.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::number::{Number, NumberError};
use crate::text::Quoted;
use crate::value::{CommandArgumentValue, CommandArguments, CommandScalar};

/// How a `null` among the arguments is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NullArguments {
    /// It is refused: an argument without a value has to be omitted.
    #[default]
    Refuse,
    /// The argument is read as not given, for models that send a null for every optional argument. A `null` inside a list
    /// is still refused.
    TreatAsAbsent,
}

/// Why a text cannot be read as arguments. Each error says what to send instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadArgumentsError {
    /// Not JSON, or more than one value.
    #[error(
        "the arguments are not readable JSON ({0}); send one JSON object, such as {{\"name\":\"value\"}}"
    )]
    NotJson(String),
    /// JSON, but not an object.
    #[error("the arguments are {0}; send one JSON object, such as {{\"name\":\"value\"}}")]
    NotAnObject(&'static str),
    /// A key is repeated.
    #[error("argument {} is repeated; send each argument once", Quoted(.0))]
    Duplicate(String),
    /// An object, or a list within a list.
    #[error("argument {} is nested; send text, a number, true, false, or a list of those", Quoted(.0))]
    Nested(String),
    /// A null.
    #[error("argument {} is null; omit the argument instead", Quoted(.0))]
    Null(String),
    /// A null within a list.
    #[error("argument {} has a null in its list; omit that entry instead", Quoted(.0))]
    NullInList(String),
    /// A Rust value that cannot be taken apart into arguments.
    #[error("the value cannot be the arguments of a call: {0}")]
    NotPlainData(String),
    /// A number that cannot be represented exactly enough.
    #[error("argument {} contains a number that is out of range: {}", Quoted(.0), .1)]
    Number(String, NumberError),
}

impl ReadArgumentsError {
    /// A stable code for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson(_) => "not-json",
            Self::NotAnObject(_) => "not-an-object",
            Self::Duplicate(_) => "duplicate-argument",
            Self::Nested(_) => "nested-argument",
            Self::Null(_) => "null-argument",
            Self::NullInList(_) => "null-in-list",
            Self::NotPlainData(_) => "not-plain-data",
            Self::Number(..) => "number-out-of-range",
        }
    }
}

impl CommandArguments {
    /// Reads one JSON object of scalars and lists of scalars.
    ///
    /// # Errors
    /// [`ReadArgumentsError`] for anything else; a `null` is refused.
    pub fn from_json(text: &str) -> Result<Self, ReadArgumentsError> {
        Self::from_json_with(text, NullArguments::Refuse)
    }

    /// Like [`CommandArguments::from_json`], with a choice of how a `null` is read.
    ///
    /// # Errors
    /// [`ReadArgumentsError`] for anything but an object of scalars and lists of scalars.
    pub fn from_json_with(text: &str, nulls: NullArguments) -> Result<Self, ReadArgumentsError> {
        let trimmed = text.trim_start_matches([' ', '\t', '\n', '\r']);
        if !trimmed.starts_with('{') {
            // The kind is named only for text that is JSON.
            return Err(match serde_json::from_str::<de::IgnoredAny>(text) {
                Ok(_) => ReadArgumentsError::NotAnObject(kind_of(trimmed)),
                Err(error) => ReadArgumentsError::NotJson(error.to_string()),
            });
        }
        let mut problem = None;
        let mut reader = serde_json::Deserializer::from_str(text);
        let read = Members { nulls, problem: &mut problem }
            .deserialize(&mut reader)
            .and_then(|arguments| reader.end().map(|()| arguments));
        match (read, problem) {
            (_, Some(problem)) => Err(problem),
            (Ok(arguments), None) => Ok(arguments),
            (Err(error), None) => Err(ReadArgumentsError::NotJson(error.to_string())),
        }
    }
}

/// Builds the arguments member by member, and leaves the first problem in `problem`.
struct Members<'p> {
    nulls: NullArguments,
    problem: &'p mut Option<ReadArgumentsError>,
}

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = CommandArguments;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<CommandArguments, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = CommandArguments;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<CommandArguments, A::Error> {
        let mut arguments = CommandArguments::new();
        // A null that is read as not given still counts as an occurrence of its key.
        let mut omitted = HashSet::new();
        while let Some((name, raw)) = members.next_entry::<String, &RawValue>()? {
            let added = match read_value(&name, raw.get(), self.nulls) {
                Ok(_) if omitted.contains(&name) => Err(ReadArgumentsError::Duplicate(name)),
                Ok(Some(value)) => arguments.add(name, value).map_err(ReadArgumentsError::Duplicate),
                Ok(None) if arguments.get(&name).is_some() => Err(ReadArgumentsError::Duplicate(name)),
                Ok(None) => {
                    omitted.insert(name);
                    Ok(())
                }
                Err(problem) => Err(problem),
            };
            if let Err(problem) = added {
                *self.problem = Some(problem);
                return Err(de::Error::custom("not an argument"));
            }
        }
        Ok(arguments)
    }
}

/// The value of one member. `None` for a null that is read as not given.
fn read_value(
    name: &str,
    raw: &str,
    nulls: NullArguments,
) -> Result<Option<CommandArgumentValue>, ReadArgumentsError> {
    match raw.as_bytes().first() {
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(raw).map_err(not_json)?;
            items
                .into_iter()
                .map(|item| match item.get().as_bytes().first() {
                    Some(b'n') => Err(ReadArgumentsError::NullInList(name.to_owned())),
                    _ => read_scalar(name, item.get()),
                })
                .collect::<Result<_, _>>()
                .map(|list| Some(CommandArgumentValue::List(list)))
        }
        Some(b'n') => match nulls {
            NullArguments::TreatAsAbsent => Ok(None),
            NullArguments::Refuse => Err(ReadArgumentsError::Null(name.to_owned())),
        },
        _ => read_scalar(name, raw).map(|scalar| Some(CommandArgumentValue::Single(scalar))),
    }
}

fn read_scalar(name: &str, raw: &str) -> Result<CommandScalar, ReadArgumentsError> {
    match raw.as_bytes().first() {
        Some(b'"') => {
            // The text is valid JSON: without an escape, the characters between the quotes are the value.
            if let Some(text) = raw.get(1..raw.len().saturating_sub(1))
                && !text.contains('\\')
            {
                return Ok(CommandScalar::Text(text.to_owned()));
            }
            serde_json::from_str(raw).map(CommandScalar::Text).map_err(not_json)
        }
        Some(b't') => Ok(CommandScalar::Boolean(true)),
        Some(b'f') => Ok(CommandScalar::Boolean(false)),
        Some(b'{' | b'[') => Err(ReadArgumentsError::Nested(name.to_owned())),
        _ => Number::parse(raw)
            .map(CommandScalar::Number)
            .map_err(|error| ReadArgumentsError::Number(name.to_owned(), error)),
    }
}

// A raw value is valid JSON, except that a string may contain half a surrogate pair.
fn not_json(error: serde_json::Error) -> ReadArgumentsError {
    ReadArgumentsError::NotJson(error.to_string())
}

fn kind_of(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'[') => "a list",
        Some(b'"') => "text",
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        _ => "a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> &'static str {
        CommandArguments::from_json(text).map_or_else(|error| error.code(), |_| "read")
    }

    #[test]
    fn each_kind_reads_as_what_it_was() {
        let read = CommandArguments::from_json(
            " {\"text\":\"\\u00e9\\ud83d\\ude00/ö\",\"n\":-1.5e2,\"yes\":true,\"no\":false,\"list\":[1,\"1\",true],\"none\":[]}\n",
        )
        .unwrap();
        let expected = CommandArguments::new()
            .with("text", "é😀/ö")
            .with("n", -150)
            .with("yes", true)
            .with("no", false)
            .with("list", CommandArgumentValue::List(vec![1.into(), "1".into(), true.into()]))
            .with("none", CommandArgumentValue::List(Vec::new()));
        assert_eq!(read, expected);
    }

    #[test]
    fn everything_else_is_refused_by_its_kind() {
        assert_eq!(code("{}"), "read");
        for text in
            ["", "{", "{\"a\":", "{}{}", "{} x", "{\"a\":1,}", "{'a':1}", "{\"a\":\"\\ud800\"}", "[1", "NaN"]
        {
            assert_eq!(code(text), "not-json", "{text}");
        }
        for text in ["[]", "\"a\"", "1", "true", "null"] {
            assert_eq!(code(text), "not-an-object", "{text}");
        }
        assert_eq!(code("{\"a\":1,\"a\":1}"), "duplicate-argument");
        assert_eq!(code("{\"a\":1,\"\\u0061\":2}"), "duplicate-argument");
        assert_eq!(code("{\"a\":{\"b\":1}}"), "nested-argument");
        assert_eq!(code("{\"a\":[[1]]}"), "nested-argument");
        assert_eq!(code("{\"a\":null}"), "null-argument");
        assert_eq!(code("{\"a\":[null]}"), "null-in-list");
        for text in ["{\"a\":1e400}", "{\"a\":-1e400}", "{\"a\":[18446744073709551616]}"] {
            assert_eq!(code(text), "number-out-of-range", "{text}");
        }
    }

    #[test]
    fn nesting_is_never_followed() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(code(&deep), "nested-argument");
    }

    #[test]
    fn a_null_may_read_as_not_given() {
        let omit = |text| CommandArguments::from_json_with(text, NullArguments::TreatAsAbsent);
        assert_eq!(omit("{\"a\":null,\"b\":1}"), Ok(CommandArguments::new().with("b", 1)));
        assert_eq!(omit("{\"a\":[null]}"), Err(ReadArgumentsError::NullInList("a".into())));
    }

    #[test]
    fn a_null_that_reads_as_not_given_still_gives_its_key() {
        for text in ["{\"a\":null,\"a\":1}", "{\"a\":1,\"a\":null}", "{\"a\":null,\"a\":null}"] {
            let read = CommandArguments::from_json_with(text, NullArguments::TreatAsAbsent);
            assert_eq!(read, Err(ReadArgumentsError::Duplicate("a".into())), "{text}");
        }
    }

    #[test]
    fn a_long_name_does_not_swell_the_message() {
        let text = format!("{{\"{}\":null}}", "x".repeat(100_000));
        assert!(CommandArguments::from_json(&text).unwrap_err().to_string().len() < 300);
    }
}
