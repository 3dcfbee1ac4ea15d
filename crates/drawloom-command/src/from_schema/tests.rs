use serde_json::json;

use super::*;
use crate::id::RegistrationId;

/// The schema that is published for the arguments that a schema describes.
fn published(schema: &Value) -> Value {
    let command = Command::new("c", "C").arguments_from_schema(schema).declare().unwrap();
    command.describe(RegistrationId::unique(), |text| text.clone()).unwrap().parameters()
}

/// What the property `a` of this schema is published as.
fn property(schema: Value) -> Value {
    published(&json!({ "type": "object", "properties": { "a": schema } }))["properties"]["a"].clone()
}

fn refusal(schema: &Value) -> (String, String) {
    let error = reader::arguments(schema).unwrap_err();
    (error.path().to_owned(), error.to_string())
}

/// Where the property `a` of this schema is refused, below itself.
fn refused(schema: Value) -> String {
    let (path, _) = refusal(&json!({ "type": "object", "properties": { "a": schema } }));
    path.strip_prefix("/properties/a").unwrap().to_owned()
}

#[test]
fn each_kind_reads_as_itself() {
    for schema in [
        json!({ "type": "string" }),
        json!({ "type": "boolean", "description": "Whether" }),
        json!({ "type": "number" }),
        json!({ "type": "number", "minimum": -0.5 }),
        json!({ "type": "number", "minimum": 0.0, "maximum": 1.0 }),
        json!({ "type": "integer", "minimum": -3, "maximum": u64::MAX }),
        json!({ "type": "string", "enum": ["b", "a"] }),
        json!({ "type": "array", "items": { "type": "string", "enum": ["a"] }, "description": "Some" }),
    ] {
        assert_eq!(property(schema.clone()), schema);
    }
}

#[test]
fn a_property_that_may_be_null_is_that_property_left_out() {
    let text = json!({ "type": "string" });
    assert_eq!(property(json!({ "type": ["string", "null"] })), text);
    assert_eq!(property(json!({ "type": ["null", "string"], "default": null })), text);
    assert_eq!(property(json!({ "anyOf": [text, { "type": "null" }] })), text);
    let required = json!({
        "type": "object", "properties": { "a": { "type": ["string", "null"] } }, "required": ["a"],
    });
    assert_eq!(refusal(&required).0, "/properties/a");
}

#[test]
fn an_integer_has_the_range_of_its_format_and_its_bounds() {
    let range = |schema: Value| {
        let read = property(schema);
        (read["minimum"].clone(), read["maximum"].clone())
    };
    assert_eq!(range(json!({ "type": "integer" })), (json!(i64::MIN), json!(u64::MAX)));
    assert_eq!(range(json!({ "type": "integer", "format": "int32" })), (json!(i32::MIN), json!(i32::MAX)));
    assert_eq!(
        range(json!({ "type": "integer", "format": "uint64", "minimum": 0 })),
        (json!(0), json!(u64::MAX))
    );
    assert_eq!(range(json!({ "type": "integer", "format": "uint8", "maximum": 9.0 })), (json!(0), json!(9)));
    assert_eq!(
        range(json!({ "type": "integer", "minimum": -1e30, "maximum": 1e30 })),
        (json!(i64::MIN), json!(u64::MAX))
    );
}

#[test]
fn texts_of_several_alternatives_are_one_choice() {
    let choice = json!({ "type": "string", "enum": ["a", "b", "c"] });
    let constant = |text: &str| json!({ "type": "string", "const": text, "description": text });
    assert_eq!(property(json!({ "oneOf": [constant("a"), constant("b"), constant("c")] })), choice);
    assert_eq!(property(json!({ "anyOf": [{ "enum": ["a", "b"] }, { "const": "c" }] })), choice);
    assert_eq!(property(json!({ "type": ["string", "null"], "enum": ["a", "b", "c", null] })), choice);
}

