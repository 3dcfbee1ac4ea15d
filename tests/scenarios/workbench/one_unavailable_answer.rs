//! A caller SHALL get the same `unavailable` answer, byte for byte, for every cause for which it cannot reach a
//! command. The developer's log MAY name the cause.

use drawloom::command::{Argument, CommandArguments};
use drawloom::workbench::{Cause, Window};

use crate::support::{
    assert_unavailable, bench, bench_on, callable, closed, invoke, invoke_with, logged_during, usual,
};

/// - **GIVEN** an id not registered, a command not callable, one for `admin`, one not for this window, and a
///   missing grant.
/// - **WHEN** each occurs once and the outcomes are serialized.
/// - **THEN** the five texts are equal.
#[test]
fn five_causes_one_answer() {
    let bench = bench_on(usual().window(Window::Popout));
    let mail = bench.plugin("mail", []);
    bench.has(closed("notes.secret").popout());
    bench.has(callable("notes.purge").popout().any_role(["admin"]));
    bench.has(callable("notes.open"));
    bench.has(callable("notes.zoom").popout());

    let outcomes = [
        invoke(&bench.copilot, "notes.ghost"),
        invoke(&bench.copilot, "notes.secret"),
        invoke(&bench.copilot, "notes.purge"),
        invoke(&bench.copilot, "notes.open"),
        invoke(&mail, "notes.zoom"),
    ];

    // That it were not one cause five times over.
    let causes: Vec<_> = bench.audited.all().iter().map(|record| record.cause()).collect();
    let five =
        [Cause::Unknown, Cause::NotCallable, Cause::Session, Cause::Window, Cause::MissingGrant].map(Some);
    assert_eq!(causes, five);
    let texts = outcomes.map(|outcome| {
        assert_unavailable(&outcome);
        serde_json::to_string(&outcome).unwrap()
    });
    for text in &texts {
        assert_eq!(text, &texts[0]);
    }
}

/// - **GIVEN** `notes.secret`, which is not callable and declares the required argument `path`.
/// - **WHEN** `copilot` invokes it with `path`, without it, and with the undeclared `colour`.
/// - **THEN** the three outcomes are equal.
#[test]
fn unreachable_arguments_go_unread() {
    let bench = bench();
    bench.has(closed("notes.secret").argument(Argument::text("path").required()));
    let none = CommandArguments::new();

    let with = invoke_with(&bench.copilot, "notes.secret", none.clone().with("path", "inbox"));
    let without = invoke_with(&bench.copilot, "notes.secret", none.clone());
    let undeclared = invoke_with(&bench.copilot, "notes.secret", none.with("colour", "red"));

    assert_unavailable(&with);
    assert_eq!(without, with);
    assert_eq!(undeclared, with);
}

/// - **WHEN** `copilot` invokes an id that is not registered and a command that is not callable.
/// - **THEN** the developer's log names a different cause for each.
#[test]
fn the_log_knows_why() {
    let bench = bench();
    bench.has(closed("notes.secret"));

    let log = logged_during(|| {
        invoke(&bench.copilot, "notes.ghost");
        invoke(&bench.copilot, "notes.secret");
    });

    let cause_of = |command: &str| {
        let records: Vec<_> =
            log.iter().filter(|record| record.get("command").is_some_and(|id| id == command)).collect();
        assert_eq!(records.len(), 1, "{log:?}");
        records[0].get("cause").cloned().expect("a cause")
    };
    assert_ne!(cause_of("notes.ghost"), cause_of("notes.secret"));
}
