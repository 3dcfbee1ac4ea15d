//! `triggerable_commands()` SHALL list the commands that the person could trigger at that moment, except those that
//! are declared context-only.

use drawloom::workbench::{MenuItem, Session};

use crate::support::{assert_answered, bench, callable, closed, triggerable};

/// - **GIVEN** an anonymous session, `notes.open` for everyone, `notes.secret` not callable and `notes.purge` for
///   `admin`.
/// - **WHEN** `triggerable_commands()` is read, the session gains the role `admin`, and it is read again.
/// - **THEN** the first list contains only `notes.open` and `notes.secret`, and the second all three.
#[test]
fn the_list_follows_the_person() {
    let bench = bench();
    bench.has(callable("notes.open"));
    bench.has(closed("notes.secret"));
    bench.has(callable("notes.purge").any_role(["admin"]));

    let first = triggerable(&bench.workbench);
    bench.workbench.set_session(Session::authenticated(["admin"]));
    let second = triggerable(&bench.workbench);

    assert_eq!(first, ["notes.open", "notes.secret"]);
    assert_eq!(second, ["notes.open", "notes.purge", "notes.secret"]);
}

/// - **GIVEN** `notes.rename`, which declares itself context-only, and `notes.open`, which does not.
/// - **WHEN** `triggerable_commands()` is read and the person triggers `notes.rename` from a control that names it.
/// - **THEN** the list contains only `notes.open`, and `notes.rename` has run.
#[test]
fn context_only_is_left_out() {
    let bench = bench();
    let renames = bench.has(callable("notes.rename").context_only());
    bench.has(callable("notes.open"));
    let item = MenuItem::new("notes.menu.rename", "Rename", "notes.rename");
    bench.notes.register_menu_item(item).unwrap().keep();

    assert_eq!(triggerable(&bench.workbench), ["notes.open"]);
    assert_answered(&bench.pull("notes.menu.rename"));
    assert_eq!(renames.count(), 1);
}
