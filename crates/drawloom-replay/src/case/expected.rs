//! What is expected of a line of a transcript, and whether it is so.

use std::fmt;

use drawloom::command::Number;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What a line may say: each step with its fields.
const STEPS: [(&str, &[&str]); 5] = [
    ("asked", &["callId", "commandId", "arguments", "agentConsent", "approval"]),
    ("ran", &["commandId", "arguments"]),
    ("notified", &["plugin", "capability"]),
    ("answered", &["id", "role", "toolCallId", "content", "error"]),
    ("run", &["runId", "outcome"]),
];
/// The step that is a text and has no fields.
const TEXT: &str = "text";

/// One line that is expected: a step, and some of its fields.
///
/// A transcript's line matches where it is the same step and every field that is named here is equal. Numbers are
/// equal by value: 14380.0 is 14380. A null is equal to a field that is not there. A text that begins with `~` is
/// equal to every text that holds the rest of it.
///
/// ```
/// use drawloom_replay::Expected;
/// use serde_json::json;
///
/// let expected: Expected = serde_json::from_value(json!({ "answered": { "content": "", "error": "~not run" } }))?;
/// assert!(expected.matches(&json!({ "answered": { "content": "", "error": "It did not run.", "id": "m" } })));
/// assert!(!expected.matches(&json!({ "answered": { "content": "" } })));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Expected {
    step: String,
    /// The fields of the step, or its text.
    said: Value,
}

impl TryFrom<Map<String, Value>> for Expected {
    type Error = String;

    fn try_from(line: Map<String, Value>) -> Result<Self, String> {
        let mut line = line.into_iter();
        let (Some((step, said)), None) = (line.next(), line.next()) else {
            return Err("a line says exactly one step".to_owned());
        };
        if step == TEXT {
            let is_text = said.is_string();
            return if is_text {
                Ok(Self { step, said })
            } else {
                Err(format!("the step {TEXT:?} is a text"))
            };
        }
        let Some((_, known)) = STEPS.iter().find(|(name, _)| *name == step) else {
            let names = STEPS.map(|(name, _)| name).into_iter().chain([TEXT]);
            let names = names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            return Err(format!("unknown step {step:?}, expected one of {names}"));
        };
        let Value::Object(fields) = &said else { return Err(format!("the step {step:?} is an object")) };
        match fields.keys().find(|field| !known.contains(&field.as_str())) {
            Some(field) => Err(format!("unknown field {field:?} of {step:?}, expected one of {known:?}")),
            None => Ok(Self { step, said }),
        }
    }
}

impl Expected {
    /// Whether this is such a line.
    pub fn matches(&self, line: &Value) -> bool {
        self.differing(line).is_none()
    }

    /// What is different in the line: the name of the first field that is, or of the step.
    fn differing(&self, line: &Value) -> Option<&str> {
        match (&self.said, line.get(&self.step)) {
            (Value::Object(named), Some(Value::Object(actual))) => {
                let mut fields = named.iter();
                let differing = fields.find(|(field, value)| !is_equal(value, actual.get(*field)));
                differing.map(|(field, _)| field.as_str())
            }
            (said, Some(actual)) if is_equal(said, Some(actual)) => None,
            _ => Some(&self.step),
        }
    }
}

/// The line as JSON, as it was written.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}:{}}}", Value::from(self.step.as_str()), self.said)
    }
}

/// Whether a value is the expected one; a field that is not there has none.
fn is_equal(expected: &Value, actual: Option<&Value>) -> bool {
    match (expected, actual.unwrap_or(&Value::Null)) {
        (Value::String(expected), Value::String(actual)) => match expected.strip_prefix('~') {
            Some(part) => actual.contains(part),
            None => actual == expected,
        },
        (Value::Number(expected), Value::Number(actual)) => {
            exact(expected).is_some_and(|expected| exact(actual) == Some(expected))
        }
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len()
                && expected.iter().zip(actual).all(|(expected, actual)| is_equal(expected, Some(actual)))
        }
        (Value::Object(expected), Value::Object(actual)) => {
            let names = expected.keys().chain(actual.keys());
            names
                .into_iter()
                .all(|name| is_equal(expected.get(name).unwrap_or(&Value::Null), actual.get(name)))
        }
        (expected, actual) => expected == actual,
    }
}

fn exact(number: &serde_json::Number) -> Option<Number> {
    Number::parse(&number.to_string()).ok()
}

/// Where a transcript is not what was expected of it.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// A line is another.
    #[error("line {line} differs in {field:?}: expected {expected}, found {found}")]
    Differs {
        /// Its number, from 1.
        line: usize,
        /// The field that is different, or the step.
        field: String,
        /// What was expected.
        expected: Expected,
        /// The line.
        found: Value,
    },
    /// A line is not there.
    #[error("line {line} is missing: expected {expected}")]
    Missing {
        /// Its number, from 1.
        line: usize,
        /// What was expected.
        expected: Expected,
    },
    /// A line is there that was not expected.
    #[error("line {line} is one too many: {found}")]
    Unexpected {
        /// Its number, from 1.
        line: usize,
        /// The line.
        found: Value,
    },
}

