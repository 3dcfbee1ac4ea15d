//! A long life in a short time: runs, turns, commands that come and go, and subscriptions, each many times over one
//! workbench, with the memory that is held at intervals.
//!
//! `cargo xtask soak` runs it. It goes on until the counts and the time are reached, and fails if what is held at the end
//! exceeds what was held after the first tenth by more than [`ALLOWANCE`].

#![allow(clippy::panic, clippy::unwrap_used, reason = "a soak that cannot go on ends")]

mod commands;
mod runs;
mod subscriptions;
mod turns;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use drawloom::prelude::*;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// How much more may be held at the end than after the first tenth, in bytes: tables grow by doubling, and the windows of
/// what is remembered fill up.
const ALLOWANCE: usize = 1024 * 1024;

/// The intervals at which memory is reported.
const INTERVALS: u32 = 20;

/// What is done in one round. A thousand rounds make the least of each.
const RUNS: u64 = 1_000;
const TURNS: u64 = 10;
const COMMANDS: u64 = 100;
const SUBSCRIPTIONS: u64 = 100;
const ROUNDS: u64 = 1_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let seconds = match (arguments.next().map(|seconds| seconds.parse()), arguments.next()) {
        (Some(Ok(seconds)), None) => seconds,
        _ => {
            eprintln!("usage: soak SECONDS");
            return ExitCode::from(2);
        }
    };
    soak(Duration::from_secs(seconds))
}

/// The workbench on which all of it happens, and its plugins.
struct Stage {
    notes: PluginContext,
    copilot: PluginContext,
}

fn stage() -> Stage {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    let open = Command::new("notes.open", "Open note")
        .argument(Argument::text("path").required())
        .answers("The note that was opened")
        .callable();
    notes.register(open, |call: Call| async move { Ok(call.text("path")?.to_owned()) }).unwrap().keep();
    let delete =
        Command::new("notes.delete", "Delete note").callable().agent_consent(AgentConsent::AskAlways);
    notes.register(delete, |_: Call| async { Ok(()) }).unwrap().keep();
    Stage { notes, copilot }
}

fn soak(time: Duration) -> ExitCode {
    let stage = stage();
    let mut runs = runs::Runs::new(&stage);
    let mut turns = turns::Turns::new(&stage);
    let mut commands = commands::Commands::new(&stage);
    let mut subscriptions = subscriptions::Subscriptions::new(&stage);

    let started = Instant::now();
    let share = |round: u64| {
        let of_rounds = round as f64 / ROUNDS as f64;
        let of_time = started.elapsed().as_secs_f64() / time.as_secs_f64().max(f64::EPSILON);
        of_rounds.min(of_time)
    };
    println!(
        "{:>8} {:>12} {:>9} {:>9} {:>14} {:>12}",
        "seconds", "runs", "turns", "commands", "subscriptions", "bytes held"
    );
    let (mut round, mut reported, mut early) = (0, 0, None);
    while share(round) < 1.0 {
        runs.round(RUNS);
        turns.round(TURNS);
        commands.round(COMMANDS);
        subscriptions.round(SUBSCRIPTIONS);
        round += 1;
        let held = ALLOCATED.current_usage();
        if early.is_none() && share(round) >= 0.1 {
            early = Some(held);
        }
        if share(round) * f64::from(INTERVALS) >= f64::from(reported + 1) {
            reported += 1;
            println!(
                "{:>8.1} {:>12} {:>9} {:>9} {:>14} {held:>12}",
                started.elapsed().as_secs_f64(),
                round * RUNS,
                round * TURNS,
                round * COMMANDS,
                round * SUBSCRIPTIONS,
            );
        }
    }
    let (early, late) = (early.unwrap_or_default(), ALLOCATED.current_usage());
    println!("{} events were read and {} calls answered", runs.events, runs.answered + turns.answered);
    if late > early + ALLOWANCE {
        println!("{early} bytes were held after the first tenth, and {late} at the end: something grows");
        return ExitCode::FAILURE;
    }
    println!("{early} bytes were held after the first tenth, and {late} at the end");
    ExitCode::SUCCESS
}
