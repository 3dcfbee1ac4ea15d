//! The client SHALL limit what it reads, stores and does for one run. A run that exceeds a limit SHALL be stopped and
//! its calls answered. The cost of a run SHALL grow at most linearly with what it sends.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use drawloom::client::{Client, InProcessAgent, RunAgentInput, RunLimits, TurnEnd, Update};
use drawloom::command::PendingCall;
use futures::future;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};

use super::support::{
    Agent, call, calls_in_snapshot, ending, finished, interrupted, notes, run, snapshot, text, turn,
};

/// Two calls, one of which stays open.
fn two_calls() -> Vec<String> {
    call("c1", "notes__open").into_iter().chain(call("c2", "notes__open").into_iter().take(2)).collect()
}

fn repeated(event: impl Fn(usize) -> String + Clone + Send + 'static) -> impl Iterator<Item = String> + Send {
    (0..1000).map(event)
}

/// - **GIVEN** limits on the events, their bytes, the stored bytes, the messages, the calls, the messages in
///   snapshots and the questions of a run, and an agent that calls `notes.open`, opens another call and
///   exceeds one of the limits.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `limit-exceeded`, naming the limit.
/// - **AND** both calls have one answer, the stream is read no further, and there was no follow-up run.
#[tokio::test]
async fn a_run_over_a_limit_is_stopped() {
    type Events = Box<dyn Iterator<Item = String> + Send>;
    let limits = RunLimits::default();
    let other = || json!({"type": "RAW", "event": "x".repeat(100)}).to_string();
    let shown: Vec<_> = (0..40).map(|id| format!("s{id}")).collect();
    let shown: Vec<_> = shown.iter().map(String::as_str).collect();
    let shown = snapshot(json!([calls_in_snapshot("m", &["c1", "c2"]), calls_in_snapshot("n", &shown)]));
    let questions: Vec<_> =
        (0..11).map(|id| json!({"id": format!("i{id}"), "reason": "confirmation"})).collect();
    let asks = json!({"type": "CUSTOM", "name": "on_interrupt", "value": "Which?"}).to_string();
    let cases: Vec<(RunLimits, &str, Events)> = vec![
        (limits.with_events(20), "20 events", Box::new(repeated(move |_| other()))),
        (limits.with_events(20), "20 events", Box::new(repeated(|_| "{".to_owned()))),
        (
            limits.with_bytes(2000),
            "2000 bytes of events",
            Box::new(repeated(|_| json!({"type": "RAW", "event": "x".repeat(100)}).to_string())),
        ),
        (
            limits.with_kept_bytes(2000),
            "2000 bytes to be kept",
            Box::new(repeated(|_| text("m", &"x".repeat(100)))),
        ),
        (
            limits.with_kept_bytes(1500),
            "1500 bytes to be kept",
            Box::new([shown].into_iter().chain(repeated(|_| finished()))),
        ),
        (
            limits.with_messages(20),
            "20 messages",
            Box::new(repeated(|place| text(&format!("m{place}"), "x"))),
        ),
        (
            limits.with_calls(20),
            "20 calls",
            Box::new((0..1000).flat_map(|place| call(&format!("n{place}"), "paint"))),
        ),
        (
            limits.with_snapshot_messages(200),
            "200 messages in snapshots",
            Box::new(repeated(|_| snapshot(json!([])))),
        ),
        (
            limits.with_interrupts(10),
            "10 questions",
            Box::new([interrupted(Value::from(questions))].into_iter()),
        ),
        (limits.with_interrupts(10), "10 questions", Box::new(repeated(move |_| asks.clone()))),
    ];
    for (limits, told, events) in cases {
        let read = Arc::new(AtomicUsize::new(0));
        let counts = read.clone();
        let runs = Arc::new(AtomicUsize::new(0));
        let begun = runs.clone();
        let events = two_calls().into_iter().chain(events).chain([finished()]);
        let events = std::sync::Mutex::new(Some(events));
        let agent = InProcessAgent::new(move |_: RunAgentInput| {
            begun.fetch_add(1, Ordering::SeqCst);
            let counts = counts.clone();
            stream::iter(events.lock().unwrap().take().into_iter().flatten()).inspect(move |_| {
                counts.fetch_add(1, Ordering::SeqCst);
            })
        });
        let notes = notes();
        let mut client = Client::builder(agent, notes.bench.copilot.clone()).limits(limits).build();

        let updates = turn(&mut client).await;
        let message = format!("the agent sent more than {told} in one run");
        assert_eq!(ending(&updates), &TurnEnd::ConnectionFailed { code: "limit-exceeded", message });
        let answers = updates.iter().filter(|update| matches!(update, Update::Answered { message } if ["c1", "c2"].contains(&message.tool_call_id.as_str())));
        assert_eq!(answers.count(), 2, "{told}");
        assert!(client.conversation().answer_to("c1").unwrap().error.is_none(), "{told}");
        assert!(client.conversation().answer_to("c2").unwrap().error.is_some(), "{told}");
        assert_eq!(runs.load(Ordering::SeqCst), 1, "{told}");
        let read = read.load(Ordering::SeqCst);
        assert!(read < 100, "{read} events were read past {told}");
        assert!(notes.opened.count() >= 1);
    }
}

