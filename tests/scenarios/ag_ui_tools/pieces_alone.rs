//! Each part of the adapter SHALL be usable without the rest.

use drawloom::ag_ui::{
    AssemblerLimits, ErrorPlacement, Event, ToolCallAssembler, ToolMessage, read_arguments, result_for,
    tool_for, tools_for,
};
use drawloom::command::{
    Command, CommandArguments, CommandOutcome, InvocableCommand, ReadArgumentsError, RegistrationId,
};

use super::support::events::{args, end, start};

/// A command described without a workbench.
fn described(id: &str) -> InvocableCommand {
    let declared = Command::new(id, "Title").description(format!("Does {id}.")).declare().unwrap();
    declared.describe(RegistrationId::unique(), Clone::clone).unwrap()
}

/// - **GIVEN** two described commands made by hand.
/// - **WHEN** `tool_for` is given one and `tools_for` both.
/// - **THEN** the first gives its tool and the second both tools in the order given.
#[test]
fn tools_without_a_workbench() {
    let commands = [described("notes.ping"), described("notes.open")];
    let tool = tool_for(&commands[0]);
    assert_eq!((tool.name.as_str(), tool.description.as_str()), ("notes__ping", "Does notes.ping."));
    let tools = tools_for(&commands);
    assert_eq!(tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), ["notes__ping", "notes__open"]);
    assert_eq!(tools[0], tool);
}

/// - **WHEN** `read_arguments` is given `{"path":"inbox"}` and `[]`.
/// - **THEN** it gives `path` as `inbox` and then an error.
#[test]
fn arguments_without_a_call() {
    assert_eq!(read_arguments(r#"{"path":"inbox"}"#), Ok(CommandArguments::new().with("path", "inbox")));
    assert_eq!(read_arguments("[]"), Err(ReadArgumentsError::NotAnObject("a list")));
}

/// - **WHEN** `result_for` is given the call id `c1` and an outcome answered with `inbox`.
/// - **THEN** it gives a tool message for `c1` with the `content` `inbox`.
#[test]
fn results_without_a_run() {
    let outcome = CommandOutcome::Answered { value: Some("inbox".into()) };
    let message = result_for("c1", &outcome, ErrorPlacement::ErrorOnly);
    assert_eq!(message, ToolMessage::new(message.id.clone(), "c1", "inbox"));
}

/// - **WHEN** the assembler is given START, ARGS with `{}` and END for `c1` under the name `notes__ping`.
/// - **THEN** it gives one closed call with that id, that name and the text `{}`.
#[test]
fn the_assembler_by_itself() {
    let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
    for event in [start("c1", "notes__ping"), args("c1", "{}"), end("c1")] {
        assembler.accept(&Event::parse(&event.to_string()).unwrap());
    }
    let call = assembler.next_call().unwrap();
    assert_eq!((call.id.as_str(), call.name.as_str()), ("c1", "notes__ping"));
    assert_eq!(call.arguments.as_deref(), Ok("{}"));
    assert_eq!(assembler.next_call(), None);
}
