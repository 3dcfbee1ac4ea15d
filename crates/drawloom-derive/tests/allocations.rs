//! A derived type takes its fields out of the call: it allocates nothing but the lists it is made of.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and its helpers are part of it")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use allocation_counter::measure;
use drawloom::command::{CommandArgumentValue, CommandScalar, TypedArguments};
use drawloom::prelude::*;
use futures::executor::block_on;

#[derive(CommandArguments)]
struct OpenNote {
    path: String,
    title: Option<String>,
    mode: OpenMode,
    line: Option<u32>,
    scale: f64,
    pinned: bool,
}

#[derive(Choice)]
enum OpenMode {
    Preview,
    Permanent,
}

#[derive(CommandArguments)]
struct Labels {
    tags: Vec<String>,
    lines: Option<Vec<u32>>,
}

fn call() -> CommandArguments {
    CommandArguments::new()
        .with("path", "inbox/today/and/a/few/levels/more")
        .with("title", "Something long enough for the heap")
        .with("mode", "permanent")
        .with("line", 7)
        .with("scale", CommandScalar::try_from(1.5).unwrap())
        .with("pinned", true)
}

/// Keeps everything from being optimised away.
fn used(open: &OpenNote) -> u64 {
    let length = open.path.len() + open.title.as_ref().map_or(0, String::len);
    let mode = matches!(open.mode, OpenMode::Permanent);
    length as u64 + u64::from(open.line.unwrap_or(0)) + open.scale as u64 + u64::from(open.pinned && mode)
}

#[test]
fn single_values_are_taken_without_an_allocation() {
    let mut arguments = call();
    let mut open = None;
    let allocated = measure(|| open = Some(OpenNote::take_from(&mut arguments)));
    assert_eq!(used(&open.unwrap().unwrap()), 76);
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn a_list_allocates_at_most_itself() {
    let mut arguments =
        CommandArguments::new().with("tags", vec!["a", "b", "c"]).with("lines", vec![1u32, 2, 3]);
    let mut labels = None;
    let allocated = measure(|| labels = Some(Labels::take_from(&mut arguments)));
    let labels = labels.unwrap().unwrap();
    assert_eq!((labels.tags.len(), labels.lines.unwrap().len()), (3, 3));
    assert!(allocated.count_total <= 2, "{allocated:?}");
}

#[test]
fn a_call_allocates_no_more_than_one_that_is_read_by_hand() {
    let workbench = Workbench::builder().grant("notes", [Capability::Contributions]).build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let sum = Arc::new(AtomicU64::new(0));

    let typed = sum.clone();
    let handler = move |open: OpenNote, _| {
        typed.fetch_add(used(&open), Ordering::Relaxed);
        std::future::ready(Ok(()))
    };
    let _typed = notes.register_typed(Command::new("notes.typed", "Open note"), handler).unwrap();

    let by_hand = sum.clone();
    let handler = move |call: Call| {
        let open = read(call.into_arguments()).unwrap();
        by_hand.fetch_add(used(&open), Ordering::Relaxed);
        std::future::ready(Ok(()))
    };
    let command = Command::new("notes.hand-written", "Open note").arguments(OpenNote::declare());
    let _by_hand = notes.register(command, handler).unwrap();

    let allocations = |id: &'static str| {
        let arguments = call();
        measure(|| {
            assert_eq!(block_on(notes.invoke(id, arguments)), CommandOutcome::Answered { value: None })
        })
    };
    // The first call fills what is filled once.
    let _ = (allocations("notes.hand-written"), allocations("notes.typed"));
    let (by_hand, typed) = (allocations("notes.hand-written"), allocations("notes.typed"));

    assert_eq!(sum.load(Ordering::Relaxed), 4 * 76);
    // The two ids differ in length, so bytes are not compared.
    assert!(typed.count_total <= by_hand.count_total, "{typed:?} and by hand {by_hand:?}");
}

/// What an author would write who moves everything out of the call.
fn read(mut arguments: CommandArguments) -> Option<OpenNote> {
    let scalar = |value| match value {
        Some(CommandArgumentValue::Single(scalar)) => Some(scalar),
        _ => None,
    };
    let text = |value| match scalar(value) {
        Some(CommandScalar::Text(text)) => Some(text),
        _ => None,
    };
    Some(OpenNote {
        path: text(arguments.remove("path"))?,
        title: text(arguments.remove("title")),
        mode: match arguments.text("mode")? {
            "preview" => OpenMode::Preview,
            _ => OpenMode::Permanent,
        },
        line: arguments.number("line").and_then(|line| u32::try_from(line.as_u64()?).ok()),
        scale: arguments.number("scale")?.as_f64(),
        pinned: arguments.boolean("pinned")?,
    })
}
