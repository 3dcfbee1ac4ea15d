//! One type SHALL provide both the declaration of a command's arguments and the values that its handler receives, and
//! a type that no declaration can state SHALL NOT compile, with an error at the location of the mistake.

use drawloom::command::property::assert_same_declaration;
use drawloom::command::{Argument, InvocableCommand, RegistrationId, TypedArguments};
use drawloom::prelude::{ArgumentValue, Call, Choice, Command, CommandArguments};
use drawloom::workbench::{CompositionIssue, RegisterError};
use schemars::JsonSchema;
use serde_json::json;

use super::support::{
    Bench, Shared, answering, assert_failed, assert_invalid, bench, bench_with, callable, wire,
};

/// What the handler of a command received, in order.
type Received<T> = Shared<Vec<T>>;

/// Registers a command whose arguments are a type, and keeps what its handler receives.
#[track_caller]
fn register<T: TypedArguments + Send + 'static>(bench: &Bench, command: Command) -> Received<T> {
    let received = Shared::new(Vec::new());
    let kept = received.clone();
    let registration = bench.notes.register_typed(command, move |arguments: T, _| {
        kept.lock().push(arguments);
        std::future::ready(Ok(()))
    });
    registration.unwrap().keep();
    received
}

/// A description that does not say which registration it is of.
fn described(bench: &Bench, id: &str) -> InvocableCommand {
    let mut entry = bench.entry(id);
    entry.registration = RegistrationId::unique();
    entry
}

/// Both descriptions under one registration, so that only what is declared can tell them apart.
#[track_caller]
fn assert_described_alike(one: InvocableCommand, mut other: InvocableCommand) {
    other.registration = one.registration;
    assert_eq!(one, other);
}

#[derive(Debug, PartialEq, Choice)]
enum OpenMode {
    Preview,
    Permanent,
}

