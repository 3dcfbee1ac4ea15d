//! `invoke_command(id, arguments)` SHALL return a refusal as an outcome. The person SHALL be notified of a refusal
//! whose only cause is a missing grant.

use drawloom::command::{CommandAccess, CommandArguments, CommandOutcome, RefusalReason};
use drawloom::workbench::{Call, Capability};

use crate::support::{
    Kept, assert_answered, assert_unavailable, bench, bench_on, callable, closed, has, invoke,
    lacks_automation, settle, trigger, usual, without_automation,
};

/// - **WHEN** `notes.ghost`, which is not registered, is invoked.
/// - **THEN** the outcome is refused with the reason `unavailable` and a message.
#[test]
fn a_refusal_is_returned() {
    let bench = bench();

    let outcome = settle(bench.copilot.invoke_command("notes.ghost".into(), CommandArguments::new()));

    let CommandOutcome::Refused(refusal) = outcome else { panic!("not refused: {outcome:?}") };
    assert_eq!(refusal.reason, RefusalReason::Unavailable);
    assert!(!refusal.message.is_empty());
}

/// - **GIVEN** `copilot` without a grant of `automation`.
/// - **WHEN** it invokes `notes.open`.
/// - **THEN** the person is told once, with the plugin `copilot` and the capability `automation`.
#[test]
fn the_person_is_notified() {
    let bench = bench_on(without_automation());
    bench.has(callable("notes.open"));

    assert_unavailable(&invoke(&bench.copilot, "notes.open"));

    assert_eq!(bench.told.only(), lacks_automation("copilot", "notes.open"));
}

/// - **GIVEN** `notes`, which does not hold `automation`, with a handler that invokes `mail.send` of the
///   plugin `mail`.
/// - **WHEN** the person triggers that command of `notes`.
/// - **THEN** the person is told once, with the plugin `notes` and the capability `automation`.
#[test]
fn the_person_is_notified_from_inside_a_handler() {
    let bench = bench_on(usual().grant("mail", [Capability::Contributions]));
    let mail = bench.plugin("mail", [Capability::Contributions]);
    let sends = has(&mail, callable("mail.send"));
    let inner = Kept::default();
    let outcomes = inner.clone();
    bench.does(callable("notes.forward"), move |call: Call| {
        let outcomes = outcomes.clone();
        async move {
            outcomes.keep(call.invoke("mail.send", CommandArguments::new()).await);
            Ok(())
        }
    });

    assert_answered(&trigger(&bench.workbench, "notes.forward"));

    assert_unavailable(&inner.only());
    assert_eq!(sends.count(), 0);
    assert_eq!(bench.told.only(), lacks_automation("notes", "mail.send"));
}

/// - **GIVEN** `copilot` without a grant of `automation` and `notes.secret`, which is not callable.
/// - **WHEN** `copilot` invokes it.
/// - **THEN** the person is told nothing.
#[test]
fn no_notice_if_more_is_missing() {
    let bench = bench_on(without_automation());
    bench.has(closed("notes.secret"));

    assert_unavailable(&invoke(&bench.copilot, "notes.secret"));

    assert!(bench.told.all().is_empty());
}
