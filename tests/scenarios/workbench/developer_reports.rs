//! A workbench in development SHALL report to the developer the mistakes in a composition that no error reports.

use std::future::ready;

use drawloom::command::{AgentConsent, Argument, Command, CommandArguments, Effects};
use drawloom::workbench::{Capability, MenuItem, Plugin, Shortcut};

use crate::support::{
    Bench, Logged, assert_unavailable, bench, bench_on, callable, closed, has, invocable, invoke,
    logged_during, usual,
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

/// - **GIVEN** shortcuts on `Ctrl+O`, first for `notes.open` and then for `notes.close`.
/// - **WHEN** the shortcuts are listed, `Ctrl+O` is looked up and the reports are read.
/// - **THEN** only the shortcut for `notes.open` is offered, and the report says that `notes.open`
///   wins.
#[test]
fn which_shortcut_wins() {
    let bench = bench();
    for id in ["notes.open", "notes.close"] {
        bench.has(callable(id));
        bench.notes.register_shortcut(Shortcut::new("Ctrl+O", id)).unwrap().keep();
    }

    assert_eq!(bench.workbench.shortcuts().len(), 1);
    assert_eq!(bench.workbench.shortcuts()[0].command, "notes.open");
    assert_eq!(bench.workbench.shortcut("Ctrl+O").unwrap().command, "notes.open");
    assert_reported(&bench, &["Ctrl+O", "notes.close", "\"notes.open\" wins"]);
}

/// - **WHEN** `mail` is activated, which declares `automation` and is not granted it.
/// - **THEN** a report names `mail` and `automation`.
#[test]
fn automation_without_a_grant() {
    let bench = bench();
    assert!(reports(&bench).is_empty());

    bench.plugin("mail", [Capability::Automation]);

    assert_reported(&bench, &["mail", "automation"]);
}

/// - **WHEN** `notes.delete` is registered with the consent `ask` and without being callable.
/// - **THEN** a report names `notes.delete`.
#[test]
fn consent_that_nobody_can_use() {
    let bench = bench();
    bench.has(callable("notes.open").agent_consent(AgentConsent::Ask));
    assert!(reports(&bench).is_empty());

    bench.has(Command::new("notes.delete", "Delete").agent_consent(AgentConsent::Ask));

    assert_reported(&bench, &["notes.delete", "callable"]);
}

/// - **WHEN** `notes.count`, which declares no answer, is registered with a handler that returns a
///   number.
/// - **THEN** a report names `notes.count`, and none names a command whose handler returns nothing.
#[test]
fn a_value_without_a_declared_answer() {
    let bench = bench();
    bench.has(callable("notes.open"));
    let told = callable("notes.told").answers("How many");
    bench.notes.register(told, |_| ready(Ok(7))).unwrap().keep();
    assert!(reports(&bench).is_empty());

    bench.notes.register(callable("notes.count"), |_| ready(Ok(7))).unwrap().keep();

    assert_reported(&bench, &["notes.count", "answers"]);
}

/// - **GIVEN** menu items of `mail` for `notes.open`, which is callable, and for `notes.secret`, which
///   is not.
/// - **WHEN** the reports are read.
/// - **THEN** one names the first item, `mail`, `notes.open` and `notes`, and another says that the
///   second is not offered.
#[test]
fn a_control_of_another_plugin() {
    let bench = bench_on(usual().grant("mail", [Capability::Contributions]));
    let mail = bench.plugin("mail", [Capability::Contributions]);
    bench.has(callable("notes.open"));
    bench.has(closed("notes.secret"));
    for (item, command) in [("mail.first", "notes.open"), ("mail.second", "notes.secret")] {
        mail.register_menu_item(MenuItem::new(item, "Item", command)).unwrap().keep();
    }

    assert_reported(&bench, &["mail.first", "\"mail\"", "notes.open", "\"notes\""]);
    assert_reported(&bench, &["mail.second", "notes.secret", "not offered"]);
    assert_eq!(reports(&bench).len(), 2);
}

/// - **GIVEN** a menu item for `notes.open`, which requires the text `path`, with `path` as 7.
/// - **WHEN** the reports are read.
/// - **THEN** one names the menu item, `notes.open` and `path`.
#[test]
fn arguments_that_do_not_match() {
    let bench = bench();
    let path = Argument::text("path").description("Where it is").required();
    bench.has(callable("notes.open").argument(path));
    let item = MenuItem::new("notes.item", "Open", "notes.open");
    let seven = CommandArguments::new().with("path", 7);
    bench.notes.register_menu_item(item.arguments(seven)).unwrap().keep();

    assert_reported(&bench, &["notes.item", "notes.open", "\"path\""]);
    assert_eq!(reports(&bench).len(), 1);
}

/// - **GIVEN** callable commands that state that they destroy something and `allow`, that they destroy something and
///   `ask`, and that their answer must not be trusted although they declare no answer.
/// - **WHEN** the reports are read.
/// - **THEN** one names the first and says that an agent runs it without asking, one names the third and its answer,
///   and there is no other.
#[test]
fn harm_without_asking() {
    let bench = bench();
    bench.has(callable("notes.purge").effects(Effects::destroys()).agent_consent(AgentConsent::Allow));
    bench.has(callable("notes.wipe").effects(Effects::destroys()).agent_consent(AgentConsent::Ask));
    bench.has(callable("notes.fetch").effects(Effects::reads().untrusted_answer()));

    assert_reported(&bench, &["notes.purge", "destroys something", "without asking"]);
    assert_reported(&bench, &["notes.fetch", "`.answers(…)`"]);
    assert_eq!(reports(&bench).len(), 2);
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
