//! The answer of a command: plain data, exactly the handler's value, or an error.

mod serializer;

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::number::{JSON_NUMBER, Number, keeps_text_of_numbers, number_of};

/// How deeply an answer may nest. Most readers of JSON accept little more.
pub(crate) const DEPTH: usize = 128;

/// Plain data: text, numbers, booleans, null, lists and maps keyed by text, nested at most 128 levels deep. The enum is
/// exhaustive, because these are all the kinds of JSON values.
///
/// A number is exact or an error; see [`Number`]. An `f32` becomes the double of the same value, which JSON writes with more
/// digits: `0.1_f32` is `0.10000000149011612`. Return an `f64` for a value that is meant as a decimal number.
///
/// ```
/// use drawloom_command::CommandAnswer;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Opened { path: &'static str, revision: u64 }
///
/// let answer = CommandAnswer::from_value(&Opened { path: "inbox", revision: 9_007_199_254_740_993 })?;
/// assert_eq!(answer.to_string(), r#"{"path":"inbox","revision":9007199254740993}"#);
/// assert!(CommandAnswer::from_value(&f64::NAN).is_err());
/// # Ok::<(), drawloom_command::AnswerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandAnswer {
    /// Null, which is an answer and not the absence of one.
    Null,
    /// True or false.
    Boolean(bool),
    /// A finite number.
    Number(Number),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<CommandAnswer>),
    /// A map keyed by text, in the order of its keys.
    Map(BTreeMap<String, CommandAnswer>),
}

/// Why a value is not plain data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// A NaN, an infinity, or an integer that JSON cannot carry.
    #[error("the answer contains a number that cannot be represented: {0}")]
    Number(#[from] crate::number::NumberError),
    /// A map whose keys are not text.
    #[error("the answer contains a map whose keys are {0}; keys must be text")]
    Key(&'static str),
    /// A map in which a key is repeated.
    #[error("the answer contains a map in which the key {0:?} is repeated")]
    DuplicateKey(String),
    /// JSON that was not read, such as a `RawValue` of `serde_json`.
    #[error("the answer contains JSON as text; return the value that the text represents")]
    RawJson,
    /// It is nested more than 128 levels deep.
    #[error("the answer is nested more than {DEPTH} levels deep")]
    TooDeep,
    /// The value's own serialisation failed.
    #[error("the answer could not be serialised: {0}")]
    Serialize(String),
}

impl CommandAnswer {
    /// Takes a value apart into plain data.
    ///
    /// # Errors
    /// [`AnswerError`] for a value that would not arrive as what it was.
    pub fn from_value<T: Serialize + ?Sized>(value: &T) -> Result<Self, AnswerError> {
        value.serialize(serializer::AnswerSerializer::new())
    }

    /// The text, if the answer is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

macro_rules! answer_from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(impl From<$from> for CommandAnswer {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

answer_from! {
    &str => Text, String => Text, bool => Boolean, Number => Number,
    u32 => Number, u64 => Number, i32 => Number, i64 => Number,
}

/// The answer as JSON, without white space.
impl fmt::Display for CommandAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for CommandAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Number(value) => value.serialize(serializer),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(values) => serializer.collect_seq(values),
            Self::Map(values) => serializer.collect_map(values),
        }
    }
}

impl<'de> Deserialize<'de> for CommandAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnswerVisitor)
    }
}

struct AnswerVisitor;

