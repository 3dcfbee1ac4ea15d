//! A live agent that sends whatever it likes, cancelled wherever the person likes: each turn ends, no call runs or is
//! answered twice, none is left without an answer, and what is sent stands in the order that backends take.

use std::collections::{HashMap, HashSet};
use std::future::{Future, poll_fn};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use drawloom::client::{Client, InProcessAgent, Message, Role, RunAgentInput, TurnEnd, Update};
use drawloom::prelude::*;
use futures::channel::oneshot;
use futures::executor::block_on;
use futures::stream::{self, StreamExt};
use proptest::prelude::*;
use serde_json::{Value, json};

fn copilot(runs: &Arc<AtomicUsize>) -> PluginContext {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    for command in [
        Command::new("notes.open", "Open").callable(),
        Command::new("notes.delete", "Delete").callable().agent_consent(AgentConsent::AskAlways),
    ] {
        let runs = runs.clone();
        let does = move |_: Call| {
            runs.fetch_add(1, Ordering::SeqCst);
            async { Ok(()) }
        };
        notes.register(command, does).unwrap().keep();
    }
    workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap()
}

fn call_id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["c0", "c1", "c2"])
}

fn tool() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["notes__open", "notes__delete", "paint"])
}

fn message_id() -> impl Strategy<Value = Option<&'static str>> {
    prop::sample::select(vec![None, Some("m0"), Some("m1"), Some("c0")])
}

fn shown() -> impl Strategy<Value = Value> {
    prop_oneof![
        (message_id(), prop::collection::vec((call_id(), tool()), 0..3)).prop_map(|(id, calls)| {
            let call = |(id, name)| json!({"id": id, "function": {"name": name, "arguments": "{}"}});
            json!({"id": id, "role": "assistant", "toolCalls": calls.into_iter().map(call).collect::<Vec<_>>()})
        }),
        call_id().prop_map(|id| json!({"id": "r", "role": "tool", "toolCallId": id, "content": "theirs"})),
        Just(json!({"id": "u", "role": "user", "content": "Please."})),
    ]
}

