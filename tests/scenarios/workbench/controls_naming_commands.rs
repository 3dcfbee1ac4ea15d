//! A control SHALL be offered only while the command it names is registered, would run with the control's arguments,
//! and belongs to the control's own plugin or may be named by others.

use drawloom::command::{Argument, CommandArguments};
use drawloom::workbench::{Capability, ForeignControls, MenuItem, PluginContext, Shortcut};

use crate::support::{Bench, assert_answered, bench, bench_on, callable, closed, usual};

/// The usual plugins, and `mail`, which may register too.
fn with_mail() -> (Bench, PluginContext) {
    let bench = bench_on(usual().grant("mail", [Capability::Contributions]));
    let mail = bench.plugin("mail", [Capability::Contributions]);
    (bench, mail)
}

/// - **GIVEN** a menu item and a shortcut of `mail` that name `notes.open`, which is callable.
/// - **WHEN** the controls on offer are read.
/// - **THEN** both carry `mail` as their owner and `notes` as the owner of the command.
#[test]
fn owners_are_told() {
    let (bench, mail) = with_mail();
    bench.has(callable("notes.open"));
    mail.register_menu_item(MenuItem::new("mail.item", "Open", "notes.open")).unwrap().keep();
    mail.register_shortcut(Shortcut::new("Ctrl+O", "notes.open")).unwrap().keep();

    let item = bench.workbench.menu_items().remove(0);
    let shortcut = bench.workbench.shortcut("Ctrl+O").unwrap();

    assert_eq!((item.owner.as_str(), item.command_owner.as_str()), ("mail", "notes"));
    assert_eq!((shortcut.owner.as_str(), shortcut.command_owner.as_str()), ("mail", "notes"));
    assert_eq!(bench.workbench.shortcuts(), [shortcut]);
}

/// - **GIVEN** menu items and shortcuts of `notes` and of `mail` that name `notes.secret`, which is not
///   callable.
/// - **WHEN** the controls on offer are read.
/// - **THEN** those of `notes` are offered and those of `mail` are not.
#[test]
fn closed_commands_of_other_plugins() {
    let (bench, mail) = with_mail();
    bench.has(closed("notes.secret"));
    for (plugin, item, keys) in [(&bench.notes, "notes.item", "Ctrl+N"), (&mail, "mail.item", "Ctrl+M")] {
        plugin.register_menu_item(MenuItem::new(item, "Secret", "notes.secret")).unwrap().keep();
        plugin.register_shortcut(Shortcut::new(keys, "notes.secret")).unwrap().keep();
    }

    assert_eq!(bench.items(), ["notes.item"]);
    assert!(bench.workbench.shortcut("Ctrl+N").is_some());
    assert_eq!(bench.workbench.shortcut("Ctrl+M"), None);
    assert_eq!(bench.workbench.shortcuts().len(), 1);
}

/// - **GIVEN** a workbench that refuses foreign controls, and menu items of `notes` and of `mail` that
///   name `notes.open`.
/// - **WHEN** the menu items on offer are read.
/// - **THEN** that of `notes` is offered and that of `mail` is not.
#[test]
fn foreign_controls_refused() {
    let refusing = usual().grant("mail", [Capability::Contributions]);
    let bench = bench_on(refusing.foreign_controls(ForeignControls::Refused));
    let mail = bench.plugin("mail", [Capability::Contributions]);
    bench.has(callable("notes.open"));
    bench.notes.register_menu_item(MenuItem::new("notes.item", "Open", "notes.open")).unwrap().keep();
    mail.register_menu_item(MenuItem::new("mail.item", "Open", "notes.open")).unwrap().keep();

    assert_eq!(bench.items(), ["notes.item"]);
}

/// - **GIVEN** menu items for `notes.open`, which requires the text `path`: with `path` as `inbox`, as
///   7, and without it.
/// - **WHEN** the menu items on offer are read.
/// - **THEN** only the first is offered, and it runs when it is triggered.
/// - **AND** `triggerable_commands()` lists `notes.open` with `path` as required.
#[test]
fn arguments_that_cannot_match() {
    let bench = bench();
    bench.has(callable("notes.open").argument(Argument::text("path").required()));
    let none = CommandArguments::new();
    for (id, arguments) in
        [("a", none.clone().with("path", "inbox")), ("b", none.clone().with("path", 7)), ("c", none)]
    {
        let item = MenuItem::new(id, "Open", "notes.open").arguments(arguments);
        bench.notes.register_menu_item(item).unwrap().keep();
    }

    assert_eq!(bench.items(), ["a"]);
    assert_answered(&bench.pull("a"));
    let listed = bench.workbench.triggerable_commands();
    let path = &listed[0].command.arguments[0];
    assert_eq!((&*path.name, path.required), ("path", true));
}

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
