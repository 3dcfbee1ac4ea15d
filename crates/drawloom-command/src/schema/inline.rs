//! A JSON Schema with every reference replaced with its target, because several protocols and model APIs accept no `$ref`.
//!
//! A schema may be user-supplied and may refer to itself, so depth and size are bounded.

use serde_json::{Map, Value};

use super::location::Location;
use super::read::{SchemaError, SchemaProblem};
use super::reference::resolve;

/// How deeply schemas and references may nest.
const MAX_DEPTH: usize = 64;
/// How many values the result may have, each use of a target counted.
const MAX_VALUES: usize = 10_000;
/// How many bytes of a text count as one more value.
const VALUE_BYTES: usize = 32;
/// How many problems are kept.
const MAX_PROBLEMS: usize = 64;

/// Keywords that are left out: they say where a schema comes from, or hold targets of references.
const LEFT_OUT: [&str; 6] = ["$schema", "$id", "$comment", "$anchor", "$defs", "definitions"];
/// Keywords whose references depend on how a schema was reached, so they have no target that could be put in their place.
const DYNAMIC: [&str; 2] = ["$dynamicRef", "$recursiveRef"];
/// Keywords whose value is a map from names to schemas.
const NAMED: [&str; 3] = ["properties", "patternProperties", "dependentSchemas"];
/// Keywords whose value is data and no schema.
const DATA: [&str; 4] = ["const", "enum", "default", "examples"];
/// Keywords that limit no value. Beside a reference, they replace those of its target.
const ANNOTATIONS: [&str; 7] =
    ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];

/// The schema without references.
pub(crate) fn inlined(schema: &Value) -> Result<Value, SchemaError> {
    let mut inliner = Inliner { root: schema, values_left: MAX_VALUES, problems: Vec::new() };
    let inlined = inliner.schema(&Location::TOP, schema, 0);
    match inliner.problems.is_empty() {
        true => Ok(inlined),
        false => Err(SchemaError { problems: inliner.problems }),
    }
}

struct Inliner<'a> {
    root: &'a Value,
    values_left: usize,
    problems: Vec<SchemaProblem>,
}

impl<'a> Inliner<'a> {
    /// A schema. `depth` counts references too, so that a chain of them ends.
    fn schema(&mut self, at: &Location<'_>, schema: &'a Value, depth: usize) -> Value {
        if depth > MAX_DEPTH && self.values_left > 0 {
            // A schema that refers to itself would lead here again and again.
            self.values_left = 0;
            self.problem(at, "the schema is nested too deeply, or refers to itself");
        }
        let Value::Object(fields) = schema else { return self.data(at, schema) };
        if !self.count(at, 1) {
            return Value::Null;
        }
        let mut inlined = Map::new();
        for (keyword, value) in fields {
            let at = at.field(keyword);
            let value = match keyword.as_str() {
                "$ref" => continue,
                keyword if LEFT_OUT.contains(&keyword) => continue,
                keyword if DYNAMIC.contains(&keyword) => {
                    self.problem(&at, "a reference of this kind has no fixed target")
                }
                keyword if DATA.contains(&keyword) => self.data(&at, value),
                keyword if NAMED.contains(&keyword) => self.named(&at, value, depth + 1),
                _ => self.value(&at, value, depth + 1),
            };
            inlined.insert(keyword.clone(), value);
        }
        let Some(reference) = fields.get("$ref") else { return Value::Object(inlined) };
        let at_reference = at.field("$ref");
        match reference.as_str().and_then(|reference| resolve(self.root, reference)) {
            Some(target) => {
                let target = self.schema(at, target, depth + 1);
                self.beside(&at_reference, target, inlined)
            }
            None => self.problem(&at_reference, "the reference has no target within the schema"),
        }
    }

    /// The target of a reference together with what is stated beside the reference.
    fn beside(&mut self, at: &Location<'_>, target: Value, stated: Map<String, Value>) -> Value {
        let Value::Object(mut target) = target else { return target };
        for (keyword, value) in stated {
            let is_other = target.get(&keyword).is_some_and(|of_target| *of_target != value);
            if is_other && !ANNOTATIONS.contains(&keyword.as_str()) {
                return self
                    .problem(at, &format!("{keyword:?} beside the reference differs from its target"));
            }
            target.insert(keyword, value);
        }
        Value::Object(target)
    }

