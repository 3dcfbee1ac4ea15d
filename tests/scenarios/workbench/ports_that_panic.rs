//! A panic of a port SHALL affect only the result of that port: decisions SHALL stay in force, and the panic SHALL
//! NOT leave the workbench.

use std::future::ready;
use std::sync::{Arc, OnceLock};
use std::task::{Wake, Waker};
use std::time::Duration;

use drawloom::command::Argument;
use drawloom::workbench::{
    AuditRecord, Call, Capability, Notice, PermissionStore, Plugin, PluginContext, Revocations, StoreError,
};
use tracing::subscriber::with_default;
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::support::{
    Runs, Watching, activated, assert_answered, assert_unavailable, bench, bench_on, callable, has,
    invocable, invoke, trigger, usual,
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

/// Panics when it is dropped.
struct DropPanics;

impl Drop for DropPanics {
    fn drop(&mut self) {
        panic!("no drop")
    }
}

/// - **GIVEN** a notifier, a translator, an audit port, a clock and a store that panic when they are
///   dropped.
/// - **WHEN** a workbench with all of them is dropped, and a command whose handler, state and two
///   sources panic likewise.
/// - **THEN** the process continues, and neither panics.
#[test]
fn dropped_together() {
    struct Store(DropPanics);

    impl PermissionStore for Store {
        fn load(&self) -> Result<Revocations, StoreError> {
            let _ = &self.0;
            Ok(Revocations::default())
        }

        fn save(&self, _: &Revocations) -> Result<(), StoreError> {
            Ok(())
        }
    }

    let [first, second, third, fourth] = [DropPanics, DropPanics, DropPanics, DropPanics];
    let workbench = usual()
        .notifier(move |_: &Notice| {
            let _ = &first;
        })
        .translator(move |_: &str| {
            let _ = &second;
            None
        })
        .audit(move |_: &AuditRecord| {
            let _ = &third;
        })
        .clock(move || {
            let _ = &fourth;
            Duration::ZERO
        })
        .permission_store(Store(DropPanics))
        .build()
        .unwrap();
    drop(workbench);

    let bench = bench();
    let source = || {
        let held = DropPanics;
        move || {
            let _ = &held;
            vec!["inbox".to_owned()]
        }
    };
    let held = DropPanics;
    let command = callable("notes.open")
        .argument(Argument::choice_from("a", source()))
        .argument(Argument::choice_from("b", source()));
    let notes = bench.notes.with_state(DropPanics);
    let handler = move |_: Call<DropPanics>| {
        let _ = &held;
        ready(Ok(()))
    };
    let open = notes.register(command, handler).unwrap();
    // The registration has the last reference to the state.
    std::mem::drop(notes);
    drop(open);
    assert!(invocable(&bench.copilot).is_empty());
}

/// - **GIVEN** a notifier that tells the person something through the context of `mail`, which does not
///   hold `ui`.
/// - **WHEN** `mail` tells the person `done`.
/// - **THEN** that is an error, and the notifier was called once.
/// - **AND** it is called once too if `mail` holds `ui`.
#[test]
fn a_notifier_that_asks_for_itself() {
    for (granted, is_told) in [(vec![], false), (vec![Capability::Ui], true)] {
        let (mail, calls) = (Arc::new(OnceLock::<PluginContext>::new()), Runs::default());
        let (asks, called) = (mail.clone(), calls.clone());
        let notifier = move |_: &Notice| {
            called.add();
            drop(asks.get().map(|mail| mail.tell("again")));
        };
        let workbench = usual().grant("mail", granted).notifier(notifier).build();
        let plugin = Plugin::new("mail").declares([Capability::Ui]);
        mail.set(workbench.activate(plugin).unwrap()).unwrap();

        assert_eq!(mail.get().unwrap().tell("done").is_ok(), is_told);

        assert_eq!(calls.count(), 1);
    }
}

/// - **GIVEN** a `tracing` subscriber that panics at each event.
/// - **WHEN** `copilot` invokes `notes.open` and `notes.ghost`, and `automation` is revoked.
/// - **THEN** the first is answered, the second is refused, and the revocation is in force.
#[test]
fn a_log_that_panics() {
    struct Panics;

    impl<S: Subscriber> Layer<S> for Panics {
        fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
            panic!("no log")
        }
    }

    let bench = bench();
    bench.has(callable("notes.open"));
    with_default(tracing_subscriber::registry().with(Panics), || {
        assert_answered(&invoke(&bench.copilot, "notes.open"));
        assert_unavailable(&invoke(&bench.copilot, "notes.ghost"));
        bench.revoke_automation();
    });
    assert!(!bench.copilot.holds(Capability::Automation));
}
