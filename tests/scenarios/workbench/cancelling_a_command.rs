//! The person SHALL be able to cancel what runs, and everything that it invoked. A handler that looked at the signal
//! SHALL end by itself, and be dropped if it is cancelled once more; any other SHALL be dropped when it is cancelled.
//! A command that was dropped, or that returns an error after it was cancelled, SHALL end as cancelled. Nothing else
//! that changes SHALL stop a command.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use drawloom::command::{CommandArguments, CommandOutcome, Failure, FailureKind};
use drawloom::workbench::{Call, Capability, HandlerError, Notice, RunningId, Session, Window, Workbench};
use futures::future::{BoxFuture, FutureExt, join_all};

use crate::support::{
    Bench, Gate, Kept, YieldOnce, assert_answered, bench, callable, closed, poll_once, settle, watched,
};

/// Says that it was dropped.
struct Dropped(Kept<&'static str>, &'static str);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.keep(self.1);
    }
}

/// Whether a task was woken.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Triggers a command, which then waits, and gives its id.
#[track_caller]
fn waiting(bench: &Bench, id: &'static str) -> (BoxFuture<'static, CommandOutcome>, RunningId) {
    let mut trigger = bench.workbench.trigger(id).boxed();
    assert!(poll_once(&mut trigger).is_pending());
    (trigger, running(&bench.workbench, id))
}

#[track_caller]
fn running(workbench: &Workbench, id: &str) -> RunningId {
    let running = workbench.running();
    running.iter().find(|running| running.command == id).expect("it runs").id
}

/// The failure that an outcome is.
#[track_caller]
fn failure(outcome: CommandOutcome) -> Failure {
    match outcome {
        CommandOutcome::Failed(failure) => failure,
        other => panic!("not failed: {other:?}"),
    }
}

