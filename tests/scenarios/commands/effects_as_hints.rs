//! A command SHALL be able to state what it does: that it only reads, changes or destroys something, and in addition
//! that it is idempotent, that it acts outside the application, that its answer contains text that must not be
//! trusted, and that it cannot be undone. The statement SHALL be part of every description of the command, and the
//! workbench SHALL NOT act on it.

use drawloom::command::{CommandAccess, CommandOutcome, Effects};
use drawloom::tools::tool_definition;
use drawloom::workbench::RegisterError;
use serde_json::{Value, json};

use super::support::{bench, callable};

/// - **GIVEN** `notes.mail`, which states that it changes something outside the application and cannot be undone, and
///   `notes.ping`, which states nothing.
/// - **WHEN** both are listed and offered to `copilot`.
/// - **THEN** the list and the offer of `notes.mail` state these effects, and those of `notes.ping` state none.
#[test]
fn effects_are_described() {
    let bench = bench();
    let effects = Effects::changes().outside().irreversible();
    bench.register_idle(callable("notes.mail").effects(effects));
    bench.register_idle(callable("notes.ping"));
    for (id, stated) in [("notes.mail", Some(effects)), ("notes.ping", None)] {
        assert_eq!(bench.entry(id).effects, stated);
        assert_eq!(bench.copilot.offer(&id.into()).unwrap().effects, stated);
    }
    let listed = serde_json::to_value(bench.entry("notes.mail")).unwrap();
    assert_eq!(listed["effects"], json!({ "kind": "changes", "outside": true, "irreversible": true }));
}

/// - **WHEN** a command is registered that states that it only reads and that it cannot be undone.
/// - **THEN** the registration is an error that names the command and says which of the two to leave out.
#[test]
fn reading_that_cannot_be_undone() {
    let contradictory = callable("notes.find").effects(Effects::reads().irreversible());
    let Err(RegisterError::Declaration(error)) = bench().try_register(contradictory) else {
        panic!("registered")
    };
    assert_eq!(error.code(), "contradictory-effects");
    let message = error.to_string();
    assert!(message.contains("\"notes.find\"") && message.contains("leave out `irreversible`"), "{message}");
}

/// - **GIVEN** `notes.clear`, which states that it destroys something, acts outside and cannot be undone.
/// - **WHEN** `copilot` invokes it.
/// - **THEN** it has run.
#[test]
fn effects_decide_nothing() {
    let bench = bench();
    let runs =
        bench.register_idle(callable("notes.clear").effects(Effects::destroys().outside().irreversible()));
    assert_eq!(bench.invoke("notes.clear", "{}"), CommandOutcome::Answered { value: None });
    assert_eq!(runs.count(), 1);
}

/// - **WHEN** commands that state that they read, change, destroy, and change something outside idempotently are made
///   tools.
/// - **THEN** the first is annotated as read-only in a closed world, the second as neither read-only nor destructive, the
///   third as destructive, and the last as idempotent in an open world.
/// - **AND** a command that states no effects has no annotations.
#[test]
fn annotations_of_the_model_context_protocol() {
    let bench = bench();
    bench.register_idle(callable("a").effects(Effects::reads()));
    bench.register_idle(callable("b").effects(Effects::changes()));
    bench.register_idle(callable("c").effects(Effects::destroys()));
    bench.register_idle(callable("d").effects(Effects::changes().outside().idempotent()));
    bench.register_idle(callable("e"));
    let annotations = |id| tool_definition(&bench.entry(id)).annotations();
    let hints = |id| serde_json::to_value(annotations(id)).unwrap();
    let changing = |destructive: bool, idempotent: bool, open_world: bool| -> Value {
        json!({
            "readOnlyHint": false, "destructiveHint": destructive,
            "idempotentHint": idempotent, "openWorldHint": open_world,
        })
    };
    assert_eq!(hints("a"), json!({ "readOnlyHint": true, "openWorldHint": false }));
    assert_eq!(hints("b"), changing(false, false, false));
    assert_eq!(hints("c"), changing(true, false, false));
    assert_eq!(hints("d"), changing(false, true, true));
    assert_eq!(annotations("e"), None);
}
