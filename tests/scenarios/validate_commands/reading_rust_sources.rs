//! The check SHALL read the builder calls, the derives and the constants of Rust sources without building them.

use drawloom_validate::FindingStatus;
use serde_json::json;

use super::support::{offer, only, place, report, report_of, rules};

/// - **GIVEN** `notes.open` in line 3, callable and described, with the described arguments `path` and `mode`, which
///   answers `The note`.
/// - **WHEN** the directory is judged.
/// - **THEN** the one finding is for `notes.open` at `notes.rs`, line 3, and says that it is offered with 2 of 2
///   arguments described and answers `The note`.
#[test]
fn a_builder_chain() {
    let report = report_of(
        r#"fn register(notes: &PluginContext) -> Result<Registration, RegisterError> {
    notes.register(Command::new("notes.open", "Title")
        .description("Opens a note.")
        .argument(Argument::text("path").description("Where the note is").required())
        .argument(Argument::choice("mode", ["preview", "permanent"]).description("How to open it"))
        .answers("The note")
        .callable(), |call: Call| async move { Ok(call.text("path")?.to_owned()) })
}"#,
    );
    let finding = only(&report);
    assert_eq!(finding.command.as_deref(), Some("notes.open"));
    assert_eq!(place(finding), ("notes.rs", 3));
    let FindingStatus::Offered(offer) = &finding.status else { panic!("{finding:#?}") };
    assert_eq!((offer.described_arguments, offer.arguments), (2, 2));
    assert_eq!((&*offer.tool_name, offer.answers.as_deref()), ("notes__open", Some("The note")));
    assert_eq!(rules(finding), [""; 0]);
}

