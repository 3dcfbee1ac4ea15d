use serde_json::{Map, Value, json};

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

/// The location of the only problem of a schema, and the text of the error.
fn refusal(schema: &Value) -> (String, String) {
    let error = reader::arguments(schema).unwrap_err();
    assert_eq!(error.problems().len(), 1, "{error}");
    (error.problems()[0].path().to_owned(), error.to_string())
}

/// The location of the only problem of the property `a`, below the property.
fn refused(schema: Value) -> String {
    let (path, _) = refusal(&json!({ "type": "object", "properties": { "a": schema } }));
    path.strip_prefix("/properties/a").unwrap().to_owned()
}

/// The keywords of the property `a` that are lost.
fn ignored(schema: Value) -> Vec<String> {
    let schema = json!({ "type": "object", "properties": { "a": schema } });
    let command = Command::new("c", "C").arguments_from_schema(&schema).declare().unwrap();
    let below = |path: &String| path.strip_prefix("/properties/a").unwrap().to_owned();
    command.ignored_keywords().iter().map(below).collect()
}

#[test]
fn each_kind_reads_as_itself() {
    for schema in [
        json!({ "type": "string" }),
        json!({ "type": "boolean", "description": "Whether" }),
        json!({ "type": "number" }),
        json!({ "type": "number", "minimum": -0.5 }),
        json!({ "type": "number", "minimum": 0.0, "maximum": 1.0 }),
        json!({ "type": "integer", "minimum": -3, "maximum": 9 }),
        json!({ "type": "string", "enum": ["b", "a"] }),
        json!({ "type": "array", "items": { "type": "string", "enum": ["a"] }, "description": "Some" }),
    ] {
        assert_eq!(property(schema.clone()), schema);
    }
}

#[test]
fn a_property_that_may_be_null_is_optional() {
    let text = json!({ "type": "string" });
    assert_eq!(property(json!({ "type": ["string", "null"] })), text);
    assert_eq!(property(json!({ "type": ["null", "string"], "default": null })), text);
    assert_eq!(property(json!({ "anyOf": [text, { "type": "null" }] })), text);
    // Leaving it out takes the place of the null.
    let required = json!({
        "type": "object", "properties": { "a": { "type": ["string", "null"] } }, "required": ["a"],
    });
    assert_eq!(
        published(&required),
        json!({ "type": "object", "properties": { "a": text }, "required": [] })
    );
}

