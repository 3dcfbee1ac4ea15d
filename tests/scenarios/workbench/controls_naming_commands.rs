//! A control is offered while its command is there.

use drawloom::workbench::MenuItem;

use crate::support::{bench, callable};

/// - **GIVEN** the menu item `notes.menu.ghost`, which names `notes.ghost`, and no such command.
/// - **WHEN** the menu items on offer are read, `notes.ghost` is registered, and they are read again.
/// - **THEN** `notes.menu.ghost` is missing the first time and offered the second.
#[test]
fn a_control_that_names_nothing() {
    let bench = bench();
    let item = MenuItem::new("notes.menu.ghost", "Ghost", "notes.ghost");
    bench.notes.register_menu_item(item).unwrap().keep();

    assert!(bench.items().is_empty());
    bench.has(callable("notes.ghost"));
    assert_eq!(bench.items(), ["notes.menu.ghost"]);
}