/// Compares the lines of a transcript with those that are expected, one by one.
///
/// # Errors
/// [`Mismatch`], for the first line that is another, missing or too many.
pub fn compare(expected: &[Expected], transcript: &[Value]) -> Result<(), Mismatch> {
    for index in 0..expected.len().max(transcript.len()) {
        let line = index + 1;
        match (expected.get(index), transcript.get(index)) {
            (Some(expected), Some(found)) => {
                if let Some(field) = expected.differing(found) {
                    let (field, expected, found) = (field.to_owned(), expected.clone(), found.clone());
                    return Err(Mismatch::Differs { line, field, expected, found });
                }
            }
            (Some(expected), None) => return Err(Mismatch::Missing { line, expected: expected.clone() }),
            (None, Some(found)) => return Err(Mismatch::Unexpected { line, found: found.clone() }),
            (None, None) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::slice::from_ref;

    fn expected(line: Value) -> Expected {
        serde_json::from_value(line).unwrap()
    }

    fn problem(line: Value) -> String {
        serde_json::from_value::<Expected>(line).unwrap_err().to_string()
    }

    /// Whether arguments that are expected match those there are.
    fn are_equal(expected_arguments: Value, arguments: Value) -> bool {
        expected(json!({ "ran": { "arguments": expected_arguments } }))
            .matches(&json!({ "ran": { "commandId": "a", "arguments": arguments } }))
    }

    #[test]
    fn a_text_is_compared_as_a_text() {
        let line = json!({ "text": "I saw it." });
        assert!(expected(json!({ "text": "~saw" })).matches(&line));
        assert!(!expected(json!({ "text": "I saw" })).matches(&line));
        assert!(!expected(json!({ "text": "~saw" })).matches(&json!({ "ran": {} })));
        assert_eq!(problem(json!({ "text": {} })), r#"the step "text" is a text"#);
    }

    #[test]
    fn a_line_is_one_step_with_known_fields() {
        assert_eq!(problem(json!({})), "a line says exactly one step");
        assert_eq!(problem(json!({ "ran": {}, "asked": {} })), "a line says exactly one step");
        assert_eq!(
            problem(json!({ "runs": {} })),
            r#"unknown step "runs", expected one of "asked", "ran", "notified", "answered", "run", "text""#,
        );
        assert_eq!(
            problem(json!({ "ran": { "command": "a" } })),
            r#"unknown field "command" of "ran", expected one of ["commandId", "arguments"]"#,
        );
        assert_eq!(problem(json!({ "ran": null })), r#"the step "ran" is an object"#);
    }

    #[test]
    fn another_step_is_another_line() {
        let ran = expected(json!({ "ran": {} }));
        assert!(ran.matches(&json!({ "ran": { "commandId": "a" } })));
        assert!(!ran.matches(&json!({ "asked": { "commandId": "a" } })));
        assert!(!ran.matches(&json!(1)));
    }

    #[test]
    fn numbers_are_equal_by_value() {
        assert!(are_equal(json!({ "n": 14380.0 }), json!({ "n": 14380 })));
        assert!(are_equal(json!({ "n": 2512292042121000001_u64 }), json!({ "n": 2512292042121000001_u64 })));
        assert!(!are_equal(json!({ "n": 2512292042121000001_u64 }), json!({ "n": 2512292042121000000_u64 })));
        assert!(!are_equal(json!({ "n": 9007199254740993_u64 }), json!({ "n": 9007199254740992.0 })));
        assert!(!are_equal(json!({ "n": 1 }), json!({ "n": "1" })));
        assert!(!are_equal(json!({ "n": 1 }), json!({ "n": true })));
    }

    #[test]
    fn a_named_field_is_equal_as_a_whole() {
        assert!(!are_equal(json!({}), json!({ "n": 1 })));
        assert!(!are_equal(json!({ "n": 1, "m": 2 }), json!({ "n": 1 })));
        assert!(!are_equal(json!({ "n": [1] }), json!({ "n": [1, 2] })));
        assert!(!are_equal(json!({ "n": [1, 2] }), json!({ "n": [1] })));
        assert!(are_equal(json!({ "n": [1.0, "~b"] }), json!({ "n": [1, "abc"] })));
        assert!(!are_equal(json!({ "n": [1, "b"] }), json!({ "n": [1, "abc"] })));
    }

    #[test]
    fn null_is_what_is_not_there() {
        let answered = expected(json!({ "answered": { "error": null } }));
        assert!(answered.matches(&json!({ "answered": { "content": "" } })));
        assert!(answered.matches(&json!({ "answered": { "error": null } })));
        assert!(!answered.matches(&json!({ "answered": { "error": "" } })));
        let empty = expected(json!({ "answered": { "error": "" } }));
        assert!(!empty.matches(&json!({ "answered": {} })));
    }

    #[test]
    fn the_first_line_that_is_another_is_named() {
        let lines = [json!({ "ran": { "commandId": "a" } }), json!({ "answered": { "content": "x" } })];
        let ran = expected(json!({ "ran": { "commandId": "a" } }));
        let answered = expected(json!({ "answered": { "content": "~y" } }));
        let told = |expected: &[Expected], lines: &[Value]| compare(expected, lines).unwrap_err().to_string();
        assert_eq!(
            told(&[ran.clone(), answered.clone()], &lines),
            r#"line 2 differs in "content": expected {"answered":{"content":"~y"}}, found {"answered":{"content":"x"}}"#,
        );
        assert_eq!(
            told(from_ref(&answered), &lines),
            r#"line 1 differs in "answered": expected {"answered":{"content":"~y"}}, found {"ran":{"commandId":"a"}}"#,
        );
        assert_eq!(told(from_ref(&ran), &lines), r#"line 2 is one too many: {"answered":{"content":"x"}}"#,);
        assert_eq!(
            told(&[ran, answered], &lines[..1]),
            r#"line 2 is missing: expected {"answered":{"content":"~y"}}"#,
        );
        assert!(compare(&[], &[]).is_ok());
    }
}