#[test]
fn an_integer_has_the_range_of_its_format_and_its_bounds() {
    let range = |schema: Value| {
        let schema = json!({ "type": "object", "properties": { "a": schema } });
        let command = Command::new("c", "C").arguments_from_schema(&schema).declare().unwrap();
        let range = command.arguments()[0].integer_range().unwrap();
        (range.min, range.max)
    };
    let (least, greatest) = (i128::from(i64::MIN), i128::from(u64::MAX));
    assert_eq!(range(json!({ "type": "integer" })), (least, greatest));
    assert_eq!(range(json!({ "type": "integer", "format": "int32" })), (i32::MIN.into(), i32::MAX.into()));
    assert_eq!(range(json!({ "type": "integer", "format": "uint64", "minimum": 0 })), (0, greatest));
    assert_eq!(range(json!({ "type": "integer", "format": "uint8", "maximum": 9.0 })), (0, 9));
    assert_eq!(range(json!({ "type": "integer", "minimum": -1e30, "maximum": 1e30 })), (least, greatest));
    assert_eq!(range(json!({ "type": "integer", "minimum": -1e300, "maximum": 1e300 })), (least, greatest));
    // Between whole numbers there is none.
    assert_eq!(range(json!({ "type": "integer", "minimum": 0.5, "maximum": 2.5 })), (1, 2));
    assert_eq!(range(json!({ "type": "integer", "minimum": -2.5, "maximum": -0.5 })), (-2, -1));
    assert_eq!(range(json!({ "type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10 })), (1, 9));
    assert_eq!(range(json!({ "type": "integer", "exclusiveMinimum": 0.5, "exclusiveMaximum": 9.5 })), (1, 9));
    assert_eq!(
        range(
            json!({ "type": "integer", "minimum": 3, "exclusiveMinimum": 0, "exclusiveMaximum": u64::MAX })
        ),
        (3, greatest - 1)
    );
    assert_eq!(
        range(json!({ "type": "integer", "multipleOf": 1, "exclusiveMinimum": false })),
        (least, greatest)
    );
}

#[test]
fn a_limit_of_a_number_type_is_not_published() {
    assert_eq!(property(json!({ "type": "integer", "format": "int64" })), json!({ "type": "integer" }));
    assert_eq!(
        property(json!({ "type": "integer", "format": "uint64" })),
        json!({ "type": "integer", "minimum": 0 })
    );
    assert_eq!(property(json!({ "type": "number", "format": "float" })), json!({ "type": "number" }));
}

#[test]
fn texts_of_several_alternatives_are_one_choice() {
    let choice = json!({ "type": "string", "enum": ["a", "b", "c"] });
    let constant = |text: &str| json!({ "type": "string", "const": text, "description": text });
    assert_eq!(property(json!({ "oneOf": [constant("a"), constant("b"), constant("c")] })), choice);
    assert_eq!(property(json!({ "anyOf": [{ "enum": ["a", "b"] }, { "const": "c" }] })), choice);
    assert_eq!(property(json!({ "type": ["string", "null"], "enum": ["a", "b", "c", null] })), choice);
    // The alternatives of `anyOf` may overlap.
    assert_eq!(property(json!({ "anyOf": [{ "enum": ["a", "b"] }, { "enum": ["b", "c"] }] })), choice);
}

#[test]
fn alternatives_that_overlap_are_the_widest_of_them() {
    let number = json!({ "type": "number" });
    assert_eq!(property(json!({ "type": ["integer", "number"] })), number);
    assert_eq!(property(json!({ "anyOf": [{ "type": "integer" }, { "type": "number" }] })), number);
    assert_eq!(property(json!({ "anyOf": [number, { "type": "integer", "minimum": 0 }] })), number);
    assert_eq!(
        property(json!({ "anyOf": [{ "const": "a" }, { "type": "string" }] })),
        json!({ "type": "string" })
    );
    assert_eq!(
        property(json!({ "anyOf": [{ "type": "boolean" }, { "type": "boolean" }] })),
        json!({ "type": "boolean" })
    );
    assert_eq!(refused(json!({ "oneOf": [{ "type": "integer" }, { "type": "number" }] })), "/oneOf/1");
    assert_eq!(
        refused(json!({ "anyOf": [{ "type": "integer" }, { "type": "number", "minimum": 0 }] })),
        "/anyOf/1"
    );
    assert_eq!(property(json!({ "enum": [true, false, null] })), json!({ "type": "boolean" }));
    assert_eq!(refused(json!({ "enum": [true] })), "/enum");
}

#[test]
fn what_limits_nothing_is_accepted() {
    assert_eq!(
        property(json!({ "type": "string", "minLength": 0, "x-order": 3, "$anchor": "a" })),
        json!({ "type": "string" })
    );
    assert_eq!(
        property(
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 0, "uniqueItems": false })
        ),
        json!({ "type": "array", "items": { "type": "string" } })
    );
    assert_eq!(property(json!({ "type": "number", "exclusiveMinimum": false })), json!({ "type": "number" }));
    for open in [json!(true), json!(false), json!({})] {
        let schema = json!({
            "$id": "https://example.org/open", "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object", "title": "Open", "additionalProperties": open, "minProperties": 0,
            "patternProperties": {}, "x-source": "test",
        });
        assert_eq!(published(&schema), json!({ "type": "object", "properties": {}, "required": [] }));
    }
}

#[test]
fn what_is_lost_is_reported() {
    assert_eq!(ignored(json!({ "type": "integer", "default": "7" })), ["/default"]);
    assert_eq!(
        ignored(json!({ "type": "array", "items": { "type": "boolean", "default": false } })),
        ["/items/default"]
    );
    assert_eq!(ignored(json!({ "type": "string", "default": null, "deprecated": false })), [""; 0]);
    assert_eq!(
        ignored(json!({ "type": "string", "title": "A", "examples": ["a"], "readOnly": true })),
        ["/examples", "/readOnly", "/title"]
    );
    assert_eq!(
        ignored(json!({ "oneOf": [
            { "const": "a", "title": "The first", "description": "More" }, { "const": "b", "title": "" },
        ] })),
        ["/oneOf/0/description", "/oneOf/1/title"]
    );
    assert_eq!(
        ignored(json!({ "type": "array", "items": { "type": "string", "description": "One" } })),
        ["/items/description"]
    );
}

#[test]
fn a_default_that_matches_an_optional_argument_is_kept() {
    for schema in [
        json!({ "type": "integer", "minimum": 1, "maximum": 9, "default": 7 }),
        json!({ "type": "number", "default": 0.5 }),
        json!({ "type": "boolean", "default": false }),
        json!({ "type": "string", "enum": ["b", "a"], "default": "a" }),
        json!({ "type": "array", "items": { "type": "string" }, "default": ["x"] }),
    ] {
        assert_eq!(property(schema.clone()), schema);
        assert_eq!(ignored(schema), [""; 0]);
    }
    // A default on the way through references is one too.
    let through = json!({ "allOf": [{ "type": "string", "default": "inner" }], "default": "outer" });
    assert_eq!(property(through.clone()), json!({ "type": "string", "default": "outer" }));
    for schema in [
        json!({ "type": "integer", "maximum": 6, "default": 7 }),
        json!({ "type": "string", "enum": ["b"], "default": "a" }),
        json!({ "type": "string", "default": { "a": 1 } }),
        json!({ "type": "string", "default": "a", "writeOnly": true }),
    ] {
        assert_eq!(ignored(schema), ["/default"]);
    }
    let required = json!({ "type": "object", "properties": { "a": { "type": "string", "default": "x" } }, "required": ["a"] });
    let required = Command::new("c", "C").arguments_from_schema(&required).declare().unwrap();
    assert_eq!(required.ignored_keywords(), ["/properties/a/default"]);
    assert_eq!(required.arguments()[0].default(), None);
}

#[test]
fn a_text_has_a_length() {
    for schema in [
        json!({ "type": "string", "minLength": 1, "maxLength": 200 }),
        json!({ "type": "string", "minLength": 3 }),
        json!({ "type": "array", "items": { "type": "string", "maxLength": 0 } }),
    ] {
        assert_eq!(property(schema.clone()), schema);
    }
    assert_eq!(property(json!({ "type": "string", "maxLength": 5e9 })), json!({ "type": "string" }));
    assert_eq!(
        property(json!({ "type": "string", "minLength": 1.0 })),
        json!({ "type": "string", "minLength": 1 })
    );
    let short = json!({ "type": "string", "maxLength": 1 });
    assert_eq!(property(json!({ "anyOf": [short, { "const": "a" }] })), short);
    assert_eq!(property(json!({ "anyOf": [short, { "type": "string" }] })), json!({ "type": "string" }));
    assert_eq!(refused(json!({ "anyOf": [short, { "const": "ab" }] })), "/anyOf/1");
}

#[test]
fn a_secret_and_the_labels_of_choices_are_kept() {
    let schema = json!({ "type": "object", "properties": {
        "key": { "type": "string", "writeOnly": true },
        "mode": { "anyOf": [
            { "oneOf": [
                { "const": "a", "title": "The first" }, { "const": "b", "description": "The second" }, { "const": "c" },
            ] },
            { "type": "null" },
        ] },
    } });
    let command = Command::new("c", "C").arguments_from_schema(&schema).declare().unwrap();
    let [key, mode] = command.arguments() else { panic!("two properties") };
    assert!(key.is_secret() && !mode.is_secret());
    let labels: Vec<_> = mode.labels().unwrap().iter().collect();
    assert_eq!(labels, [("a", "The first"), ("b", "The second")]);
    assert_eq!(command.ignored_keywords(), [""; 0]);
}

#[test]
fn every_problem_is_reported_at_once() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": { "type": "string", "format": "date", "pattern": "^2" },
            "b": { "type": "string" },
            "c": { "type": "object" },
        },
        "required": ["d"],
        "minProperties": 1,
    });
    let error = reader::arguments(&schema).unwrap_err();
    let paths: Vec<&str> = error.problems().iter().map(SchemaProblem::path).collect();
    assert_eq!(
        paths,
        ["/minProperties", "/required", "/properties/a/format", "/properties/a/pattern", "/properties/c"]
    );
    assert!(error.to_string().ends_with("; an argument cannot be an object at \"/properties/c\""), "{error}");
}

