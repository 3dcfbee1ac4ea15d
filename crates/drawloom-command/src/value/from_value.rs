//! Arguments as a Rust value that serde deserializes.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor};

use super::{CommandArgumentValue, CommandArguments, CommandScalar};
use crate::number::Number;
use crate::text::Quoted;

/// The arguments of a call do not match the Rust type that a handler reads them as.
///
/// The text names the argument and never contains its value, because the argument may be secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentsMismatch {
    argument: Option<String>,
    what: Cow<'static, str>,
}

impl ArgumentsMismatch {
    /// The argument. `None` if the problem is with no single one.
    pub fn argument(&self) -> Option<&str> {
        self.argument.as_deref()
    }

    fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self { argument: None, what: what.into() }
    }
}

impl fmt::Display for ArgumentsMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.argument {
            Some(argument) => write!(f, "argument {} {}", Quoted(argument), self.what),
            None => write!(f, "the arguments do not match: {}", self.what),
        }
    }
}

impl std::error::Error for ArgumentsMismatch {}

impl CommandArguments {
    /// The arguments as a value of a type that serde deserializes. Secret arguments are read like any other.
    ///
    /// ```
    /// use drawloom_command::CommandArguments;
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// struct OpenNote {
    ///     path: String,
    ///     line: Option<u32>,
    /// }
    ///
    /// let arguments = CommandArguments::new().with("path", "inbox").with("line", 12);
    /// let open: OpenNote = arguments.deserialize()?;
    /// assert_eq!(open, OpenNote { path: "inbox".to_owned(), line: Some(12) });
    ///
    /// let error = arguments.with("line", "twelve").deserialize::<OpenNote>().unwrap_err();
    /// assert_eq!(error.to_string(), r#"argument "line" is text, and u32 is expected"#);
    /// # Ok::<(), drawloom_command::ArgumentsMismatch>(())
    /// ```
    ///
    /// # Errors
    /// [`ArgumentsMismatch`] for the first argument that does not match the type.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, ArgumentsMismatch> {
        // The name is noted while the value of the argument is read, so that the error can name it.
        let reading = std::cell::Cell::new(None);
        let members = self.iter().map(|(name, value)| (name, Reading { name, value, reading: &reading }));
        let read = T::deserialize(MapDeserializer::new(members));
        read.map_err(|error| ArgumentsMismatch {
            argument: error.argument.or_else(|| reading.take().map(str::to_owned)),
            ..error
        })
    }
}

impl de::Error for ArgumentsMismatch {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self::new(format!("does not match: {what}"))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("is {}, and {expected} is expected", in_words(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("is {} that does not fit: {expected} is expected", in_words(found)))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("is none of {}", expected.join(", ")))
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self { argument: Some(field.to_owned()), what: "is not a field of the type".into() }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { argument: Some(field.to_owned()), what: "is missing".into() }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self { argument: Some(field.to_owned()), what: "is a field twice".into() }
    }
}

/// The kind of a value, without the value.
fn in_words(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Str(_) | Unexpected::Char(_) => "text",
        Unexpected::Seq => "a list",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}

/// The value of one argument while it is read.
struct Reading<'a, 'c> {
    name: &'a str,
    value: &'a CommandArgumentValue,
    reading: &'c std::cell::Cell<Option<&'a str>>,
}

impl<'de> IntoDeserializer<'de, ArgumentsMismatch> for Reading<'_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// One value of an argument.
#[derive(Clone, Copy)]
struct Scalar<'a>(&'a CommandScalar);

impl<'de> IntoDeserializer<'de, ArgumentsMismatch> for Scalar<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Implements what both have in common. An option is given, a newtype is its content, and an enum is the text of a variant.
macro_rules! deserializer {
    () => {
        type Error = ArgumentsMismatch;

        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsMismatch> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value, ArgumentsMismatch> {
            visitor.visit_newtype_struct(self)
        }

        fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsMismatch> {
            visitor.visit_unit()
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
            tuple tuple_struct map struct identifier
        }
    };
}

