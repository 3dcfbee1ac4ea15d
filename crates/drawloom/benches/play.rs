//! Playing a run of 5,000 calls in 20 deltas each, from JSON lines to answered messages, beside the least that any
//! such program must do: parse each line once into the fewest borrowed fields, append the deltas, parse the arguments.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark that cannot be set up ends")]

#[path = "shared/copilot.rs"]
mod copilot;
#[path = "shared/ratio.rs"]
mod ratio;

use std::borrow::Cow;
use std::collections::HashMap;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use drawloom::ag_ui::{CommandTools, Event};
use drawloom::consent::ConsentPolicy;
use drawloom::prelude::*;
use serde::Deserialize;

const CALLS: usize = 5_000;
const DELTAS: usize = 20;

const ARGUMENTS: &str = r#"{"path":"inbox/today/meeting notes","mode":"preview","line":1204,"pinned":true,"tags":["work","todo"],"title":"What we said about the loom"}"#;

fn run() -> Vec<String> {
    let mut lines = vec![r#"{"type":"RUN_STARTED","threadId":"t-1","runId":"r-1"}"#.to_owned()];
    let characters: Vec<char> = ARGUMENTS.chars().collect();
    let size = characters.len().div_ceil(DELTAS);
    for call in 0..CALLS {
        let id = format!("call_{call:024x}");
        lines.push(format!(
            r#"{{"type":"TOOL_CALL_START","timestamp":1796038505793,"toolCallId":"{id}","toolCallName":"notes__open","parentMessageId":"04f22990-8bc4-42a2-973a-c741e8109a8b"}}"#
        ));
        let mut deltas: Vec<String> = characters.chunks(size).map(|chunk| chunk.iter().collect()).collect();
        deltas.resize(DELTAS, String::new());
        for delta in deltas {
            let delta = serde_json::Value::from(delta);
            lines.push(format!(
                r#"{{"type":"TOOL_CALL_ARGS","timestamp":1796038505793,"toolCallId":"{id}","delta":{delta}}}"#
            ));
        }
        lines.push(format!(r#"{{"type":"TOOL_CALL_END","timestamp":1796038505794,"toolCallId":"{id}"}}"#));
    }
    lines.push(r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1"}"#.to_owned());
    lines
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    r#type: &'a str,
    #[serde(default)]
    tool_call_id: Option<&'a str>,
    #[serde(default, borrow)]
    delta: Option<Cow<'a, str>>,
}

/// The least: what is parsed, and how many calls there were. It is not inlined, so that callgrind lists it.
#[inline(never)]
fn floor(lines: &[String]) -> usize {
    let mut open: HashMap<String, String> = HashMap::new();
    let mut calls = 0;
    for line in lines {
        let line: Line<'_> = serde_json::from_str(line).unwrap();
        match (line.r#type, line.tool_call_id) {
            ("TOOL_CALL_START", Some(id)) => drop(open.insert(id.to_owned(), String::new())),
            ("TOOL_CALL_ARGS", Some(id)) => {
                if let (Some(text), Some(delta)) = (open.get_mut(id), line.delta) {
                    text.push_str(&delta);
                }
            }
            ("TOOL_CALL_END", Some(id)) => {
                let text = open.remove(id).unwrap();
                black_box(serde_json::from_str::<serde_json::Value>(&text).unwrap());
                calls += 1;
            }
            _ => {}
        }
    }
    calls
}

/// The one command that is called.
fn open() -> Command {
    Command::new("notes.open", "Open note")
        .description("Opens a note in the editor.")
        .argument(Argument::text("path").description("Where the note is").required())
        .argument(Argument::choice("mode", ["preview", "permanent"]).description("How to open it"))
        .argument(Argument::number("line").description("Where to put the cursor"))
        .argument(Argument::boolean("pinned").description("Whether to pin it"))
        .argument(Argument::text("tags").list().description("Labels to give it"))
        .argument(Argument::text("title").description("A new title"))
        .callable()
        .agent_consent(AgentConsent::Ask)
}

/// All of it: how many calls were answered. It is not inlined, so that callgrind lists it.
#[inline(never)]
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
    let lines = run();
    let (copilot, _open) = copilot::reaching(open());
    assert_eq!(floor(&lines), CALLS);
    assert_eq!(play(&copilot, &lines), CALLS);
    if ratio::is_counting() {
        return;
    }

    ratio::print("play / floor", 15, || floor(&lines), || play(&copilot, &lines));

    let mut group = criterion.benchmark_group("play");
    group.sample_size(20).throughput(Throughput::Elements(CALLS as u64));
    group.bench_function("floor", |bencher| bencher.iter(|| floor(black_box(&lines))));
    group.bench_function("drawloom", |bencher| bencher.iter(|| play(&copilot, black_box(&lines))));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
