//! What it costs that a handler receives a type: the same command derived and written by hand.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark that cannot be set up ends")]

#[path = "shared/ratio.rs"]
mod ratio;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use drawloom::command::{ArgumentField, CommandScalar};
use drawloom::prelude::*;

struct OpenNote {
    path: String,
    mode: OpenMode,
    line: Option<u32>,
    tags: Vec<String>,
}

enum OpenMode {
    Preview,
    Permanent,
}

mod derived {
    use super::{Choice, CommandArguments};

    #[derive(CommandArguments)]
    pub(super) struct OpenNote {
        /// Where the note is.
        path: String,
        /// How to open it.
        mode: OpenMode,
        /// The line to show first.
        line: Option<u32>,
        /// Labels to filter by.
        #[argument(default)]
        tags: Vec<String>,
    }

    #[derive(Choice)]
    pub(super) enum OpenMode {
        Preview,
        Permanent,
    }

    impl OpenNote {
        pub(super) fn length(&self) -> u64 {
            let mode = matches!(self.mode, OpenMode::Permanent);
            super::length(&self.path, mode, self.line, &self.tags)
        }
    }
}

impl OpenNote {
    /// Reads the arguments as an author would who knows them to match.
    fn read(call: &Call) -> Result<Self, HandlerError> {
        Ok(Self {
            path: call.text("path")?.to_owned(),
            mode: match call.text("mode")? {
                "preview" => OpenMode::Preview,
                _ => OpenMode::Permanent,
            },
            line: match call.number("line") {
                Ok(line) => Some(u32::try_from(line.as_u64().unwrap_or_default())?),
                Err(_) => None,
            },
            tags: match call.arguments().list("tags") {
                None => Vec::new(),
                Some(tags) => {
                    let text = |tag: &CommandScalar| match tag {
                        CommandScalar::Text(tag) => Some(tag.clone()),
                        _ => None,
                    };
                    tags.iter().filter_map(text).collect()
                }
            },
        })
    }

    fn length(&self) -> u64 {
        length(&self.path, matches!(self.mode, OpenMode::Permanent), self.line, &self.tags)
    }
}

/// The same without keeping anything: the least that any handler could do.
fn borrowed_length(call: &Call) -> Result<u64, HandlerError> {
    let tags = call.arguments().list("tags").unwrap_or_default().iter();
    let tags: usize = tags.map(|tag| if let CommandScalar::Text(tag) = tag { tag.len() } else { 0 }).sum();
    let line = call.number("line").ok().and_then(|line| line.as_u64()).unwrap_or(0);
    Ok((call.text("path")?.len() + tags) as u64 + line + u64::from(call.text("mode")? == "permanent"))
}

fn length(path: &str, is_permanent: bool, line: Option<u32>, tags: &[String]) -> u64 {
    let tags: usize = tags.iter().map(String::len).sum();
    (path.len() + tags) as u64 + u64::from(line.unwrap_or(0)) + u64::from(is_permanent)
}

fn command(id: &'static str) -> Command {
    Command::new(id, "Open note").description("Opens a note in the editor.").answers("Its length").callable()
}

fn notes() -> PluginContext {
    let workbench = Workbench::builder().grant("notes", [Capability::Contributions]).build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let derived = |open: derived::OpenNote, _| async move { Ok(open.length()) };
    notes.register_typed(command("notes.derived"), derived).unwrap().keep();
    let by_hand = |call: Call| async move { Ok(OpenNote::read(&call)?.length()) };
    notes.register(declared("notes.by-hand"), by_hand).unwrap().keep();
    let borrowing = |call: Call| async move { borrowed_length(&call) };
    notes.register(declared("notes.borrowing"), borrowing).unwrap().keep();
    notes
}

fn declared(id: &'static str) -> Command {
    command(id)
        .argument(Argument::text("path").description("Where the note is.").required())
        .argument(
            Argument::choice("mode", ["preview", "permanent"]).description("How to open it.").required(),
        )
        .argument(Option::<u32>::declare("line").description("The line to show first."))
        .argument(Argument::text("tags").list().description("Labels to filter by."))
}

fn invoke(notes: &PluginContext, id: &'static str) -> CommandOutcome {
    let arguments = CommandArguments::new()
        .with("path", "inbox/today/and/a/few/levels/more")
        .with("mode", "permanent")
        .with("line", 42)
        .with("tags", vec!["red", "green"]);
    futures::executor::block_on(notes.invoke(id, arguments))
}

fn deriving(criterion: &mut Criterion) {
    let notes = notes();
    let expected = CommandOutcome::Answered { value: Some(84.into()) };
    assert_eq!(invoke(&notes, "notes.derived"), expected);
    assert_eq!(invoke(&notes, "notes.by-hand"), expected);
    assert_eq!(invoke(&notes, "notes.borrowing"), expected);
    let repeat = |id| {
        for _ in 0..1_000 {
            black_box(invoke(&notes, id));
        }
    };
    ratio::print("derived / by hand", 201, || repeat("notes.by-hand"), || repeat("notes.derived"));
    ratio::print("derived / borrowing", 201, || repeat("notes.borrowing"), || repeat("notes.derived"));

    let mut group = criterion.benchmark_group("derive");
    for id in ["notes.derived", "notes.by-hand", "notes.borrowing"] {
        group.bench_function(id, |bencher| bencher.iter(|| invoke(&notes, id)));
    }
    group.finish();
}

criterion_group!(benches, deriving);
criterion_main!(benches);