impl<'de> Visitor<'de> for AnswerVisitor {
    type Value = CommandAnswer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plain data")
    }

    fn visit_unit<E>(self) -> Result<CommandAnswer, E> {
        Ok(CommandAnswer::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<CommandAnswer, E> {
        Ok(CommandAnswer::Boolean(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<CommandAnswer, E> {
        Ok(CommandAnswer::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<CommandAnswer, E> {
        Ok(CommandAnswer::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<CommandAnswer, E> {
        Number::try_from(value).map(CommandAnswer::Number).map_err(E::custom)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<CommandAnswer, E> {
        CommandAnswer::from_value(&value).map_err(E::custom)
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<CommandAnswer, E> {
        CommandAnswer::from_value(&value).map_err(E::custom)
    }

    fn visit_str<E>(self, value: &str) -> Result<CommandAnswer, E> {
        Ok(CommandAnswer::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<CommandAnswer, E> {
        Ok(CommandAnswer::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<CommandAnswer, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(CommandAnswer::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<CommandAnswer, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            if key == JSON_NUMBER && map.is_empty() && keeps_text_of_numbers() {
                return number_of(&mut entries).map(CommandAnswer::Number);
            }
            let value = entries.next_value()?;
            if map.contains_key(&key) {
                return Err(de::Error::custom(format_args!("the key {key:?} is given twice")));
            }
            map.insert(key, value);
        }
        Ok(CommandAnswer::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::NumberError;
    use std::collections::HashMap;

    fn answer<T: Serialize>(value: T) -> Result<String, AnswerError> {
        CommandAnswer::from_value(&value).map(|answer| answer.to_string())
    }

    #[derive(Serialize)]
    enum Shape {
        Unit,
        New(u8),
        Tuple(u8, &'static str),
        Struct { side: Option<f32> },
    }

    #[test]
    fn every_shape_of_plain_data_arrives_as_json_would_have_it() {
        assert_eq!(answer("é").unwrap(), "\"é\"");
        assert_eq!(answer(()).unwrap(), "null");
        assert_eq!(answer('x').unwrap(), "\"x\"");
        assert_eq!(answer((1u8, -2i64, 2.5, true, None::<u8>)).unwrap(), "[1,-2,2.5,true,null]");
        assert_eq!(answer(u64::MAX).unwrap(), u64::MAX.to_string());
        assert_eq!(answer(7u128).unwrap(), "7");
        let shapes = [Shape::Unit, Shape::New(1), Shape::Tuple(2, "b"), Shape::Struct { side: Some(0.5) }];
        assert_eq!(
            answer(shapes).unwrap(),
            r#"["Unit",{"New":1},{"Tuple":[2,"b"]},{"Struct":{"side":0.5}}]"#
        );
        assert_eq!(answer(BTreeMap::from([('k', 1)])).unwrap(), r#"{"k":1}"#);
    }

    #[test]
    fn a_value_that_would_change_is_an_error() {
        assert_eq!(answer(f64::NAN), Err(AnswerError::Number(NumberError::NotFinite)));
        assert_eq!(answer(vec![f32::INFINITY]), Err(AnswerError::Number(NumberError::NotFinite)));
        assert_eq!(
            answer(u128::from(u64::MAX) + 1),
            Err(AnswerError::Number(NumberError::IntegerOutOfRange))
        );
        assert_eq!(answer(i128::MIN), Err(AnswerError::Number(NumberError::IntegerOutOfRange)));
        assert_eq!(answer(HashMap::from([(1u8, 2)])), Err(AnswerError::Key("a number")));
        assert_eq!(answer(HashMap::from([((1, 2), 3)])), Err(AnswerError::Key("a list")));
        assert_eq!(answer(HashMap::from([(true, 1)])), Err(AnswerError::Key("a boolean")));
    }

    #[test]
    fn one_key_twice_is_an_error() {
        struct Twice;
        impl Serialize for Twice {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map([("a", 1), ("a", 2)])
            }
        }
        assert_eq!(answer(Twice), Err(AnswerError::DuplicateKey("a".into())));
    }

    #[test]
    fn a_serialiser_that_fails_is_an_error() {
        struct Broken;
        impl Serialize for Broken {
            fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                Err(serde::ser::Error::custom("no"))
            }
        }
        assert_eq!(answer([Broken]), Err(AnswerError::Serialize("no".into())));
    }

    #[test]
    fn what_only_serde_json_would_read_back_is_read_or_an_error() {
        let raw = serde_json::value::RawValue::from_string("[1]".into()).unwrap();
        assert_eq!(answer([raw]), Err(AnswerError::RawJson));

        // What a number of `serde_json` looks like where its feature `arbitrary_precision` is on.
        struct Digits(&'static str);
        impl Serialize for Digits {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                let mut number = serializer.serialize_struct("$serde_json::private::Number", 1)?;
                number.serialize_field("$serde_json::private::Number", self.0)?;
                number.end()
            }
        }
        assert_eq!(answer([Digits("9007199254740993"), Digits("2.5")]).unwrap(), "[9007199254740993,2.5]");
        assert_eq!(
            answer(Digits("18446744073709551616")),
            Err(AnswerError::Number(NumberError::IntegerOutOfRange))
        );
    }

    #[test]
    fn numbers_read_back_whether_serde_json_keeps_their_text_or_not() {
        let json = r#"{"list":[9007199254740993,2.5,14380.0],"map":{"n":-1}}"#;
        let expected = CommandAnswer::from_value(&serde_json::json!({
            "list": [9_007_199_254_740_993_u64, 2.5, 14380], "map": { "n": -1 },
        }));
        assert_eq!(serde_json::from_str::<CommandAnswer>(json).unwrap(), expected.clone().unwrap());
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(CommandAnswer::from_value(&value), expected);
        assert_eq!(serde_json::from_value::<CommandAnswer>(value).unwrap(), expected.unwrap());
    }

    #[test]
    fn a_single_float_is_the_double_of_the_same_value() {
        assert_eq!(answer(0.1_f32).unwrap(), "0.10000000149011612");
        assert_eq!(answer(0.5_f32).unwrap(), "0.5");
    }

    #[test]
    fn nesting_ends_at_its_depth() {
        fn nested(depth: usize) -> serde_json::Value {
            (0..depth).fold(serde_json::json!(0), |inner, _| serde_json::Value::from(vec![inner]))
        }
        assert!(answer(nested(128)).is_ok());
        assert_eq!(answer(nested(129)), Err(AnswerError::TooDeep));
        // Boxed recursion without end stops at the limit instead of the stack.
        struct Endless;
        impl Serialize for Endless {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq([Endless])
            }
        }
        assert_eq!(answer(Endless), Err(AnswerError::TooDeep));
    }
}
