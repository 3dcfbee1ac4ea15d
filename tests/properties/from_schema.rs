//! Reading arguments from a JSON Schema: what is published reads back, and nothing a schema says is lost. The judge is
//! the `jsonschema` crate.

use drawloom::command::property::any_declaration;
use drawloom::command::{CommandArguments, CommandDeclaration, InvocableCommand, RegistrationId};
use drawloom::prelude::*;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn described(declaration: &CommandDeclaration, registration: RegistrationId) -> InvocableCommand {
    declaration.describe(registration, |text| text.clone()).unwrap()
}

/// A schema in which the order of the required properties does not matter.
fn sorted(mut schema: Value) -> Value {
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.sort_by_key(ToString::to_string);
    }
    schema
}

/// The schema of one argument: usually one that can be read, with one thing more now and then.
fn schema() -> impl Strategy<Value = Value> {
    let number = prop_oneof![(-4i64..4).prop_map(Value::from), (-4.0..4.0f64).prop_map(Value::from)];
    let keyword = prop_oneof![
        number.clone().prop_map(|bound| ("minimum", bound)),
        number.clone().prop_map(|bound| ("maximum", bound)),
        number.clone().prop_map(|bound| ("exclusiveMinimum", bound)),
        number.clone().prop_map(|bound| ("exclusiveMaximum", bound)),
        Just(("multipleOf", json!(1))),
        Just(("minLength", json!(0))),
        Just(("x-order", json!(1))),
        Just(("multipleOf", json!(2))),
        Just(("minLength", json!(2))),
        Just(("maxLength", json!(1))),
        Just(("pattern", json!("^a"))),
        Just(("uniqueItems", json!(true))),
        Just(("maxItems", json!(1))),
        Just(("not", json!({ "const": "a" }))),
        Just(("const", json!("a"))),
        Just(("enum", json!(["a", "b"]))),
        Just(("enum", json!(["b", null]))),
        Just(("description", json!("a"))),
        Just(("default", json!(7))),
    ];
    let kind = prop::sample::select(vec![
        json!("string"),
        json!("number"),
        json!("integer"),
        json!("boolean"),
        json!("null"),
        json!("object"),
        json!(["string", "null"]),
        json!(["integer", "string"]),
        json!(["integer", "number"]),
    ]);
    let leaf =
        (prop::option::weighted(0.8, kind), prop::collection::vec(keyword, 0..3)).prop_map(|(kind, more)| {
            let mut schema: Map<String, Value> =
                more.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)).collect();
            schema.extend(kind.map(|kind| ("type".to_owned(), kind)));
            Value::Object(schema)
        });
    let leaf = prop_oneof![9 => leaf, 1 => prop::sample::select(vec![json!({ "$ref": "#/$defs/Mode" }), json!(true)])];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({ "anyOf": all })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({ "oneOf": all })),
            inner.prop_map(|only| json!({ "allOf": [only] })),
        ]
    })
}

fn given() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        "[abc]{0,2}".prop_map(Value::from),
        (-5i64..5).prop_map(Value::from),
        (-5.0..5.0f64).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
    ];
    prop_oneof![scalar.clone(), prop::collection::vec(scalar, 0..3).prop_map(Value::from)]
}

proptest! {
    #[test]
    fn a_declaration_reads_back_from_its_schema(declaration in any_declaration()) {
        let registration = RegistrationId::unique();
        let published = described(&declaration, registration);

        let read = Command::new("notes.open", "Open note").arguments_from_schema(&published.parameters()).declare();
        let read = described(&read.unwrap(), registration);

        prop_assert_eq!(sorted(read.parameters()), sorted(published.parameters()));
        // What is not published as a keyword cannot read back.
        let is_published = |argument: &&drawloom::command::InvocableArgument| {
            !argument.secret && argument.labels.is_empty() && argument.depends_on.is_empty()
        };
        for argument in published.arguments.iter().filter(is_published) {
            prop_assert_eq!(read.arguments.iter().find(|read| read.name == argument.name), Some(argument));
        }
    }

    #[test]
    fn what_is_read_from_a_schema_takes_what_the_schema_takes(
        schema in schema(),
        values in prop::collection::vec(given(), 12),
    ) {
        let schema = json!({
            "type": "object",
            "properties": { "a": schema },
            "$defs": { "Mode": { "enum": ["a", "c"] } },
        });
        let read = Command::new("notes.open", "Open note").arguments_from_schema(&schema).declare();
        let Ok(declaration) = read else { return Ok(()) };
        let validator = jsonschema::validator_for(&schema).unwrap();
        for value in values {
            let instance = json!({ "a": value });
            let arguments = CommandArguments::from_json(&instance.to_string()).unwrap();
            let taken = declaration.check(&arguments).is_ok();
            prop_assert_eq!(taken, validator.is_valid(&instance), "{} for {}", instance, schema);
        }
    }
}
