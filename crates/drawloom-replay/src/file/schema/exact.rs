//! Arguments, answers and bounds in the file, read without loss.
//!
//! serde_json reads an integer that is too large as a double. Here it is an error, as in a call.

use std::collections::BTreeMap;
use std::fmt;

use drawloom::command::{CommandAnswer, CommandArgumentValue, CommandArguments, Number};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The greatest nesting depth of an answer: the limit of the command model.
const DEPTH: usize = 128;

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExactArguments(pub(crate) CommandArguments);

impl<'de> Deserialize<'de> for ExactArguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        CommandArguments::from_json(raw.get()).map(Self).map_err(D::Error::custom)
    }
}

/// The value of one argument.
#[derive(Clone, Debug)]
pub(crate) struct ExactValue(pub(crate) CommandArgumentValue);

impl<'de> Deserialize<'de> for ExactValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        let mut read =
            CommandArguments::from_json(&format!("{{\"value\":{}}}", raw.get())).map_err(D::Error::custom)?;
        read.remove("value").map(Self).ok_or_else(|| D::Error::custom("there is no value"))
    }
}

/// A bound of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactNumber(pub(crate) Number);

impl<'de> Deserialize<'de> for ExactNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Number::parse(raw.get()).map(Self).map_err(D::Error::custom)
    }
}

/// The answer of a command.
#[derive(Clone, Debug)]
pub(crate) struct ExactAnswer(pub(crate) CommandAnswer);

impl<'de> Deserialize<'de> for ExactAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        answer(raw.get(), DEPTH).map(Self).map_err(D::Error::custom)
    }
}

/// Reads JSON that may be nested `left` levels deep. An error names the location within the value.
fn answer(json: &str, left: usize) -> Result<CommandAnswer, Problem> {
    let inside =
        || left.checked_sub(1).ok_or_else(|| Problem::new("the answer is nested more than 128 levels deep"));
    match json.as_bytes().first() {
        Some(b'[') => {
            let left = inside()?;
            let items: Vec<&RawValue> = serde_json::from_str(json)?;
            let items = items.into_iter().enumerate();
            items
                .map(|(index, item)| answer(item.get(), left).map_err(|problem| problem.in_item(index)))
                .collect::<Result<_, _>>()
                .map(CommandAnswer::List)
        }
        Some(b'{') => {
            let left = inside()?;
            let mut map = BTreeMap::new();
            for (key, value) in serde_json::from_str::<Members<'_>>(json)?.0 {
                let value = answer(value.get(), left).map_err(|problem| problem.in_field(&key))?;
                if map.insert(key.clone(), value).is_some() {
                    return Err(Problem::new("the key is repeated").in_field(&key));
                }
            }
            Ok(CommandAnswer::Map(map))
        }
        Some(b'"') => Ok(CommandAnswer::Text(serde_json::from_str(json)?)),
        Some(b't') => Ok(CommandAnswer::Boolean(true)),
        Some(b'f') => Ok(CommandAnswer::Boolean(false)),
        Some(b'n') => Ok(CommandAnswer::Null),
        _ => Number::parse(json).map(CommandAnswer::Number).map_err(|error| Problem::new(&error.to_string())),
    }
}

/// What is wrong with an answer, and the location within the answer.
struct Problem {
    within: String,
    what: String,
}

impl Problem {
    fn new(what: &str) -> Self {
        Self { within: String::new(), what: what.to_owned() }
    }

    fn in_item(self, index: usize) -> Self {
        Self { within: format!("[{index}]{}", self.within), ..self }
    }

    fn in_field(self, key: &str) -> Self {
        Self { within: format!("[{key:?}]{}", self.within), ..self }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self::new(&error.to_string())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.within.is_empty() {
            write!(f, "at {}: ", self.within)?;
        }
        f.write_str(&self.what)
    }
}

/// The members of an object in order, including repeated keys.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> String {
        match serde_json::from_str::<ExactAnswer>(json) {
            Ok(answer) => answer.0.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_kind_of_data_is_read_without_loss() {
        for json in [
            "null",
            "true",
            "false",
            "\"\\u00e9\"",
            "[]",
            "{}",
            "{\"a\":[1,-2,2.5,null,[{}]],\"b\":{\"c\":\"\"}}",
            "2512292042121000001",
            "18446744073709551615",
            "-9223372036854775808",
        ] {
            let plain: serde_json::Value = serde_json::from_str(json).unwrap();
            assert_eq!(read(json), plain.to_string());
        }
    }

    #[test]
    fn a_value_that_would_lose_information_is_an_error_that_names_the_location() {
        assert!(read("18446744073709551616").starts_with("an integer must lie between"));
        assert!(
            read("{\"rows\":[1,{\"n\":1e999}]}")
                .starts_with("at [\"rows\"][1][\"n\"]: a number must be finite")
        );
        assert!(read("[{\"a\":1,\"a\":1}]").starts_with("at [0][\"a\"]: the key is repeated"));
    }

    #[test]
    fn nesting_is_limited_as_for_answers() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(read(&nested(128)), nested(128));
        assert!(read(&nested(129)).contains("the answer is nested more than 128 levels deep"));
    }

    #[test]
    fn arguments_are_read_as_a_call_reads_them() {
        let read = |json| serde_json::from_str::<ExactArguments>(json).map(|read| read.0);
        let expected = CommandArguments::new().with("n", 2_512_292_042_121_000_001_u64);
        assert_eq!(read("{\"n\":2512292042121000001}").unwrap(), expected);
        assert!(read("{\"n\":18446744073709551616}").is_err());
        assert!(read("{\"n\":null}").is_err());
        assert!(read("[]").is_err());
    }
}
