//! One workbench on several threads at once: what was taken away on a thread is gone on that thread at once, whatever the
//! others do. `cargo xtask threads` runs this under ThreadSanitizer.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use drawloom_command::{Command, CommandAccess, CommandArguments, CommandId, CommandOutcome, tool_name};
use drawloom_workbench::{Call, Capability, Plugin, PluginContext, Session, Window, Workbench};
use futures::executor::block_on;

const THREADS: usize = 4;
const ROUNDS: usize = 100;

fn activate(workbench: &Workbench, id: &str) -> PluginContext {
    workbench.activate(Plugin::new(id).declares([Capability::Contributions, Capability::Automation])).unwrap()
}

fn is_answered(outcome: &CommandOutcome) -> bool {
    matches!(outcome, CommandOutcome::Answered { .. })
}

/// Invokes a command as a plugin.
fn invoke(plugin: &PluginContext, id: &str) -> CommandOutcome {
    block_on(plugin.invoke(id, CommandArguments::new()))
}

/// A workbench with the callable command `shared`, and a plugin for each thread.
fn workbench() -> (Workbench, Vec<PluginContext>, Arc<AtomicUsize>) {
    let both = [Capability::Contributions, Capability::Automation];
    let names: Vec<String> = (0..THREADS).map(|number| format!("p{number}")).collect();
    let builder = names.iter().fold(Workbench::builder(), |builder, name| builder.grant(name.as_str(), both));
    let workbench = builder.grant("owner", both).build();
    let runs = Arc::new(AtomicUsize::new(0));
    let counts = runs.clone();
    let owner = activate(&workbench, "owner");
    let shared = Command::new("shared", "Shared").callable();
    owner
        .register(shared, move |_: Call| {
            counts.fetch_add(1, Ordering::Relaxed);
            async { Ok(()) }
        })
        .unwrap()
        .keep();
    let plugins = names.iter().map(|name| activate(&workbench, name)).collect();
    (workbench, plugins, runs)
}

#[test]
fn what_a_thread_revokes_it_cannot_use_any_more() {
    let (workbench, plugins, runs) = workbench();
    let answered: usize = thread::scope(|scope| {
        let threads: Vec<_> = plugins
            .iter()
            .map(|plugin| {
                let (workbench, name) = (&workbench, plugin.plugin());
                scope.spawn(move || {
                    let mut answered = 0;
                    for _ in 0..ROUNDS {
                        assert!(is_answered(&invoke(plugin, "shared")));
                        assert!(plugin.offer(&CommandId::from("shared")).is_some());
                        workbench.revoke(name, Capability::Automation).unwrap();
                        assert!(!is_answered(&invoke(plugin, "shared")));
                        assert_eq!(plugin.invocable_commands().len(), 0);
                        workbench.restore(name, Capability::Automation).unwrap();
                        answered += 1;
                    }
                    answered
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!((answered, runs.load(Ordering::Relaxed)), (THREADS * ROUNDS, THREADS * ROUNDS));
}

#[test]
fn a_command_runs_only_while_it_is_registered_and_only_where_it_is_callable() {
    let (workbench, plugins, _) = workbench();
    let is_over = AtomicBool::new(false);
    let closed_runs = Arc::new(AtomicUsize::new(0));
    thread::scope(|scope| {
        // The session, the window and the lists change all the time.
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                workbench.set_session(Session::authenticated(["editor"]));
                workbench.set_window(Window::Main);
                let _ = workbench.composition_issues();
                let _ = workbench.triggerable_commands();
                workbench.set_session(Session::default());
            }
        });
        let threads: Vec<_> = plugins
            .iter()
            .enumerate()
            .map(|(number, plugin)| {
                let (closed_runs, plugins) = (closed_runs.clone(), &plugins);
                scope.spawn(move || {
                    let id = format!("own.{number}");
                    let other = plugins.get((number + 1) % THREADS).unwrap();
                    for round in 0..ROUNDS {
                        let command = Command::new(&*id, "Own");
                        let is_callable = round % 2 == 0;
                        let command = if is_callable { command.callable() } else { command };
                        let (is_live, counts) = (Arc::new(AtomicBool::new(true)), closed_runs.clone());
                        let lives = is_live.clone();
                        let registration = plugin
                            .register(command, move |_: Call| {
                                assert!(lives.load(Ordering::Acquire), "it ran after it was gone");
                                if !is_callable {
                                    counts.fetch_add(1, Ordering::Relaxed);
                                }
                                async { Ok(()) }
                            })
                            .unwrap();
                        assert_eq!(is_answered(&invoke(other, &id)), is_callable);
                        assert_eq!(other.offer_by_tool_name(&tool_name(&id)).is_some(), is_callable);
                        registration.dispose();
                        is_live.store(false, Ordering::Release);
                        assert!(!is_answered(&invoke(other, &id)));
                        assert!(!is_answered(&invoke(plugin, &id)));
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        is_over.store(true, Ordering::Release);
    });
    assert_eq!(closed_runs.load(Ordering::Relaxed), 0, "a closed command ran for another plugin");
}

#[test]
fn a_context_that_was_deactivated_on_another_thread_reaches_nothing() {
    for _ in 0..ROUNDS / 10 {
        let (workbench, plugins, _) = workbench();
        let gone: Vec<AtomicBool> = plugins.iter().map(|_| AtomicBool::new(false)).collect();
        thread::scope(|scope| {
            for (plugin, gone) in plugins.iter().zip(&gone) {
                scope.spawn(move || {
                    loop {
                        let was_gone = gone.load(Ordering::Acquire);
                        let outcome = invoke(plugin, "shared");
                        let listed = plugin.invocable_commands().len();
                        if was_gone {
                            assert!(!is_answered(&outcome));
                            assert_eq!(listed, 0);
                            break;
                        }
                    }
                });
            }
            for (plugin, gone) in plugins.iter().zip(&gone) {
                assert!(workbench.deactivate(plugin.plugin()));
                gone.store(true, Ordering::Release);
            }
        });
    }
}