/// - **GIVEN** `ids.rs` with constants for an id, a description and a list of choices, which `notes.rs` uses by path, by
///   import and under another name.
/// - **WHEN** the directory is judged.
/// - **THEN** each command has the id, the description and the choices of the constants.
#[test]
fn constants_as_ids_and_texts() {
    let ids = r#"
pub const OPEN: &str = "notes.open";
pub const CLOSE: &str = concat!("notes.", "close");
pub const MODES: &[&str] = &["preview", ""];
pub struct Texts;
impl Texts { pub const ABOUT: &'static str = "About notes."; }
"#;
    let notes = r#"
use crate::ids::{self, CLOSE, MODES as KINDS, Texts};
use drawloom::command::{Argument, Command as Declaration};
const OTHER: &str = ids::OPEN;
fn commands() -> Vec<Declaration> {
    let title = "Title";
    vec![
        Declaration::new(ids::OPEN, title).description(Texts::ABOUT).callable(),
        Declaration::new(CLOSE.to_owned(), title).description(Texts::ABOUT).callable()
            .argument(Argument::choice("mode", KINDS.iter().copied()).description("How")),
        Declaration::new(OTHER, title).description(Texts::ABOUT).callable(),
    ]
}
"#;
    let report = report(&[("src/ids.rs", ids), ("src/notes.rs", notes)]);
    let [open, close, other] = &report.findings[..] else { panic!("{report:#?}") };
    let ids = [open, close, other].map(|finding| finding.command.as_deref());
    assert_eq!(ids, [Some("notes.open"), Some("notes.close"), Some("notes.open")]);
    assert_eq!(rules(open), [""; 0], "it has the description");
    assert_eq!(rules(close), ["empty-choice"], "its second choice is empty");
    assert_eq!(rules(other), ["duplicate-id"]);
}

/// - **GIVEN** `types.rs` with a struct that derives `CommandArguments` and an enum that derives `Choice`, and commands that
///   are registered with a closure, a function and a named type that take the struct, and one with a handler that takes the
///   application's state.
/// - **WHEN** the directory is judged.
/// - **THEN** the first three have the arguments that the program declares (their names, their descriptions, which of them
///   are required, and their choices), and the last one has none.
#[test]
fn the_argument_type_of_a_handler() {
    let types = r#"
#[derive(Debug, CommandArguments)]
#[argument(rename_all = "camelCase")]
pub struct OpenNote {
    /// Where the note
    /// is.
    ///
    /// For the reader of the code.
    pub note_path: String,
    pub mode: Option<Mode>,
    #[argument(rename = "labels", description = "Labels", default)]
    pub tags: Vec<String>,
}
#[derive(Choice)]
pub enum Mode { Preview, #[choice(rename = "kept")] Permanent }
"#;
    let notes = r#"
use crate::types::OpenNote;
fn register(notes: &PluginContext) {
    let command = Command::new("notes.open", "Title").description("Opens.").answers("It").callable();
    notes.register_typed(command, |args: OpenNote, _call| async move { Ok(args.note_path) }).unwrap().keep();
    notes.register_typed(Command::new("notes.close", "Title").description("Closes.").callable(), close);
    notes.register_typed::<OpenNote, _, _, _>(Command::new("notes.move", "Title").description("Moves.").callable(),
        |args, _| async move { Ok(()) });
    notes.with_state(Editor::new()).register(Command::new("notes.save", "Title").description("Saves.").callable(),
        |call: Call<Editor>| async move { Ok(()) });
}
struct Editor;
async fn close(args: crate::types::OpenNote, _: Call) -> Result<(), HandlerError> { Ok(()) }
"#;
    let report = report(&[("types.rs", types), ("notes.rs", notes)]);
    let [typed @ .., with_state] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!((offer(with_state).arguments, typed.len()), (0, 3));
    for finding in typed {
        let parameters = &offer(finding).parameters;
        let properties = &parameters["properties"];
        assert_eq!(properties.as_object().unwrap().len(), 3, "{parameters:#}");
        assert_eq!(properties["notePath"]["description"], "Where the note is.");
        assert_eq!(properties["mode"]["enum"], json!(["preview", "kept"]));
        assert_eq!(
            (&properties["labels"]["type"], &properties["labels"]["description"]),
            (&json!("array"), &json!("Labels"))
        );
        assert_eq!(parameters["required"], json!(["notePath"]));
        assert_eq!(rules(finding), ["undescribed-argument"], "`mode` has no doc comment");
    }
}

/// - **GIVEN** a command whose id is a parameter, one declared in a loop over names, one by a macro of the directory, one
///   with an argument list that is collected from an iterator, and one to which a call is added under a condition.
/// - **WHEN** the directory is judged.
/// - **THEN** each is reported as could not be read, at its line, with the reason.
#[test]
fn what_only_the_running_program_knows() {
    let report = report_of(
        r#"fn one(id: &str) -> Command { Command::new(id, "Title") }
fn all(notes: &PluginContext, names: &[String]) {
    for name in names {
        notes.register(Command::new(format!("notes.{name}"), "Title"), handler);
    }
    declare!(notes, "notes.macro");
    notes.register(Command::new("notes.list", "Title").arguments(names.iter().map(|name| Argument::text(&**name))), handler);
    let mut command = Command::new("notes.step", "Title");
    if names.is_empty() { command = command.callable(); }
    notes.register(command, handler);
}
macro_rules! declare { ($notes:ident, $id:literal) => { $notes.register(Command::new($id, "Title"), handler) } }
"#,
    );
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|finding| match &finding.status {
            FindingStatus::Unreadable { reason } => {
                (finding.location.as_ref().unwrap().line, finding.command.as_deref(), reason.as_str())
            }
            _ => panic!("{finding:#?}"),
        })
        .collect();
    let [parameter, in_a_loop, by_macro, list, step] = &found[..] else { panic!("{found:#?}") };
    assert!(parameter.0 == 2 && parameter.2.contains("`id`"), "{parameter:?}");
    assert!(in_a_loop.0 == 5 && in_a_loop.2.contains("format!"), "{in_a_loop:?}");
    assert!(by_macro.0 == 7 && by_macro.2.contains("`declare!`"), "{by_macro:?}");
    assert_eq!((list.0, list.1), (8, Some("notes.list")), "{list:?}");
    assert!(list.2.contains("arguments"), "{list:?}");
    assert_eq!((step.0, step.1), (9, Some("notes.step")), "{step:?}");
    assert!(step.2.contains("under a condition"), "{step:?}");
    assert!(report.findings.iter().all(|finding| rules(finding) == ["unreadable-command"]));
}

/// - **GIVEN** a command for each public method of the builders of commands and arguments, which calls the method.
/// - **WHEN** the directory is judged.
/// - **THEN** none is reported as calling what is not part of the builder.
#[test]
fn every_call_of_the_builder() {
    let methods = |file: &str| -> Vec<String> {
        let path = format!("{}/../crates/drawloom-command/src/{file}", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(path).unwrap();
        let takes_itself = |signature: &&str| signature.contains("(self") || signature.contains("(mut self");
        let signatures = source.split("    pub fn ").skip(1).filter(takes_itself);
        let names = signatures.map(|signature| signature.split(['(', '<']).next().unwrap().to_owned());
        names.filter(|name| name != "declare").collect()
    };
    let (commands, arguments) = (methods("declaration/builder.rs"), methods("argument/builder.rs"));
    assert!(
        commands.contains(&"callable".to_owned()) && arguments.contains(&"required".to_owned()),
        "{commands:?}"
    );
    let commands = commands.iter().map(|method| format!("Command::new(\"a.{method}\", \"T\").{method}(x)"));
    let arguments = arguments.iter().map(|method| {
        format!("Command::new(\"b.{method}\", \"T\").argument(Argument::text(\"x\").{method}(x))")
    });
    let all: Vec<String> = commands.chain(arguments).collect();
    let report = report_of(&format!("fn commands(x: X) -> Vec<Command> {{ vec![{}] }}", all.join(", ")));
    assert_eq!(report.findings.len(), all.len());
    for finding in &report.findings {
        if let FindingStatus::Unreadable { reason } = &finding.status {
            assert!(!reason.contains("not part of the builder"), "{finding:#?}");
        }
    }
}

/// - **GIVEN** a callable command without a description in a module under `#[cfg(test)]`.
/// - **WHEN** the directory is judged.
/// - **THEN** there is no finding for it, and the report counts one command in test code.
#[test]
fn test_code() {
    let report = report_of(
        r#"#[cfg(test)]
mod tests {
    fn command() -> Command { Command::new("notes.open", "Title").callable() }
}"#,
    );
    assert_eq!(report.findings, []);
    assert_eq!(report.commands_in_tests, 1);
    // The same module in a file of its own.
    let command = "fn command() -> Command { Command::new(\"notes.open\", \"Title\") }";
    let report = super::support::report(&[
        ("src/notes.rs", "#[cfg(test)]\nmod tests;"),
        ("src/notes/tests.rs", "mod more;"),
        ("src/notes/tests/more.rs", command),
        ("src/tests.rs", command),
    ]);
    assert_eq!((place(only(&report)), report.commands_in_tests), (("src/tests.rs", 1), 1));
}

/// - **GIVEN** `std::process::Command::new("ls")`, and `Command::new("ls")` in a file that imports
///   `std::process::Command`.
/// - **WHEN** the directory is judged.
/// - **THEN** there is no finding.
#[test]
fn other_types_named_command() {
    let report = report(&[
        ("a.rs", "fn a() { std::process::Command::new(\"ls\").arg(\"x\").spawn(); }"),
        (
            "b.rs",
            "use std::process::Command; fn b() { Command::new(\"ls\").spawn(); run(Command::new(\"a\", \"b\")); }",
        ),
    ]);
    assert_eq!(report.findings, []);
}