    /// The value of a keyword: a schema, several schemas, or neither.
    fn value(&mut self, at: &Location<'_>, value: &'a Value, depth: usize) -> Value {
        match value {
            Value::Array(values) => {
                let each = values.iter().enumerate();
                each.map(|(index, value)| self.schema(&at.item(index), value, depth)).collect()
            }
            _ => self.schema(at, value, depth),
        }
    }

    fn named(&mut self, at: &Location<'_>, value: &'a Value, depth: usize) -> Value {
        let Value::Object(schemas) = value else { return self.data(at, value) };
        let each = schemas.iter();
        each.map(|(name, schema)| (name.clone(), self.schema(&at.field(name), schema, depth))).collect()
    }

    /// Data, unchanged. Its size is counted without recursion: the readers of JSON bound its depth.
    fn data(&mut self, at: &Location<'_>, value: &Value) -> Value {
        if self.values_left == 0 {
            return Value::Null;
        }
        let mut size = 0_usize;
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            size += 1;
            match value {
                Value::String(text) => size += text.len() / VALUE_BYTES,
                Value::Array(values) => left.extend(values),
                Value::Object(fields) => left.extend(fields.values()),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        if self.count(at, size) { value.clone() } else { Value::Null }
    }

    /// Counts values. Once there are too many, nothing more is read or copied.
    fn count(&mut self, at: &Location<'_>, values: usize) -> bool {
        if self.values_left == 0 {
            return false;
        }
        self.values_left = self.values_left.saturating_sub(values);
        if self.values_left == 0 {
            self.problem(at, "the schema is too large");
        }
        self.values_left > 0
    }

    /// Reports a problem. Returns what stands in the place of what could not be read; nobody sees it.
    fn problem(&mut self, at: &Location<'_>, what: &str) -> Value {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(SchemaProblem { path: at.pointer(), what: what.to_owned() });
        }
        Value::Null
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(schema: &Value) -> Vec<String> {
        inlined(schema).unwrap_err().problems().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn references_are_replaced_and_what_stands_beside_them_is_kept() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Notes",
            "type": "array",
            "items": { "$ref": "#/$defs/Note", "description": "One note" },
            "$defs": {
                "Note": {
                    "type": "object",
                    "description": "A note",
                    "properties": { "$ref": { "$ref": "#/$defs/Path" } },
                    "required": ["$ref"],
                    "examples": [{ "$ref": "inbox" }],
                },
                "Path": { "type": "string", "enum": ["a", "$ref"] },
            },
        });
        let expected = json!({
            "title": "Notes",
            "type": "array",
            "items": {
                "type": "object",
                "description": "One note",
                "properties": { "$ref": { "type": "string", "enum": ["a", "$ref"] } },
                "required": ["$ref"],
                "examples": [{ "$ref": "inbox" }],
            },
        });
        assert_eq!(inlined(&schema).unwrap(), expected);
    }

    #[test]
    fn a_schema_that_contains_itself_is_refused() {
        let itself = json!({ "properties": { "next": { "$ref": "#" } } });
        let found = problems(&itself);
        assert!(matches!(&found[..], [problem] if problem.contains("refers to itself")), "{found:?}");
        let twice = json!({ "properties": { "left": { "$ref": "#" }, "right": { "$ref": "#" } } });
        assert_eq!(problems(&twice).len(), 1);
        let chain = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/a" } } });
        assert_eq!(problems(&chain).len(), 1);
    }

    #[test]
    fn a_schema_that_grows_by_its_references_is_refused_early() {
        let mut targets = Map::new();
        for level in 0..20 {
            let next = json!({ "$ref": format!("#/$defs/{}", level + 1) });
            targets.insert(level.to_string(), json!({ "anyOf": [next.clone(), next.clone(), next] }));
        }
        targets.insert("20".to_owned(), json!({ "type": "string" }));
        let found = problems(&json!({ "$ref": "#/$defs/0", "$defs": targets }));
        assert!(matches!(&found[..], [problem] if problem.contains("too large")), "{found:?}");
    }

    #[test]
    fn what_cannot_be_replaced_is_named_with_its_location() {
        let found = problems(&json!({
            "properties": {
                "a": { "$ref": "https://example.org/note.json" },
                "b": { "$dynamicRef": "#node" },
                "c": { "$ref": "#/$defs/Text", "type": "number" },
            },
            "$defs": { "Text": { "type": "string" } },
        }));
        assert_eq!(
            found,
            [
                "the reference has no target within the schema at \"/properties/a/$ref\"",
                "a reference of this kind has no fixed target at \"/properties/b/$dynamicRef\"",
                "\"type\" beside the reference differs from its target at \"/properties/c/$ref\"",
            ]
        );
    }
}
