//! Expected lines of a transcript, and their comparison with the lines that were written.

use std::fmt;

use drawloom::command::Number;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The kinds of lines that are objects, with their fields.
const OBJECT_LINES: [(&str, &[&str]); 10] = [
    ("asked", &["callId", "commandId", "arguments", "agentConsent", "effects", "approval"]),
    ("ran", &["commandId", "arguments"]),
    ("notified", &["plugin", "capability"]),
    ("answered", &["id", "role", "toolCallId", "content", "error"]),
    ("run", &["runId", "outcome", "message", "code"]),
    ("decided", &["callId", "answer"]),
    ("expired", &["interruptId"]),
    ("withdrawn", &["callId"]),
    ("event", &["atMs", "event"]),
    ("breach", &["rule", "problem", "protocol", "number", "type", "since"]),
];
/// The kinds of lines that are objects of the protocol, with any fields.
const PROTOCOL_LINES: [&str; 3] = ["interrupted", "resumed", "answeredByAgent"];
/// The kinds of lines that are a text.
const TEXTS: [&str; 2] = ["text", "prompt"];

/// An expected line: its kind, and some of its fields.
///
/// A line of a transcript matches if it is of the same kind and every field that is named here is equal. Numbers are
/// compared by value: 14380.0 equals 14380. A null equals a field that is absent. A text that begins with `~` equals
/// every text that contains the rest of it.
///
/// ```
/// use drawloom_replay::ExpectedLine;
/// use serde_json::json;
///
/// let expected: ExpectedLine = serde_json::from_value(json!({ "answered": { "content": "", "error": "~not run" } }))?;
/// assert!(expected.matches(&json!({ "answered": { "content": "", "error": "It did not run.", "id": "m" } })));
/// assert!(!expected.matches(&json!({ "answered": { "content": "" } })));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct ExpectedLine {
    kind: String,
    /// The expected fields of the line, or its text.
    content: Value,
}

impl TryFrom<Map<String, Value>> for ExpectedLine {
    type Error = String;

    fn try_from(line: Map<String, Value>) -> Result<Self, String> {
        let mut line = line.into_iter();
        let (Some((kind, content)), None) = (line.next(), line.next()) else {
            return Err("a line is an object with exactly one member, its kind".to_owned());
        };
        if TEXTS.contains(&&*kind) {
            let is_text = content.is_string();
            return if is_text {
                Ok(Self { kind, content })
            } else {
                Err(format!("a line of the kind {kind:?} is a text"))
            };
        }
        if PROTOCOL_LINES.contains(&&*kind) && content.is_object() {
            return Ok(Self { kind, content });
        }
        let Some((_, known)) = OBJECT_LINES.iter().find(|(name, _)| *name == kind) else {
            let names = OBJECT_LINES.map(|(name, _)| name).into_iter().chain(PROTOCOL_LINES).chain(TEXTS);
            let names = names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            return Err(format!("unknown kind of line {kind:?}, expected one of {names}"));
        };
        let Value::Object(fields) = &content else {
            return Err(format!("a line of the kind {kind:?} is an object"));
        };
        match fields.keys().find(|field| !known.contains(&field.as_str())) {
            Some(field) => Err(format!("unknown field {field:?} of {kind:?}, expected one of {known:?}")),
            None => Ok(Self { kind, content }),
        }
    }
}

impl ExpectedLine {
    /// Whether a line of a transcript matches.
    pub fn matches(&self, line: &Value) -> bool {
        self.differing(line).is_none()
    }

    /// The name of the first field that differs in the line, or of the kind if the whole line differs.
    fn differing(&self, line: &Value) -> Option<&str> {
        match (&self.content, line.get(&self.kind)) {
            (Value::Object(named), Some(Value::Object(actual))) => {
                let mut fields = named.iter();
                let differing = fields.find(|(field, value)| !is_equal(value, actual.get(*field)));
                differing.map(|(field, _)| field.as_str())
            }
            (content, Some(actual)) if is_equal(content, Some(actual)) => None,
            _ => Some(&self.kind),
        }
    }
}

/// Writes the expected line as JSON.
impl fmt::Display for ExpectedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}:{}}}", Value::from(self.kind.as_str()), self.content)
    }
}

