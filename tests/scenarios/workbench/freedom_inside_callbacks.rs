//! The workbench SHALL hold no lock while it calls other code: a handler, hook, translator, source of choices, store,
//! notifier, audit port, waker or the drop of a handler SHALL be able to register, unregister, invoke and revoke.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Wake, Waker};
use std::thread;

use drawloom::ag_ui::{CommandTools, Event};
use drawloom::command::{Argument, Command, Decision, PendingCall};
use drawloom::workbench::{
    AuditRecord, Call, Capability, Notice, PermissionStore, Revocations, StoreError, Window,
};

use crate::support::{
    Bench, Kept, Liberty, Watching, activated, assert_answered, assert_unavailable, bench, bench_on,
    callable, closed, handle_of, invocable, invoke, settle, trigger, usual, watched,
};

/// - **GIVEN** a handler that registers `notes.new`, invokes it, unregisters it and revokes the
///   `automation` of `copilot`.
/// - **WHEN** it is invoked.
/// - **THEN** it is answered and all four have happened.
#[test]
fn inside_a_handler() {
    watched(|| {
        let bench = bench();
        let liberty = Liberty::revoking("copilot");
        liberty.with(&bench.workbench, &bench.notes);
        let takes = liberty.clone();
        bench.does(callable("notes.all"), move |_: Call| {
            takes.take();
            ready(Ok(()))
        });

        assert_answered(&invoke(&bench.copilot, "notes.all"));

        liberty.assert_taken(1);
    });
}

/// - **GIVEN** a hook that registers `notes.new`, invokes it, unregisters it and revokes the `automation`
///   of `mail`.
/// - **WHEN** an agent's call reaches the hook.
/// - **THEN** the call is answered and all four have happened.
#[test]
fn inside_a_hook() {
    watched(|| {
        let bench = bench();
        bench.plugin("mail", [Capability::Automation]);
        let opens = bench.has(callable("notes.open"));
        let liberty = Liberty::revoking("mail");
        liberty.with(&bench.workbench, &bench.notes);
        let takes = liberty.clone();
        let hook = move |_: PendingCall| {
            takes.take();
            ready(Decision::Run)
        };
        let mut tools = CommandTools::builder(bench.copilot.clone()).before(hook).build();

        let events = [
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"notes__open"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
        ];
        let answers: Vec<_> =
            events.iter().filter_map(|event| settle(tools.receive(&Event::parse(event).unwrap()))).collect();

        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0].error, None);
        assert_eq!(opens.count(), 1);
        liberty.assert_taken(1);
    });
}

/// - **GIVEN** a translator that registers `notes.new`, invokes it, unregisters it and revokes a grant on
///   its first use.
/// - **WHEN** `invocable_commands()` is read.
/// - **THEN** the list is returned and all four have happened.
#[test]
fn inside_a_translator() {
    watched(|| {
        let liberty = Liberty::revoking("mail");
        let takes = liberty.clone();
        let translator = move |_: &str| {
            takes.take_once();
            None
        };
        let bench = bench_on(usual().translator(translator));
        bench.plugin("mail", [Capability::Automation]);
        bench.has(callable("notes.open"));
        liberty.with(&bench.workbench, &bench.notes);

        assert_eq!(invocable(&bench.copilot), ["notes.open"]);

        liberty.assert_taken(1);
    });
}

/// - **GIVEN** a source that registers `notes.new`, invokes it, unregisters it and revokes a grant on its
///   first use.
/// - **WHEN** `invocable_commands()` is read.
/// - **THEN** the list is returned and all four have happened.
#[test]
fn inside_a_choice_source() {
    watched(|| {
        let bench = bench();
        bench.plugin("mail", [Capability::Automation]);
        let liberty = Liberty::revoking("mail");
        let takes = liberty.clone();
        let note = Argument::choice_from("note", move || {
            takes.take_once();
            vec!["inbox".to_owned()]
        });
        bench.has(callable("notes.open").argument(note.required()));
        liberty.with(&bench.workbench, &bench.notes);

        assert_eq!(invocable(&bench.copilot), ["notes.open"]);

        liberty.assert_taken(1);
    });
}

/// - **GIVEN** a store that registers `notes.new`, invokes it, unregisters it and revokes another grant
///   on its first save.
/// - **WHEN** the person revokes the `automation` of `copilot`.
/// - **THEN** that returns, all four have happened, and the store was given both revocations without one
///   save in another.
#[test]
fn inside_a_store() {
    struct Store {
        liberty: Liberty,
        is_saving: AtomicBool,
        saved: Kept<Revocations>,
    }

    impl PermissionStore for Store {
        fn load(&self) -> Result<Revocations, StoreError> {
            Ok(Revocations::default())
        }

        fn save(&self, revocations: &Revocations) -> Result<(), StoreError> {
            assert!(!self.is_saving.swap(true, SeqCst), "one save in another");
            self.liberty.take_once();
            self.saved.keep(revocations.clone());
            self.is_saving.store(false, SeqCst);
            Ok(())
        }
    }

    watched(|| {
        let liberty = Liberty::revoking("mail");
        let saved = Kept::default();
        let store = Store { liberty: liberty.clone(), is_saving: false.into(), saved: saved.clone() };
        let bench = bench_on(usual().permission_store(store));
        bench.plugin("mail", [Capability::Automation]);
        liberty.with(&bench.workbench, &bench.notes);

        bench.revoke_automation();

        assert!(!bench.copilot.holds(Capability::Automation));
        liberty.assert_taken(1);
        let last = saved.pop().expect("it was saved");
        assert!(["copilot", "mail"].iter().all(|id| last.of(&(*id).into()).contains(Capability::Automation)));
    });
}

