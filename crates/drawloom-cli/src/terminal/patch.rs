//! JSON Patch (RFC 6902) on the shared state, as far as it is shown. An operation that cannot be applied is left out,
//! because the display of an agent's state must not stop its conversation.

use serde_json::Value;

/// The limit on the operations of one patch.
const MAX_OPERATIONS: usize = 10_000;

/// Applies the operations of a patch that can be applied.
pub(super) fn apply(state: &mut Value, patch: &Value) {
    for operation in patch.as_array().into_iter().flatten().take(MAX_OPERATIONS) {
        let text = |name: &str| operation.get(name).and_then(Value::as_str);
        let (Some(kind), Some(path)) = (text("op"), text("path")) else { continue };
        let value = || operation.get("value").cloned();
        match kind {
            "add" => {
                let _added = value().and_then(|value| add(state, path, value));
            }
            "replace" => {
                if let (Some(place), Some(value)) = (state.pointer_mut(path), value()) {
                    *place = value;
                }
            }
            "remove" => drop(remove(state, path)),
            "copy" => {
                let copied = text("from").and_then(|from| state.pointer(from).cloned());
                let _added = copied.and_then(|value| add(state, path, value));
            }
            "move" => {
                let moved = text("from").and_then(|from| remove(state, from));
                let _added = moved.and_then(|value| add(state, path, value));
            }
            _ => {}
        }
    }
}

/// The container that a path leads into, and the name of the place in it.
fn parent<'v>(state: &'v mut Value, path: &str) -> Option<(&'v mut Value, String)> {
    let (parent, name) = path.rsplit_once('/')?;
    let name = name.replace("~1", "/").replace("~0", "~");
    Some((state.pointer_mut(parent)?, name))
}

fn add(state: &mut Value, path: &str, value: Value) -> Option<()> {
    if path.is_empty() {
        *state = value;
        return Some(());
    }
    match parent(state, path)? {
        (Value::Object(members), name) => drop(members.insert(name, value)),
        (Value::Array(items), name) if name == "-" => items.push(value),
        (Value::Array(items), name) => {
            let place = name.parse().ok().filter(|place| *place <= items.len())?;
            items.insert(place, value);
        }
        _ => return None,
    }
    Some(())
}

fn remove(state: &mut Value, path: &str) -> Option<Value> {
    if path.is_empty() {
        return Some(std::mem::take(state));
    }
    match parent(state, path)? {
        (Value::Object(members), name) => members.remove(&name),
        (Value::Array(items), name) => {
            let place = name.parse().ok().filter(|place| *place < items.len())?;
            Some(items.remove(place))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn operations_that_can_be_applied_are_applied() {
        let mut state = json!({ "a": { "b/c": 1 }, "list": [1, 2] });
        let patch = json!([
            { "op": "replace", "path": "/a/b~1c", "value": 5 },
            { "op": "add", "path": "/list/1", "value": 9 },
            { "op": "add", "path": "/list/-", "value": 3 },
            { "op": "remove", "path": "/list/0" },
            { "op": "copy", "from": "/list/0", "path": "/first" },
            { "op": "move", "from": "/a", "path": "/moved" },
            { "op": "remove", "path": "/list/17" },
            { "op": "replace", "path": "/absent/x", "value": 1 },
            { "op": "later" },
            7,
        ]);
        apply(&mut state, &patch);
        assert_eq!(state, json!({ "list": [9, 2, 3], "first": 9, "moved": { "b/c": 5 } }));
        apply(&mut state, &json!([{ "op": "add", "path": "", "value": true }]));
        assert_eq!(state, json!(true));
        apply(&mut state, &json!("no patch"));
    }
}