/// A handler that waits for the signal, and then returns this error.
fn ends_when_asked(call: &Call, words: &'static str) -> BoxFuture<'static, Result<(), HandlerError>> {
    call.cancelled().map(move |()| Err(words.into())).boxed()
}

/// - **GIVEN** `notes.wait`, whose handler waits and never looks at the signal, awaited by a task.
/// - **WHEN** the person cancels it.
/// - **THEN** the task is woken, and when it is polled the handler is dropped and the outcome is cancelled.
/// - **AND** the person is told that it was cancelled, the audit has it as cancelled, and it is in no list any more.
#[test]
fn a_handler_that_does_not_look_is_dropped() {
    let bench = bench();
    let dropped = Kept::default();
    let tells = dropped.clone();
    bench.does(callable("notes.wait"), move |_| {
        let guard = Dropped(tells.clone(), "notes.wait");
        async move {
            let _guard = guard;
            pending().await
        }
    });
    let woken = Arc::<Woken>::default();
    let waker = Waker::from(woken.clone());
    let mut wait = bench.workbench.trigger("notes.wait").boxed();
    assert!(wait.poll_unpin(&mut Context::from_waker(&waker)).is_pending());

    assert!(bench.workbench.cancel(running(&bench.workbench, "notes.wait")));

    assert!(woken.0.load(Ordering::SeqCst), "the task is woken");
    let Poll::Ready(outcome) = wait.poll_unpin(&mut Context::from_waker(&waker)) else { panic!("it waits") };
    assert_eq!(dropped.all(), ["notes.wait"]);
    assert_eq!(failure(outcome), Failure::cancelled());
    assert!(matches!(bench.told.only(), Notice::Cancelled { command, .. } if command == "notes.wait"));
    assert_eq!(bench.audited.only().outcome().unwrap().name(), "cancelled");
    assert_eq!(bench.workbench.running(), []);
}

/// - **GIVEN** `notes.export`, whose handler waits for the signal, and `notes.copy`, whose handler looks at it after
///   each step; each then returns the error `12 of 30`.
/// - **WHEN** the person cancels each.
/// - **THEN** each is listed as cancelled until it has ended, and its outcome is cancelled, with `12 of 30` in its
///   message.
#[test]
fn a_handler_that_looks_ends_by_itself() {
    let bench = bench();
    bench.does(callable("notes.export"), |call: Call| ends_when_asked(&call, "12 of 30"));
    bench.does(callable("notes.copy"), |call: Call| async move {
        while !call.is_cancelled() {
            YieldOnce::default().await;
        }
        YieldOnce::default().await;
        Err("12 of 30".into())
    });

    for id in ["notes.export", "notes.copy"] {
        let (command, running) = waiting(&bench, id);
        assert!(!bench.workbench.running()[0].is_cancelled);
        bench.workbench.cancel(running);
        assert!(bench.workbench.running()[0].is_cancelled);
        let failure = failure(settle(command));
        assert_eq!(failure.kind, FailureKind::Cancelled);
        assert_eq!(failure, Failure::cancelled_with("12 of 30"));
    }
}

/// - **GIVEN** a handler that waits for the signal and then still answers.
/// - **WHEN** the person cancels it.
/// - **THEN** it is answered.
#[test]
fn work_that_was_finished_is_answered() {
    let bench = bench();
    bench.does(callable("notes.export"), |call: Call| call.cancelled().map(Ok));

    let (export, id) = waiting(&bench, "notes.export");
    bench.workbench.cancel(id);

    assert_answered(&settle(export));
}

/// - **GIVEN** a handler that looks at the signal and goes on waiting.
/// - **WHEN** the person cancels it once and then once more.
/// - **THEN** after the first time it still runs, and after the second it is dropped and its outcome is cancelled.
#[test]
fn the_second_time_it_is_dropped() {
    let bench = bench();
    bench.does(callable("notes.stubborn"), |call: Call| {
        assert!(!call.is_cancelled());
        pending()
    });

    let (mut stubborn, id) = waiting(&bench, "notes.stubborn");
    bench.workbench.cancel(id);
    assert!(poll_once(&mut stubborn).is_pending());
    bench.workbench.cancel(id);

    assert_eq!(failure(settle(stubborn)), Failure::cancelled());
    assert!(!bench.workbench.cancel(id), "it does not run any more");
}

/// - **GIVEN** `notes.all`, which looks at the signal and invokes `notes.one` in a task of its own and `notes.two`
///   itself, both of which wait without looking.
/// - **WHEN** the person cancels `notes.all`.
/// - **THEN** the list names `notes.all` as what invoked the two, both end as cancelled, and then `notes.all`, which is
///   told so, returns an error.
/// - **AND** cancelling only `notes.two` leaves `notes.one` and `notes.all` running.
#[test]
fn what_it_invoked_is_cancelled_too() {
    for cancels_all in [true, false] {
        let bench = bench();
        for id in ["notes.one", "notes.two"] {
            bench.does(callable(id), |_| pending());
        }
        let carried = Kept::default();
        let carries = carried.clone();
        bench.does(callable("notes.all"), move |call: Call| {
            let one = call.context().invoke("notes.one", CommandArguments::new());
            carries.keep(call.carry(one).boxed());
            assert!(!call.is_cancelled(), "it looks");
            async move {
                let two = call.invoke("notes.two", CommandArguments::new()).await;
                match call.is_cancelled() {
                    true => Err(two.name().into()),
                    false => pending().await,
                }
            }
        });
        let (mut all, id) = waiting(&bench, "notes.all");
        let mut one = carried.pop().unwrap();
        assert!(poll_once(&mut one).is_pending());
        let invoked_by = |id: &str| {
            let running = bench.workbench.running();
            running.into_iter().find(|command| command.command == id).unwrap().invoked_by
        };
        assert_eq!((invoked_by("notes.one"), invoked_by("notes.two")), (Some(id), Some(id)));

        if cancels_all {
            bench.workbench.cancel(id);
            assert_eq!(settle(one).name(), "cancelled");
            assert_eq!(settle(all).name(), "cancelled");
        } else {
            bench.workbench.cancel(running(&bench.workbench, "notes.two"));
            assert!(poll_once(&mut all).is_pending());
            assert!(poll_once(&mut one).is_pending());
            assert_eq!(bench.workbench.running().len(), 2);
        }
    }
}

/// - **GIVEN** `notes.export`, whose handler waits for the signal and then invokes `notes.tidy`, which waits once.
/// - **WHEN** the person cancels `notes.export`.
/// - **THEN** `notes.tidy` runs to its end.
/// - **AND** if the person cancels `notes.export` once more while `notes.tidy` waits, both are dropped.
#[test]
fn commands_that_tidy_up_run() {
    for is_patient in [true, false] {
        let bench = bench();
        let tidied = Kept::default();
        let (tidies, gate) = (tidied.clone(), Gate::new());
        let passed = gate.passed();
        bench.does(closed("notes.tidy"), move |_| {
            let (tidies, passed) = (tidies.clone(), passed.clone());
            async move {
                passed.await;
                tidies.keep("tidied");
                Ok(())
            }
        });
        bench.does(callable("notes.export"), |call: Call| async move {
            call.cancelled().await;
            let tidied = call.invoke("notes.tidy", CommandArguments::new()).await;
            Err(tidied.name().into())
        });

        let (mut export, id) = waiting(&bench, "notes.export");
        bench.workbench.cancel(id);
        assert!(poll_once(&mut export).is_pending());
        if is_patient {
            gate.open();
            assert_eq!(failure(settle(export)), Failure::cancelled_with("answered"));
            assert_eq!(tidied.all(), ["tidied"]);
        } else {
            bench.workbench.cancel(id);
            assert_eq!(failure(settle(export)), Failure::cancelled());
            gate.open();
            assert_eq!(bench.workbench.running(), []);
            assert!(tidied.all().is_empty());
        }
    }
}

/// - **GIVEN** `notes.export`, whose handler gives work that waits for the signal to another task, and waits.
/// - **WHEN** the future of the invocation is dropped.
/// - **THEN** that work is told.
#[test]
fn a_dropped_call_is_cancelled() {
    let bench = bench();
    let signals = Kept::default();
    let keeps = signals.clone();
    bench.does(callable("notes.export"), move |call: Call| {
        keeps.keep((call.cancelled(), call));
        pending()
    });

    let (export, _) = waiting(&bench, "notes.export");
    let (mut signal, call) = signals.pop().unwrap();
    assert!(poll_once(&mut signal).is_pending());
    drop(export);

    assert!(poll_once(&mut signal).is_ready());
    assert!(call.is_cancelled());
    assert_eq!(bench.audited.only().outcome().unwrap().name(), "cancelled");
}

/// - **GIVEN** a handler that waits for the signal and then panics, and one that is dropped and panics then.
/// - **WHEN** the person cancels each.
/// - **THEN** the first failed and was not cancelled, the second was cancelled, and the caller goes on.
#[test]
fn a_panic_after_it() {
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the drop went wrong");
        }
    }

    let bench = bench();
    bench.does(callable("notes.told"), |call: Call| async move {
        call.cancelled().await;
        panic!("tidying went wrong")
    });
    bench.does(callable("notes.dropped"), |_| async {
        let _bomb = Bomb;
        pending().await
    });

    for (id, kind) in [("notes.told", FailureKind::Error), ("notes.dropped", FailureKind::Cancelled)] {
        let (command, running) = waiting(&bench, id);
        bench.workbench.cancel(running);
        assert_eq!(failure(settle(command)).kind, kind, "{id}");
    }
}

