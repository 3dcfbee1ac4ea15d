//! 200 conversations at once against an agent in the process, on one pool of threads: each makes twenty calls, half of
//! which wait for the person, who answers once all 2,000 questions are open, the last first. Every call is answered
//! once, and what is held does not grow from round to round. The floor is the same work in ten rounds of 20 conversations:
//! that so many are open at once is to cost nothing.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark that cannot go on ends")]

#[path = "shared/ratio.rs"]
mod ratio;

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use drawloom::client::{Client, InProcessAgent, RunAgentInput, TurnEnd, Update};
use drawloom::prelude::*;
use futures::channel::oneshot;
use futures::executor::{ThreadPool, block_on};
use futures::future::join_all;
use futures::stream;
use futures::task::SpawnExt;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const CONVERSATIONS: usize = 200;
const CALLS: usize = 20;
const ROUNDS: usize = 10;
const FLOOR_ROUNDS: usize = 10;

/// Calls twenty tools at once, says something, and looks at the answers in the run that follows.
fn agent(answered: Arc<AtomicUsize>) -> InProcessAgent {
    InProcessAgent::new(move |input: RunAgentInput| {
        let answers = input.messages.iter().filter(|message| message.role.as_str() == "tool").count();
        answered.fetch_add(answers, Ordering::Relaxed);
        let calls = if answers == 0 { CALLS } else { 0 };
        let started = (0..calls).map(|call| {
            let tool = if call % 2 == 0 { "notes__open" } else { "notes__delete" };
            format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"c{call}","toolCallName":"{tool}"}}"#)
        });
        let ended = (0..calls).map(|call| format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"c{call}"}}"#));
        let said = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Well."}"#.to_owned();
        let finished = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned();
        let events: Vec<_> = started.chain(ended).chain([said, finished]).collect();
        stream::iter(events)
    })
}

fn copilot() -> (PluginContext, [Registration; 2]) {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let register = |command: Command| notes.register(command.callable(), |_: Call| async { Ok(()) }).unwrap();
    let open = register(Command::new("notes.open", "Open"));
    let delete = register(Command::new("notes.delete", "Delete").agent_consent(AgentConsent::AskAlways));
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    (copilot, [open, delete])
}

/// The questions of a round that are open.
struct Desk {
    open: Mutex<Vec<oneshot::Sender<bool>>>,
    /// How many there are before the first is answered.
    all: usize,
}

impl Desk {
    fn ask(&self) -> oneshot::Receiver<bool> {
        let (answers, answer) = oneshot::channel();
        let mut open = self.open.lock().unwrap();
        open.push(answers);
        if open.len() == self.all {
            open.drain(..).rev().for_each(|answers| answers.send(true).unwrap());
        }
        answer
    }
}

/// One conversation.
async fn converse(copilot: PluginContext, agent: InProcessAgent, desk: Arc<Desk>) {
    let mut client = Client::builder(agent, copilot)
        .confirm(move |_: PendingCall| {
            let answer = desk.ask();
            async move { answer.await.unwrap_or(false) }
        })
        .build();
    client.send_text("Please.");
    let (mut answered, mut ended) = (0, false);
    while let Some(update) = client.next().await {
        match update {
            Update::Answered { message } => {
                assert_eq!(message.error, None);
                answered += 1;
            }
            Update::TurnEnded { end: ending } => {
                assert_eq!(ending, TurnEnd::Completed);
                ended = true;
            }
            _ => {}
        }
    }
    assert!(ended);
    assert_eq!(answered, CALLS);
    black_box(client.into_conversation());
}

/// So many conversations at once.
fn round(conversations: usize, copilot: &PluginContext, pool: &ThreadPool) {
    let answered = Arc::new(AtomicUsize::new(0));
    let desk = Arc::new(Desk { open: Mutex::default(), all: conversations * CALLS / 2 });
    let running: Vec<_> = (0..conversations)
        .map(|_| {
            let conversation = converse(copilot.clone(), agent(answered.clone()), desk.clone());
            pool.spawn_with_handle(conversation).unwrap()
        })
        .collect();
    block_on(join_all(running));
    assert_eq!(answered.load(Ordering::Relaxed), conversations * CALLS);
}

fn conversations(criterion: &mut Criterion) {
    let (copilot, _commands) = copilot();
    let pool = ThreadPool::new().unwrap();

    round(CONVERSATIONS, &copilot, &pool);
    let before = ALLOCATED.current_usage();
    let mut peaks = Vec::new();
    for _ in 0..ROUNDS {
        ALLOCATED.reset_peak_usage();
        round(CONVERSATIONS, &copilot, &pool);
        peaks.push(ALLOCATED.peak_usage().saturating_sub(before) / 1024);
    }
    let left = ALLOCATED.current_usage().saturating_sub(before) / 1024;
    println!(
        "{CONVERSATIONS} conversations of {CALLS} calls, all answered once: peak memory of {ROUNDS} rounds {peaks:?} KiB, \
         left after them {left} KiB"
    );
    assert!(left < 256, "{left} KiB are left");

    let few_at_once = || (0..FLOOR_ROUNDS).for_each(|_| round(CONVERSATIONS / FLOOR_ROUNDS, &copilot, &pool));
    ratio::print("200 at once / 20 at once, ten times", 15, few_at_once, || {
        round(CONVERSATIONS, &copilot, &pool);
    });

    let mut group = criterion.benchmark_group("conversations");
    group.throughput(Throughput::Elements((CONVERSATIONS * CALLS) as u64)).sample_size(10);
    group.bench_function("200 of 20 calls", |bencher| bencher.iter(|| round(CONVERSATIONS, &copilot, &pool)));
    group.finish();
}

criterion_group!(benches, conversations);
criterion_main!(benches);
