//! What a port that panics takes down with it: nothing.

use std::future::ready;
use std::sync::Arc;
use std::task::{Wake, Waker};
use std::time::Duration;

use drawloom::command::Argument;
use drawloom::workbench::{AuditRecord, Capability, Notice, PermissionStore, Revocations, StoreError};

use crate::support::{
    Watching, activated, assert_answered, assert_unavailable, bench, bench_on, callable, has, invocable,
    invoke, trigger, usual,
};

/// - **GIVEN** a translator, a source of choices, a notifier, an audit port and a clock that panic.
/// - **WHEN** `invocable_commands()` is read, `notes.open` is invoked and the person triggers
///   `notes.ghost`.
/// - **THEN** the list holds `notes.open`, the invocation is answered and the trigger is refused as
///   `unavailable`.
#[test]
fn a_decision_stands() {
    let workbench = usual()
        .translator(|_: &str| -> Option<String> { panic!("no translation") })
        .notifier(|_: &Notice| panic!("no notice"))
        .audit(|_: &AuditRecord| panic!("no audit"))
        .clock(|| -> Duration { panic!("no time") })
        .build();
    let (notes, copilot) = activated(&workbench);
    let opens = has(&notes, callable("notes.open").argument(Argument::choice_from("note", || panic!())));

    assert_eq!(invocable(&copilot), ["notes.open"]);
    assert_answered(&invoke(&copilot, "notes.open"));
    assert_unavailable(&trigger(&workbench, "notes.ghost"));
    assert_eq!(opens.count(), 1);
}

/// - **GIVEN** a store that panics when it saves.
/// - **WHEN** the `automation` of `copilot` is revoked.
/// - **THEN** that is an error and `copilot` does not hold it.
#[test]
fn a_revocation_stands() {
    struct Unwritable;

    impl PermissionStore for Unwritable {
        fn load(&self) -> Result<Revocations, StoreError> {
            Ok(Revocations::default())
        }

        fn save(&self, _: &Revocations) -> Result<(), StoreError> {
            panic!("no disk")
        }
    }

    let bench = bench_on(usual().permission_store(Unwritable));

    assert!(bench.workbench.revoke(bench.copilot.plugin(), Capability::Automation).is_err());

    assert!(!bench.copilot.holds(Capability::Automation));
}

/// - **GIVEN** a store that panics when it loads.
/// - **WHEN** a workbench is built on it.
/// - **THEN** that is an error.
#[test]
fn a_store_that_cannot_load() {
    struct Unreadable;

    impl PermissionStore for Unreadable {
        fn load(&self) -> Result<Revocations, StoreError> {
            panic!("no disk")
        }

        fn save(&self, _: &Revocations) -> Result<(), StoreError> {
            Ok(())
        }
    }

    assert!(usual().permission_store(Unreadable).build().is_err());
}

/// - **GIVEN** two subscriptions of `copilot`, the first with a waker that panics, and a handler that
///   panics on its drop.
/// - **WHEN** the command of that handler is unregistered.
/// - **THEN** that returns, the second subscription has been woken, and both yield.
#[test]
fn wakers_and_drops() {
    struct WakePanics;

    impl Wake for WakePanics {
        fn wake(self: Arc<Self>) {
            panic!("no wake")
        }
    }

    struct DropPanics;

    impl Drop for DropPanics {
        fn drop(&mut self) {
            panic!("no drop")
        }
    }

    let bench = bench();
    let panics = DropPanics;
    let handler = move |_| {
        let _ = &panics;
        ready(Ok(()))
    };
    let open = bench.notes.register(callable("notes.open"), handler).unwrap();
    let mut first = Watching::of(&bench.copilot);
    let mut second = Watching::of(&bench.copilot);
    assert!(!first.yields_to(&Waker::from(Arc::new(WakePanics))));

    drop(open);

    assert!(second.was_woken());
    assert!(first.yields());
    assert!(second.yields());
}
