//! What single keywords of a schema mean, and which of them limit nothing.

use serde_json::{Map, Value};

use crate::number::Number;

/// Keywords that limit no value and contain no information for a caller.
const SILENT: [&str; 7] = ["$anchor", "$comment", "$defs", "$schema", "definitions", "description", "$id"];
/// Keywords that limit no value, and that an argument keeps only where it can.
const IGNORED: [&str; 7] = ["default", "deprecated", "example", "examples", "readOnly", "title", "writeOnly"];

/// What a keyword does if it is not understood where it is written.
pub(super) enum Effect {
    /// It limits no value and contains no information for a caller.
    None,
    /// It limits nothing and is lost.
    Ignored,
    /// It may limit what is accepted.
    Limits,
}

/// The effect of a keyword with this value.
pub(super) fn effect(keyword: &str, value: &Value) -> Effect {
    let is_zero = || value.as_f64() == Some(0.0);
    let is_false = || value.as_bool() == Some(false);
    let is_empty = || value.as_object().is_some_and(Map::is_empty);
    let limits_nothing = match keyword {
        "minItems" | "minLength" | "minProperties" => is_zero(),
        "uniqueItems" | "exclusiveMinimum" | "exclusiveMaximum" | "not" => is_false(),
        "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "additionalItems"
        | "unevaluatedItems" => value.as_bool() == Some(true) || is_empty(),
        "patternProperties" | "dependentRequired" | "dependentSchemas" | "dependencies" => is_empty(),
        _ => SILENT.contains(&keyword) || keyword.starts_with("x-"),
    };
    let says_nothing = matches!(value, Value::Null | Value::Bool(false)) && keyword != "default";
    match () {
        () if limits_nothing => Effect::None,
        () if !IGNORED.contains(&keyword) => Effect::Limits,
        // A default of null is the argument left out.
        () if says_nothing || value.is_null() => Effect::None,
        () => Effect::Ignored,
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

/// A numeric bound. `Ok(None)` if there is none, and `Err` if it is not a number.
pub(super) fn bound(schema: &Map<String, Value>, keyword: &str) -> Result<Option<Number>, ()> {
    match schema.get(keyword) {
        None => Ok(None),
        // The exclusive bounds of an older draft; false limits nothing.
        Some(Value::Bool(false)) if keyword.starts_with("exclusive") => Ok(None),
        Some(Value::Number(number)) => {
            // No call can carry an integer beyond the range, so that the nearest double limits the same.
            let nearest = || Number::try_from(number.as_f64().unwrap_or(f64::NAN));
            Number::try_from(number).or_else(|_| nearest()).map(Some).map_err(drop)
        }
        Some(_) => Err(()),
    }
}

/// The smallest whole number that is not less.
pub(super) fn ceil(number: Number) -> i128 {
    // A double beyond what an `i128` holds becomes the end of the `i128` on its side.
    number.whole().unwrap_or_else(|| number.as_f64().ceil() as i128)
}

/// The greatest whole number that is not greater.
pub(super) fn floor(number: Number) -> i128 {
    number.whole().unwrap_or_else(|| number.as_f64().floor() as i128)
}

/// The text of a keyword; empty if its value is not text.
pub(super) fn text<'s>(schema: &'s Map<String, Value>, keyword: &str) -> Option<&'s str> {
    schema.get(keyword).map(|text| text.as_str().unwrap_or_default())
}
