//! One event of each type with every member that the protocol gives it, for the tests. The interoperability tests read
//! the same file.

use serde_json::Value;

/// The events as JSON lines.
pub(crate) const LINES: &str = include_str!("examples.jsonl");

/// The events as values.
pub(crate) fn all() -> Vec<Value> {
    LINES.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