#[test]
fn references_are_followed_and_the_nearest_description_holds() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": { "$ref": "#/$defs/Mode", "description": "Mine" },
            "b": { "anyOf": [{ "$ref": "#/$defs/Mode" }, { "type": "null" }] },
        },
        "$defs": { "Mode": { "$ref": "#/$defs/Text" }, "Text": { "type": "string", "description": "Its own" } },
    });
    assert_eq!(
        published(&schema)["properties"],
        json!({
            "a": { "type": "string", "description": "Mine" },
            "b": { "type": "string", "description": "Its own" },
        })
    );
}

#[test]
fn what_no_argument_can_state_is_refused_where_it_stands() {
    assert_eq!(refused(json!(true)), "");
    assert_eq!(refused(json!(false)), "");
    assert_eq!(refused(json!({})), "");
    assert_eq!(refused(json!({ "type": "null" })), "");
    assert_eq!(refused(json!({ "type": "object", "properties": {} })), "");
    assert_eq!(refused(json!({ "type": "date" })), "/type");
    assert_eq!(refused(json!({ "type": ["string", "number"] })), "/type");
    assert_eq!(refused(json!({ "type": ["string", 7] })), "/type/1");
    assert_eq!(refused(json!({ "type": "string", "format": "date" })), "/format");
    assert_eq!(refused(json!({ "type": "string", "pattern": "^a" })), "/pattern");
    assert_eq!(refused(json!({ "type": "string", "minLength": 1 })), "/minLength");
    assert_eq!(refused(json!({ "type": "number", "exclusiveMinimum": 0 })), "/exclusiveMinimum");
    assert_eq!(refused(json!({ "type": "number", "format": "half" })), "/format");
    assert_eq!(refused(json!({ "type": "number", "minimum": "0" })), "/minimum");
    assert_eq!(refused(json!({ "type": "integer", "multipleOf": 2 })), "/multipleOf");
    assert_eq!(refused(json!({ "type": "integer", "format": "even" })), "/format");
    assert_eq!(refused(json!({ "type": "integer", "minimum": 0.5 })), "/minimum");
    assert_eq!(refused(json!({ "type": "array" })), "");
    assert_eq!(refused(json!({ "type": "array", "items": { "type": ["string", "null"] } })), "/items");
    assert_eq!(
        refused(json!({ "type": "array", "items": { "type": "array", "items": true } })),
        "/items/items"
    );
    assert_eq!(
        refused(json!({ "type": "array", "items": { "type": "array", "items": { "type": "string" } } })),
        "/items"
    );
    assert_eq!(
        refused(json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true })),
        "/uniqueItems"
    );
    assert_eq!(refused(json!({ "enum": ["a", 1] })), "/enum");
    assert_eq!(refused(json!({ "const": 1 })), "/const");
    assert_eq!(refused(json!({ "type": "integer", "enum": ["a"] })), "/type");
    assert_eq!(refused(json!({ "type": "null", "const": "a" })), "/type");
    assert_eq!(refused(json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] })), "/anyOf/1");
    assert_eq!(refused(json!({ "oneOf": [{ "const": "a" }, { "type": "string" }] })), "/oneOf/1");
    assert_eq!(refused(json!({ "oneOf": [{ "const": "a" }], "not": {} })), "/not");
    assert_eq!(refused(json!({ "$ref": "#/$defs/None" })), "/$ref");
    assert_eq!(refused(json!({ "$ref": "other.json" })), "/$ref");
    assert_eq!(refused(json!({ "$ref": "#/properties/a" })), "");
}

#[test]
fn what_is_no_object_of_named_arguments_is_refused() {
    assert_eq!(refusal(&json!({ "type": "string" })).0, "");
    assert_eq!(refusal(&json!({ "type": "object", "oneOf": [] })).0, "/oneOf");
    assert_eq!(refusal(&json!({ "type": "object", "required": ["a"] })).0, "/required");
    assert_eq!(refusal(&json!({ "type": "object", "properties": [] })).0, "/properties");
    assert_eq!(
        refusal(&json!({ "type": "object", "additionalProperties": true })).0,
        "/additionalProperties"
    );
    assert_eq!(
        published(&json!({ "type": "object", "additionalProperties": false }))["properties"],
        json!({})
    );
    let slash = json!({ "type": "object", "properties": { "a/~b": true } });
    assert_eq!(
        refusal(&slash),
        ("/properties/a~1~0b".into(), "it takes anything at \"/properties/a~1~0b\"".into())
    );
}

