//! Declared arguments SHALL become a JSON Schema of the plain kind that model APIs accept, and a tool SHALL always
//! have a description, which also says what the command answers.

use drawloom::command::{Argument, Command};
use serde_json::{Value, json};

use super::support::{bench, callable, empty_bench};

/// The `parameters` of the tool for a command.
#[track_caller]
fn parameters_of(command: Command) -> Value {
    let bench = empty_bench();
    bench.has(command);
    let parameters = bench.agent().only_tool().parameters.unwrap();
    assert!(jsonschema::meta::is_valid(&parameters), "no JSON Schema: {parameters}");
    parameters
}

/// A command with an argument of each kind.
fn of_each_kind(mode: Argument) -> Command {
    callable("notes.make")
        .argument(Argument::text("path").required())
        .argument(Argument::number("count"))
        .argument(Argument::boolean("pinned"))
        .argument(mode)
}

fn mode() -> Argument {
    Argument::choice("mode", ["preview", "permanent"])
}

/// - **WHEN** `notes.ping` is made a tool.
/// - **THEN** its `parameters` are `{"type":"object","properties":{},"required":[]}`.
#[test]
fn no_arguments() {
    let parameters = parameters_of(callable("notes.ping"));
    assert_eq!(parameters, json!({ "type": "object", "properties": {}, "required": [] }));
}

/// - **WHEN** a command with `path` text and required, `count` number, `pinned` boolean and `mode` choice is
///   made a tool.
/// - **THEN** their types are `string`, `number`, `boolean` and `string`, and `mode` has its choices as
///   `enum`.
/// - **AND** its `required` is `["path"]`.
#[test]
fn each_kind_of_argument() {
    let parameters = parameters_of(of_each_kind(mode()));
    assert_eq!(parameters["type"], "object");
    assert_eq!(
        parameters["properties"],
        json!({
            "path": { "type": "string" },
            "count": { "type": "number" },
            "pinned": { "type": "boolean" },
            "mode": { "type": "string", "enum": ["preview", "permanent"] },
        })
    );
    assert_eq!(parameters["required"], json!(["path"]));
}

/// - **WHEN** a command with a list argument of each kind is made a tool.
/// - **THEN** each is an `array` whose `items` has the type of the kind, and the `enum` of the choice is in
///   its `items`.
#[test]
fn every_list_has_items() {
    let parameters = parameters_of(
        callable("notes.make")
            .argument(Argument::text("paths").list())
            .argument(Argument::number("counts").list())
            .argument(Argument::boolean("pins").list())
            .argument(Argument::choice("modes", ["preview", "permanent"]).list()),
    );
    assert_eq!(
        parameters["properties"],
        json!({
            "paths": { "type": "array", "items": { "type": "string" } },
            "counts": { "type": "array", "items": { "type": "number" } },
            "pins": { "type": "array", "items": { "type": "boolean" } },
            "modes": { "type": "array", "items": { "type": "string", "enum": ["preview", "permanent"] } },
        })
    );
}

/// - **GIVEN** optional choice arguments whose sources give no choices, and `preview`, the empty string and
///   `preview` again.
/// - **WHEN** the command is made a tool.
/// - **THEN** its schema holds the single `enum` `["preview"]`.
#[test]
fn choices_from_a_source() {
    let given = || ["preview", "", "preview"].map(String::from).to_vec();
    let parameters = parameters_of(
        callable("notes.make")
            .argument(Argument::choice_from("none", Vec::new))
            .argument(Argument::choice_from("mode", given)),
    );
    let mut enums = Vec::new();
    each_object(&parameters, &mut |object| enums.extend(object.get("enum").cloned()));
    assert_eq!(enums, [json!(["preview"])]);
}

/// - **WHEN** a command with every kind of argument is made a tool.
/// - **THEN** its schema holds none of `$schema`, `$ref`, `oneOf`, `anyOf`, `allOf` and
///   `additionalProperties`.
#[test]
fn no_keyword_beyond() {
    let lists = [Argument::text("tags").list(), Argument::choice("colours", ["red"]).list()];
    let parameters =
        parameters_of(of_each_kind(mode()).argument(Argument::integer("volume", 0..=100)).arguments(lists));
    let mut keywords = Vec::new();
    each_object(&parameters, &mut |object| keywords.extend(object.keys().cloned()));
    assert!(keywords.iter().any(|keyword| keyword == "enum"), "{keywords:?}");
    for beyond in ["$schema", "$ref", "oneOf", "anyOf", "allOf", "additionalProperties"] {
        assert!(!keywords.iter().any(|keyword| keyword == beyond), "{beyond} in {parameters}");
    }
}

/// Visits every object within a value, itself included.
fn each_object(value: &Value, visit: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            visit(fields);
            fields.values().for_each(|value| each_object(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|value| each_object(value, visit)),
        _ => {}
    }
}

/// - **GIVEN** the argument `path`, described as `Where the note is`, and `mode` without a description.
/// - **WHEN** the command is made a tool.
/// - **THEN** `path` has that `description` and `mode` has none.
#[test]
fn argument_descriptions_are_carried() {
    let path = Argument::text("path").description("Where the note is");
    let properties = &parameters_of(callable("notes.open").argument(path).argument(mode()))["properties"];
    assert_eq!(properties["path"]["description"], "Where the note is");
    assert!(properties["mode"].is_object());
    assert_eq!(properties["mode"].get("description"), None);
}

/// - **GIVEN** `notes.ping` with the title `Ping` and no description.
/// - **WHEN** it is made a tool.
/// - **THEN** the tool's description is `Ping`, and the declaration in the workbench still has none.
#[test]
fn the_title_as_description() {
    let untold = empty_bench();
    untold.has(Command::new("notes.ping", "Ping").callable());
    assert_eq!(untold.agent().only_tool().description, "Ping");
    let account = untold.copilot.invocable_commands();
    assert_eq!((account.len(), &account[0].description), (1, &None));
    // If there is a description, it is the tool's.
    assert_eq!(bench().agent().list()[1].description, "What it does.");
}

/// - **WHEN** `notes.open`, described as `Opens a note.` and answering `What was opened`, is made a tool.
/// - **THEN** the tool's description is `Opens a note.` and, on a second line, `Returns: What was opened`.
#[test]
fn the_answer_in_the_description() {
    let bench = empty_bench();
    bench.has(
        Command::new("notes.open", "Open").description("Opens a note.").answers("What was opened").callable(),
    );
    assert_eq!(bench.agent().only_tool().description, "Opens a note.\nReturns: What was opened");
}
