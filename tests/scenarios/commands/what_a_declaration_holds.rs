//! A command SHALL need an id, a title and a handler, and MAY add a description, arguments, the meaning of its
//! answer, whether it is callable, its statement on agent consent, an access requirement, whether it belongs in a
//! popout and whether it is context-only; everything that is omitted SHALL have the most restrictive default.

use drawloom::command::{AccessRequirement, AgentConsent, Argument, ArgumentKind, Command, CommandOutcome};
use drawloom::workbench::Window;

use super::support::bench;

/// - **GIVEN** `notes.ping`, registered with an id, a title and a handler and nothing else.
/// - **WHEN** its declaration is read and the person triggers it.
/// - **THEN** it is neither callable, nor for popouts, nor context-only, and it has run.
/// - **AND** it has no description, no arguments, no answer, no agent consent and no access requirement.
#[test]
fn omitted_parts_are_closed() {
    let bench = bench();
    let ping = Command::new("notes.ping", "Ping");
    let runs = bench.register_idle(ping.clone());
    let declaration = ping.declare().unwrap();

    assert_eq!(bench.trigger("notes.ping"), CommandOutcome::Answered { value: None });
    assert_eq!(runs.count(), 1);

    assert!(!declaration.is_callable());
    assert!(!declaration.is_popout());
    assert!(!declaration.is_context_only());
    assert_eq!(declaration.description(), None);
    assert!(declaration.arguments().is_empty());
    assert_eq!(declaration.answers(), None);
    assert_eq!(declaration.agent_consent(), None);
    assert_eq!(*declaration.access(), AccessRequirement::Anyone);

    // What is registered behaves as what was read.
    assert!(matches!(bench.invoke("notes.ping", "{}"), CommandOutcome::Refused(_)));
    assert_eq!(bench.workbench.triggerable_commands().len(), 1);
    bench.workbench.set_window(Window::Popout);
    assert!(matches!(bench.trigger("notes.ping"), CommandOutcome::Refused(_)));
    assert_eq!(runs.count(), 1);
}

/// - **GIVEN** a declaration that sets every optional part of `notes.open`.
/// - **WHEN** the declaration is read back.
/// - **THEN** each part holds the value it was given.
#[test]
fn every_part_reads_back() {
    let declaration = Command::new("notes.open", "Open note")
        .description("Opens a note.")
        .argument(Argument::text("path").description("Where the note is").required())
        .argument(Argument::choice("modes", ["preview", "permanent"]).list())
        .answers("The note that was opened")
        .callable()
        .agent_consent(AgentConsent::AskAlways)
        .all_roles(["editor", "reviewer"])
        .popout()
        .context_only()
        .declare()
        .unwrap();

    assert_eq!(declaration.id().as_str(), "notes.open");
    assert_eq!(declaration.title(), "Open note");
    assert_eq!(declaration.description(), Some("Opens a note."));
    assert_eq!(declaration.answers(), Some("The note that was opened"));
    assert!(declaration.is_callable());
    assert_eq!(declaration.agent_consent(), Some(AgentConsent::AskAlways));
    let roles = ["editor".into(), "reviewer".into()].into();
    assert_eq!(*declaration.access(), AccessRequirement::AllRoles(roles));
    assert!(declaration.is_popout());
    assert!(declaration.is_context_only());

    let [path, modes] = declaration.arguments() else { panic!("{declaration:?}") };
    assert_eq!((path.name(), path.kind()), ("path", ArgumentKind::Text));
    assert_eq!(path.description(), Some("Where the note is"));
    assert!(path.is_required() && !path.is_list());
    assert_eq!(path.choices(), None);
    assert_eq!((modes.name(), modes.kind()), ("modes", ArgumentKind::Choice));
    assert_eq!(modes.description(), None);
    assert!(!modes.is_required() && modes.is_list());
    assert_eq!(modes.choices().as_deref(), Some(["preview".into(), "permanent".into()].as_slice()));
}
