//! What a composition leaves broken without any error, told to whoever builds it.

use std::future::ready;

use drawloom::command::Command;
use drawloom::workbench::{Capability, MenuItem, Plugin, Shortcut};

use crate::support::{
    Bench, Logged, assert_unavailable, bench, bench_on, callable, has, invocable, invoke, logged_during,
    usual,
};

fn reports(bench: &Bench) -> Vec<String> {
    bench.workbench.composition_issues().iter().map(ToString::to_string).collect()
}

/// Asserts that exactly one report names all of these.
#[track_caller]
fn assert_reported(bench: &Bench, names: &[&str]) {
    let reports = reports(bench);
    let naming: Vec<_> =
        reports.iter().filter(|report| names.iter().all(|name| report.contains(name))).collect();
    assert_eq!(naming.len(), 1, "{names:?} in {reports:?}");
}

/// - **WHEN** the callable command `notes.open` is registered without a description.
/// - **THEN** a report names `notes.open`.
#[test]
fn callable_without_description() {
    let bench = bench();
    bench.has(callable("notes.close"));
    bench.has(Command::new("notes.secret", "Secret"));

    bench.has(Command::new("notes.open", "Open note").callable());

    assert_reported(&bench, &["notes.open"]);
    assert_eq!(reports(&bench).len(), 1);
}

/// - **WHEN** `copilot`, which declares nothing and is granted `automation`, is activated and invokes
///   `notes.open`.
/// - **THEN** a report names `copilot` and `automation`, and the invocation is refused as `unavailable`.
#[test]
fn an_inert_grant() {
    let bench = bench();
    bench.has(callable("notes.open"));
    assert!(reports(&bench).is_empty());
    bench.workbench.deactivate(bench.copilot.plugin());

    let log = logged_during(|| drop(bench.workbench.activate(Plugin::new("copilot")).unwrap()));

    let names = |record: &Logged, field, value| record.get(field).is_some_and(|logged| logged == value);
    assert!(
        log.iter()
            .any(|record| names(record, "plugin", "copilot") && names(record, "capability", "automation")),
        "{log:?}"
    );
    let copilot = bench.workbench.context("copilot").unwrap();
    assert_unavailable(&invoke(&copilot, "notes.open"));
    assert_reported(&bench, &["copilot", "automation"]);
}

/// - **GIVEN** a menu item `notes.menu.ghost` that names the command `notes.ghost`, which is not registered.
/// - **WHEN** the reports are read.
/// - **THEN** one names `notes.menu.ghost` and `notes.ghost`.
#[test]
fn a_control_naming_nothing() {
    let bench = bench();
    let item = MenuItem::new("notes.menu.ghost", "Ghost", "notes.ghost");
    bench.notes.register_menu_item(item).unwrap().keep();

    assert_reported(&bench, &["notes.menu.ghost", "\"notes.ghost\""]);

    bench.has(callable("notes.ghost"));
    assert!(reports(&bench).is_empty());
}

/// - **GIVEN** shortcuts for `notes.open` and `mail.open`, both on `Ctrl+O`.
/// - **WHEN** the reports are read.
/// - **THEN** one names `Ctrl+O`, `notes.open` and `mail.open`.
#[test]
fn a_shortcut_claimed_twice() {
    let bench = bench_on(usual().grant("mail", [Capability::Contributions]));
    let mail = bench.plugin("mail", [Capability::Contributions]);
    for (plugin, id) in [(&bench.notes, "notes.open"), (&mail, "mail.open")] {
        has(plugin, callable(id));
        plugin.register_shortcut(Shortcut::new("Ctrl+O", id)).unwrap().keep();
    }

    assert_reported(&bench, &["Ctrl+O", "notes.open", "mail.open"]);
    assert_eq!(reports(&bench).len(), 1);
}

/// - **GIVEN** a translator that knows neither the title `notes.open.title` nor the title `Close note`.
/// - **WHEN** the list is read and then the reports.
/// - **THEN** one report names `notes.open.title`, and none names `Close note`.
#[test]
fn a_key_without_translation() {
    let translator = |key: &str| (key == "notes.find.title").then(|| "Find".to_owned());
    let bench = bench_on(usual().translator(translator));
    for (id, title) in [
        ("notes.a", "notes.open.title"),
        ("notes.b", "Close note"),
        ("notes.c", "notes.find.title"),
        ("notes.d", "Copy"),
        ("notes.e", "Print notes.md"),
    ] {
        let command = Command::new(id, title).description("What it does.").callable();
        bench.notes.register(command, |_| ready(Ok(()))).unwrap().keep();
    }

    assert_eq!(invocable(&bench.copilot), ["notes.a", "notes.b", "notes.c", "notes.d", "notes.e"]);

    assert_reported(&bench, &["notes.open.title"]);
    assert_eq!(reports(&bench).len(), 1);
}