impl<'de> Deserializer<'de> for Reading<'_, '_> {
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsMismatch> {
        self.reading.set(Some(self.name));
        let read = match self.value {
            CommandArgumentValue::Single(scalar) => Scalar(scalar).deserialize_any(visitor)?,
            CommandArgumentValue::List(scalars) => {
                visitor.visit_seq(SeqDeserializer::new(scalars.iter().map(Scalar)))?
            }
        };
        self.reading.set(None);
        Ok(read)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgumentsMismatch> {
        self.reading.set(Some(self.name));
        let read = match self.value {
            CommandArgumentValue::Single(scalar) => {
                Scalar(scalar).deserialize_enum(name, variants, visitor)?
            }
            CommandArgumentValue::List(_) => {
                return Err(de::Error::invalid_type(Unexpected::Seq, &"the text of a variant"));
            }
        };
        self.reading.set(None);
        Ok(read)
    }

    deserializer!();
}

impl<'de> Deserializer<'de> for Scalar<'_> {
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ArgumentsMismatch> {
        match self.0 {
            CommandScalar::Text(text) => visitor.visit_str(text),
            CommandScalar::Boolean(value) => visitor.visit_bool(*value),
            CommandScalar::Number(number) => visit_number(*number, visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ArgumentsMismatch> {
        match self.0 {
            CommandScalar::Text(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            CommandScalar::Number(_) => {
                Err(de::Error::invalid_type(Unexpected::Unsigned(0), &"the text of a variant"))
            }
            CommandScalar::Boolean(value) => {
                Err(de::Error::invalid_type(Unexpected::Bool(*value), &"the text of a variant"))
            }
        }
    }

    deserializer!();
}

/// A whole number is given as an integer, however it was written, so that a field of an integer type takes `12.0`.
fn visit_number<'de, V: Visitor<'de>>(number: Number, visitor: V) -> Result<V::Value, ArgumentsMismatch> {
    match (number.as_u64(), number.as_i64()) {
        (Some(whole), _) => visitor.visit_u64(whole),
        (None, Some(whole)) => visitor.visit_i64(whole),
        (None, None) => visitor.visit_f64(number.as_f64()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Mode {
        Preview,
        ForGood,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct NotePath(String);

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct OpenNote {
        path: NotePath,
        modes: Vec<Mode>,
        mode: Option<Mode>,
        line: u32,
        share: f64,
        id: u64,
        #[serde(default)]
        pinned: bool,
    }

    fn arguments() -> CommandArguments {
        CommandArguments::from_json(
            r#"{"path":"inbox","modes":["preview","for-good"],"mode":"for-good","line":12.0,"share":1,"id":9007199254740993}"#,
        )
        .unwrap()
    }

    fn error(arguments: CommandArguments) -> String {
        arguments.deserialize::<OpenNote>().unwrap_err().to_string()
    }

    #[test]
    fn each_shape_is_read_exactly() {
        let expected = OpenNote {
            path: NotePath("inbox".to_owned()),
            modes: vec![Mode::Preview, Mode::ForGood],
            mode: Some(Mode::ForGood),
            line: 12,
            share: 1.0,
            id: 9_007_199_254_740_993,
            pinned: false,
        };
        assert_eq!(arguments().deserialize(), Ok(expected));
        let map: BTreeMap<String, serde_json::Value> = arguments().deserialize().unwrap();
        assert_eq!(map.get("id"), Some(&9_007_199_254_740_993_u64.into()));
    }

    #[test]
    fn an_error_names_the_argument_and_never_its_value() {
        let hidden = "hunter2";
        for name in ["path", "modes", "mode", "line", "share", "id", "pinned"] {
            let wrong: CommandArgumentValue = match name {
                "path" => vec![hidden].into(),
                _ => hidden.into(),
            };
            let error = error(arguments().with(name, wrong));
            assert!(error.starts_with(&format!("argument {name:?}")) && !error.contains(hidden), "{error}");
        }
        assert_eq!(
            error(arguments().with("line", -5)),
            "argument \"line\" is a number that does not fit: u32 is expected"
        );
        assert_eq!(error(arguments().with("mode", hidden)), "argument \"mode\" is none of preview, for-good");
        assert_eq!(error(arguments().with("other", 1)), "argument \"other\" is not a field of the type");
        assert_eq!(
            error(arguments().with("mode", 7)),
            "argument \"mode\" is a number, and the text of a variant is expected"
        );
        let mut without = arguments();
        without.remove("line");
        assert_eq!(error(without), "argument \"line\" is missing");
    }
}