/// - **GIVEN** `notes.open`, whose arguments are a struct with the fields `path`, `mode` and `tags`, and
///   the same declared by hand.
/// - **WHEN** both are described, and the one with the struct is invoked with the three arguments.
/// - **THEN** the two descriptions are equal, and its handler receives the three values in the struct's
///   fields.
#[test]
fn one_struct_is_both() {
    #[derive(Debug, PartialEq, CommandArguments)]
    struct OpenNote {
        /// Where the note is.
        path: String,
        /// How to open it.
        mode: Option<OpenMode>,
        /// Labels to filter by.
        tags: Vec<String>,
    }
    let (typed, by_hand) = (bench(), bench());
    let received = register::<OpenNote>(&typed, callable("notes.open"));
    by_hand.register_idle(
        callable("notes.open")
            .argument(Argument::text("path").description("Where the note is.").required())
            .argument(Argument::choice("mode", ["preview", "permanent"]).description("How to open it."))
            .argument(Argument::text("tags").list().description("Labels to filter by.").required()),
    );

    typed.invoke("notes.open", r#"{"path":"inbox","mode":"permanent","tags":["a","b"]}"#);

    assert_described_alike(described(&typed, "notes.open"), described(&by_hand, "notes.open"));
    let expected = OpenNote {
        path: "inbox".to_owned(),
        mode: Some(OpenMode::Permanent),
        tags: vec!["a".to_owned(), "b".to_owned()],
    };
    assert_eq!(*received.lock(), [expected]);
}

/// - **GIVEN** a struct with an optional text, an optional list, a list with a default and a number with
///   the default 20.
/// - **WHEN** the command is invoked without arguments.
/// - **THEN** the handler receives no text, no list, the empty list and 20.
#[test]
fn omitted_fields() {
    #[derive(Debug, PartialEq, CommandArguments)]
    struct Find {
        text: Option<String>,
        paths: Option<Vec<String>>,
        #[argument(default)]
        tags: Vec<String>,
        #[argument(default = 20)]
        limit: u32,
    }
    let bench = bench();
    let received = register::<Find>(&bench, callable("notes.find"));

    bench.invoke("notes.find", "{}");

    assert_eq!(*received.lock(), [Find { text: None, paths: None, tags: Vec::new(), limit: 20 }]);
}

/// - **GIVEN** `notes.show`, whose struct has the field `line` of the type `u8`.
/// - **WHEN** it is invoked with `line` as 300, as -1, as 1.5 and as 255.
/// - **THEN** the first three are refused as `invalid-arguments`, naming `line`, and the handler
///   receives 255 alone.
/// - **AND** the published schema of `line` is an integer from 0 to 255.
#[test]
fn an_integer_field_is_checked() {
    #[derive(Debug, PartialEq, CommandArguments)]
    struct Show {
        line: u8,
    }
    let bench = bench();
    let received = register::<Show>(&bench, callable("notes.show"));

    for unfit in ["300", "-1", "1.5"] {
        assert_invalid(&bench.invoke("notes.show", &format!("{{\"line\":{unfit}}}")), &["line"]);
    }
    let shown = bench.invoke("notes.show", "{\"line\":255}");

    assert_eq!(wire(&shown), r#"{"outcome":"answered"}"#);
    assert_eq!(*received.lock(), [Show { line: 255 }]);
    let schema = bench.entry("notes.show").parameters();
    assert_eq!(schema["properties"]["line"], json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
}

/// - **GIVEN** a field with a doc comment of two paragraphs, and another with a doc comment and the
///   description `notes.mode`.
/// - **WHEN** the command is described while the translator knows `notes.mode` as `How to open it`.
/// - **THEN** the first reads as its first paragraph on one line and the second as `How to open it`.
#[test]
fn doc_comments_describe() {
    #[derive(CommandArguments)]
    #[expect(dead_code, reason = "nothing is invoked")]
    struct OpenNote {
        /// The note's path below the notebook,
        /// for example `inbox/today`.
        ///
        /// What is said here is for whoever reads the code.
        path: String,
        /// What is said here is, too.
        #[argument(description = "notes.mode")]
        mode: Option<OpenMode>,
    }
    let known = |key: &str| (key == "notes.mode").then(|| "How to open it".into());
    let bench = bench_with(|builder| builder.translator(known));
    register::<OpenNote>(&bench, callable("notes.open"));

    let entry = bench.entry("notes.open");

    let descriptions: Vec<_> =
        entry.arguments.iter().map(|one| one.description.as_deref().unwrap()).collect();
    assert_eq!(
        descriptions,
        ["The note's path below the notebook, for example `inbox/today`.", "How to open it"]
    );
}

/// - **GIVEN** a struct in camel case with the field `line_to_show`, and the field `path` renamed to
///   `note`.
/// - **WHEN** it is invoked with `lineToShow` and `note`.
/// - **THEN** the handler receives both values in those fields.
#[test]
fn names_of_fields() {
    #[derive(Debug, PartialEq, CommandArguments)]
    #[argument(rename_all = "camelCase")]
    struct Show {
        line_to_show: u32,
        #[argument(rename = "note")]
        path: String,
    }
    let bench = bench();
    let received = register::<Show>(&bench, callable("notes.show"));

    bench.invoke("notes.show", r#"{"lineToShow":7,"note":"inbox"}"#);

    assert_eq!(*received.lock(), [Show { line_to_show: 7, path: "inbox".to_owned() }]);
}

/// - **GIVEN** a callable command and one that is not, each of a struct whose field `path` has no
///   description.
/// - **WHEN** both are registered and the issues of the composition are listed.
/// - **THEN** one issue is about `path`, naming the callable command.
#[test]
fn a_field_without_description() {
    #[derive(CommandArguments)]
    #[expect(dead_code, reason = "nothing is invoked")]
    struct OpenNote {
        path: String,
        /// How to open it.
        mode: Option<OpenMode>,
    }
    let bench = bench();
    register::<OpenNote>(&bench, callable("notes.open"));
    register::<OpenNote>(&bench, Command::new("notes.peek", "Peek"));

    let issues = bench.workbench.composition_issues();

    let expected = CompositionIssue::ArgumentWithoutDescription {
        command: "notes.open".into(),
        argument: "path".into(),
    };
    assert_eq!(issues, [expected]);
}

/// - **GIVEN** the enum with the variants `NewestFirst` and `Alphabetical`, the latter renamed to `a-z`.
/// - **WHEN** a command with a field of that type is described, and invoked with `a-z`.
/// - **THEN** the choices read `newest-first` and `a-z`, and the handler receives `Alphabetical`.
#[test]
fn an_enum_is_a_choice() {
    #[derive(Debug, PartialEq, Choice)]
    enum Order {
        NewestFirst,
        #[choice(rename = "a-z")]
        Alphabetical,
    }
    #[derive(Debug, PartialEq, CommandArguments)]
    struct List {
        order: Order,
    }
    let bench = bench();
    let received = register::<List>(&bench, callable("notes.list"));

    bench.invoke("notes.list", r#"{"order":"a-z"}"#);

    let schema = bench.entry("notes.list").parameters();
    assert_eq!(schema["properties"]["order"]["enum"], json!(["newest-first", "a-z"]));
    assert_eq!(*received.lock(), [List { order: Order::Alphabetical }]);
    assert_eq!(Order::NewestFirst.as_choice(), "newest-first");
}

/// - **GIVEN** a newtype over text that states text as its scalar, and a list of them as the field
///   `paths`.
/// - **WHEN** the command is described, and invoked with two texts.
/// - **THEN** `paths` is a list of texts, and the handler receives two of the newtype.
#[test]
fn a_newtype_over_a_scalar() {
    #[derive(Debug, PartialEq)]
    struct NotePath(String);

    impl ArgumentValue for NotePath {
        type Scalar = String;

        fn from_scalar(path: String) -> Self {
            Self(path)
        }
    }

    #[derive(Debug, PartialEq, CommandArguments)]
    struct Delete {
        paths: Vec<NotePath>,
    }
    let bench = bench();
    let received = register::<Delete>(&bench, callable("notes.delete"));

    bench.invoke("notes.delete", r#"{"paths":["a","b"]}"#);

    let schema = bench.entry("notes.delete").parameters();
    assert_eq!(schema["properties"]["paths"], json!({ "type": "array", "items": { "type": "string" } }));
    let paths = vec![NotePath("a".to_owned()), NotePath("b".to_owned())];
    assert_eq!(*received.lock(), [Delete { paths }]);
}

/// - **GIVEN** a command that declares `note` by hand, with choices that are read each time, and whose
///   struct has the field `mode`.
/// - **WHEN** it is invoked with both.
/// - **THEN** the handler receives `mode` in the struct and finds `note` in the call.
#[test]
fn arguments_beside_the_struct() {
    #[derive(CommandArguments)]
    struct Open {
        mode: OpenMode,
    }
    let bench = bench();
    let open = callable("notes.open").argument(Argument::choice_from("note", || vec!["inbox".into()]));
    let opened =
        bench.notes.register_typed(open.answers("What was opened"), |open: Open, call: Call| async move {
            Ok(format!(
                "{} as {}, {} left",
                call.text("note")?,
                open.mode.as_choice(),
                call.arguments().len()
            ))
        });
    opened.unwrap().keep();

    let outcome = bench.invoke("notes.open", r#"{"note":"inbox","mode":"preview"}"#);

    assert_eq!(wire(&outcome), r#"{"outcome":"answered","value":"inbox as preview, 1 left"}"#);
}

/// - **GIVEN** two commands with a struct and a declared answer, whose handlers return a struct of plain
///   data and NaN.
/// - **WHEN** each is invoked.
/// - **THEN** the first is answered with that data and the second is failed.
#[test]
fn what_a_typed_handler_answers() {
    #[derive(CommandArguments)]
    struct Measure {
        path: String,
    }
    #[derive(serde::Serialize)]
    struct Measured {
        path: String,
        words: u64,
    }
    let bench = bench();
    let plain = |measure: Measure, _| std::future::ready(Ok(Measured { path: measure.path, words: 3 }));
    bench.notes.register_typed(answering("notes.measure"), plain).unwrap().keep();
    let no_number = |_: Measure, _| std::future::ready(Ok(f64::NAN));
    bench.notes.register_typed(answering("notes.weigh"), no_number).unwrap().keep();

    let measured = bench.invoke("notes.measure", r#"{"path":"inbox"}"#);
    let weighed = bench.invoke("notes.weigh", r#"{"path":"inbox"}"#);

    assert_eq!(wire(&measured), r#"{"outcome":"answered","value":{"path":"inbox","words":3}}"#);
    assert_failed(weighed);
}

/// - **WHEN** a program derives the arguments of a struct with dates, maps, characters, references,
///   lists of lists and options of options.
/// - **THEN** it does not compile, each error pointing at a field's type and saying what is allowed.
#[test]
fn a_field_outside_the_set() {
    let programs = trybuild::TestCases::new();
    programs.compile_fail("scenarios/ui/commands/typed/a_field_outside_the_set.rs");
    programs.compile_fail("scenarios/ui/commands/typed/a_newtype_outside_the_set.rs");
    programs.compile_fail("scenarios/ui/commands/typed/a_set_of_ones_own.rs");
}

/// - **WHEN** programs derive arguments for a type without named fields, with two arguments of one name,
///   with wrong attributes or with a wrong default.
/// - **THEN** none of them compiles.
#[test]
fn structs_unfit_as_arguments() {
    let programs = trybuild::TestCases::new();
    programs.compile_fail("scenarios/ui/commands/typed/a_struct_without_named_fields.rs");
    programs.compile_fail("scenarios/ui/commands/typed/arguments_named_alike.rs");
    programs.compile_fail("scenarios/ui/commands/typed/attributes_that_say_nothing.rs");
    programs.compile_fail("scenarios/ui/commands/typed/a_default_that_does_not_fit.rs");
    programs.compile_fail("scenarios/ui/commands/typed/a_type_that_declares_nothing.rs");
}

/// - **WHEN** programs derive a choice for an enum that carries data, that is empty, or that has two
///   variants of one name.
/// - **THEN** none of them compiles.
#[test]
fn enums_unfit_as_choices() {
    let programs = trybuild::TestCases::new();
    programs.compile_fail("scenarios/ui/commands/typed/a_choice_that_carries_data.rs");
    programs.compile_fail("scenarios/ui/commands/typed/a_choice_without_variants.rs");
    programs.compile_fail("scenarios/ui/commands/typed/choices_named_alike.rs");
}

/// - **GIVEN** a type with a JSON Schema of a required text and an optional enum.
/// - **WHEN** a command is registered with the arguments of that schema and described.
/// - **THEN** it takes a required text and an optional choice of the enum's names.
#[test]
fn a_schema_becomes_arguments() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema of the type is of interest")]
    enum Mode {
        Preview,
        Permanent,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema of the type is of interest")]
    struct OpenNote {
        /// Where the note is.
        path: String,
        mode: Option<Mode>,
    }
    let bench = bench();
    bench.register_idle(callable("notes.open").arguments_from_schema_of::<OpenNote>());

    assert_eq!(
        bench.entry("notes.open").parameters(),
        json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "Where the note is." },
                "mode": { "type": "string", "enum": ["Preview", "Permanent"] },
            },
            "required": ["path"],
        })
    );
}

/// - **WHEN** a command is registered with the arguments of a type whose JSON Schema has a map in the
///   field `labels`.
/// - **THEN** the registration is an error that names the command and `/properties/labels`.
#[test]
fn a_schema_outside_the_set() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema of the type is of interest")]
    struct OpenNote {
        path: String,
        labels: std::collections::BTreeMap<String, String>,
    }

    let refused = bench().try_register(callable("notes.open").arguments_from_schema_of::<OpenNote>());

    let Err(RegisterError::Declaration(error)) = refused else { panic!("it was registered") };
    assert!(error.to_string().contains("\"notes.open\""), "{error}");
    assert!(error.to_string().contains("\"/properties/labels\""), "{error}");
}

/// - **WHEN** a command is registered with a schema whose `due` is a date, whose `labels` is an object
///   and whose `path` is a text.
/// - **THEN** the registration is one error that names `/properties/due/format` and
///   `/properties/labels`.
#[test]
fn all_problems_of_a_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "due": { "type": "string", "format": "date" },
            "labels": { "type": "object" },
            "path": { "type": "string" },
        },
    });

    let refused = bench().try_register(callable("notes.open").arguments_from_schema(&schema));

    let Err(RegisterError::Declaration(error)) = refused else { panic!("it was registered") };
    let text = error.to_string();
    assert!(text.contains("\"/properties/due/format\"") && text.contains("\"/properties/labels\""), "{text}");
    assert!(!text.contains("/properties/path"), "{text}");
}

/// - **GIVEN** a schema whose text may be empty, whose list may be empty, whose properties are not the
///   only ones, and whose number has examples.
/// - **WHEN** a command is registered with the arguments of that schema.
/// - **THEN** the registration succeeds, and the declaration lists the examples as a keyword that it does
///   not keep.
#[test]
fn a_schema_with_less_to_say() {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "minLength": 0 },
            "list": { "type": "array", "items": { "type": "string" }, "minItems": 0 },
            "number": { "type": "number", "examples": [7] },
        },
        "additionalProperties": true,
    });
    let open = || callable("notes.open").arguments_from_schema(&schema);

    assert_eq!(bench().try_register(open()), Ok(()));

    assert_eq!(open().declare().unwrap().ignored_keywords(), ["/properties/number/examples"]);
}

