//! Reading single keywords of a schema, and refusing those that no argument can state.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::reader::{Kind, Read};
use super::{Place, SchemaError};
use crate::number::Number;

/// Keywords that say nothing about values.
const ANNOTATIONS: [&str; 9] = [
    "$comment",
    "$schema",
    "default",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Constant texts as a choice, null among them or not.
pub(super) fn constants<'s>(
    at: &Place,
    schema: &'s Map<String, Value>,
    keyword: &str,
    values: &'s [Value],
) -> Result<Read<'s>, SchemaError> {
    let (mut choices, mut nullable) = (Vec::new(), false);
    for value in values {
        match value {
            Value::String(text) => choices.push(text.as_str()),
            Value::Null => nullable = true,
            _ => return at.field(keyword).refuse("a choice is among texts"),
        }
    }
    if let Some(types) = types(at, schema)? {
        if !choices.is_empty() && !types.contains(&"string") {
            return at.field("type").refuse("a choice is among texts");
        }
        nullable &= types.contains(&"null");
    }
    let kind = if choices.is_empty() && nullable { Kind::None } else { Kind::Choice(choices) };
    Ok(Read { kind, nullable, description: None })
}

/// The types that a schema names, where it names any.
pub(super) fn types<'s>(
    at: &Place,
    schema: &'s Map<String, Value>,
) -> Result<Option<Vec<&'s str>>, SchemaError> {
    match schema.get("type") {
        None => Ok(None),
        Some(Value::String(one)) => Ok(Some(vec![one])),
        Some(several) => texts(&at.field("type"), several).map(Some),
    }
}

/// The whole numbers of a format.
pub(super) fn integers(format: Option<&str>) -> Option<(i128, i128)> {
    Some(match format {
        None | Some("int128") => (i128::MIN, i128::MAX),
        Some("int8") => (i8::MIN.into(), i8::MAX.into()),
        Some("int16") => (i16::MIN.into(), i16::MAX.into()),
        Some("int32") => (i32::MIN.into(), i32::MAX.into()),
        Some("int64" | "int") => (i64::MIN.into(), i64::MAX.into()),
        Some("uint8") => (0, u8::MAX.into()),
        Some("uint16") => (0, u16::MAX.into()),
        Some("uint32") => (0, u32::MAX.into()),
        Some("uint64" | "uint") => (0, u64::MAX.into()),
        Some("uint128") => (0, i128::MAX),
        Some(_) => return None,
    })
}

pub(super) fn bound(
    at: &Place,
    schema: &Map<String, Value>,
    keyword: &str,
) -> Result<Option<Number>, SchemaError> {
    match schema.get(keyword) {
        None => Ok(None),
        Some(value) => match Number::deserialize(value) {
            Ok(number) => Ok(Some(number)),
            Err(_) => at.field(keyword).refuse("a bound is a number"),
        },
    }
}

/// Refuses every keyword that is neither understood where it stands nor an annotation.
pub(super) fn known(at: &Place, schema: &Map<String, Value>, understood: &[&str]) -> Result<(), SchemaError> {
    let is_known =
        |keyword: &&String| understood.contains(&keyword.as_str()) || ANNOTATIONS.contains(&keyword.as_str());
    match schema.keys().find(|keyword| !is_known(keyword)) {
        None => Ok(()),
        Some(keyword) => unknown(at, keyword),
    }
}

pub(super) fn unknown<T>(at: &Place, keyword: &str) -> Result<T, SchemaError> {
    at.field(keyword).refuse(&format!("no argument can state {keyword:?}"))
}

pub(super) fn text<'s>(schema: &'s Map<String, Value>, keyword: &str) -> Option<&'s str> {
    schema.get(keyword).map(|text| text.as_str().unwrap_or_default())
}

pub(super) fn object<'s>(at: &Place, value: &'s Value) -> Result<&'s Map<String, Value>, SchemaError> {
    value.as_object().map_or_else(|| at.refuse("it is no object"), Ok)
}

pub(super) fn array<'s>(at: &Place, value: &'s Value) -> Result<&'s [Value], SchemaError> {
    value.as_array().map_or_else(|| at.refuse("it is no list"), |items| Ok(items.as_slice()))
}

pub(super) fn texts<'s>(at: &Place, value: &'s Value) -> Result<Vec<&'s str>, SchemaError> {
    let items = array(at, value)?.iter().enumerate();
    items
        .map(|(index, item)| item.as_str().map_or_else(|| at.item(index).refuse("it is no text"), Ok))
        .collect()
}
