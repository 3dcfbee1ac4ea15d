//! What a large registry costs: listing it, invoking within it, and standing many workbenches on it.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark that cannot be set up ends")]

#[path = "shared/ratio.rs"]
mod ratio;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use drawloom::ag_ui::CommandTools;
use drawloom::prelude::*;
use drawloom::workbench::Registry;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Registers `count` callable commands, and leaves them in place.
fn registry(count: usize) -> Registry {
    let registry = Registry::new();
    let workbench =
        Workbench::builder().registry(registry.clone()).grant("notes", [Capability::Contributions]).build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    for number in 0..count {
        let command = Command::new(format!("notes.command-{number:05}"), "Open note")
            .description("Opens a note in the editor.")
            .argument(Argument::text("path").description("Where the note is").required())
            .argument(Argument::choice("mode", ["preview", "permanent"]).description("How to open it"))
            .callable();
        notes.register(command, |_: Call| async { Ok(()) }).unwrap().keep();
    }
    workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    registry
}

fn copilot(registry: &Registry) -> PluginContext {
    let workbench =
        Workbench::builder().registry(registry.clone()).grant("copilot", [Capability::Automation]).build();
    workbench.context("copilot").unwrap()
}

fn invoke(copilot: &PluginContext) -> CommandOutcome {
    let arguments = CommandArguments::new().with("path", "inbox");
    futures::executor::block_on(copilot.invoke("notes.command-00007", arguments))
}

/// What callgrind lists by name. Each differs in more than its name, or the compiler would make one of them.
mod counted {
    use super::{CommandTools, PluginContext, black_box, repeat, unknown};

    #[inline(never)]
    pub(super) fn ten_lists_of_1_000(tools: &CommandTools) {
        repeat(10, || tools.list());
    }

    #[inline(never)]
    pub(super) fn list_of_10_000(tools: &CommandTools) {
        black_box(tools.list());
    }

    #[inline(never)]
    pub(super) fn unknown_among_10(copilot: &PluginContext) {
        repeat(black_box(1_000), || (unknown(copilot), 10));
    }

    #[inline(never)]
    pub(super) fn unknown_among_100_000(copilot: &PluginContext) {
        repeat(black_box(1_000), || (unknown(copilot), 100_000));
    }
}

/// Runs each way once, for a profiler.
fn count() {
    let tools = |count| CommandTools::builder(copilot(&registry(count))).build();
    counted::ten_lists_of_1_000(&tools(1_000));
    counted::list_of_10_000(&tools(10_000));
    counted::unknown_among_10(&copilot(&registry(10)));
    counted::unknown_among_100_000(&copilot(&registry(100_000)));
}

/// Looks up a tool that does not exist. A name in the form of a digest name cannot be read back to an id.
fn unknown(copilot: &PluginContext) -> bool {
    copilot.offer_by_tool_name("notes_open___0123456789abcdef").is_some()
}

fn listing(criterion: &mut Criterion) {
    if ratio::is_counting() {
        return count();
    }

    let lists: Vec<_> = [100_usize, 1_000, 10_000]
        .map(|count| (count, CommandTools::builder(copilot(&registry(count))).build()))
        .into();
    let [(_, hundred), (_, thousand), (_, most)] = lists.as_slice() else { return };
    ratio::print("list of 1,000 / 10 lists of 100", 41, || repeat(10, || hundred.list()), || thousand.list());
    ratio::print("list of 10,000 / 10 lists of 1,000", 15, || repeat(10, || thousand.list()), || most.list());

    let mut group = criterion.benchmark_group("list");
    for (count, tools) in &lists {
        group.throughput(Throughput::Elements(*count as u64));
        group.bench_with_input(BenchmarkId::from_parameter(count), tools, |bencher, tools| {
            bencher.iter(|| tools.list());
        });
    }
    group.finish();
}

fn invoking(criterion: &mut Criterion) {
    if ratio::is_counting() {
        return;
    }
    let (few, many) = (copilot(&registry(10)), copilot(&registry(10_000)));
    assert_eq!(invoke(&few), CommandOutcome::Answered { value: None });
    assert_eq!(invoke(&many), CommandOutcome::Answered { value: None });
    ratio::print(
        "invocation among 10,000 / among 10",
        101,
        || repeat(1_000, || invoke(&few)),
        || repeat(1_000, || invoke(&many)),
    );

    let most = copilot(&registry(100_000));
    ratio::print(
        "unknown tool name among 100,000 / among 10",
        101,
        || repeat(1_000, || unknown(&few)),
        || repeat(1_000, || unknown(&most)),
    );

    let mut group = criterion.benchmark_group("invoke");
    for (count, copilot) in [(10_usize, &few), (10_000, &many)] {
        group.bench_with_input(BenchmarkId::from_parameter(count), copilot, |bencher, copilot| {
            bencher.iter(|| invoke(copilot));
        });
    }
    group.finish();
}

fn standing(criterion: &mut Criterion) {
    if ratio::is_counting() {
        return;
    }
    const PEOPLE: usize = 10_000;
    let registry = registry(1_000);
    let everybody = Workbench::builder().registry(registry).grant("copilot", [Capability::Automation]);
    let stand = |number: usize| {
        let roles = ["editor".to_owned(), format!("team-{}", number % 100)];
        let workbench = everybody.clone().session(Session::authenticated(roles)).build();
        workbench.revoke(&"mailer".into(), Capability::Automation).unwrap();
        workbench.context("copilot").unwrap()
    };
    let before = ALLOCATED.current_usage();
    let people: Vec<PluginContext> = (0..PEOPLE).map(stand).collect();
    let each = (ALLOCATED.current_usage() - before) / PEOPLE;
    println!("bytes a workbench, of {PEOPLE} over one registry of 1,000 commands: {each}");
    drop(people);

    criterion.bench_function("stand a workbench on a registry", |bencher| {
        bencher.iter(|| stand(black_box(7)));
    });
}

fn repeat<T>(times: usize, mut run: impl FnMut() -> T) {
    for _ in 0..times {
        black_box(run());
    }
}

criterion_group!(benches, listing, invoking, standing);
criterion_main!(benches);
