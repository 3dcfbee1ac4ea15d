//! A chain of commands that invoke each other SHALL be refused as `too-deep` beyond a limit, which is 16 unless the
//! product sets another. It SHALL count which handler caused which invocation, however and wherever the invocation is
//! awaited.
//!
//! Unless a scenario says otherwise, a handler uses a context like any other plugin's code: nothing of it says what caused
//! what.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use drawloom::command::{Argument, CommandArguments, CommandOutcome};
use drawloom::workbench::{Call, Capability, HandlerError, MenuItem, PluginContext, Shortcut};
use futures::executor::{ThreadPool, block_on};
use futures::future::{BoxFuture, FutureExt, join, join_all};
use futures::task::SpawnExt;
use tokio::runtime::{Builder, Runtime};

use crate::support::{
    Bench, Gate, Kept, Runs, YieldOnce, assert_answered, assert_too_deep, bench, bench_on, by_turns,
    callable, does, invoke, is_answered, poll_once, settle, usual,
};

/// The limit where the product sets none.
const LIMIT: usize = 16;

/// How often chains that nothing stops go on: enough for their test to fail, instead of never ending.
#[derive(Clone)]
struct Links(Arc<AtomicUsize>);

impl Links {
    fn of_chains(chains: usize) -> Self {
        Self(Arc::new((chains * 2 * LIMIT).into()))
    }

    /// Whether one more invocation may follow.
    fn resume(&self) -> bool {
        self.0.try_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok()
    }
}

fn work_stealing() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap()
}

/// A handler's own context, as any code of the plugin has one.
fn context(call: &Call) -> PluginContext {
    call.context().clone()
}

async fn invoke_loop(context: PluginContext) -> CommandOutcome {
    context.invoke("notes.loop", CommandArguments::new()).await
}

/// A `notes.loop` that invokes itself through this, and the outcomes it met, the innermost first.
fn looping<F, Fut>(bench: &Bench, again: F) -> (Runs, Kept<CommandOutcome>)
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = CommandOutcome> + Send + 'static,
{
    looping_in(bench, Links::of_chains(1), again)
}

fn looping_in<F, Fut>(bench: &Bench, links: Links, again: F) -> (Runs, Kept<CommandOutcome>)
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = CommandOutcome> + Send + 'static,
{
    let met = Kept::default();
    let meets = met.clone();
    let runs = bench.does(callable("notes.loop"), move |call| {
        let again = links.resume().then(|| again(call));
        let meets = meets.clone();
        async move {
            if let Some(again) = again {
                meets.keep(again.await);
            }
            Ok(())
        }
    });
    (runs, met)
}

/// A `notes.loop` whose handler yields once before it invokes itself, for so many chains of it.
fn yielding_loop(bench: &Bench, chains: usize) -> Runs {
    let (runs, _) = looping_in(bench, Links::of_chains(chains), |call| async move {
        YieldOnce::default().await;
        invoke_loop(context(&call)).await
    });
    runs
}

#[track_caller]
fn assert_stopped((runs, met): (Runs, Kept<CommandOutcome>), limit: usize) {
    assert_eq!(runs.count(), limit);
    let met = met.all();
    assert_eq!(met.len(), limit);
    assert_too_deep(&met[0]);
    assert!(met[1..].iter().all(is_answered), "{met:?}");
}

/// - **GIVEN** `notes.loop`, whose handler invokes `notes.loop`, in one workbench without and one with a
///   limit of 3.
/// - **WHEN** it is invoked in each.
/// - **THEN** the handler has run 16 times and 3 times, and each innermost invocation was refused as
///   `too-deep`.
#[test]
fn a_loop_is_stopped() {
    for (composition, limit) in [(usual(), LIMIT), (usual().nesting_limit(3), 3)] {
        let bench = bench_on(composition);
        let looping = looping(&bench, |call| invoke_loop(context(&call)));

        assert_answered(&invoke(&bench.copilot, "notes.loop"));

        assert_stopped(looping, limit);
    }
}

/// - **GIVEN** `notes.loop`, whose handler waits for a timer and then joins a ready future with an
///   invocation of itself.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_timers_and_joins() {
    let bench = bench();
    let looping = looping(&bench, |call| async move {
        tokio::time::sleep(Duration::from_millis(1)).await;
        join(ready(()), invoke_loop(context(&call))).await.1
    });

    let invocation = bench.copilot.invoke("notes.loop", CommandArguments::new());
    assert_answered(&work_stealing().block_on(invocation));

    assert_stopped(looping, LIMIT);
}

