//! One call of 16 MiB, in deltas of one byte and of 4 KiB: its cost is linear in its size however it is cut, and its
//! memory stays below three times its size.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark that cannot be set up ends")]

#[path = "shared/copilot.rs"]
mod copilot;
#[path = "shared/ratio.rs"]
mod ratio;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use drawloom::ag_ui::protocol::{ToolCallArgs, ToolCallEnd, ToolCallStart};
use drawloom::ag_ui::{AssemblerLimits, CommandTools, Event, EventKind};
use drawloom::prelude::*;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const MIB: usize = 1024 * 1024;

/// What one argument's text is filled with: characters that stand for themselves, or escapes.
#[derive(Clone, Copy)]
enum Text {
    Plain,
    Escaped,
}

fn argument(bytes: usize, text: Text) -> String {
    let filling = match text {
        Text::Plain => "the quick brown fox ",
        Text::Escaped => r#"line\nline \"quoted\" "#,
    };
    let room = bytes - r#"{"text":""}"#.len();
    let filled = filling.repeat(room / filling.len());
    format!(r#"{{"text":"{filled}{}"}}"#, "-".repeat(room - filled.len()))
}

/// The one command that is called.
fn write() -> Command {
    Command::new("notes.write", "Write").argument(Argument::text("text").required()).callable()
}

/// Plays the one call, from its first event to its answer.
fn play(copilot: &PluginContext, argument: &str, delta: usize) {
    futures::executor::block_on(async {
        let limits = AssemblerLimits::default().with_argument_bytes(argument.len());
        let mut tools = CommandTools::builder(copilot.clone()).limits(limits).build();
        let mut start = ToolCallStart::default();
        (start.id, start.name) = ("c1".into(), Some("notes__write".into()));
        assert_eq!(tools.receive(&Event::new(EventKind::ToolCallStart(start))).await, None);
        let mut rest = argument;
        while !rest.is_empty() {
            let (piece, left) = rest.split_at(delta.min(rest.len()));
            let mut args = ToolCallArgs::default();
            (args.id, args.delta) = ("c1".into(), piece.into());
            assert_eq!(tools.receive(&Event::new(EventKind::ToolCallArgs(args))).await, None);
            rest = left;
        }
        let mut end = ToolCallEnd::default();
        end.id = "c1".into();
        let message = tools.receive(&Event::new(EventKind::ToolCallEnd(end))).await.unwrap();
        assert_eq!(message.error, None);
    });
}

fn bench(criterion: &mut Criterion) {
    let (copilot, _write) = copilot::reaching(write());
    let (quarter, whole) = (argument(4 * MIB, Text::Plain), argument(16 * MIB, Text::Plain));
    for delta in [1, 4096] {
        ratio::print(
            &format!("16 MiB / 4 times 4 MiB, in deltas of {delta}"),
            7,
            || (0..4).for_each(|_| play(&copilot, &quarter, delta)),
            || play(&copilot, &whole, delta),
        );
    }
    for (name, text) in [("plain", Text::Plain), ("escaped", Text::Escaped)] {
        let argument = argument(16 * MIB, text);
        for delta in [1, 4096] {
            let before = ALLOCATED.current_usage();
            ALLOCATED.reset_peak_usage();
            play(&copilot, &argument, delta);
            let peak = (ALLOCATED.peak_usage() - before) as f64 / argument.len() as f64;
            println!(
                "peak memory of 16 MiB of {name} text in deltas of {delta}: {peak:.2} times the argument"
            );
        }
    }

    let mut group = criterion.benchmark_group("large");
    group.sample_size(10);
    for argument in [&quarter, &whole] {
        group.throughput(Throughput::Bytes(argument.len() as u64));
        for delta in [1, 4096] {
            let id = BenchmarkId::new(format!("{} MiB", argument.len() / MIB), delta);
            group.bench_with_input(id, argument, |bencher, argument| {
                bencher.iter(|| play(&copilot, argument, delta));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