/// - **GIVEN** limits that equal exactly what an agent sends in each of two runs.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn is completed.
#[tokio::test]
async fn a_run_within_its_limits() {
    let events = || run([call("c", "notes__open"), vec![text("m", "x")]]);
    let agent = Agent::new([events(), run([vec![text("m", "y")]])]);
    let kept: usize = events().iter().map(String::len).sum();
    let limits = RunLimits::default()
        .with_events(5)
        .with_bytes(kept)
        .with_kept_bytes(kept)
        .with_messages(3)
        .with_calls(1)
        .with_snapshot_messages(0)
        .with_interrupts(0);
    let mut client = notes().client(&agent).limits(limits).build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
}

/// - **GIVEN** an agent that begins 40,000 texts, calls `notes.open` 3,000 times in one message and a tool of
///   its own 3,000 times in separate messages, and sends 3,000 frames that cannot be read in between.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn is completed within 30 s, every call is answered, and the follow-up run was sent every
///   text.
#[tokio::test]
async fn many_texts_and_many_calls() {
    let mut events: Vec<_> = (0..40_000).map(|place| text(&format!("m{place}"), "x")).collect();
    for place in 0..3000 {
        events.extend(call(&format!("c{place}"), "notes__open"));
    }
    for place in 0..3000 {
        let mut own = call(&format!("own{place}"), "paint");
        own[0] =
            json!({"type": "TOOL_CALL_START", "toolCallId": format!("own{place}"), "toolCallName": "paint",
            "parentMessageId": format!("p{place}")})
            .to_string();
        events.extend(own);
        events.push("{".to_owned());
    }
    let agent = Agent::new([run([events])]);
    let notes = notes();
    let mut client = notes.client(&agent).build();

    let begun = Instant::now();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let took = begun.elapsed();
    // Looked for from one end to the other, each of them would have taken minutes.
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert_eq!(notes.opened.count(), 3000);
    assert_eq!(client.conversation().unanswered().count(), 0);
    let sent = agent.inputs()[1]["messages"].as_array().unwrap().len();
    assert_eq!(sent, 1 + 40_000 + 1 + 3000 + 2 * 3000);
}