/// - **GIVEN** a schema with a default, a length, a secret (`writeOnly`) and titles of its choices.
/// - **WHEN** a command is registered with the arguments of that schema.
/// - **THEN** its declaration equals the same arguments declared by the builder, and no keyword is lost.
#[test]
fn what_a_schema_says_is_kept() {
    let schema = json!({
        "type": "object",
        "properties": {
            "key": { "type": "string", "writeOnly": true },
            "limit": { "type": "integer", "minimum": 1, "maximum": 9, "default": 5 },
            "mode": { "oneOf": [{ "const": "preview", "title": "Only look" }, { "const": "permanent" }] },
            "title": { "type": "string", "minLength": 1, "maxLength": 200 },
        },
        "required": ["title"],
    });
    let open = callable("notes.open").arguments_from_schema(&schema);
    assert_eq!(bench().try_register(open.clone()), Ok(()));

    let by_hand = callable("notes.open")
        .argument(Argument::text("key").secret())
        .argument(Argument::integer("limit", 1..=9).default(5))
        .argument(Argument::choice("mode", ["preview", "permanent"]).label("preview", "Only look"))
        .argument(Argument::text("title").length(1..=200).required());
    let open = open.declare().unwrap();
    assert_same_declaration(&open, &by_hand.declare().unwrap());
    assert_eq!(open.ignored_keywords(), [""; 0]);
}