/// - **GIVEN** `notes.first`, which is dropped when it is cancelled and then cancels `notes.second`, and `notes.self`,
///   whose handler cancels itself and waits.
/// - **WHEN** the person cancels `notes.first`, and triggers `notes.self`.
/// - **THEN** all three end as cancelled.
#[test]
fn cancelling_while_cancelling() {
    struct Cancels(Workbench);

    impl Drop for Cancels {
        fn drop(&mut self) {
            self.0.cancel(running(&self.0, "notes.second"));
        }
    }

    watched(|| {
        let bench = bench();
        bench.does(callable("notes.second"), |_| pending());
        let workbench = bench.workbench.clone();
        bench.does(callable("notes.first"), move |_| {
            let cancels = Cancels(workbench.clone());
            async move {
                let _cancels = cancels;
                pending().await
            }
        });
        let workbench = bench.workbench.clone();
        bench.does(callable("notes.self"), move |call: Call| {
            let workbench = workbench.clone();
            async move {
                call.progress(Default::default());
                workbench.cancel(running(&workbench, "notes.self"));
                pending().await
            }
        });

        let (first, id) = waiting(&bench, "notes.first");
        let (second, _) = waiting(&bench, "notes.second");
        bench.workbench.cancel(id);
        assert_eq!(settle(first).name(), "cancelled");
        assert_eq!(settle(second).name(), "cancelled");
        assert_eq!(settle(bench.workbench.trigger("notes.self")).name(), "cancelled");
    });
}

