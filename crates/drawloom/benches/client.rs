//! A client that takes a run of 5,000 calls in 20 deltas each as server-sent bytes, from a transport in the process: the
//! updates are taken, the calls run, and the answers are sent in the run that follows. Beside it the least that any such
//! program must do: split the bytes into frames, parse each event once, append the deltas, parse the arguments once.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark that cannot be set up ends")]

#[path = "shared/copilot.rs"]
mod copilot;
#[path = "shared/events.rs"]
mod events;
#[path = "shared/ratio.rs"]
mod ratio;

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use drawloom::ag_ui::recording::FrameDecoder;
use drawloom::client::{
    BoxFuture, Client, Frame, Frames, RunAgentInput, Transport, TransportError, TurnEnd, Update,
};
use drawloom::prelude::*;
use events::{CALLS, Floor};
use futures::executor::block_on;
use futures::stream::{self, StreamExt};

/// How many bytes a read from a socket gives.
const READ_BYTES: usize = 16 * 1024;
const FRAME_BYTES: usize = 1024 * 1024;

/// The run as server-sent bytes.
fn bytes() -> Vec<u8> {
    let frames = events::run().into_iter().map(|event| format!("data: {event}\n\n"));
    frames.collect::<String>().into_bytes()
}

/// The frames in the bytes, as they come in reads of a socket.
fn frames(bytes: &[u8]) -> impl Iterator<Item = Frame> + '_ {
    let mut decoder = FrameDecoder::new(FRAME_BYTES);
    let mut reads = bytes.chunks(READ_BYTES);
    let mut read: &[u8] = &[];
    std::iter::from_fn(move || {
        loop {
            if let Some(frame) = decoder.next_frame(&mut read) {
                return Some(frame);
            }
            read = reads.next()?;
        }
    })
}

/// The least: how many calls there were.
fn floor(bytes: &[u8]) -> usize {
    let mut floor = Floor::default();
    for frame in frames(bytes) {
        if let Frame::Event(event) = frame {
            floor.take(&event);
        }
    }
    floor.calls()
}

/// An agent that sends the bytes as its first run, and ends each run after that at once.
struct ByteAgent {
    bytes: Arc<[u8]>,
    runs: AtomicUsize,
    sent: Arc<AtomicUsize>,
}

impl Transport for ByteAgent {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let is_first = self.runs.fetch_add(1, Ordering::Relaxed) == 0;
        let (bytes, sent) = (self.bytes.clone(), self.sent.clone());
        Box::pin(async move {
            sent.fetch_add(serde_json::to_vec(&input).unwrap().len(), Ordering::Relaxed);
            if !is_first {
                let end = Frame::Event(r#"{"type":"RUN_FINISHED"}"#.to_owned());
                return Ok(stream::iter([Ok(end)]).boxed());
            }
            let (mut decoder, mut at) = (FrameDecoder::new(FRAME_BYTES), 0);
            let mut end = READ_BYTES.min(bytes.len());
            Ok(stream::iter(std::iter::from_fn(move || {
                loop {
                    let mut read = &bytes[at..end];
                    let frame = decoder.next_frame(&mut read);
                    at = end - read.len();
                    if frame.is_some() || end == bytes.len() {
                        return frame.map(Ok);
                    }
                    end = (end + READ_BYTES).min(bytes.len());
                }
            }))
            .boxed())
        })
    }
}

/// A whole turn: how many answers were sent.
fn converse(copilot: &PluginContext, bytes: &Arc<[u8]>) -> usize {
    let sent = Arc::new(AtomicUsize::new(0));
    let agent = ByteAgent { bytes: bytes.clone(), runs: AtomicUsize::new(0), sent: sent.clone() };
    let mut client = Client::builder(agent, copilot.clone()).confirm(|_: PendingCall| async { true }).build();
    client.send_text("Please.");
    let mut answered = 0;
    block_on(async {
        while let Some(update) = client.next().await {
            match update {
                Update::Answered { message } => {
                    assert!(message.error.is_none(), "{message:?}");
                    answered += 1;
                }
                Update::TurnEnded { end } => assert_eq!(end, TurnEnd::Completed),
                other => drop(black_box(other)),
            }
        }
    });
    assert!(sent.load(Ordering::Relaxed) > CALLS);
    answered
}

fn bench(criterion: &mut Criterion) {
    let bytes: Arc<[u8]> = bytes().into();
    let (copilot, _open) = copilot::reaching(events::open());
    assert_eq!(floor(&bytes), CALLS);
    assert_eq!(converse(&copilot, &bytes), CALLS);

    ratio::print("client / floor", 15, || floor(&bytes), || converse(&copilot, &bytes));

    let mut group = criterion.benchmark_group("client");
    group.sample_size(20).throughput(Throughput::Elements(CALLS as u64));
    group.bench_function("floor", |bencher| bencher.iter(|| floor(black_box(&bytes))));
    group.bench_function("drawloom", |bencher| bencher.iter(|| converse(&copilot, black_box(&bytes))));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
