//! What the seam costs as it grows, and whether the time of a refusal tells its cause. Each line is one measurement, printed.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot be set up ends")]

use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use drawloom::prelude::*;
use drawloom::workbench::NoticeQueue;
use futures::Stream;
use futures::executor::block_on;

fn main() {
    for plugins in [4_000, 16_000] {
        println!("deactivate {plugins} plugins of 5 commands: {:?}", deactivating(plugins));
    }
    for revoked in [10_000, 40_000] {
        println!("builder.revoked for {revoked} plugins: {:?}", revoking(revoked));
    }
    for commands in [12_500, 50_000] {
        println!("one watcher polled after each of {commands} registrations: {:?}", watching(commands));
    }
    refusing();
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let started = Instant::now();
    black_box(run());
    started.elapsed()
}

fn register(plugin: &PluginContext, command: Command) {
    plugin.register(command, |_: Call| async { Ok(()) }).unwrap().keep();
}

fn deactivating(plugins: usize) -> Duration {
    let ids: Vec<String> = (0..plugins).map(|number| format!("plugin-{number}")).collect();
    let granted = ids
        .iter()
        .fold(Workbench::builder(), |builder, id| builder.grant(id.as_str(), [Capability::Contributions]));
    let workbench = granted.build();
    for id in &ids {
        let plugin =
            workbench.activate(Plugin::new(id.as_str()).declares([Capability::Contributions])).unwrap();
        for number in 0..5 {
            register(&plugin, Command::new(format!("{id}.{number}"), "Command").callable());
        }
    }
    timed(|| ids.iter().all(|id| workbench.deactivate(&id.as_str().into())))
}

fn revoking(plugins: usize) -> Duration {
    timed(|| {
        (0..plugins)
            .fold(Workbench::builder(), |builder, number| {
                builder.revoked(format!("plugin-{number}"), [Capability::Automation])
            })
            .build()
    })
}

fn notes_and_copilot(builder: drawloom::workbench::WorkbenchBuilder) -> (PluginContext, PluginContext) {
    let workbench = builder.grant("notes", [Capability::Contributions]).build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    (notes, copilot)
}

fn watching(commands: usize) -> Duration {
    let (notes, copilot) = notes_and_copilot(Workbench::builder().grant("copilot", [Capability::Automation]));
    let mut changes = copilot.changes();
    timed(|| {
        for number in 0..commands {
            register(&notes, Command::new(format!("notes.{number}"), "Command").callable());
            let polled = Pin::new(&mut changes).poll_next(&mut Context::from_waker(Waker::noop()));
            assert_eq!(polled, Poll::Ready(Some(())));
        }
    })
}

/// The time of a refusal by its cause. A notice queue is the notifier.
fn refusing() {
    const TIMES: u32 = 100_000;
    let (queue, _notices) = NoticeQueue::new();
    let (notes, copilot) = notes_and_copilot(
        Workbench::builder().grant("holder", [Capability::Automation]).window(Window::Popout).notifier(queue),
    );
    register(&notes, Command::new("notes.secret", "Secret").popout());
    register(&notes, Command::new("notes.purge", "Purge").popout().callable().any_role(["admin"]));
    register(&notes, Command::new("notes.open", "Open").callable());
    register(&notes, Command::new("notes.zoom", "Zoom").popout().callable());
    for (cause, id) in [
        ("unknown", "notes.ghost"),
        ("not callable", "notes.secret"),
        ("session", "notes.purge"),
        ("window", "notes.open"),
        ("missing grant", "notes.zoom"),
    ] {
        let spent = timed(|| {
            for _ in 0..TIMES {
                black_box(block_on(copilot.invoke(id, CommandArguments::new())));
            }
        });
        println!("refusal, {cause}: {:?}", spent / TIMES);
    }
}
