//! A command SHALL be able to declare its answer as a Rust type, which gives the value, the schema and the
//! description. A handler that returns another type SHALL NOT compile. The schema SHALL be published without
//! references, and bounded; the value SHALL NOT be checked at run time.

use std::future::ready;

use drawloom::command::{AnsweringCommand, Argument, CommandOutcome, DeclaresAnswer};
use drawloom::tools::{ToolCallRequest, ToolExecutor, tool_definition};
use drawloom::workbench::RegisterError;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::support::{bench, callable, wire};

/// The note that was opened.
#[derive(Clone, Serialize, JsonSchema)]
struct OpenedNote {
    path: String,
    /// Who wrote it.
    author: Author,
}

#[derive(Clone, Serialize, JsonSchema)]
struct Author {
    name: String,
}

fn opened() -> OpenedNote {
    OpenedNote { path: "inbox".to_owned(), author: Author { name: "Ada".to_owned() } }
}

fn open() -> AnsweringCommand<OpenedNote> {
    callable("notes.open").answers_as::<OpenedNote>()
}

/// - **GIVEN** `notes.open`, which answers as a type with a doc comment and a field of another type.
/// - **WHEN** it is listed, made a tool and invoked.
/// - **THEN** the list and the tool have the schema of both types without references, the description is the doc
///   comment, and the answer is the value that the handler returned.
#[test]
fn the_type_gives_schema_and_description() {
    let bench = bench();
    bench.notes.register(open(), |_| ready(Ok(opened()))).unwrap().keep();
    let entry = bench.entry("notes.open");
    assert_eq!(entry.answers.as_deref(), Some("The note that was opened."));
    // By hand, from the two structs.
    let schema = json!({
        "title": "OpenedNote",
        "description": "The note that was opened.",
        "type": "object",
        "properties": {
            "path": { "type": "string" },
            "author": {
                "description": "Who wrote it.",
                "type": "object",
                "properties": { "name": { "type": "string" } },
                "required": ["name"],
            },
        },
        "required": ["path", "author"],
    });
    assert_eq!(entry.answer_schema.as_deref(), Some(&schema));
    assert_eq!(tool_definition(&entry).output_schema.as_deref(), Some(&schema));
    assert_eq!(
        wire(&bench.invoke("notes.open", "{}")),
        r#"{"outcome":"answered","value":{"author":{"name":"Ada"},"path":"inbox"}}"#
    );
}

/// - **WHEN** a command that answers as one type is registered with handlers that return this type and another.
/// - **THEN** the first is accepted and the second is not.
#[test]
fn another_type_does_not_compile() {
    // Two implementations would make the name below ambiguous: this compiles only if the command does not declare `u64`.
    trait Ambiguous<Marker> {
        const NAME: () = ();
    }
    struct IfItDoes;
    impl<T> Ambiguous<()> for T {}
    impl<T: DeclaresAnswer<u64>> Ambiguous<IfItDoes> for T {}
    #[allow(clippy::let_unit_value, reason = "what counts is that it compiles")]
    let _ = <AnsweringCommand<OpenedNote> as Ambiguous<_>>::NAME;

    fn accepted<A>(_: &impl DeclaresAnswer<A>) {}
    accepted::<OpenedNote>(&open());
    accepted::<u64>(&callable("notes.open"));
}

/// - **WHEN** a command that answers as a number is registered without and with a description of the answer.
/// - **THEN** the first is an error that says to describe the answer, and the second is registered.
#[test]
fn a_type_without_a_description() {
    let bench = bench();
    let register = |command: AnsweringCommand<u64>| bench.notes.register(command, |_| ready(Ok(3)));
    let refused = register(callable("notes.count").answers_as());
    let Err(RegisterError::Declaration(error)) = refused else { panic!("registered") };
    assert_eq!(error.code(), "undescribed-answer");
    assert!(error.to_string().contains("`.answers(…)`"), "{error}");
    register(callable("notes.count").answers("How many notes there are").answers_as()).unwrap().keep();
    assert_eq!(bench.entry("notes.count").answers.as_deref(), Some("How many notes there are"));
}

/// A folder, with the folders in it.
#[derive(Serialize, JsonSchema)]
struct Tree {
    children: Vec<Tree>,
}

/// - **WHEN** a command that answers as a tree, whose type contains itself, is registered.
/// - **THEN** the registration is an error that names the command and the location of the reference.
#[test]
fn a_type_that_contains_itself() {
    let tree = callable("notes.tree").answers_as::<Tree>();
    let Err(error) = tree.declare() else { panic!("declared") };
    assert_eq!(error.code(), "answer-schema");
    let message = error.to_string();
    assert!(
        message.contains("\"notes.tree\"") && message.contains("/properties/children/items"),
        "{message}"
    );
}

/// - **GIVEN** commands that answer as an object and as a number.
/// - **WHEN** both are called and their answers are taken as objects, for a protocol that requires objects.
/// - **THEN** the first is the object itself, the second is the member `answer` of an object, and each matches the schema
///   of its tool.
/// - **AND** a refused call and a command without a schema have none.
#[test]
fn a_structured_answer() {
    let bench = bench();
    bench.notes.register(open(), |_| ready(Ok(opened()))).unwrap().keep();
    let count = callable("notes.count").argument(Argument::text("word")).answers("How many there are");
    bench.notes.register(count.answers_as::<u64>(), |_| ready(Ok(3_u64))).unwrap().keep();
    bench.register_returning(callable("notes.ping").answers("A word"), "pong");

    let tools = ToolExecutor::builder(bench.copilot.clone()).build();
    let structured = |id: &str, arguments: &str| -> Option<(Value, Value)> {
        let name = drawloom::command::tool_name(id);
        let result = block_on(tools.execute(ToolCallRequest::new("c1", name, arguments)));
        let tool = tool_definition(&bench.entry(id));
        Some((tool.structured_answer(&result)?, tool.structured_schema()?))
    };
    let (answer, schema) = structured("notes.open", "{}").unwrap();
    assert_eq!(answer, json!({ "path": "inbox", "author": { "name": "Ada" } }));
    assert!(jsonschema::is_valid(&schema, &answer), "{schema}");
    let (answer, schema) = structured("notes.count", "{}").unwrap();
    assert_eq!(answer, json!({ "answer": 3 }));
    assert!(jsonschema::is_valid(&schema, &answer), "{schema}");
    assert!(!jsonschema::is_valid(&schema, &json!({ "answer": "three" })), "{schema}");

    assert_eq!(structured("notes.count", r#"{"word":1}"#), None);
    assert_eq!(structured("notes.ping", "{}"), None);
    assert!(matches!(bench.invoke("notes.ping", "{}"), CommandOutcome::Answered { value: Some(_) }));
}
