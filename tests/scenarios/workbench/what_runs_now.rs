//! The person SHALL see what runs in their workbench, with the progress that it reports, in the order in which it was
//! started, and SHALL be told of each change. Nobody else SHALL see it. A command SHALL be listed from the moment
//! when it first waits, reports progress or looks at the signal that it was cancelled, until it has ended.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use drawloom::command::{CallOrigin, CommandAccess, CommandArguments, CommandId, Progress};
use drawloom::workbench::{ActivityChanges, Call, Caller};
use futures::future::{FutureExt, join_all};
use futures::stream::StreamExt;

use crate::support::{
    Bench, Gate, Kept, assert_answered, bench, bench_on, callable, poll_once, settle, trigger, usual, watched,
};

/// A command that reports this progress and waits for the gate.
fn exports(bench: &Bench, gate: &Gate, progress: Progress) {
    let passed = gate.passed();
    bench.does(callable("notes.export"), move |call: Call| {
        call.progress(progress.clone());
        passed.clone().map(Ok)
    });
}

/// - **GIVEN** a clock that stands at 7 seconds, German titles, `notes.export`, which reports a share of 0.4 and the
///   phase `Exporting` and waits, and `notes.wait`, which waits.
/// - **WHEN** the agent calls `notes.export` as `c1`, the person triggers `notes.wait`, and what runs is listed.
/// - **THEN** the list holds the two in this order, each with its title in German, its caller and since when it
///   runs, and the first with its call id and its progress.
/// - **AND** when both have ended, the list is empty.
#[test]
fn the_list_of_what_runs() {
    let german = |key: &str| (key == "Title").then(|| "Titel".to_owned());
    let bench = bench_on(usual().clock(|| Duration::from_secs(7)).translator(german));
    let gate = Gate::new();
    exports(&bench, &gate, Progress::new().share(0.4).phase("Exporting"));
    let passed = gate.passed();
    bench.does(callable("notes.wait"), move |_| passed.clone().map(Ok));

    let offer = bench.copilot.offer(&CommandId::from("notes.export")).unwrap();
    let export = bench.copilot.invoke_offered(&offer, CommandArguments::new(), CallOrigin::new("c1"));
    let wait = bench.workbench.trigger("notes.wait").boxed();
    let mut both = join_all([export, wait]);
    assert!(poll_once(&mut both).is_pending());

    let running = bench.workbench.running();
    let [export, wait] = &running[..] else { panic!("{running:#?}") };
    assert_eq!((export.command.as_str(), wait.command.as_str()), ("notes.export", "notes.wait"));
    assert_eq!((&*export.title, &*wait.title), ("Titel", "Titel"));
    assert_eq!((&export.caller, &wait.caller), (&Caller::Plugin("copilot".into()), &Caller::Person));
    assert_eq!((export.since, wait.since), (Some(Duration::from_secs(7)), Some(Duration::from_secs(7))));
    assert_eq!((export.call_id.as_deref(), wait.call_id.as_deref()), (Some("c1"), None));
    assert_eq!(export.progress, Some(Progress::new().share(0.4).phase("Exporting")));
    assert_eq!(wait.progress, None);
    assert!(export.id < wait.id);

    gate.open();
    settle(both).iter().for_each(assert_answered);
    assert_eq!(bench.workbench.running(), []);
}

/// - **GIVEN** a handler that reports a share of 7, then the phase `Packing`, and keeps its call.
/// - **WHEN** what runs is listed after each report, and the call reports again after the command has ended.
/// - **THEN** the first list shows a share of 1, the second only the phase, and the last report changes nothing.
#[test]
fn the_latest_progress_counts() {
    let bench = bench();
    let (workbench, calls) = (bench.workbench.clone(), Kept::default());
    let keeps = calls.clone();
    bench.does(callable("notes.export"), move |call: Call| {
        call.progress(Progress::new().share(7.0));
        assert_eq!(workbench.running()[0].progress, Some(Progress::new().share(1.0)));
        call.progress(Progress::new().phase("Packing"));
        assert_eq!(workbench.running()[0].progress, Some(Progress::new().phase("Packing")));
        keeps.keep(call);
        async { Ok(()) }
    });

    assert_answered(&trigger(&bench.workbench, "notes.export"));

    let mut changes = bench.workbench.running_changes();
    calls.only().progress(Progress::new().share(0.5));
    assert_eq!(bench.workbench.running(), []);
    assert!(changes.next().now_or_never().is_none(), "nothing has changed");
}