#[test]
fn a_hostile_schema_ends() {
    // Refers to itself through alternatives.
    let schema = |defs: Value| json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/A0" } }, "$defs": defs });
    assert!(reader::arguments(&schema(json!({ "A0": { "anyOf": [{ "$ref": "#/$defs/A0" }] } }))).is_err());
    // Doubles at each of 60 levels.
    let defs: Map<String, Value> = (0..60)
        .map(|level| {
            let next = json!({ "$ref": format!("#/$defs/A{}", level + 1) });
            (format!("A{level}"), json!({ "anyOf": [next, next] }))
        })
        .chain([("A60".to_owned(), json!({ "const": "a" }))])
        .collect();
    assert!(reader::arguments(&schema(Value::Object(defs))).is_err());
    // Many problems at long locations.
    let bad = json!({ "type": "object" });
    let many: Map<String, Value> =
        (0..100_000).map(|number| (format!("{number}{}", "n".repeat(100)), bad.clone())).collect();
    let error = reader::arguments(&json!({ "type": "object", "properties": many })).unwrap_err();
    assert_eq!(error.problems().len(), 64);
    assert!(error.to_string().len() < 4000);
}

#[test]
fn a_reference_may_be_escaped_and_may_begin_with_the_id_of_the_schema() {
    let text = json!({ "type": "string" });
    for reference in
        ["#/$defs/My%20Mode~1%C3%A4", "https://example.org/s#/$defs/My%20Mode~1ä", "#/$defs/My Mode~1ä"]
    {
        let schema = json!({
            "$id": "https://example.org/s",
            "type": "object",
            "properties": { "a": { "$ref": reference } },
            "$defs": { "My Mode/ä": text },
        });
        assert_eq!(published(&schema)["properties"]["a"], text, "{reference}");
    }
    assert_eq!(refused(json!({ "$ref": "#/%FF" })), "/$ref");
}