#[cfg(feature = "schemars")]
mod of_types {
    use std::collections::{BTreeMap, BTreeSet};

    use schemars::JsonSchema;

    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema of the type is of interest")]
    struct OpenNote {
        /// Where the note is.
        path: String,
        /// How to open it.
        mode: Option<Mode>,
        second: Option<Plain>,
        tags: Option<Vec<String>>,
        #[schemars(default)]
        modes: Vec<Mode>,
        line: u8,
        offset: Option<i32>,
        far: i128,
        opacity: f32,
        scale: Option<f64>,
        pinned: bool,
    }

    /// The mode, in general.
    #[derive(JsonSchema)]
    #[schemars(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only the schema of the type is of interest")]
    enum Mode {
        /// For a look.
        Preview,
        ForGood,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema of the type is of interest")]
    enum Plain {
        A,
        B,
    }

    #[test]
    fn a_type_of_the_closed_set_becomes_its_arguments() {
        let command = Command::new("c", "C").arguments_from_schema_of::<OpenNote>().declare().unwrap();
        let command = command.describe(RegistrationId::unique(), |text| text.clone()).unwrap();
        let modes = json!(["for-good", "preview"]);
        let mut parameters = command.parameters();
        for place in ["/properties/mode/enum", "/properties/modes/items/enum"] {
            let texts = parameters.pointer_mut(place).and_then(Value::as_array_mut).unwrap();
            texts.sort_by_key(ToString::to_string);
            assert_eq!(json!(texts), modes);
        }
        assert_eq!(
            parameters,
            json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string", "description": "Where the note is." },
                    "mode": { "type": "string", "enum": modes, "description": "How to open it." },
                    "second": { "type": "string", "enum": ["A", "B"] },
                    "tags": { "type": "array", "items": { "type": "string" } },
                    "modes": { "type": "array", "items": { "type": "string", "enum": modes } },
                    "line": { "type": "integer", "minimum": 0, "maximum": 255 },
                    "offset": { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
                    "far": { "type": "integer", "minimum": i64::MIN, "maximum": u64::MAX },
                    "opacity": { "type": "number", "minimum": f64::from(f32::MIN), "maximum": f64::from(f32::MAX) },
                    "scale": { "type": "number" },
                    "pinned": { "type": "boolean" },
                },
                "required": ["far", "line", "opacity", "path", "pinned"],
            })
        );
    }

    #[test]
    fn a_type_outside_of_it_is_refused_by_its_path() {
        fn path<T: JsonSchema>() -> String {
            let error = Command::new("c", "C").arguments_from_schema_of::<T>().declare().unwrap_err();
            let crate::DeclarationError::Schema { error, .. } = error else { panic!("{error}") };
            error.path().to_owned()
        }
        macro_rules! of {
            ($kind:ty) => {{
                #[derive(JsonSchema)]
                #[expect(dead_code, reason = "only the schema of the type is of interest")]
                struct Holder {
                    a: $kind,
                }
                path::<Holder>()
            }};
        }
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "only the schema of the type is of interest")]
        enum Carries {
            Text(String),
            Nothing,
        }
        assert_eq!(of!(BTreeMap<String, String>), "/properties/a");
        assert_eq!(of!(Option<BTreeMap<String, String>>), "/properties/a");
        assert_eq!(of!(BTreeSet<String>), "/properties/a/uniqueItems");
        assert_eq!(of!(Vec<Option<bool>>), "/properties/a/items");
        assert_eq!(of!(Vec<Vec<bool>>), "/properties/a/items");
        assert_eq!(of!(char), "/properties/a/maxLength");
        assert_eq!(of!((u8, u8)), "/properties/a/maxItems");
        assert_eq!(of!(Carries), "/properties/a/oneOf/1");
        assert_eq!(of!(()), "/properties/a");
        assert_eq!(path::<String>(), "");
        assert_eq!(path::<BTreeMap<String, u8>>(), "/additionalProperties");
    }
}
