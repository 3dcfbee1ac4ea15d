//! A ratio of two durations, measured so that the machine's noise falls on both alike: in turns, in one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Measures `floor` and `ours` in turns and prints the median of the ratios and of the durations.
pub(crate) fn print<A, B>(
    name: &str,
    rounds: usize,
    mut floor: impl FnMut() -> A,
    mut ours: impl FnMut() -> B,
) {
    let mut rows: Vec<(f64, Duration, Duration)> = (0..rounds.max(1))
        .map(|_| {
            let least = time(&mut floor);
            let taken = time(&mut ours);
            (taken.as_secs_f64() / least.as_secs_f64(), least, taken)
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, least, taken) = rows[rows.len() / 2];
    println!("ratio {name}: {ratio:.2} ({taken:?} / {least:?}, median of {rounds})");
}

fn time<T>(run: &mut impl FnMut() -> T) -> Duration {
    let started = Instant::now();
    black_box(run());
    started.elapsed()
}

/// Whether the program is to run each way once and end, so that a profiler counts the instructions of each: the variable
/// `DRAWLOOM_BENCH_ONCE` asks for that.
#[allow(dead_code, reason = "not every benchmark counts")]
pub(crate) fn is_counting() -> bool {
    std::env::var_os("DRAWLOOM_BENCH_ONCE").is_some()
}
