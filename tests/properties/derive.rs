//! Declared as a type, by hand and in a workbench file, a command is the same command: described alike, and with the
//! same outcome whatever it is called with.

use std::sync::LazyLock;

use drawloom::command::{
    Argument, CommandArgument, CommandArgumentValue, CommandScalar, Number, RegistrationId,
};
use drawloom::prelude::*;
use drawloom_replay::{FileWorkbench, TranscriptLine};
use futures::executor::block_on;
use proptest::prelude::*;
use serde::Serialize;

use drawloom::command::property::any_number;

use crate::strategies::value;

#[derive(Serialize, CommandArguments)]
struct Everything {
    /// A text.
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    paths: Vec<NotePath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<String>>,
    pinned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<Vec<bool>>,
    /// A mode,
    /// on two lines.
    mode: OpenMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    modes: Option<Vec<OpenMode>>,
    line: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    offsets: Option<Vec<i16>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wide: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<Number>,
    double: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    singles: Option<Vec<f32>>,
    #[argument(default)]
    tags: Vec<String>,
    #[argument(default = 20)]
    limit: u32,
}

#[derive(Serialize)]
struct NotePath(String);

impl ArgumentValue for NotePath {
    type Scalar = String;

    fn from_scalar(path: String) -> Self {
        Self(path)
    }
}

#[derive(Serialize, Choice)]
#[serde(rename_all = "kebab-case")]
enum OpenMode {
    Preview,
    ForGood,
}

const FILE: &str = r#"{
    "plugins": [
        { "id": "notes", "declares": ["contributions"], "commands": [{
            "id": "notes.open", "title": "Open note", "description": "Opens a note.", "callable": true,
            "answers": "The arguments", "behaviour": { "echo": true }, "arguments": [
                { "name": "text", "kind": "text", "required": true, "description": "A text." },
                { "name": "title", "kind": "text" },
                { "name": "paths", "kind": "text", "list": true, "required": true },
                { "name": "labels", "kind": "text", "list": true },
                { "name": "pinned", "kind": "boolean", "required": true },
                { "name": "flags", "kind": "boolean", "list": true },
                { "name": "mode", "kind": "choice", "choices": ["preview", "for-good"], "required": true,
                  "description": "A mode, on two lines." },
                { "name": "modes", "kind": "choice", "choices": ["preview", "for-good"], "list": true },
                { "name": "line", "kind": "number", "integer": true, "minimum": 0, "maximum": 255, "required": true },
                { "name": "offsets", "kind": "number", "integer": true, "minimum": -32768, "maximum": 32767,
                  "list": true },
                { "name": "signed", "kind": "number", "integer": true, "maximum": 9223372036854775807 },
                { "name": "wide", "kind": "number", "integer": true, "minimum": 0 },
                { "name": "exact", "kind": "number" },
                { "name": "double", "kind": "number", "required": true },
                { "name": "singles", "kind": "number", "list": true,
                  "minimum": -3.4028234663852886e38, "maximum": 3.4028234663852886e38 },
                { "name": "tags", "kind": "text", "list": true, "default": [] },
                { "name": "limit", "kind": "number", "integer": true, "minimum": 0, "maximum": 4294967295, "default": 20 }
            ]
        }] },
        { "id": "copilot", "declares": ["automation"] }
    ],
    "grants": { "notes": ["contributions"], "copilot": ["automation"] }
}"#;

fn by_hand() -> Vec<Argument> {
    let modes = ["preview", "for-good"];
    vec![
        Argument::text("text").description("A text.").required(),
        Argument::text("title"),
        Argument::text("paths").list().required(),
        Argument::text("labels").list(),
        Argument::boolean("pinned").required(),
        Argument::boolean("flags").list(),
        Argument::choice("mode", modes).description("A mode, on two lines.").required(),
        Argument::choice("modes", modes).list(),
        Argument::integer("line", 0..=255).required(),
        Argument::integer("offsets", i16::MIN.into()..=i16::MAX.into()).list(),
        Argument::integer("signed", i64::MIN.into()..=i64::MAX.into()),
        Argument::integer("wide", 0..=u64::MAX.into()),
        Argument::number("exact"),
        Argument::number("double").required(),
        Argument::number_within("singles", f32::MIN.into()..=f32::MAX.into()).list(),
        Argument::text("tags").list().default(Vec::<String>::new()),
        Argument::integer("limit", 0..=u32::MAX.into()).default(20),
    ]
}

/// The same command three times, each in a workbench of its own: as a type, by hand, in a file.
struct Three {
    ways: [PluginContext; 3],
    // The file's registrations are there as long as this is.
    _file: FileWorkbench,
}

static THREE: LazyLock<Three> = LazyLock::new(|| {
    let open = || {
        Command::new("notes.open", "Open note")
            .description("Opens a note.")
            .callable()
            .answers("The arguments")
    };
    let typed = copilot(|notes| {
        notes.register_typed(open(), |everything: Everything, _| async move { Ok(everything) }).unwrap()
    });
    let by_hand = copilot(|notes| {
        let command = open().arguments(by_hand());
        notes.register(command, |call| async move { Ok(call.into_arguments()) }).unwrap()
    });
    let file = FileWorkbench::load(FILE, |_: &TranscriptLine| {}).unwrap();
    Three { ways: [typed, by_hand, file.plugin("copilot").unwrap().clone()], _file: file }
});

