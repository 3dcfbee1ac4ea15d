//! A registration SHALL be a handle. When the handle is dropped, what it registered SHALL be removed. An id SHALL
//! belong to one registration at a time.

use drawloom::workbench::{Capability, MenuItem, Shortcut};

use crate::support::{
    assert_answered, assert_names, assert_unavailable, bench, bench_on, callable, handle_of, invocable,
    invoke, triggerable, usual,
};

/// - **GIVEN** the handles of `notes.open` and `notes.close`.
/// - **WHEN** the first is dropped, the second is disposed of, and both commands are invoked.
/// - **THEN** both are refused as `unavailable` and neither is listed.
#[test]
fn dropping_removes_the_command() {
    let bench = bench();
    let open = handle_of(&bench.notes, callable("notes.open"));
    let close = handle_of(&bench.notes, callable("notes.close"));
    assert_eq!(invocable(&bench.copilot), ["notes.close", "notes.open"]);

    drop(open);
    close.dispose();

    assert_unavailable(&invoke(&bench.copilot, "notes.open"));
    assert_unavailable(&invoke(&bench.copilot, "notes.close"));
    assert!(invocable(&bench.copilot).is_empty());
}

/// - **GIVEN** a menu item and a shortcut that name `notes.open`.
/// - **WHEN** the handle of `notes.open` is dropped.
/// - **THEN** neither control is offered and `triggerable_commands()` does not contain `notes.open`.
#[test]
fn its_controls_go_too() {
    let bench = bench();
    let open = handle_of(&bench.notes, callable("notes.open"));
    let item = MenuItem::new("notes.menu.open", "Open", "notes.open");
    bench.notes.register_menu_item(item).unwrap().keep();
    bench.notes.register_shortcut(Shortcut::new("Ctrl+O", "notes.open")).unwrap().keep();
    assert_eq!(bench.items(), ["notes.menu.open"]);
    assert_eq!(bench.workbench.shortcuts().len(), 1);
    assert!(bench.workbench.shortcut("Ctrl+O").is_some());

    drop(open);

    assert!(bench.items().is_empty());
    assert!(bench.workbench.shortcuts().is_empty());
    assert_eq!(bench.workbench.shortcut("Ctrl+O"), None);
    assert!(triggerable(&bench.workbench).is_empty());
}

/// - **GIVEN** `notes.open`, registered by `notes`.
/// - **WHEN** `mail`, which holds `contributions`, registers `notes.open`.
/// - **THEN** that is an error that names `notes.open`, and the first handler still runs.
#[test]
fn an_id_already_taken() {
    let bench = bench_on(usual().grant("mail", [Capability::Contributions]));
    let mail = bench.plugin("mail", [Capability::Contributions]);
    let opens = bench.has(callable("notes.open"));

    let taken = mail.register(callable("notes.open"), |_| async { Ok(()) });

    assert_names(taken.unwrap_err(), &["notes.open"]);
    assert_answered(&invoke(&bench.copilot, "notes.open"));
    assert_eq!(opens.count(), 1);
}

/// - **GIVEN** a kept handle of `notes.open`, and a `notes` that was deactivated, activated and registers
///   `notes.open` again.
/// - **WHEN** the old handle is dropped.
/// - **THEN** `notes.open` is answered.
#[test]
fn an_old_handle_spares_a_new_command() {
    let bench = bench();
    let old = handle_of(&bench.notes, callable("notes.open"));
    bench.workbench.deactivate(bench.notes.plugin());
    let notes = bench.plugin("notes", [Capability::Contributions]);
    let _new = handle_of(&notes, callable("notes.open"));

    drop(old);

    assert_answered(&invoke(&bench.copilot, "notes.open"));
    assert_eq!(invocable(&bench.copilot), ["notes.open"]);
}
