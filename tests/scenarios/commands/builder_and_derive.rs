//! What the builder of an argument expresses, and what a field of a type does.
//!
//! Everything that the builder of an argument expresses SHALL be expressible as a field of a type, with an equal
//! declaration; what a derive would ignore SHALL NOT compile.

use std::sync::LazyLock;

use drawloom::command::property::assert_same_declaration;
use drawloom::command::{Argument, ChoiceSet, TypedArguments};
use drawloom::prelude::{ArgumentValue, Choice, Command, CommandArguments};
use serde::Serialize;

static NOTEBOOKS: LazyLock<ChoiceSet> = LazyLock::new(ChoiceSet::new);

fn folders() -> Vec<String> {
    vec!["inbox".to_owned()]
}

fn sections(others: &CommandArguments) -> Vec<String> {
    others.text("notebook").map(str::to_owned).into_iter().collect()
}

/// - **WHEN** defaults, labels, bounds, lengths, a secret, and choices from a source, from a set and from other arguments
///   are declared as fields and by the builder.
/// - **THEN** the two declarations are equal.
#[test]
fn the_same_declaration_either_way() {
    #[derive(Choice)]
    enum Mode {
        #[choice(label = "Only look")]
        Preview,
        Permanent,
    }

    struct Title(String);

    impl ArgumentValue for Title {
        type Scalar = String;

        fn from_scalar(title: String) -> Self {
            Self(title)
        }
    }

    impl From<Title> for String {
        fn from(title: Title) -> Self {
            title.0
        }
    }

    #[derive(CommandArguments)]
    #[expect(dead_code, reason = "only the declaration is of interest")]
    struct OpenNote {
        /// The title.
        #[argument(length = 1..=200, default = Title("Untitled".to_owned()))]
        title: Title,
        #[argument(default = Mode::Permanent)]
        mode: Mode,
        #[argument(range = 1..=100, default = 20)]
        limit: u32,
        #[argument(range = 0.0..=1.0)]
        share: Option<f64>,
        #[argument(default, length = ..=40)]
        tags: Vec<String>,
        #[argument(default)]
        pinned: bool,
        #[argument(secret)]
        key: Option<String>,
        #[argument(choices_from = folders)]
        folder: String,
        #[argument(choices_in = *NOTEBOOKS)]
        notebook: Option<String>,
        #[argument(choices_given(["notebook"], sections))]
        sections: Vec<String>,
    }

    let open = || Command::new("notes.open", "Open");
    let by_type = open().arguments(OpenNote::declare()).declare().unwrap();
    let by_hand = open()
        .argument(Argument::text("title").description("The title.").length(1..=200).default("Untitled"))
        .argument(
            Argument::choice("mode", ["preview", "permanent"])
                .label("preview", "Only look")
                .default("permanent"),
        )
        .argument(Argument::integer("limit", 1..=100).default(20))
        .argument(Argument::number_within("share", 0.0..=1.0))
        .argument(Argument::text("tags").list().length(..=40).default(Vec::<String>::new()))
        .argument(Argument::boolean("pinned").default(false))
        .argument(Argument::text("key").secret())
        .argument(Argument::choice_from("folder", folders).required())
        .argument(Argument::choice_in("notebook", &NOTEBOOKS))
        .argument(Argument::choice_given("sections", ["notebook"], sections).list().required())
        .declare()
        .unwrap();
    assert_same_declaration(&by_type, &by_hand);

    // The values are those of the declaration.
    let mut arguments = CommandArguments::new().with("folder", "inbox").with("sections", vec!["a"]);
    by_type.complete(&mut arguments);
    let taken = OpenNote::take_from(&mut arguments).unwrap();
    assert_eq!((&*taken.title.0, taken.limit, taken.mode.as_choice()), ("Untitled", 20, "permanent"));
}

/// - **WHEN** a program derives arguments for a field with `#[serde(rename = "…")]` of another name, with
///   `#[serde(default)]` alone and with `#[serde(flatten)]`, and a choice with a `#[serde(rename_all = "…")]` of another
///   case.
/// - **THEN** it does not compile, and each error names the field or the variant.
#[test]
fn attributes_that_would_be_ignored() {
    trybuild::TestCases::new().compile_fail("scenarios/ui/commands/ignored_attributes.rs");
}

/// - **WHEN** a type derives arguments and serialization, with attributes that only concern serialization or that name the
///   arguments alike.
/// - **THEN** it compiles.
#[test]
fn attributes_that_say_the_same() {
    #[derive(Serialize, Choice)]
    #[serde(rename_all = "kebab-case")]
    enum Sort {
        NewestFirst,
        #[serde(rename = "a-z")]
        #[choice(rename = "a-z")]
        Alphabetical,
    }

    #[derive(Serialize, CommandArguments)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[argument(rename_all = "camelCase")]
    struct ListNotes {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sort_by: Option<Sort>,
        #[serde(rename(serialize = "max", deserialize = "limit"))]
        limit: u8,
    }

    let names: Vec<String> = ListNotes::declare()
        .into_iter()
        .map(|argument| drawloom::command::CommandArgument::from(argument).name().to_owned())
        .collect();
    assert_eq!(names, ["sortBy", "limit"]);
    assert_eq!(Sort::CHOICES, ["newest-first", "a-z"]);
    assert_eq!(serde_json::to_value(Sort::Alphabetical).unwrap(), Sort::Alphabetical.as_choice());
    assert_eq!(serde_json::to_value(Sort::NewestFirst).unwrap(), Sort::NewestFirst.as_choice());
}