#[test]
fn a_lone_all_of_is_its_only_part() {
    let schema = json!({ "allOf": [{ "type": "string", "description": "Its own" }], "description": "Mine" });
    assert_eq!(property(schema), json!({ "type": "string", "description": "Mine" }));
    assert_eq!(refused(json!({ "allOf": [{ "type": "string" }], "type": "string" })), "/type");
    let both = json!({ "type": "object", "properties": { "a": { "allOf": [{ "type": "string" }, { "minLength": 1 }] } } });
    let paths = |schema: &Value| {
        let error = reader::arguments(schema).unwrap_err();
        error.problems().iter().map(|problem| problem.path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(&both), ["/properties/a/allOf", "/properties/a"]);
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
    assert_eq!(refused(json!({ "type": "string", "minLength": "1" })), "/minLength");
    assert_eq!(refused(json!({ "type": "string", "minLength": 5e9 })), "/minLength");
    assert_eq!(refused(json!({ "type": "string", "maxLength": -1 })), "/maxLength");
    assert_eq!(refused(json!({ "enum": ["a"], "minLength": 1 })), "/minLength");
    assert_eq!(refused(json!({ "type": "number", "exclusiveMinimum": 0 })), "/exclusiveMinimum");
    assert_eq!(refused(json!({ "type": "number", "format": "half" })), "/format");
    assert_eq!(refused(json!({ "type": "number", "minimum": "0" })), "/minimum");
    assert_eq!(refused(json!({ "type": "integer", "multipleOf": 2 })), "/multipleOf");
    assert_eq!(refused(json!({ "type": "integer", "format": "even" })), "/format");
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
    assert_eq!(refused(json!({ "type": "string", "$id": "#b" })), "/$id");
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
        refusal(&json!({ "type": "object", "additionalProperties": { "type": "string" } })).0,
        "/additionalProperties"
    );
    let slash = json!({ "type": "object", "properties": { "a/~b": true } });
    assert_eq!(
        refusal(&slash),
        ("/properties/a~1~0b".into(), "an argument cannot accept any value at \"/properties/a~1~0b\"".into())
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
                    "mode": {
                        "type": "string",
                        "enum": modes,
                        "description": "How to open it.\n\"preview\": For a look.",
                    },
                    "second": { "type": "string", "enum": ["A", "B"] },
                    "tags": { "type": "array", "items": { "type": "string" } },
                    "modes": {
                        "type": "array",
                        "items": { "type": "string", "enum": modes },
                        "description": "\"preview\": For a look.",
                    },
                    "line": { "type": "integer", "minimum": 0, "maximum": 255 },
                    "offset": { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
                    "far": { "type": "integer" },
                    "opacity": { "type": "number" },
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
            error.problems()[0].path().to_owned()
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
        assert_eq!(of!((u8, u8)), "/properties/a/maxItems");
        assert_eq!(of!(Carries), "/properties/a/oneOf/1");
        assert_eq!(of!(()), "/properties/a");
        assert_eq!(path::<String>(), "");
        assert_eq!(path::<BTreeMap<String, u8>>(), "/additionalProperties");
    }
}

#[test]
fn what_many_arguments_refer_to_is_counted_for_each_of_them() {
    let long = "x".repeat(1_000_000);
    let keywords: Map<String, Value> = (0..50_000).map(|at| (format!("x-{at}"), json!(0))).collect();
    let with = |member: &str, value: Value| {
        let mut shared = json!({ "type": "string" });
        shared[member] = value;
        shared
    };
    let mut many = Value::Object(keywords);
    many["type"] = json!("string");
    let types = vec!["string"; 50_000];
    for shared in [
        with("description", json!(long)),
        with("enum", json!([long])),
        with("title", json!(long)),
        with("default", json!(long)),
        with("default", json!(vec![0; 50_000])),
        json!({ "$ref": format!("#{}", "/definitions".repeat(100_000)) }),
        json!({ "type": types }),
        many,
    ] {
        let properties: Map<String, Value> =
            (0..10_000).map(|at| (format!("a{at}"), json!({ "$ref": "#/$defs/shared" }))).collect();
        let schema = json!({ "type": "object", "properties": properties, "$defs": { "shared": shared } });
        // Without the bound, each of them takes the product of both sizes in memory or in steps.
        let error = reader::arguments(&schema).unwrap_err();
        assert!(error.to_string().contains("the schema is too large"), "{error}");
    }
}