fn copilot(register: impl FnOnce(&PluginContext) -> Registration) -> PluginContext {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    register(&notes).keep();
    workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap()
}

impl Three {
    fn outcomes(&self, arguments: &CommandArguments) -> [CommandOutcome; 3] {
        self.ways.each_ref().map(|way| as_held(block_on(way.invoke("notes.open", arguments.clone()))))
    }
}

/// What a type holds of what it is given: the nearest float.
fn as_held(outcome: CommandOutcome) -> CommandOutcome {
    let CommandOutcome::Answered { value: Some(CommandAnswer::Map(mut answer)) } = outcome else {
        return outcome;
    };
    let rounded = |answer: &mut CommandAnswer, round: fn(f64) -> f64| {
        if let CommandAnswer::Number(number) = answer {
            *number = Number::try_from(round(number.as_f64())).unwrap();
        }
    };
    answer.entry("double".to_owned()).and_modify(|double| rounded(double, |double| double));
    if let Some(CommandAnswer::List(singles)) = answer.get_mut("singles") {
        singles.iter_mut().for_each(|single| rounded(single, |single| f64::from(single as f32)));
    }
    CommandOutcome::Answered { value: Some(CommandAnswer::Map(answer)) }
}

/// A value that matches the argument.
fn matching(argument: &CommandArgument) -> BoxedStrategy<CommandArgumentValue> {
    let whole = |min: i128, max: i128| {
        (min..=max).prop_map(|whole| match u64::try_from(whole) {
            Ok(whole) => Number::from(whole),
            Err(_) => Number::from(i64::try_from(whole).unwrap()),
        })
    };
    let single = match (argument.choices(), argument.integer_range(), argument.number_range()) {
        (Some(choices), _, _) => prop::sample::select(choices.to_vec())
            .prop_map(|choice| CommandScalar::Text(choice.to_string()))
            .boxed(),
        (_, Some(range), _) => whole(range.min, range.max).prop_map(CommandScalar::Number).boxed(),
        (_, _, Some(range)) => {
            (range.min()..=range.max()).prop_map(|value| CommandScalar::try_from(value).unwrap()).boxed()
        }
        _ => match argument.kind() {
            drawloom::command::ArgumentKind::Number => any_number().prop_map(CommandScalar::Number).boxed(),
            drawloom::command::ArgumentKind::Boolean => {
                any::<bool>().prop_map(CommandScalar::Boolean).boxed()
            }
            _ => any::<String>().prop_map(CommandScalar::Text).boxed(),
        },
    };
    if argument.is_list() {
        prop::collection::vec(single, 0..4).prop_map(CommandArgumentValue::List).boxed()
    } else {
        single.prop_map(CommandArgumentValue::Single).boxed()
    }
}

/// A call in which each argument matches, is left out or is anything, by these weights.
fn call(matches: u32, absent: u32, hostile: u32) -> impl Strategy<Value = CommandArguments> {
    let given: Vec<_> = by_hand()
        .into_iter()
        .map(CommandArgument::from)
        .map(|argument| {
            let absent = if argument.is_required() { absent.min(hostile) } else { absent };
            let value = prop_oneof![
                matches => matching(&argument).prop_map(Some),
                absent => Just(None),
                hostile => value().prop_map(Some),
            ];
            value.prop_map(move |value| value.map(|value| (argument.name().to_owned(), value)))
        })
        .collect();
    let undeclared = prop_oneof![
        9 => Just(None),
        hostile => ("[a-z]{1,6}", value()).prop_map(Some),
    ];
    (given, undeclared)
        .prop_map(|(given, undeclared)| given.into_iter().chain([undeclared]).flatten().collect())
}

#[test]
fn the_three_are_described_alike() {
    let registration = RegistrationId::unique();
    let [typed, by_hand, file] = THREE.ways.each_ref().map(|way| {
        let mut commands = way.invocable_commands();
        assert_eq!(commands.len(), 1);
        let mut command = commands.remove(0);
        command.registration = registration;
        command
    });
    assert_eq!(typed, by_hand);
    assert_eq!(typed, file);
    let written = [&typed, &by_hand, &file].map(|command| serde_json::to_string(command).unwrap());
    assert!(written.iter().all(|one| *one == written[0]));
}

proptest! {
    #[test]
    fn and_answer_alike_what_matches(arguments in call(3, 1, 0)) {
        let [typed, by_hand, file] = THREE.outcomes(&arguments);
        let is_answered = matches!(typed, CommandOutcome::Answered { .. });
        prop_assert!(is_answered, "{typed:?}");
        prop_assert_eq!(&typed, &by_hand);
        prop_assert_eq!(&typed, &file);
    }

    #[test]
    fn and_end_alike_whatever_they_are_given(arguments in call(30, 4, 1)) {
        let [typed, by_hand, file] = THREE.outcomes(&arguments);
        prop_assert_eq!(&typed, &by_hand);
        prop_assert_eq!(&typed, &file);
    }
}