/// - **GIVEN** an agent that opens a call of `notes.open`, sends a snapshot with a content that is nested
///   100,000 deep and an event of an unknown type that is nested as deep, and ends the call.
/// - **WHEN** the person sends it a message.
/// - **THEN** the unknown event was shown unchanged, `notes.open` has run, and the next run was sent the
///   content unchanged.
#[tokio::test]
async fn a_deeply_nested_event() {
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut events = call("c", "notes__open");
    let end = events.pop().unwrap();
    let shown = format!(r#"{{"type":"MADE_UP","value":{nested}}}"#);
    let message = format!(r#"{{"id":"d","role":"critic","content":{nested}}}"#);
    events.push(format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{message}]}}"#));
    events.extend([shown.clone(), end, finished()]);
    let events = Mutex::new(Some(events));
    let sent: Arc<Mutex<Vec<String>>> = Arc::default();
    let keeps = sent.clone();
    let agent = InProcessAgent::new(move |input: RunAgentInput| {
        keeps.lock().unwrap().push(serde_json::to_string(&input).unwrap());
        stream::iter(events.lock().unwrap().take().unwrap_or_else(|| vec![finished()]))
    });
    let notes = notes();
    let updates = turn(&mut Client::builder(agent, notes.bench.copilot.clone()).build()).await;

    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert!(updates.contains(&Update::Other { kind: "MADE_UP".to_owned(), event: shown }));
    assert_eq!(notes.opened.count(), 1);
    assert!(sent.lock().unwrap()[1].contains(&message));
}

/// - **GIVEN** an agent whose stream contains endlessly many runs, each of which calls `notes.open`, and a
///   limit of 2 follow-up runs.
/// - **WHEN** the person sends it a message.
/// - **THEN** `notes.open` has run three times, every call is answered, and the turn ends with too many runs.
#[tokio::test]
async fn many_runs_in_one_stream() {
    let agent = InProcessAgent::new(|_| {
        stream::iter((0..).flat_map(|place| {
            let begins = json!({"type": "RUN_STARTED", "threadId": "t", "runId": format!("r{place}")});
            let call = call(&format!("c{place}"), "notes__open");
            [begins.to_string()].into_iter().chain(run([call]))
        }))
    });
    let notes = notes();
    let mut client = Client::builder(agent, notes.bench.copilot.clone()).follow_ups(2).build();
    let updates = turn(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::TooManyRuns { follow_ups: 2 });
    assert_eq!(notes.opened.count(), 3);
    assert_eq!(client.conversation().unanswered().count(), 0);
}

/// - **GIVEN** a limit on the events of a run, and an agent that asks for an approval, about which the person
///   is being asked, and exceeds the limit.
/// - **WHEN** the turn is over.
/// - **THEN** the question was withdrawn, and stays open in the conversation.
#[tokio::test]
async fn a_question_of_a_run_over_a_limit() {
    let asks = interrupted(json!([{"id": "i", "reason": "confirmation"}]));
    let agent = Agent::new([[asks].into_iter().chain(repeated(|_| text("m", "x"))).collect()]);
    let limits = RunLimits::default().with_events(20);
    let mut client =
        notes().client(&agent).limits(limits).confirm(|_: PendingCall| future::pending::<bool>()).build();
    let updates = turn(&mut client).await;
    assert!(
        matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "limit-exceeded", .. }),
        "{updates:?}"
    );
    assert_eq!(client.conversation().interrupts().len(), 1);
}

/// - **GIVEN** an agent that calls a tool of its own 5,000 times in one message, and then sends a snapshot of
///   an empty conversation 1,000 times.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `limit-exceeded`, after at most 200
///   snapshots.
#[tokio::test]
async fn many_snapshots_of_many_calls() {
    let calls = (0..5000).flat_map(|place| call(&format!("c{place}"), "paint"));
    let empty = (0..1000).map(|_| snapshot(json!([])));
    let agent = Agent::new([calls.chain(empty).collect()]);
    let updates = turn(&mut notes().client(&agent).build()).await;
    assert!(matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "limit-exceeded", .. }));
    let snapshots = updates.iter().filter(|update| **update == Update::Snapshot).count();
    assert!(snapshots <= 200, "{snapshots} were read");
}