/// Whether a value equals the expected one. An absent field has no value.
fn is_equal(expected: &Value, actual: Option<&Value>) -> bool {
    match (expected, actual.unwrap_or(&Value::Null)) {
        (Value::String(expected), Value::String(actual)) => match expected.strip_prefix('~') {
            Some(part) => actual.contains(part),
            None => actual == expected,
        },
        (Value::Number(expected), Value::Number(actual)) => {
            Number::try_from(expected).is_ok_and(|expected| Number::try_from(actual) == Ok(expected))
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

/// The first difference between a transcript and the expected one.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptMismatch {
    /// A line differs.
    #[error("line {line} differs in {field:?}: expected {expected}, found {found}")]
    Differs {
        /// The number of the line, counted from 1.
        line: usize,
        /// The field that differs, or the kind.
        field: String,
        /// The expected line.
        expected: ExpectedLine,
        /// The line that was written.
        found: Value,
    },
    /// A line is missing.
    #[error("line {line} is missing: expected {expected}")]
    Missing {
        /// The number of the line, counted from 1.
        line: usize,
        /// The expected line.
        expected: ExpectedLine,
    },
    /// A line was not expected.
    #[error("line {line} was not expected: {found}")]
    Unexpected {
        /// The number of the line, counted from 1.
        line: usize,
        /// The line that was written.
        found: Value,
    },
}

/// Compares the lines of a transcript with those that are expected, one by one.
///
/// # Errors
/// [`TranscriptMismatch`], for the first line that differs, is missing or was not expected.
pub fn compare(expected: &[ExpectedLine], transcript: &[Value]) -> Result<(), TranscriptMismatch> {
    for index in 0..expected.len().max(transcript.len()) {
        let line = index + 1;
        match (expected.get(index), transcript.get(index)) {
            (Some(expected), Some(found)) => {
                if let Some(field) = expected.differing(found) {
                    let (field, expected, found) = (field.to_owned(), expected.clone(), found.clone());
                    return Err(TranscriptMismatch::Differs { line, field, expected, found });
                }
            }
            (Some(expected), None) => {
                return Err(TranscriptMismatch::Missing { line, expected: expected.clone() });
            }
            (None, Some(found)) => return Err(TranscriptMismatch::Unexpected { line, found: found.clone() }),
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

    fn expected(line: Value) -> ExpectedLine {
        serde_json::from_value(line).unwrap()
    }

    fn problem(line: Value) -> String {
        serde_json::from_value::<ExpectedLine>(line).unwrap_err().to_string()
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
        assert_eq!(problem(json!({ "text": {} })), r#"a line of the kind "text" is a text"#);
    }

    #[test]
    fn a_line_has_one_kind_with_known_fields() {
        assert_eq!(problem(json!({})), "a line is an object with exactly one member, its kind");
        assert_eq!(
            problem(json!({ "ran": {}, "asked": {} })),
            "a line is an object with exactly one member, its kind"
        );
        assert_eq!(
            problem(json!({ "runs": {} })),
            r#"unknown kind of line "runs", expected one of "asked", "ran", "notified", "answered", "run", "decided", "expired", "withdrawn", "event", "breach", "interrupted", "resumed", "answeredByAgent", "text", "prompt""#,
        );
        assert_eq!(
            problem(json!({ "ran": { "command": "a" } })),
            r#"unknown field "command" of "ran", expected one of ["commandId", "arguments"]"#,
        );
        assert_eq!(problem(json!({ "ran": null })), r#"a line of the kind "ran" is an object"#);
    }

    #[test]
    fn a_line_of_another_kind_does_not_match() {
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
    fn null_matches_an_absent_field() {
        let answered = expected(json!({ "answered": { "error": null } }));
        assert!(answered.matches(&json!({ "answered": { "content": "" } })));
        assert!(answered.matches(&json!({ "answered": { "error": null } })));
        assert!(!answered.matches(&json!({ "answered": { "error": "" } })));
        let empty = expected(json!({ "answered": { "error": "" } }));
        assert!(!empty.matches(&json!({ "answered": {} })));
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        let lines = [json!({ "ran": { "commandId": "a" } }), json!({ "answered": { "content": "x" } })];
        let ran = expected(json!({ "ran": { "commandId": "a" } }));
        let answered = expected(json!({ "answered": { "content": "~y" } }));
        let problem =
            |expected: &[ExpectedLine], lines: &[Value]| compare(expected, lines).unwrap_err().to_string();
        assert_eq!(
            problem(&[ran.clone(), answered.clone()], &lines),
            r#"line 2 differs in "content": expected {"answered":{"content":"~y"}}, found {"answered":{"content":"x"}}"#,
        );
        assert_eq!(
            problem(from_ref(&answered), &lines),
            r#"line 1 differs in "answered": expected {"answered":{"content":"~y"}}, found {"ran":{"commandId":"a"}}"#,
        );
        assert_eq!(
            problem(from_ref(&ran), &lines),
            r#"line 2 was not expected: {"answered":{"content":"x"}}"#,
        );
        assert_eq!(
            problem(&[ran, answered], &lines[..1]),
            r#"line 2 is missing: expected {"answered":{"content":"~y"}}"#,
        );
        assert!(compare(&[], &[]).is_ok());
    }
}
