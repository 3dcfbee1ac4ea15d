//! `changes()` SHALL return a stream that yields after each change to the caller's own list, and not otherwise.

use drawloom::command::{AccessRequirement, Argument};
use drawloom::workbench::{Capability, Session, Window};

use crate::support::{Kept, Watching, bench, bench_on, callable, closed, handle_of, usual};

/// - **GIVEN** a subscription of `copilot` and `notes.save`, which needs an authenticated session and has no
///   `popout`.
/// - **WHEN** `notes.open` is registered and unregistered, the session becomes authenticated and `automation` is
///   revoked and restored.
/// - **THEN** the subscription yields after each of the five.
/// - **AND** it yields once more when the window becomes a popout.
#[test]
fn every_change_is_reported() {
    #[track_caller]
    fn assert_told(watching: &mut Watching) {
        assert!(watching.was_woken(), "nobody was told to look");
        assert!(watching.yields(), "nothing was told");
        assert!(!watching.yields(), "it was told twice");
    }

    let bench = bench();
    bench.has(callable("notes.zoom").popout());
    bench.has(callable("notes.save").access(AccessRequirement::Authenticated));
    let mut watching = Watching::of(&bench.copilot);

    let open = handle_of(&bench.notes, callable("notes.open"));
    assert_told(&mut watching);
    drop(open);
    assert_told(&mut watching);
    bench.workbench.set_session(Session::authenticated(["editor"]));
    assert_told(&mut watching);
    bench.revoke_automation();
    assert_told(&mut watching);
    bench.restore_automation();
    assert_told(&mut watching);

    bench.workbench.set_window(Window::Popout);
    assert_told(&mut watching);
}

/// - **GIVEN** a subscription of `copilot`.
/// - **WHEN** `notes.secret`, which is not callable, is registered and the `automation` of `mail` is
///   revoked.
/// - **THEN** the subscription yields nothing.
#[test]
fn other_changes_are_silent() {
    let bench = bench_on(usual().grant("mail", [Capability::Automation]));
    let mail = bench.plugin("mail", [Capability::Automation]);
    bench.has(callable("notes.open"));
    let mut watching = Watching::of(&bench.copilot);

    bench.has(closed("notes.secret"));
    assert!(!watching.yields());
    bench.workbench.revoke(mail.plugin(), Capability::Automation).unwrap();
    assert!(!watching.yields());
}

/// - **GIVEN** a subscription that nobody polls for a while.
/// - **WHEN** `notes.open` is registered, and only then the subscription is polled.
/// - **THEN** it yields at once.
#[test]
fn nothing_is_missed_between_polls() {
    let bench = bench();
    let mut watching = Watching::unpolled(&bench.copilot);

    let _open = handle_of(&bench.notes, callable("notes.open"));

    assert!(watching.yields());
}

/// - **GIVEN** 20 subscriptions of `copilot`, every other one of which is dropped before the next is
///   made.
/// - **WHEN** `notes.open` is registered.
/// - **THEN** each of the 10 that are left is woken and yields.
#[test]
fn many_subscriptions() {
    let bench = bench();
    let made = (0..20).filter_map(|number| {
        let watching = Watching::of(&bench.copilot);
        (number % 2 == 0).then_some(watching)
    });
    let left: Vec<_> = made.collect();

    let _open = handle_of(&bench.notes, callable("notes.open"));

    assert_eq!(left.len(), 10);
    for mut watching in left {
        assert!(watching.was_woken());
        assert!(watching.yields());
    }
}

/// - **GIVEN** a subscription of `copilot` and `notes.open` with a choice argument, whose source gains
///   the choice `inbox`.
/// - **WHEN** the subscription is polled, the product announces a change, and it is polled again.
/// - **THEN** it yields nothing the first time and yields the second.
#[test]
fn what_the_workbench_cannot_see() {
    let bench = bench();
    let choices = Kept::default();
    let source = choices.clone();
    bench.has(callable("notes.open").argument(Argument::choice_from("note", move || source.all())));
    let mut watching = Watching::of(&bench.copilot);

    choices.keep("inbox".to_owned());
    assert!(!watching.yields());
    bench.workbench.announce_change();
    assert!(watching.was_woken());
    assert!(watching.yields());
}
