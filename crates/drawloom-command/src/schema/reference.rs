//! References within a JSON Schema.

use percent_encoding::percent_decode_str;
use serde_json::Value;

/// The target of a reference within the schema. `None` if there is none, or if it is outside.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let id = root.get("$id").and_then(Value::as_str).unwrap_or_default();
    let fragment = reference.strip_prefix('#').or_else(|| reference.strip_prefix(id)?.strip_prefix('#'))?;
    let pointer = percent_decode_str(fragment).decode_utf8().ok()?;
    root.pointer(&pointer)
}