/// - **GIVEN** `notes.wait`, which needs a signed-in session and waits, invoked by `copilot`.
/// - **WHEN** `automation` is revoked, the person signs out, the window becomes one for a single piece, and the plugin
///   `copilot` is deactivated.
/// - **THEN** the command still runs and ends as answered, and until then the person can cancel it.
#[test]
fn taking_rights_stops_nothing() {
    for is_cancelled in [false, true] {
        let bench = bench();
        let gate = Gate::new();
        let passed = gate.passed();
        bench.workbench.set_session(Session::authenticated(["editor"]));
        bench.does(callable("notes.wait").any_role(["editor"]), move |_| passed.clone().map(Ok));
        let mut wait = bench.copilot.invoke("notes.wait", CommandArguments::new()).boxed();
        assert!(poll_once(&mut wait).is_pending());

        bench.workbench.revoke(&"copilot".into(), Capability::Automation).unwrap();
        bench.workbench.set_session(Session::default());
        bench.workbench.set_window(Window::Popout);
        bench.workbench.deactivate(&"copilot".into());

        assert!(poll_once(&mut wait).is_pending());
        let id = running(&bench.workbench, "notes.wait");
        if is_cancelled {
            bench.workbench.cancel(id);
            assert_eq!(settle(wait).name(), "cancelled");
        } else {
            gate.open();
            assert_answered(&settle(wait));
        }
    }
}

/// - **GIVEN** commands that run on one thread: some end by themselves, some wait, some look at the signal.
/// - **WHEN** two other threads cancel whatever runs, until nothing does.
/// - **THEN** each command ends, as answered or as cancelled, and nothing is listed any more.
#[test]
fn many_threads_cancel() {
    const COMMANDS: usize = 2_000;
    watched(|| {
        let bench = bench();
        bench.does(callable("notes.brief"), |_| async {
            for _ in 0..3 {
                YieldOnce::default().await;
            }
            Ok(())
        });
        bench.does(callable("notes.wait"), |_| pending());
        bench.does(callable("notes.export"), |call: Call| ends_when_asked(&call, "stopped"));
        let over = Arc::new(AtomicBool::new(false));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let (workbench, over) = (bench.workbench.clone(), over.clone());
                thread::spawn(move || {
                    while !over.load(Ordering::SeqCst) {
                        for command in workbench.running() {
                            workbench.cancel(command.id);
                        }
                        thread::yield_now();
                    }
                })
            })
            .collect();
        let ids = ["notes.brief", "notes.wait", "notes.export"];
        let commands = (0..COMMANDS).map(|place| bench.workbench.trigger(ids[place % 3]).boxed());
        let outcomes = settle(join_all(commands));
        over.store(true, Ordering::SeqCst);
        threads.into_iter().for_each(|thread| thread.join().unwrap());

        for (place, outcome) in outcomes.iter().enumerate() {
            let is_expected = match place % 3 {
                0 => ["answered", "cancelled"].contains(&outcome.name()),
                _ => outcome.name() == "cancelled",
            };
            assert!(is_expected, "{}: {outcome:?}", ids[place % 3]);
        }
        assert_eq!(bench.workbench.running(), []);
    });
}