/// - **GIVEN** a notifier that registers `notes.new`, invokes it, unregisters it and revokes a grant on its first
///   notice.
/// - **WHEN** the person triggers `notes.ghost`, which is not registered.
/// - **THEN** it is refused and all four have happened.
#[test]
fn inside_a_notifier() {
    watched(|| {
        let liberty = Liberty::revoking("copilot");
        let takes = liberty.clone();
        let builder = usual().notifier(move |_: &Notice| takes.take_once());
        let workbench = builder.build();
        let (notes, _) = activated(&workbench);
        liberty.with(&workbench, &notes);

        assert_unavailable(&trigger(&workbench, "notes.ghost"));

        liberty.assert_taken(1);
    });
}

/// - **GIVEN** an audit port that registers `notes.new`, invokes it, unregisters it and revokes a grant
///   on its first record.
/// - **WHEN** `notes.open` is invoked.
/// - **THEN** it is answered and all four have happened.
#[test]
fn inside_an_audit_port() {
    watched(|| {
        let liberty = Liberty::revoking("copilot");
        let takes = liberty.clone();
        let workbench = usual().audit(move |_: &AuditRecord| takes.take_once()).build();
        let (notes, copilot) = activated(&workbench);
        let _open = handle_of(&notes, callable("notes.open"));
        liberty.with(&workbench, &notes);

        assert_answered(&invoke(&copilot, "notes.open"));

        liberty.assert_taken(1);
    });
}

/// - **GIVEN** a subscription whose waker registers `notes.new`, invokes it, unregisters it and revokes a
///   grant.
/// - **WHEN** `notes.open` is registered.
/// - **THEN** that returns and all four have happened.
#[test]
fn inside_a_waker() {
    struct Takes(Liberty);

    impl Wake for Takes {
        fn wake(self: Arc<Self>) {
            self.0.take_once();
        }
    }

    watched(|| {
        let bench = bench();
        let liberty = Liberty::revoking("copilot");
        let mut watching = Watching::of(&bench.copilot);
        assert!(!watching.yields_to(&Waker::from(Arc::new(Takes(liberty.clone())))));
        liberty.with(&bench.workbench, &bench.notes);

        let _open = handle_of(&bench.notes, callable("notes.open"));

        liberty.assert_taken(1);
    });
}

/// - **GIVEN** handlers that on their drop register `notes.new`, invoke it, unregister it and revoke a
///   grant.
/// - **WHEN** one is dropped with its handle, one with a refused registration and one of `mail` as `mail`
///   is deactivated.
/// - **THEN** each of these returns and all four have happened each time.
#[test]
fn inside_a_drop() {
    struct Takes(Liberty);

    impl Drop for Takes {
        fn drop(&mut self) {
            self.0.take();
        }
    }

    watched(|| {
        let bench = bench_on(usual().grant("mail", [Capability::Contributions]));
        let mail = bench.plugin("mail", [Capability::Contributions]);
        let liberty = Liberty::revoking("copilot");
        liberty.with(&bench.workbench, &bench.notes);
        let takes = || {
            let takes = Takes(liberty.clone());
            move |_: Call| {
                let _ = &takes;
                ready(Ok(()))
            }
        };

        let open = bench.notes.register(closed("notes.open"), takes()).unwrap();
        liberty.assert_untaken();
        drop(open);
        liberty.assert_taken(1);

        bench.has(closed("notes.taken"));
        assert!(mail.register(closed("notes.taken"), takes()).is_err());
        liberty.assert_taken(2);

        mail.register(closed("mail.send"), takes()).unwrap().keep();
        bench.workbench.deactivate(mail.plugin());
        liberty.assert_taken(3);
    });
}

/// - **GIVEN** threads that each register and unregister, invoke, list, watch, revoke and restore or deactivate and
///   activate.
/// - **WHEN** they run side by side.
/// - **THEN** all of them end.
#[test]
fn everything_at_once() {
    fn registers(bench: &Bench) {
        let open = handle_of(&bench.notes, callable("notes.open").popout());
        assert_answered(&trigger(&bench.workbench, "notes.open"));
        drop(open);
        assert_unavailable(&trigger(&bench.workbench, "notes.open"));
    }

    fn invokes(bench: &Bench) {
        drop(invoke(&bench.copilot, "notes.open"));
    }

    fn lists(bench: &Bench) {
        drop(invocable(&bench.copilot));
        drop(bench.workbench.triggerable_commands());
        drop(bench.workbench.menu_items());
        drop(bench.workbench.permissions());
        drop(bench.workbench.composition_issues());
    }

    fn watches(bench: &Bench) {
        let _ = Watching::unpolled(&bench.copilot).yields();
    }

    fn revokes(bench: &Bench) {
        bench.revoke_automation();
        bench.workbench.set_window(Window::Popout);
        bench.restore_automation();
        bench.workbench.set_window(Window::Main);
    }

    fn deactivates(bench: &Bench) {
        let mail = bench.plugin("mail", [Capability::Contributions]);
        handle_of(&mail, Command::new("mail.send", "Send")).keep();
        assert!(bench.workbench.deactivate(mail.plugin()));
        assert_unavailable(&trigger(&bench.workbench, "mail.send"));
    }

    watched(|| {
        let bench = bench_on(usual().grant("mail", [Capability::Contributions]));
        thread::scope(|scope| {
            let bench = &bench;
            for task in [registers, invokes, lists, watches, revokes, deactivates] {
                scope.spawn(move || (0..10_000).for_each(|_| task(bench)));
            }
        });
    });
}
