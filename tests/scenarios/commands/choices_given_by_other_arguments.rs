//! Choices that the other arguments of a call decide about.
//!
//! The choices of an argument MAY depend on other arguments of the same call. Such an argument SHALL be published
//! without choices, and SHALL be checked against the choices that the other arguments of the call give.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use drawloom::command::{Argument, Command, CommandArguments, CommandOutcome};
use drawloom::workbench::{Capability, RegisterError};
use serde_json::json;

use super::support::{assert_invalid, bench, callable, wire};

fn notebook() -> Argument {
    Argument::choice("notebook", ["work", "home"])
}

/// `section` offers `plans` for `work` and `diary` for everything else. Each read is counted.
fn section(reads: &Arc<AtomicUsize>) -> Argument {
    let reads = reads.clone();
    Argument::choice_given("section", ["notebook"], move |others: &CommandArguments| {
        reads.fetch_add(1, Ordering::Relaxed);
        match others.text("notebook") {
            Some("work") => vec!["plans".to_owned()],
            _ => vec!["diary".to_owned()],
        }
    })
}

fn open(reads: &Arc<AtomicUsize>) -> Command {
    callable("notes.open").argument(notebook()).argument(section(reads).required())
}

/// - **GIVEN** `notes.open` with the choice `notebook` of `work` and `home`, and `section`, which offers `plans` for `work`
///   and `diary` for `home`.
/// - **WHEN** it is invoked with `work` and `plans`, and with `home` and `plans`.
/// - **THEN** the first is answered, and the second is refused with a message that names `section` and `diary`.
#[test]
fn the_other_arguments_decide() {
    let bench = bench();
    let runs = bench.register_idle(open(&Arc::default()));

    let work = bench.invoke("notes.open", r#"{"notebook":"work","section":"plans"}"#);
    let home = bench.invoke("notes.open", r#"{"notebook":"home","section":"plans"}"#);

    assert_eq!(wire(&work), r#"{"outcome":"answered"}"#);
    assert_invalid(&home, &["section", "diary"]);
    assert_eq!(runs.count(), 1);
}

/// - **GIVEN** `notes.open` with the required `section`, whose choices depend on `notebook`.
/// - **WHEN** the list and the schema are read.
/// - **THEN** the command is listed, `section` has no choices and no `enum`, and its description names `notebook`.
#[test]
fn published_without_choices() {
    let bench = bench();
    let reads = Arc::default();
    bench.register_idle(open(&reads));

    let entry = bench.entry("notes.open");

    let [_, section] = &*entry.arguments else { panic!("two arguments are declared") };
    assert_eq!((section.choices.clone(), &*section.depends_on), (None, &["notebook".into()][..]));
    assert_eq!(
        entry.parameters().pointer("/properties/section"),
        Some(&json!({ "type": "string", "description": "One of the choices that \"notebook\" gives." }))
    );
    assert_eq!(reads.load(Ordering::Relaxed), 0, "nobody asked for the choices");
}

/// - **GIVEN** a source of the choices of `section` that counts how often it is read.
/// - **WHEN** the command is invoked with a `notebook` that is no choice, and by a plugin that may not reach it.
/// - **THEN** both are refused, and the source was not read.
#[test]
fn wrong_arguments_reach_no_source() {
    let bench = bench();
    let reads = Arc::default();
    bench.register_idle(open(&reads));

    assert_invalid(&bench.invoke("notes.open", r#"{"notebook":"garden","section":"plans"}"#), &["notebook"]);
    bench.workbench.revoke(bench.copilot.plugin(), Capability::Automation).unwrap();
    let forbidden = bench.invoke("notes.open", r#"{"notebook":"work","section":"plans"}"#);

    assert!(matches!(forbidden, CommandOutcome::Refused(_)));
    assert_eq!(reads.load(Ordering::Relaxed), 0);
}

/// - **GIVEN** a form for `notes.open`, whose `section` depends on `notebook`, and a command that the session may not run.
/// - **WHEN** the choices of `section` are read for `work`, for a `notebook` that is no choice, and of the command that may
///   not run.
/// - **THEN** the first are `plans`, and the others are none.
#[test]
fn a_form_reads_the_choices() {
    let bench = bench();
    bench.register_idle(open(&Arc::default()));
    bench.register_idle(callable("notes.close").argument(notebook()).any_role(["editor"]));
    let form = |notebook: &str| CommandArguments::new().with("notebook", notebook);

    let read = |id: &str, argument: &str, form| bench.workbench.choices(id, argument, &form);

    assert_eq!(read("notes.open", "section", form("work")).as_deref(), Some(&["plans".into()][..]));
    assert_eq!(read("notes.open", "section", form("garden")), None);
    assert_eq!(read("notes.close", "notebook", CommandArguments::new()), None);
    assert_eq!(read("notes.ghost", "notebook", CommandArguments::new()), None);
}

/// - **WHEN** commands are registered whose choices depend on an argument that is not declared, on themselves, and on each
///   other.
/// - **THEN** each registration is an error that names the command and the arguments.
#[test]
fn dependencies_that_cannot_be() {
    let bench = bench();
    let given = |name: &str, other: &str| Argument::choice_given(name, [other], |_| Vec::new());
    for (arguments, names) in [
        (vec![given("section", "notebook")], vec!["section", "notebook"]),
        (vec![given("section", "section")], vec!["section"]),
        (vec![given("section", "page"), given("page", "section")], vec!["section", "page"]),
    ] {
        let refused = bench.try_register(callable("notes.open").arguments(arguments)).unwrap_err();
        let RegisterError::Declaration(error) = refused else { panic!("{refused}") };
        let text = error.to_string();
        for name in names.into_iter().chain(["notes.open"]) {
            assert!(text.contains(&format!("{name:?}")), "{name} is not named: {text}");
        }
    }
}
