//! A control SHALL name a command by its id and run that command and no other; an id that is not registered SHALL run
//! nothing, and the problem SHALL be reported to the developer.

use drawloom::command::{CommandArguments, CommandOutcome};
use drawloom::workbench::{MenuItem, Shortcut};
use futures::executor::block_on;

use super::support::{bench, callable, reports_during};

/// - **GIVEN** a menu item and a shortcut that both name `notes.open`.
/// - **WHEN** the person triggers each of them once.
/// - **THEN** the handler of `notes.open` has run twice.
#[test]
fn two_controls_share_a_command() {
    let bench = bench();
    let runs = bench.register_idle(callable("notes.open"));
    let in_menu = MenuItem::new("file.open", "Open", "notes.open");
    let _in_menu = bench.notes.register_menu_item(in_menu).unwrap();
    let _by_key = bench.notes.register_shortcut(Shortcut::new("ctrl+o", "notes.open")).unwrap();

    let pull = |command, arguments: CommandArguments| {
        let outcome = block_on(bench.workbench.trigger_with(command, arguments));
        assert_eq!(outcome, CommandOutcome::Answered { value: None });
    };
    for item in bench.workbench.menu_items() {
        pull(item.command, item.arguments);
    }
    assert_eq!(runs.count(), 1);
    let shortcut = bench.workbench.shortcut("ctrl+o").unwrap();
    pull(shortcut.command, shortcut.arguments);
    assert_eq!(runs.count(), 2);
}

/// - **GIVEN** the commands `notes.open` and `notes.open.all`.
/// - **WHEN** `notes.open` is triggered.
/// - **THEN** only the handler of `notes.open` has run.
#[test]
fn a_longer_id_is_another_command() {
    let bench = bench();
    let open = bench.register_idle(callable("notes.open"));
    let open_all = bench.register_idle(callable("notes.open.all"));

    bench.trigger("notes.open");

    assert_eq!((open.count(), open_all.count()), (1, 0));
}

/// - **GIVEN** the command `notes.open` and no command `notes.ghost`.
/// - **WHEN** `notes.ghost` is triggered.
/// - **THEN** the outcome is refused, no handler has run, and a report to the developer names
///   `notes.ghost`.
#[test]
fn an_unregistered_id_runs_nothing() {
    let bench = bench();
    let open = bench.register_idle(callable("notes.open"));

    let (outcome, reports) = reports_during(|| bench.trigger("notes.ghost"));

    assert!(matches!(outcome, CommandOutcome::Refused(_)), "{outcome:?}");
    assert_eq!(open.count(), 0);
    assert!(reports.iter().any(|report| report.contains("notes.ghost")), "{reports:?}");
}
