//! The answer to a question of an agent as a form: one field after the other, each checked with the agent's schema.

use drawloom::client::check_answer;
use serde_json::{Map, Value};

use super::sanitize;

/// The limit on fields that are asked one by one. A larger answer is typed as JSON.
const MAX_FIELDS: usize = 32;

/// A field of a form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) schema: Value,
    pub(super) is_required: bool,
}

/// The fields of an answer, if its schema is an object with a small number of properties.
pub(super) fn fields(schema: &Value) -> Option<Vec<Field>> {
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let is_object = schema.get("type").is_none_or(|kind| kind == "object");
    if !is_object || properties.is_empty() || properties.len() > MAX_FIELDS {
        return None;
    }
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|required| required.iter().any(|it| it == name));
    let mut fields: Vec<_> = properties
        .iter()
        .map(|(name, schema)| Field {
            name: name.clone(),
            schema: schema.clone(),
            is_required: is_required(name),
        })
        .collect();
    fields.sort_by_key(|field| !field.is_required);
    Some(fields)
}

impl Field {
    /// What is asked for, in one line.
    pub(super) fn label(&self) -> String {
        let text = |member: &str| self.schema.get(member).and_then(Value::as_str);
        let mut about = Vec::new();
        if let Some(choices) = self.schema.get("enum").and_then(Value::as_array) {
            let choices: Vec<_> = choices.iter().map(shown).collect();
            about.push(format!("one of {}", choices.join(", ")));
        } else if let Some(kind) = text("type") {
            about.push(sanitize::line(kind));
        }
        about.push(if self.is_required { "required" } else { "optional" }.to_owned());
        if let Some(default) = self.schema.get("default") {
            about.push(format!("default {}", shown(default)));
        }
        let words = text("description").or_else(|| text("title"));
        let words = words.map(|words| format!(" {}", sanitize::line(words))).unwrap_or_default();
        format!("{}:{words} ({})", sanitize::name(&self.name), about.join(", "))
    }

    /// The value of what was typed. `None` leaves the field out.
    ///
    /// # Errors
    /// A text that says what is wrong.
    pub(super) fn value(&self, typed: &str) -> Result<Option<Value>, String> {
        if typed.is_empty() {
            return match self.schema.get("default") {
                Some(default) => Ok(Some(default.clone())),
                None if self.is_required => Err("this field is required".to_owned()),
                None => Ok(None),
            };
        }
        let as_text = Value::from(typed);
        let as_json = || serde_json::from_str::<Value>(typed).ok();
        let yes_or_no = match typed.to_ascii_lowercase().as_str() {
            "y" | "yes" => Some(Value::Bool(true)),
            "n" | "no" => Some(Value::Bool(false)),
            _ => None,
        };
        // What fits is meant: text where text fits, and otherwise JSON, or a yes or no.
        let candidates = [Some(as_text.clone()), as_json(), yes_or_no];
        let fitting =
            candidates.into_iter().flatten().find(|value| check_answer(&self.schema, value).is_ok());
        fitting.map(Some).ok_or_else(|| {
            let problem = check_answer(&self.schema, &as_json().unwrap_or(as_text));
            problem.err().map(|problem| problem.to_string()).unwrap_or_default()
        })
    }
}

/// An answer of these fields.
pub(super) fn answer(fields: Vec<(String, Option<Value>)>) -> Value {
    let members: Map<_, _> = fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    Value::Object(members)
}

fn shown(value: &Value) -> String {
    sanitize::line(&value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn field(schema: Value, is_required: bool) -> Field {
        Field { name: "f".to_owned(), schema, is_required }
    }

    #[test]
    fn a_small_object_is_a_form_with_the_required_fields_first() {
        let schema = json!({ "properties": { "a": {}, "b": { "type": "string" } }, "required": ["b"] });
        let names: Vec<_> = fields(&schema).unwrap().into_iter().map(|field| field.name).collect();
        assert_eq!(names, ["b", "a"]);
        assert!(fields(&json!({ "type": "string" })).is_none());
        assert!(fields(&json!({ "type": "object", "properties": {} })).is_none());
        let large: Map<_, _> = (0..40).map(|number| (number.to_string(), json!({}))).collect();
        assert!(fields(&json!({ "properties": large })).is_none());
    }

    #[test]
    fn what_is_typed_becomes_what_the_schema_takes() {
        let value = |schema: Value, typed: &str| field(schema, true).value(typed);
        assert_eq!(value(json!({ "type": "string" }), "5"), Ok(Some(json!("5"))));
        assert_eq!(value(json!({ "type": "integer" }), "5"), Ok(Some(json!(5))));
        assert_eq!(value(json!({ "type": "boolean" }), "y"), Ok(Some(json!(true))));
        assert_eq!(value(json!({ "enum": ["red", 2] }), "2"), Ok(Some(json!(2))));
        assert_eq!(value(json!({ "type": "array" }), "[1]"), Ok(Some(json!([1]))));
        assert!(value(json!({ "type": "integer", "maximum": 3 }), "5").unwrap_err().contains("too large"));
        assert!(value(json!({ "type": "string" }), "").unwrap_err().contains("required"));
        assert_eq!(field(json!({ "default": 7 }), true).value(""), Ok(Some(json!(7))));
        assert_eq!(field(json!({}), false).value(""), Ok(None));
    }

    #[test]
    fn a_label_says_what_is_asked_for() {
        let schema = json!({ "enum": ["red", 2], "description": "Which\u{1b}?", "default": "red" });
        assert_eq!(field(schema, true).label(), "f: Which\\u{1b}? (one of red, 2, required, default red)");
    }
}
