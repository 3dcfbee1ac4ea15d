//! Checks whether an answer matches the JSON Schema that the agent gave.
//!
//! The schema is written by the agent, so checking is bounded, follows no reference out of the schema and runs no regular
//! expression. The keywords that decide about structure are checked; what is not checked (`format`, `pattern`, and
//! keywords that this version does not know) rejects nothing, so an answer is never withheld for a rule that is not
//! understood. A whole validator would bring forty crates, a regular expression engine among them, for this one check.

use std::cmp::Ordering;
use std::fmt;

use drawloom_command::Number;
use serde_json::{Map, Value};

/// How deep a schema is followed, and how many checks one answer may cost.
const MAX_DEPTH: usize = 32;
const MAX_CHECKS: usize = 10_000;

/// Where an answer does not match its schema, and why. Its text names the member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerMismatch {
    path: String,
    problem: String,
}

impl fmt::Display for AnswerMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "the answer {}", self.problem)
        } else {
            write!(f, "\"{}\" {}", self.path, self.problem)
        }
    }
}

impl std::error::Error for AnswerMismatch {}

/// Checks whether an answer matches the JSON Schema of a question ([`Interrupt::response_schema`]), as the client checks it
/// before it sends the answer. It can check one field of a form in the same way, with the schema of that field.
///
/// The keywords that decide about structure are checked. What is not checked (`format`, `pattern` and unknown keywords)
/// rejects nothing.
///
/// ```
/// use drawloom_client::check_answer;
/// use serde_json::json;
///
/// let schema = json!({ "type": "object", "properties": { "stars": { "type": "integer", "maximum": 5 } } });
/// assert!(check_answer(&schema, &json!({ "stars": 5 })).is_ok());
/// let mismatch = check_answer(&schema, &json!({ "stars": 6 })).unwrap_err();
/// assert_eq!(mismatch.to_string(), "\"stars\" is too large");
/// ```
///
/// # Errors
/// [`AnswerMismatch`] for the first place that does not match, and for a schema that is too large to be followed.
///
/// [`Interrupt::response_schema`]: crate::Interrupt
pub fn check_answer(schema: &Value, answer: &Value) -> Result<(), AnswerMismatch> {
    check(schema, answer)
}

/// Checks an answer.
pub(crate) fn check(schema: &Value, answer: &Value) -> Result<(), AnswerMismatch> {
    let mut checker = Checker { root: schema, checks: 0 };
    checker.check(schema, answer, &Path::Root, 0)
}

/// Where in the answer a value is.
enum Path<'a> {
    Root,
    Member(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(Self::Root, name) => f.write_str(name),
            Self::Member(parent, name) => write!(f, "{parent}.{name}"),
            Self::Item(parent, place) => write!(f, "{parent}[{place}]"),
        }
    }
}

struct Checker<'s> {
    root: &'s Value,
    checks: usize,
}

type Checked = Result<(), AnswerMismatch>;

fn mismatch(path: &Path<'_>, problem: impl Into<String>) -> Checked {
    Err(AnswerMismatch { path: path.to_string(), problem: problem.into() })
}

impl<'s> Checker<'s> {
    fn check(&mut self, schema: &'s Value, value: &Value, path: &Path<'_>, depth: usize) -> Checked {
        self.checks += 1;
        if depth > MAX_DEPTH || self.checks > MAX_CHECKS {
            return mismatch(path, "cannot be checked: the agent's schema is too large");
        }
        let schema = match schema {
            Value::Bool(false) => return mismatch(path, "is not allowed"),
            Value::Object(schema) => schema,
            _ => return Ok(()),
        };
        if let Some(Value::String(reference)) = schema.get("$ref")
            && let Some(target) = self.resolve(reference)
        {
            self.check(target, value, path, depth + 1)?;
        }
        check_type(schema, value, path)?;
        check_values(schema, value, path)?;
        match value {
            Value::Object(members) => self.check_members(schema, members, path, depth)?,
            Value::Array(items) => self.check_items(schema, items, path, depth)?,
            Value::String(text) => check_length(schema, text, path)?,
            Value::Number(number) => check_bounds(schema, number, path)?,
            Value::Null | Value::Bool(_) => {}
        }
        self.check_combinations(schema, value, path, depth)
    }

