//! A control is offered while its command is there.

use drawloom::workbench::MenuItem;

use crate::support::{bench, bench_on, callable, usual};

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

/// - **GIVEN** a menu item with the title `notes.open.title`, which the translator resolves to `Open`.
/// - **WHEN** the menu items on offer are read.
/// - **THEN** its title is `Open`.
#[test]
fn its_title_is_translated() {
    let bench =
        bench_on(usual().translator(|key: &str| (key == "notes.open.title").then(|| "Open".to_owned())));
    bench.has(callable("notes.open"));
    let item = MenuItem::new("notes.menu.open", "notes.open.title", "notes.open");
    bench.notes.register_menu_item(item).unwrap().keep();

    let offered = bench.workbench.menu_items();

    assert_eq!(offered.len(), 1);
    assert_eq!(*offered[0].title, *"Open");
}
