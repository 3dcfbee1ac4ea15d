//! Mastra: a suspended tool interrupts the run without a message. Its payload is in the metadata.

use serde_json::Value;

use super::{says_something, shown, text_member};

/// The question of a suspended tool.
pub(super) fn question(metadata: &Value) -> Option<String> {
    let payload = ["suspendPayload", "suspend_payload", "payload"].iter().find_map(|name| metadata.get(name));
    if let Some(payload) = payload.filter(|payload| says_something(payload)) {
        let words = payload.as_str().or_else(|| {
            ["message", "question", "reason", "title"].iter().find_map(|name| text_member(payload, name))
        });
        return Some(words.map_or_else(|| shown(&payload.to_string()), ToOwned::to_owned));
    }
    let tool = text_member(metadata, "toolName")?;
    let arguments = metadata.get("args").or_else(|| metadata.get("input"));
    Some(arguments.map_or_else(|| tool.to_owned(), |arguments| shown(&format!("{tool} {arguments}"))))
}