/// - **GIVEN** `notes.ping` and `mail.pong`, whose handlers invoke each other through contexts kept since
///   activation.
/// - **WHEN** `notes.ping` is invoked.
/// - **THEN** the two handlers have run 16 times together.
#[test]
fn through_another_context() {
    let both = [Capability::Contributions, Capability::Automation];
    let bench = bench_on(usual().grant("notes", both).grant("mail", both));
    bench.workbench.deactivate(bench.notes.plugin());
    let notes = bench.plugin("notes", both);
    let mail = bench.plugin("mail", both);
    let links = Links::of_chains(1);
    let returns = |kept: PluginContext, id: &'static str| {
        let links = links.clone();
        move |_: Call| {
            let (kept, goes_on) = (kept.clone(), links.resume());
            async move {
                YieldOnce::default().await;
                if goes_on {
                    kept.invoke(id, CommandArguments::new()).await;
                }
                Ok(())
            }
        }
    };
    let pings = does(&notes, callable("notes.ping"), returns(notes.clone(), "mail.pong"));
    let pongs = does(&mail, callable("mail.pong"), returns(mail.clone(), "notes.ping"));

    assert_answered(&invoke(&bench.copilot, "notes.ping"));

    assert_eq!([pings.count(), pongs.count()], [LIMIT / 2, LIMIT / 2]);
}

/// - **GIVEN** `notes.loop`, whose handler triggers `notes.loop` as the person would.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_a_trigger() {
    let bench = bench();
    let workbench = bench.workbench.clone();
    let looping = looping(&bench, move |_| {
        let workbench = workbench.clone();
        async move { workbench.trigger("notes.loop").await }
    });

    assert_answered(&invoke(&bench.copilot, "notes.loop"));

    assert_stopped(looping, LIMIT);
}

/// - **GIVEN** `notes.loop`, whose handler hands its call to another task, which invokes `notes.loop`
///   with it.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_a_handed_over_task() {
    let bench = bench();
    let looping = looping(&bench, |call| async move {
        let task = tokio::spawn(async move {
            YieldOnce::default().await;
            call.invoke("notes.loop", CommandArguments::new()).await
        });
        task.await.unwrap()
    });

    let invocation = bench.copilot.invoke("notes.loop", CommandArguments::new());
    assert_answered(&work_stealing().block_on(invocation));

    assert_stopped(looping, LIMIT);
}

/// - **GIVEN** `notes.loop`, whose handler makes an invocation of `notes.loop` and hands it to another
///   task, which awaits it.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_a_handed_over_invocation() {
    let bench = bench();
    let looping = looping(&bench, |call| async move {
        let context = context(&call);
        let invocation = context.invoke("notes.loop", CommandArguments::new());
        tokio::spawn(invocation).await.unwrap()
    });

    let invocation = bench.copilot.invoke("notes.loop", CommandArguments::new());
    assert_answered(&work_stealing().block_on(invocation));

    assert_stopped(looping, LIMIT);
}

/// - **GIVEN** `notes.loop`, whose handler awaits one of many invocations of `notes.loop` that were made
///   outside of it.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_an_invocation_made_before() {
    let bench = bench();
    let made: Kept<BoxFuture<'static, _>> = Kept::default();
    let takes = made.clone();
    let looping = looping(&bench, move |_| takes.pop().expect("there are enough"));
    for _ in 0..2 * LIMIT {
        made.keep(bench.notes.invoke("notes.loop", CommandArguments::new()).boxed());
    }

    assert_answered(&invoke(&bench.copilot, "notes.loop"));

    assert_stopped(looping, LIMIT);
}

/// - **GIVEN** `notes.loop`, whose handler invokes `notes.loop` and blocks until it has ended before it
///   gives its future.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn before_the_handler_waits() {
    let bench = bench();
    let looping = looping(&bench, |call| ready(settle(invoke_loop(context(&call)))));

    assert_answered(&invoke(&bench.copilot, "notes.loop"));

    assert_stopped(looping, LIMIT);
}

/// - **GIVEN** `notes.loop`, whose handler carries work to another task, which invokes `notes.loop`
///   through a kept context.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_carried_work() {
    let bench = bench();
    let looping = looping(&bench, |call| async move {
        let kept = context(&call);
        let work = call.carry(async move {
            YieldOnce::default().await;
            invoke_loop(kept).await
        });
        tokio::spawn(work).await.unwrap()
    });

    let invocation = bench.copilot.invoke("notes.loop", CommandArguments::new());
    assert_answered(&work_stealing().block_on(invocation));

    assert_stopped(looping, LIMIT);
}

