//! A command SHALL be able to state a category, the name of an icon and keywords. Category and keywords SHALL be
//! translated, and all three SHALL be part of every list and of no tool. A blank one SHALL be an error at
//! registration.

use drawloom::command::Command;
use drawloom::tools::tool_definition;
use drawloom::workbench::RegisterError;

use super::support::{bench_with, callable};

fn german(key: &str) -> Option<String> {
    match key {
        "menu.file" => Some("Datei".to_owned()),
        "menu.load" => Some("laden".to_owned()),
        _ => None,
    }
}

/// - **GIVEN** `notes.open` with the category `menu.file`, the icon `folder` and the keywords `menu.load` and `read`, and
///   German texts for both keys.
/// - **WHEN** it is listed for the person and for `copilot`, and made a tool.
/// - **THEN** both lists have the category and the first keyword in German, and the icon and the second keyword as they
///   are.
/// - **AND** the tool is the same as that of a command without the three.
#[test]
fn category_icon_and_keywords() {
    let bench = bench_with(|builder| builder.translator(german));
    let open = callable("notes.open");
    bench.register_idle(open.clone().category("menu.file").icon("folder").keywords(["menu.load", "read"]));
    let person = bench.workbench.triggerable_commands().remove(0).command;
    for listed in [person, bench.entry("notes.open")] {
        assert_eq!((listed.category.as_deref(), listed.icon.as_deref()), (Some("Datei"), Some("folder")));
        assert_eq!(listed.keywords.iter().map(|word| &**word).collect::<Vec<_>>(), ["laden", "read"]);
    }
    let tool = tool_definition(&bench.entry("notes.open"));
    let plain = bench_with(|builder| builder);
    plain.register_idle(open);
    assert_eq!(tool, tool_definition(&plain.entry("notes.open")));
}

/// - **WHEN** commands with a blank category, icon, keyword and reason for not being available are registered.
/// - **THEN** each is an error that names the command and the part.
#[test]
fn a_blank_text() {
    let open = || Command::new("notes.open", "Open");
    let blank = [
        (open().category(" "), "`category`"),
        (open().icon(""), "`icon`"),
        (open().keywords(["read", "\t"]), "`keywords`"),
        (open().available_when("", || true), "`available_when`"),
    ];
    for (command, part) in blank {
        let refused = bench_with(|builder| builder).try_register(command);
        let Err(RegisterError::Declaration(error)) = refused else { panic!("{part} is accepted") };
        assert_eq!(error.code(), "empty-part");
        let message = error.to_string();
        assert!(message.contains("\"notes.open\"") && message.contains(part), "{message}");
    }
}