    /// The target of a reference within the schema. Other references are not followed.
    fn resolve(&self, reference: &str) -> Option<&'s Value> {
        let pointer = reference.strip_prefix('#')?;
        self.root.pointer(pointer)
    }

    fn check_members(
        &mut self,
        schema: &'s Map<String, Value>,
        members: &Map<String, Value>,
        path: &Path<'_>,
        depth: usize,
    ) -> Checked {
        if let Some(Value::Array(required)) = schema.get("required") {
            for name in required.iter().filter_map(Value::as_str) {
                if !members.contains_key(name) {
                    return mismatch(&Path::Member(path, name), "is missing");
                }
            }
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        // Patterns are not evaluated, so a member that a pattern may allow is not rejected.
        let others = schema.get("additionalProperties").filter(|_| !schema.contains_key("patternProperties"));
        for (name, value) in members {
            let path = Path::Member(path, name);
            match (properties.and_then(|properties| properties.get(name)), others) {
                (Some(schema), _) => self.check(schema, value, &path, depth + 1)?,
                (None, Some(Value::Bool(false))) => return mismatch(&path, "is not expected"),
                (None, Some(schema)) => self.check(schema, value, &path, depth + 1)?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn check_items(
        &mut self,
        schema: &'s Map<String, Value>,
        items: &[Value],
        path: &Path<'_>,
        depth: usize,
    ) -> Checked {
        let limit = |keyword| schema.get(keyword).and_then(Value::as_u64);
        let count = items.len() as u64;
        if limit("minItems").is_some_and(|least| count < least) {
            return mismatch(path, "has too few items");
        }
        if limit("maxItems").is_some_and(|most| count > most) {
            return mismatch(path, "has too many items");
        }
        let first = schema.get("prefixItems").and_then(Value::as_array);
        for (place, item) in items.iter().enumerate() {
            let own = first.and_then(|first| first.get(place)).or_else(|| schema.get("items"));
            if let Some(own) = own {
                self.check(own, item, &Path::Item(path, place), depth + 1)?;
            }
        }
        Ok(())
    }

    fn check_combinations(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        depth: usize,
    ) -> Checked {
        if let Some(Value::Array(all)) = schema.get("allOf") {
            for schema in all {
                self.check(schema, value, path, depth + 1)?;
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(alternatives)) = schema.get(keyword) else { continue };
            let mut last = Ok(());
            let mut matching = 0;
            for alternative in alternatives {
                match self.check(alternative, value, path, depth + 1) {
                    Ok(()) => matching += 1,
                    error => last = error,
                }
            }
            match (matching, alternatives.len()) {
                (0, 1) => return last,
                (0, 2..) => return mismatch(path, "matches none of the alternatives"),
                (2.., _) if keyword == "oneOf" => return mismatch(path, "matches more than one alternative"),
                _ => {}
            }
        }
        if let Some(excluded) = schema.get("not")
            && self.check(excluded, value, path, depth + 1).is_ok()
        {
            return mismatch(path, "is excluded");
        }
        Ok(())
    }
}

fn check_type(schema: &Map<String, Value>, value: &Value, path: &Path<'_>) -> Checked {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let has_type = |name: &&str| match *name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|it| it.fract() == 0.0),
        _unknown => true,
    };
    if types.is_empty() || types.iter().any(has_type) {
        return Ok(());
    }
    mismatch(path, format!("must be of type {}", types.join(" or ")))
}

fn check_values(schema: &Map<String, Value>, value: &Value, path: &Path<'_>) -> Checked {
    if let Some(Value::Array(values)) = schema.get("enum")
        && !values.iter().any(|one| is_equal(one, value))
    {
        let all: Vec<_> = values.iter().take(20).map(Value::to_string).collect();
        return mismatch(path, format!("must be one of {}", all.join(", ")));
    }
    if let Some(only) = schema.get("const")
        && !is_equal(only, value)
    {
        return mismatch(path, format!("must be {only}"));
    }
    Ok(())
}

/// In a schema, 1 and 1.0 are the same number.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => order(one, other) == Some(Ordering::Equal),
        _ => one == other,
    }
}