/// Never ends, and when it is dropped starts `notes.loop` and drops that invocation.
struct LoopsWhenDropped(PluginContext, Links);

impl Future for LoopsWhenDropped {
    type Output = Result<(), HandlerError>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

impl Drop for LoopsWhenDropped {
    fn drop(&mut self) {
        if self.1.resume() {
            let _ = poll_once(&mut invoke_loop(self.0.clone()).boxed());
        }
    }
}

/// - **GIVEN** `notes.loop`, whose handler waits and, when it is dropped, starts `notes.loop` and drops
///   that invocation.
/// - **WHEN** it is invoked and the invocation is dropped.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_a_drop() {
    let bench = bench();
    let links = Links::of_chains(1);
    let runs =
        bench.does(callable("notes.loop"), move |call| LoopsWhenDropped(context(&call), links.clone()));

    let mut invocation = invoke_loop(bench.copilot.clone()).boxed();
    assert!(poll_once(&mut invocation).is_pending());
    assert_eq!(runs.count(), 1);
    drop(invocation);

    assert_eq!(runs.count(), LIMIT);
}

/// - **GIVEN** `notes.loop`, whose handler leaves carried work behind, which invokes `notes.loop` when it
///   is dropped.
/// - **WHEN** it is invoked, and what is left behind is dropped until nothing is.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_dropped_work() {
    let bench = bench();
    let left: Kept<BoxFuture<'static, _>> = Kept::default();
    let (leaves, links) = (left.clone(), Links::of_chains(1));
    let runs = bench.does(callable("notes.loop"), move |call: Call| {
        leaves.keep(call.carry(LoopsWhenDropped(context(&call), links.clone())).boxed());
        ready(Ok(()))
    });

    assert_answered(&invoke(&bench.copilot, "notes.loop"));
    while let Some(work) = left.pop() {
        drop(work);
    }

    assert_eq!(runs.count(), LIMIT);
}

/// - **GIVEN** `notes.loop`, whose required choice comes from a source that invokes `notes.loop`.
/// - **WHEN** it is invoked.
/// - **THEN** the handler has run 16 times.
#[test]
fn through_a_source_of_choices() {
    let bench = bench();
    let inbox = || CommandArguments::new().with("note", "inbox");
    let kept = Arc::new(OnceLock::<PluginContext>::new());
    let (source, links) = (kept.clone(), Links::of_chains(1));
    let note = Argument::choice_from("note", move || {
        let context = source.get().expect("it is asked once the test has begun");
        if links.resume() {
            let _ = settle(context.invoke("notes.loop", inbox()));
        }
        vec!["inbox".to_owned()]
    });
    let runs = bench.has(callable("notes.loop").argument(note.required()));
    assert!(kept.set(bench.notes.clone()).is_ok());

    assert_answered(&settle(bench.copilot.invoke("notes.loop", inbox())));

    assert_eq!(runs.count(), LIMIT);
}