fn event() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => (call_id(), tool(), message_id()).prop_map(|(id, tool, parent)| json!({
            "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool, "parentMessageId": parent})),
        3 => call_id().prop_map(|id| json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": "{}"})),
        6 => call_id().prop_map(|id| json!({"type": "TOOL_CALL_END", "toolCallId": id})),
        3 => (prop::option::of(call_id()), tool(), message_id()).prop_map(|(id, tool, parent)| json!({
            "type": "TOOL_CALL_CHUNK", "toolCallId": id, "toolCallName": tool, "parentMessageId": parent})),
        2 => call_id().prop_map(|id| json!({
            "type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": id, "content": "theirs"})),
        2 => message_id().prop_map(|id| json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": id, "delta": "x"})),
        2 => prop::collection::vec(shown(), 0..4)
            .prop_map(|shown| json!({"type": "MESSAGES_SNAPSHOT", "messages": shown})),
        1 => Just(json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"})),
        1 => Just(json!({"type": "CUSTOM", "name": "on_interrupt", "value": "Which?"})),
        1 => Just(json!({"type": "RUN_ERROR", "message": "out of order"})),
        1 => Just(json!([])),
        2 => Just(json!({"type": "RUN_FINISHED"})),
        1 => prop::collection::vec((prop::sample::select(vec!["i0", "i1"]), prop::option::of(call_id())), 0..3)
            .prop_map(|asked| {
                let asked = asked.into_iter().map(|(id, call)| {
                    json!({"id": id, "reason": "confirmation", "toolCallId": call})
                });
                let outcome = json!({"type": "interrupt", "interrupts": asked.collect::<Vec<_>>()});
                json!({"type": "RUN_FINISHED", "outcome": outcome})
            }),
    ]
}

fn runs() -> impl Strategy<Value = Vec<Vec<Value>>> {
    prop::collection::vec(prop::collection::vec(event(), 0..16), 0..4)
}

/// Each answer stands behind the message that calls, and no call has two.
fn assert_in_order(messages: &[Message]) {
    let mut waiting: HashMap<&str, usize> = HashMap::new();
    for message in messages {
        match message.answered_call() {
            // An answer to what nobody called is as the agent told it.
            Some(call) => {
                if let Some(left) = waiting.get_mut(call) {
                    assert!(*left > 0, "{call} has two answers: {messages:#?}");
                    *left -= 1;
                }
            }
            None => waiting = message.tool_calls.iter().map(|call| (&*call.id, 1)).collect(),
        }
    }
}

/// Lets everything else go on first.
fn look_away() -> impl Future<Output = ()> {
    let mut looked = false;
    poll_fn(move |cx| {
        if std::mem::replace(&mut looked, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

/// How often each call was made, less how often it was answered. What a turn finds left behind was made in no turn.
fn unanswered(updates: &[Update]) -> HashMap<String, i64> {
    let mut calls: HashMap<String, i64> = HashMap::new();
    let mut is_shown = false;
    for update in updates {
        is_shown |= *update == Update::Snapshot;
        let (call, number) = match update {
            Update::CallOpened { call_id, .. } => (call_id.to_string(), 1),
            Update::Answered { message } if message.content.contains("conversation was stopped") => continue,
            Update::Answered { message } => (message.tool_call_id.to_string(), -1),
            // A snapshot shows calls that no event told of, and the backend may answer those too.
            Update::AnsweredByBackend { .. } if is_shown => continue,
            Update::AnsweredByBackend { message } => (message.answered_call().unwrap().to_string(), -1),
            // The call is the agent's again.
            Update::Withdrawn { call_id } if calls.get(call_id.as_str()).is_none_or(|left| *left <= 0) => {
                (call_id.to_string(), 1)
            }
            _ => continue,
        };
        *calls.entry(call).or_default() += number;
    }
    calls
}

/// Runs begin and end by turns, none goes on when the turn is over, and each question was asked before it was answered.
fn assert_paired(updates: &[Update]) {
    let (mut runs, mut asked) = (false, HashSet::new());
    for (place, update) in updates.iter().enumerate() {
        let is_fine = match update {
            Update::RunStarted { .. } => !std::mem::replace(&mut runs, true),
            Update::RunFinished { .. } => std::mem::replace(&mut runs, false),
            Update::TurnEnded { .. } => !runs,
            Update::Interrupted { interrupt } => {
                asked.insert(&*interrupt.id);
                true
            }
            // What is asked about a call that ran is answered with its outcome, and not asked.
            Update::Resumed { resume: Some(resume), .. }
                if resume.payload.as_ref().is_some_and(|it| it.get("outcome").is_some()) =>
            {
                true
            }
            Update::Resumed { interrupt_id, .. } => asked.remove(&**interrupt_id),
            _ => true,
        };
        assert!(is_fine, "{place} of {updates:#?}");
    }
}

/// What a turn told, or as much of it as there was before it was cancelled.
fn turn(client: &mut Client, cancelled_after: Option<usize>) -> Vec<Update> {
    block_on(async {
        let mut updates = Vec::new();
        client.send_text("Please.");
        loop {
            if cancelled_after == Some(updates.len()) {
                client.canceller().cancel();
            }
            let Some(update) = client.next().await else { return updates };
            updates.push(update);
            assert!(updates.len() < 2000, "it does not end");
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn whatever_an_agent_sends_each_call_has_one_answer(
        runs in runs(),
        cancelled_after in prop::option::of(0usize..40),
        says_yes in any::<bool>(),
        waits in 0usize..8,
    ) {
        let ran = Arc::new(AtomicUsize::new(0));
        let inputs: Arc<Mutex<Vec<RunAgentInput>>> = Arc::default();
        let keeps = inputs.clone();
        let script = Mutex::new(runs.clone().into_iter());
        let agent = InProcessAgent::new(move |input: RunAgentInput| {
            keeps.lock().unwrap().push(input);
            let events = script.lock().unwrap().next().unwrap_or_else(|| vec![json!({"type": "RUN_FINISHED"})]);
            stream::iter(events.into_iter().map(|event| event.to_string()))
        });
        let mut client = Client::builder(agent, copilot(&ran)).confirm(move |_: PendingCall| async move {
            for _ in 0..waits {
                look_away().await;
            }
            says_yes
        }).build();

        let mut updates = turn(&mut client, cancelled_after);
        prop_assert!(matches!(updates.last(), Some(Update::TurnEnded { .. })), "{updates:?}");
        // What is left of the script is played too, and then the agent says nothing more.
        for _ in 0..runs.len() + 1 {
            updates.extend(turn(&mut client, None));
        }
        let is_at_rest = matches!(updates.last(), Some(Update::TurnEnded { end: TurnEnd::Completed }));
        prop_assert!(is_at_rest, "{updates:#?}");

        assert_paired(&updates);
        prop_assert!(client.conversation().interrupts().is_empty());

        let opened = updates.iter().filter(|it| matches!(it, Update::CallOpened { offered: true, .. })).count();
        let ran = ran.load(Ordering::SeqCst);
        prop_assert!(ran <= opened, "{ran} ran of {opened}: {updates:#?}");

        let unanswered = unanswered(&updates);
        prop_assert!(unanswered.values().all(|left| *left >= 0), "{unanswered:?}: {updates:#?}");

        // A call that a question was about is the agent's to answer.
        let bound: HashSet<_> = updates
            .iter()
            .filter_map(|update| match update {
                Update::Interrupted { interrupt } => interrupt.tool_call_id.clone(),
                _ => None,
            })
            .collect();
        let left: Vec<_> = client
            .conversation()
            .unanswered()
            .filter(|call| call.name.starts_with("notes__") && !bound.contains(&call.id))
            .collect();
        prop_assert!(left.is_empty(), "{left:?} in {:#?}", client.conversation().messages());
        assert_in_order(client.conversation().messages());
        let inputs = inputs.lock().unwrap();
        let ids: HashSet<_> = inputs.iter().map(|input| &input.run_id).collect();
        prop_assert_eq!(ids.len(), inputs.len());
        inputs.iter().for_each(|input| assert_in_order(&input.messages));
    }
}

/// Whoever is waited for answers on a thread of its own, at whatever moment that is: nobody waits for ever.
#[test]
fn what_happens_on_other_threads_wakes_the_turn() {
    let (is_over, over) = mpsc::channel();
    thread::spawn(move || {
        for round in 0..200 {
            let workbench = Workbench::builder()
                .grant("notes", [Capability::Contributions])
                .grant("copilot", [Capability::Automation])
                .build();
            let notes =
                workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
            let command = Command::new("notes.delete", "Delete").callable();
            let does = |_: Call| elsewhere(|| Ok(()));
            notes.register(command.agent_consent(AgentConsent::AskAlways), does).unwrap().keep();
            let copilot =
                workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
            let agent = InProcessAgent::new(|input: RunAgentInput| {
                let is_first = input.messages.iter().all(|message| message.role != Role::Tool);
                let calls = if is_first { 0..4 } else { 0..0 };
                let events = calls.map(|call| {
                    json!({"type": "TOOL_CALL_CHUNK", "toolCallId": format!("c{call}"),
                        "toolCallName": "notes__delete", "delta": "{}"})
                });
                let events = events.chain([json!({"type": "RUN_FINISHED"})]).map(|event| event.to_string());
                stream::iter(events).then(|event| elsewhere(|| event))
            });
            let mut client =
                Client::builder(agent, copilot).confirm(|_: PendingCall| elsewhere(|| true)).build();
            let canceller = client.canceller();
            let cancels = thread::spawn(move || {
                if round % 2 == 0 {
                    (0..round * 10).for_each(|_| thread::yield_now());
                    canceller.cancel();
                }
            });
            let updates = turn(&mut client, None);
            cancels.join().unwrap();
            assert_paired(&updates);
            let ended =
                matches!(updates.last(), Some(Update::TurnEnded { end: ending }) if ending.is_success());
            assert!(ended, "{updates:?}");
            assert_eq!(client.conversation().unanswered().count(), 0);
        }
        is_over.send(()).unwrap();
    });
    over.recv_timeout(Duration::from_secs(120)).expect("a turn waits for ever, or panicked");
}

/// Something that is there once another thread says so.
fn elsewhere<T: Send + 'static>(
    makes: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = T> + Send {
    let (tells, told) = oneshot::channel();
    thread::spawn(move || tells.send(makes()));
    async move { told.await.unwrap() }
}