/// How a number is beside another. What lies beyond the numbers that drawloom keeps exactly is compared as doubles.
fn order(one: &serde_json::Number, other: &serde_json::Number) -> Option<Ordering> {
    match (Number::try_from(one), Number::try_from(other)) {
        (Ok(one), Ok(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

fn check_length(schema: &Map<String, Value>, text: &str, path: &Path<'_>) -> Checked {
    let limit = |keyword| schema.get(keyword).and_then(Value::as_u64);
    let (least, most) = (limit("minLength"), limit("maxLength"));
    if least.is_none() && most.is_none() {
        return Ok(());
    }
    let length = text.chars().count() as u64;
    if least.is_some_and(|least| length < least) {
        return mismatch(path, "is too short");
    }
    if most.is_some_and(|most| length > most) {
        return mismatch(path, "is too long");
    }
    Ok(())
}

fn check_bounds(schema: &Map<String, Value>, number: &serde_json::Number, path: &Path<'_>) -> Checked {
    let beside = |keyword| order(number, schema.get(keyword)?.as_number()?);
    let is_too_small = beside("minimum").is_some_and(Ordering::is_lt)
        || beside("exclusiveMinimum").is_some_and(Ordering::is_le);
    let is_too_large = beside("maximum").is_some_and(Ordering::is_gt)
        || beside("exclusiveMaximum").is_some_and(Ordering::is_ge);
    match (is_too_small, is_too_large) {
        (true, _) => mismatch(path, "is too small"),
        (_, true) => mismatch(path, "is too large"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn problem(schema: &Value, answer: &Value) -> String {
        check(schema, answer).expect_err("the answer matches").to_string()
    }

    #[test]
    fn what_decides_about_structure_is_checked_and_a_mismatch_names_its_place() {
        let schema = json!({
            "type": "object",
            "properties": {
                "approved": { "type": "boolean" },
                "reason": { "type": ["string", "null"], "maxLength": 5 },
                "colour": { "enum": ["red", "blue"] },
                "amount": { "type": "integer", "minimum": 1, "exclusiveMaximum": 10 },
                "tags": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 2 },
            },
            "required": ["approved"],
            "additionalProperties": false,
        });
        let full = json!({"approved": true, "reason": null, "colour": "red", "amount": 9.0, "tags": ["a"]});
        assert_eq!(check(&schema, &full), Ok(()));
        for (answer, expected) in [
            (json!("yes"), "the answer must be of type object"),
            (json!({}), "\"approved\" is missing"),
            (json!({"approved": "yes"}), "\"approved\" must be of type boolean"),
            (json!({"approved": true, "reason": "because"}), "\"reason\" is too long"),
            (json!({"approved": true, "reason": 1}), "\"reason\" must be of type string or null"),
            (json!({"approved": true, "colour": "green"}), "\"colour\" must be one of \"red\", \"blue\""),
            (json!({"approved": true, "amount": 0}), "\"amount\" is too small"),
            (json!({"approved": true, "amount": 10}), "\"amount\" is too large"),
            (json!({"approved": true, "amount": 1.5}), "\"amount\" must be of type integer"),
            (json!({"approved": true, "tags": []}), "\"tags\" has too few items"),
            (json!({"approved": true, "tags": ["a", 1]}), "\"tags[1]\" must be of type string"),
            (json!({"approved": true, "tags": ["a", "b", "c"]}), "\"tags\" has too many items"),
            (json!({"approved": true, "more": 1}), "\"more\" is not expected"),
        ] {
            assert_eq!(problem(&schema, &answer), expected, "{answer}");
        }
    }

    #[test]
    fn combinations_and_references_within_the_schema_are_followed() {
        let schema = json!({
            "$defs": { "yes": { "const": true } },
            "anyOf": [{ "$ref": "#/$defs/yes" }, { "type": "string", "minLength": 1 }],
        });
        assert_eq!(check(&schema, &json!(true)), Ok(()));
        assert_eq!(check(&schema, &json!("why")), Ok(()));
        assert_eq!(problem(&schema, &json!("")), "the answer matches none of the alternatives");
        let one = json!({ "oneOf": [{ "type": "number" }, { "type": "integer" }] });
        assert_eq!(check(&one, &json!(1.5)), Ok(()));
        assert_eq!(problem(&one, &json!(1)), "the answer matches more than one alternative");
        assert_eq!(problem(&json!({ "not": { "type": "null" } }), &Value::Null), "the answer is excluded");
        assert_eq!(problem(&json!({ "allOf": [true, false] }), &json!(1)), "the answer is not allowed");
    }

    #[test]
    fn what_is_not_understood_rejects_nothing() {
        for schema in [
            json!({}),
            json!(7),
            json!("schema"),
            json!({ "type": "fancy" }),
            json!({ "$ref": "https://elsewhere.example/schema" }),
            json!({ "pattern": "^b+$", "format": "email" }),
            json!({ "additionalProperties": false, "patternProperties": { "a": {} }, "type": "object" }),
        ] {
            assert_eq!(check(&schema, &json!({ "a": 1 })), Ok(()), "{schema}");
        }
    }

    #[test]
    fn a_schema_without_end_costs_no_more_than_the_limit() {
        let endless = json!({ "$ref": "#" });
        assert!(problem(&endless, &json!(1)).contains("too large"));
        // Each alternative doubles the work of the one before.
        let mut wide = json!({ "type": "null" });
        for _ in 0..30 {
            wide = json!({ "anyOf": [{ "$ref": "#/$defs/x" }, { "$ref": "#/$defs/x" }], "$defs": { "x": wide } });
        }
        let looping = json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] });
        assert!(check(&looping, &json!(1)).is_err());
        assert!(check(&wide, &json!(1)).is_err());
    }
}