/// - **GIVEN** `notes.loop`, whose handler yields once before it invokes itself.
/// - **WHEN** it is invoked on a plain blocking poll, on a thread pool, on a work-stealing runtime and on
///   two threads in turns.
/// - **THEN** its handler has run 16 times on each.
#[test]
fn on_any_executor() {
    type Run = fn(BoxFuture<'static, CommandOutcome>) -> CommandOutcome;
    let executors: [(&str, Run); 4] = [
        ("a plain blocking poll", |invocation| block_on(invocation)),
        ("a thread pool", |invocation| {
            let pool = ThreadPool::builder().pool_size(2).create().unwrap();
            block_on(pool.spawn_with_handle(invocation).unwrap())
        }),
        ("a work-stealing runtime", |invocation| {
            let runtime = work_stealing();
            runtime.block_on(runtime.spawn(invocation)).unwrap()
        }),
        ("two threads in turns", |invocation| by_turns(invocation)),
    ];
    for (name, run) in executors {
        let bench = bench();
        let runs = yielding_loop(&bench, 1);

        assert_answered(&run(invoke_loop(bench.copilot.clone()).boxed()));

        assert_eq!(runs.count(), LIMIT, "on {name}");
    }
}

/// A `notes.wait` whose handler waits at a gate.
fn waiting(bench: &Bench) -> (Runs, Gate) {
    let gate = Gate::new();
    let passed = gate.passed();
    let runs = bench.does(callable("notes.wait"), move |_| passed.clone().map(Ok));
    (runs, gate)
}

async fn forty_at_once(context: PluginContext) -> Vec<CommandOutcome> {
    join_all((0..40).map(|_| context.invoke("notes.wait", CommandArguments::new()))).await
}

#[track_caller]
fn assert_all_answered(outcomes: &[CommandOutcome]) {
    assert_eq!(outcomes.len(), 40);
    outcomes.iter().for_each(assert_answered);
}

/// - **GIVEN** `notes.loop`, whose handler reads every list and then invokes `notes.loop`, and a limit
///   of 2.
/// - **WHEN** it is invoked.
/// - **THEN** the lists hold `notes.loop` and its controls in the first handler, and nothing in the
///   second.
/// - **AND** with a limit of 0, every list is empty outside of handlers too.
#[test]
fn a_list_at_the_limit() {
    fn lists(bench: &Bench) -> [usize; 5] {
        let workbench = &bench.workbench;
        [
            bench.copilot.invocable_commands().len(),
            workbench.triggerable_commands().len(),
            workbench.menu_items().len(),
            workbench.shortcuts().len(),
            workbench.shortcut("Ctrl+L").into_iter().count(),
        ]
    }

    for (limit, expected) in [(2, vec![[1; 5], [0; 5]]), (0, vec![])] {
        let bench = Arc::new(bench_on(usual().nesting_limit(limit)));
        let (read, inner) = (Kept::default(), Arc::downgrade(&bench));
        let reads = read.clone();
        bench.does(callable("notes.loop"), move |call: Call| {
            if let Some(bench) = inner.upgrade() {
                reads.keep(lists(&bench));
            }
            async move {
                call.invoke("notes.loop", CommandArguments::new()).await;
                Ok(())
            }
        });
        let item = MenuItem::new("notes.item", "Loop", "notes.loop");
        bench.notes.register_menu_item(item).unwrap().keep();
        bench.notes.register_shortcut(Shortcut::new("Ctrl+L", "notes.loop")).unwrap().keep();

        drop(invoke(&bench.copilot, "notes.loop"));

        assert_eq!(read.all(), expected);
        assert_eq!(lists(&bench), [u32::from(limit > 0) as usize; 5]);
    }
}

/// - **GIVEN** `notes.wait`, whose handler waits until it is released.
/// - **WHEN** `notes.wait` is invoked 40 times at once and then released.
/// - **THEN** all 40 are answered.
#[test]
fn side_by_side_is_no_chain() {
    let bench = bench();
    let (waits, gate) = waiting(&bench);

    let mut all = forty_at_once(bench.copilot.clone()).boxed();
    assert!(poll_once(&mut all).is_pending());
    assert_eq!(waits.count(), 40);
    gate.open();

    assert_all_answered(&settle(all));
}

/// - **GIVEN** `notes.fan`, whose handler invokes `notes.wait` 40 times at once and waits for all.
/// - **WHEN** it is invoked and `notes.wait` is released.
/// - **THEN** all 40 are answered.
#[test]
fn side_by_side_inside_a_handler() {
    let bench = bench();
    let (waits, gate) = waiting(&bench);
    let met = Kept::default();
    let meets = met.clone();
    bench.does(callable("notes.fan"), move |call| {
        let (all, meets) = (forty_at_once(context(&call)), meets.clone());
        async move {
            meets.keep(all.await);
            Ok(())
        }
    });

    let mut fan = bench.copilot.invoke("notes.fan", CommandArguments::new()).boxed();
    assert!(poll_once(&mut fan).is_pending());
    assert_eq!(waits.count(), 40);
    gate.open();
    assert_answered(&settle(fan));

    assert_all_answered(&met.only());
}

/// - **GIVEN** `notes.loop`, whose handler yields once before it invokes itself.
/// - **WHEN** 20 invocations of it are polled in turns on one thread.
/// - **THEN** its handler has run 320 times.
#[test]
fn chains_side_by_side() {
    let bench = bench();
    let runs = yielding_loop(&bench, 20);

    let mut chains: Vec<_> = (0..20).map(|_| invoke_loop(bench.copilot.clone()).boxed()).collect();
    while !chains.is_empty() {
        chains.retain_mut(|chain| poll_once(chain).is_pending());
    }

    assert_eq!(runs.count(), 20 * LIMIT);
}