/// Whether the stream yields right now; this waker waits for what comes next.
fn yields(changes: &mut ActivityChanges, waker: &Waker) -> bool {
    changes.poll_next_unpin(&mut Context::from_waker(waker)) == Poll::Ready(Some(()))
}

/// - **GIVEN** somebody who watches what runs, and `notes.export`, which waits, reports progress twice and waits.
/// - **WHEN** it is triggered, reports, and is dropped.
/// - **THEN** the stream wakes its task and yields once after each of the three, and not in between.
#[test]
fn changes_wake_those_who_watch() {
    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    let bench = bench();
    let gate = Gate::new();
    let passed = gate.passed();
    bench.does(callable("notes.export"), move |call: Call| {
        let passed = passed.clone();
        async move {
            passed.await;
            call.progress(Progress::new().share(0.1));
            call.progress(Progress::new().share(0.2));
            pending().await
        }
    });
    let wakes = Arc::<Wakes>::default();
    let waker = Waker::from(wakes.clone());
    let mut changes = bench.workbench.running_changes();
    assert!(!yields(&mut changes, &waker));
    let mut told = || {
        let woken = wakes.0.swap(0, Ordering::SeqCst);
        (woken, yields(&mut changes, &waker), yields(&mut changes, &waker))
    };

    let mut export = bench.workbench.trigger("notes.export").boxed();
    assert!(poll_once(&mut export).is_pending());
    assert_eq!(told(), (1, true, false), "it appeared");
    gate.open();
    assert!(poll_once(&mut export).is_pending());
    assert_eq!(told(), (1, true, false), "it reported twice");
    drop(export);
    assert_eq!(told(), (1, true, false), "it ended");
    assert_eq!(told(), (0, false, false));
}

/// - **GIVEN** two workbenches on one registry, and `notes.wait`, which waits.
/// - **WHEN** it runs in the first, and the second lists what runs, watches it, and cancels it by its id.
/// - **THEN** the second sees nothing, is told nothing and cancels nothing, and the command still runs.
#[test]
fn each_workbench_has_its_own() {
    let ada = bench();
    let bob = ada.beside(usual());
    ada.does(callable("notes.wait"), |_| pending());
    let mut changes = bob.workbench.running_changes();

    let mut wait = ada.copilot.invoke("notes.wait", CommandArguments::new()).boxed();
    assert!(poll_once(&mut wait).is_pending());
    let id = ada.workbench.running()[0].id;

    assert_eq!(bob.workbench.running(), []);
    assert!(!bob.workbench.cancel(id));
    assert!(changes.next().now_or_never().is_none());
    assert!(poll_once(&mut wait).is_pending());
    assert_eq!(ada.workbench.running().len(), 1);
}

/// - **GIVEN** somebody who watches what runs.
/// - **WHEN** the person triggers `notes.open`, which ends at once, and the agent is refused `notes.ghost`.
/// - **THEN** the stream does not yield.
#[test]
fn what_nobody_could_see_is_not_listed() {
    let bench = bench();
    bench.has(callable("notes.open"));
    let mut changes = bench.workbench.running_changes();

    assert_answered(&trigger(&bench.workbench, "notes.open"));
    drop(trigger(&bench.workbench, "notes.ghost"));

    assert!(changes.next().now_or_never().is_none());
}

/// - **GIVEN** 100,000 commands that run.
/// - **WHEN** they are listed, and every one of them is cancelled.
/// - **THEN** the list holds all of them in the order in which they were started, each ends as cancelled, and the list
///   is empty. The cost of each step does not depend on how many there are.
#[test]
fn a_hundred_thousand_run() {
    const MANY: usize = 100_000;
    watched(|| {
        let bench = bench();
        bench.does(callable("notes.wait"), |_| pending());
        let mut invocations: Vec<_> =
            (0..MANY).map(|_| bench.workbench.trigger("notes.wait").boxed()).collect();
        invocations.iter_mut().for_each(|invocation| assert!(poll_once(invocation).is_pending()));

        let running = bench.workbench.running();
        assert_eq!(running.len(), MANY);
        assert!(running.is_sorted_by(|one, next| one.id < next.id));
        running.iter().for_each(|command| assert!(bench.workbench.cancel(command.id)));
        for invocation in invocations {
            assert_eq!(invocation.now_or_never().unwrap().name(), "cancelled");
        }
        assert_eq!(bench.workbench.running(), []);
    });
}
