//! Playing a run of 5,000 calls in 20 deltas each, from JSON lines to answered messages, beside the least that any
//! such program must do: parse each line once into the fewest borrowed fields, append the deltas, parse the arguments.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark that cannot be set up ends")]

#[path = "shared/copilot.rs"]
mod copilot;
#[path = "shared/events.rs"]
mod events;
#[path = "shared/ratio.rs"]
mod ratio;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use drawloom::ag_ui::{CommandTools, Event};
use drawloom::consent::ConsentPolicy;
use drawloom::prelude::*;
use events::{CALLS, Floor};

/// The least: how many calls there were.
fn floor(lines: &[String]) -> usize {
    let mut floor = Floor::default();
    lines.iter().for_each(|line| floor.take(line));
    floor.calls()
}

fn play(copilot: &PluginContext, lines: &[String]) -> usize {
    futures::executor::block_on(async {
        let mut tools = CommandTools::builder(copilot.clone())
            .before(ConsentPolicy::new(|_: PendingCall| async { true }))
            .build();
        let mut answered = 0;
        for line in lines {
            if let Some(message) = tools.receive(&Event::parse(line).unwrap()).await {
                assert!(message.error.is_none(), "{message:?}");
                answered += 1;
            }
        }
        while let Some(message) = tools.flush().await {
            black_box(message);
            answered += 1;
        }
        answered
    })
}

fn bench(criterion: &mut Criterion) {
    let lines = events::run();
    let (copilot, _open) = copilot::reaching(events::open());
    assert_eq!(floor(&lines), CALLS);
    assert_eq!(play(&copilot, &lines), CALLS);

    ratio::print("play / floor", 15, || floor(&lines), || play(&copilot, &lines));

    let mut group = criterion.benchmark_group("play");
    group.sample_size(20).throughput(Throughput::Elements(CALLS as u64));
    group.bench_function("floor", |bencher| bencher.iter(|| floor(black_box(&lines))));
    group.bench_function("drawloom", |bencher| bencher.iter(|| play(&copilot, black_box(&lines))));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
