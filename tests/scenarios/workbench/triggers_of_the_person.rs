//! A trigger of the person SHALL pass the seam like any call, but only the session and the window SHALL count, and
//! neither a grant nor `callable`. The person SHALL be notified of a refusal, of a failure and of a cancellation.

use std::future::pending;

use drawloom::command::{AccessRequirement, Argument, CommandArguments, RefusalReason};
use drawloom::workbench::{Call, MenuItem, Notice, Shortcut};
use futures::future::FutureExt;

use crate::support::{
    Kept, assert_answered, assert_unavailable, bench, bench_on, callable, closed, poll_once, trigger,
    without_automation,
};

/// - **GIVEN** a workbench in which no plugin holds `automation`, and `notes.secret`, which is not
///   callable.
/// - **WHEN** the person triggers `notes.secret`.
/// - **THEN** it runs.
#[test]
fn neither_grant_nor_callable_counts() {
    let bench = bench_on(without_automation());
    let secret = bench.has(closed("notes.secret"));

    assert_answered(&trigger(&bench.workbench, "notes.secret"));

    assert_eq!(secret.count(), 1);
}

/// - **GIVEN** `notes.save`, which needs an authenticated session, and an anonymous one.
/// - **WHEN** the person triggers it.
/// - **THEN** it is refused as `unavailable` and the person is told once, with the id `notes.save`.
#[test]
fn the_person_is_notified_of_a_refusal() {
    let bench = bench();
    let saves = bench.has(callable("notes.save").access(AccessRequirement::Authenticated));

    assert_unavailable(&trigger(&bench.workbench, "notes.save"));

    assert_eq!(saves.count(), 0);
    let Notice::Refused { command, refusal } = bench.told.only() else { panic!("{:?}", bench.told.all()) };
    assert_eq!(command, "notes.save");
    assert_eq!(refusal.reason, RefusalReason::Unavailable);
}

/// - **GIVEN** `notes.boom`, whose handler fails with `the disk is full`.
/// - **WHEN** the person triggers it.
/// - **THEN** the person is told once, with the id `notes.boom` and the text `the disk is full`.
#[test]
fn the_person_is_notified_of_a_failure() {
    let bench = bench();
    bench.does(callable("notes.boom"), |_| async { Err("the disk is full".into()) });

    drop(trigger(&bench.workbench, "notes.boom"));

    let told = Notice::Failed { command: "notes.boom".into(), message: "the disk is full".into() };
    assert_eq!(bench.told.only(), told);
}

/// - **GIVEN** `notes.wait`, whose handler waits.
/// - **WHEN** the person triggers it and the future of the trigger is dropped.
/// - **THEN** the person is told once, with the id `notes.wait`, that it was cancelled, and not that it
///   failed.
#[test]
fn the_person_is_notified_of_a_cancellation() {
    let bench = bench();
    bench.does(callable("notes.wait"), |_| pending());

    let mut trigger = bench.workbench.trigger("notes.wait").boxed();
    assert!(poll_once(&mut trigger).is_pending());
    drop(trigger);

    let Notice::Cancelled { command, message } = bench.told.only() else { panic!("{:?}", bench.told.all()) };
    assert_eq!(command, "notes.wait");
    assert!(message.contains("cancelled"), "{message}");
}

/// - **GIVEN** two controls for `notes.list`, the second of which has `path` as `inbox`.
/// - **WHEN** the person triggers the first and then the second.
/// - **THEN** the handler receives no arguments and then `path` as `inbox`.
#[test]
fn arguments_only_from_the_control() {
    let bench = bench();
    let received = Kept::default();
    let receives = received.clone();
    let list = callable("notes.list").argument(Argument::text("path"));
    bench.does(list, move |call: Call| {
        receives.keep(call.into_arguments());
        async { Ok(()) }
    });
    let inbox = CommandArguments::new().with("path", "inbox");
    let item = MenuItem::new("notes.menu.list", "List notes", "notes.list");
    let shortcut = Shortcut::new("Ctrl+I", "notes.list").arguments(inbox.clone());
    bench.notes.register_menu_item(item).unwrap().keep();
    bench.notes.register_shortcut(shortcut).unwrap().keep();

    assert_answered(&bench.pull("notes.menu.list"));
    assert_answered(&bench.press("Ctrl+I"));

    assert_eq!(received.all(), [CommandArguments::new(), inbox]);
}
