//! An agent's calls through the whole adapter: the same however they are cut and mixed, and each answered exactly once
//! whatever arrives and wherever a future is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;

use drawloom::ag_ui::{AssemblerLimits, CommandTools, Event, ToolMessage, UnofferedCalls};
use drawloom::prelude::*;
use futures::FutureExt;
use futures::executor::block_on;
use proptest::prelude::*;

use crate::strategies::matching_call;

fn workbench(commands: impl FnOnce(&PluginContext)) -> PluginContext {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    commands(&notes);
    workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap()
}

fn echoing(declared: &[crate::strategies::Declared]) -> PluginContext {
    workbench(|notes| {
        let command = crate::strategies::command(declared).answers("The arguments");
        notes.register(command, |call: Call| async move { Ok(call.into_arguments()) }).unwrap().keep();
    })
}

/// Plays the events and every flush after them, and keys the answers by call.
fn answers(copilot: PluginContext, events: &[Event<'static>]) -> BTreeMap<String, ToolMessage> {
    block_on(async {
        let mut tools = CommandTools::new(copilot);
        let mut answers = BTreeMap::new();
        let mut keep = |message: ToolMessage| {
            let before = answers.insert(message.tool_call_id.to_string(), message);
            assert!(before.is_none(), "answered twice: {before:?}");
        };
        for event in events {
            if let Some(message) = tools.receive(event).await {
                keep(message);
            }
        }
        while let Some(message) = tools.flush().await {
            keep(message);
        }
        answers
    })
}

fn started() -> Event<'static> {
    Event::RunStarted { thread_id: "t".into(), run_id: "r".into() }
}

fn finished() -> Event<'static> {
    Event::RunFinished { outcome: Default::default() }
}

/// A call in pieces: its start, its deltas, its end.
fn pieces(id: usize, text: &str, cuts: &[prop::sample::Index]) -> Vec<Event<'static>> {
    let id = || format!("c{id}").into();
    let mut at: Vec<usize> = cuts
        .iter()
        .map(|cut| cut.index(text.len() + 1))
        .filter(|at| text.is_char_boundary(*at))
        .chain([0, text.len()])
        .collect();
    at.sort_unstable();
    let deltas = at.windows(2).map(|ends| text[ends[0]..ends[1]].to_owned());
    [Event::ToolCallStart { id: id(), name: "notes__open".into() }]
        .into_iter()
        .chain(deltas.map(|delta| Event::ToolCallArgs { id: id(), delta: delta.into() }))
        .chain([Event::ToolCallEnd { id: id() }])
        .collect()
}

/// Mixes the calls' events, each call's own in order.
fn mixed(calls: Vec<Vec<Event<'static>>>, turns: &[prop::sample::Index]) -> Vec<Event<'static>> {
    let mut calls: Vec<_> = calls.into_iter().map(|call| call.into_iter().peekable()).collect();
    let mut turns = turns.iter().cycle();
    let mut events = vec![started()];
    while !calls.is_empty() {
        let turn = turns.next().map_or(0, |turn| turn.index(calls.len()));
        events.extend(calls[turn].next());
        calls.retain_mut(|call| call.peek().is_some());
    }
    events.push(finished());
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn cuts_and_mixing_change_no_answer(
        (declared, given) in matching_call(),
        others in prop::collection::vec("[ -~]{0,40}", 0..4),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        turns in prop::collection::vec(any::<prop::sample::Index>(), 1..30),
    ) {
        let texts: Vec<String> =
            [serde_json::to_string(&given).unwrap()].into_iter().chain(others).collect();
        let call = |cuts: &[prop::sample::Index]| -> Vec<_> {
            texts.iter().enumerate().map(|(id, text)| pieces(id, text, cuts)).collect()
        };
        let mut whole = vec![started()];
        whole.extend(call(&[]).into_iter().flatten());
        whole.push(finished());
        let plain = answers(echoing(&declared), &whole);
        prop_assert_eq!(plain.len(), texts.len());
        prop_assert_eq!(CommandArguments::from_json(&plain["c0"].content), Ok(given));
        prop_assert_eq!(answers(echoing(&declared), &mixed(call(&cuts), &turns)), plain);
    }

    #[test]
    fn chunks_give_the_same_bytes(
        (declared, given) in matching_call(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let text = serde_json::to_string(&given).unwrap();
        let streamed = pieces(0, &text, &cuts);
        let chunked = streamed.iter().filter_map(|event| match event {
            Event::ToolCallStart { id, name } => {
                Some(Event::ToolCallChunk { id: Some(id.clone()), name: Some(name.clone()), delta: None })
            }
            Event::ToolCallArgs { delta, .. } => {
                Some(Event::ToolCallChunk { id: None, name: None, delta: Some(delta.clone()) })
            }
            _ => None,
        });
        let run = |events: Vec<Event<'static>>| -> Vec<_> {
            [started()].into_iter().chain(events).chain([finished()]).collect()
        };
        let chunked = answers(echoing(&declared), &run(chunked.collect()));
        prop_assert_eq!(chunked, answers(echoing(&declared), &run(streamed)));
    }
}

fn event() -> impl Strategy<Value = Event<'static>> {
    let id = || prop::sample::select(vec!["a", "b", "c", "d"]).prop_map(Into::into);
    let name = || {
        prop::sample::select(vec!["notes__ping", "notes__slow", "server__clock", "notes__boom"])
            .prop_map(Into::into)
    };
    let delta = || {
        prop::sample::select(vec!["", "{}", "{", "}", "{\"x\":1}", "long enough to be too long"])
            .prop_map(Into::into)
    };
    prop_oneof![
        4 => (id(), name()).prop_map(|(id, name)| Event::ToolCallStart { id, name }),
        4 => (id(), delta()).prop_map(|(id, delta)| Event::ToolCallArgs { id, delta }),
        4 => id().prop_map(|id| Event::ToolCallEnd { id }),
        4 => (prop::option::of(id()), prop::option::of(name()), prop::option::of(delta()))
            .prop_map(|(id, name, delta)| Event::ToolCallChunk { id, name, delta }),
        1 => id().prop_map(|id| Event::ToolCallResult { id }),
        1 => prop::collection::vec(id(), 0..3).prop_map(|answered| Event::MessagesSnapshot { answered }),
        1 => Just(Event::Other),
    ]
}

/// How a run ends, if it does.
fn ending() -> impl Strategy<Value = Option<Event<'static>>> {
    use drawloom::ag_ui::RunOutcome;
    prop_oneof![
        Just(Some(finished())),
        Just(Some(Event::RunError)),
        Just(Some(Event::RunFinished { outcome: RunOutcome::Cancelled })),
        Just(Some(Event::RunFinished { outcome: RunOutcome::Interrupted(vec!["a".into()]) })),
        Just(None),
    ]
}

/// The ids that the events of one run open, and those that their backend may have seen to.
fn opened(run: &[Event<'static>], ending: &Option<Event<'static>>) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut opened = BTreeSet::new();
    let mut elsewhere = BTreeSet::new();
    for event in run.iter().chain(ending) {
        match event {
            Event::ToolCallStart { id, .. } | Event::ToolCallChunk { id: Some(id), name: Some(_), .. } => {
                opened.insert(id.to_string());
            }
            Event::ToolCallResult { id } => {
                elsewhere.insert(id.to_string());
            }
            Event::MessagesSnapshot { answered } => {
                elsewhere.extend(answered.iter().map(ToString::to_string))
            }
            Event::RunFinished { outcome: drawloom::ag_ui::RunOutcome::Interrupted(ids) } => {
                elsewhere.extend(ids.iter().map(ToString::to_string));
            }
            _ => {}
        }
    }
    (opened, elsewhere)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_call_is_answered_exactly_once(
        runs in prop::collection::vec((prop::collection::vec(event(), 0..24), ending()), 1..4),
        leave in any::<bool>(),
        asks in any::<bool>(),
        limits in (1..4_usize, 1..5_usize),
    ) {
        let copilot = workbench(|notes| {
            for id in ["notes.ping", "notes.slow", "notes.boom"] {
                let handler = move |_: Call| async move {
                    match id {
                        // Whoever asks for its answer gives up on it.
                        "notes.slow" => pending().await,
                        "notes.boom" => panic!("boom"),
                        _ => Ok(()),
                    }
                };
                notes.register(Command::new(id, "A command").callable(), handler).unwrap().keep();
            }
        });
        let limits = AssemblerLimits::default()
            .with_argument_bytes(20)
            .with_open_calls(limits.0)
            .with_calls_per_run(limits.1);
        let mut tools = CommandTools::new(copilot).limits(limits);
        if leave {
            tools = tools.unoffered_calls(UnofferedCalls::LeaveToBackend);
        }
        if asks {
            tools = tools.before(|_: Decision, PendingCall| pending::<Decision>());
        }
        let mut answered: Vec<Vec<String>> = Vec::new();
        let mut message_ids = BTreeSet::new();
        let mut keep = |into: &mut Vec<String>, message: ToolMessage| {
            assert!(message_ids.insert(message.id.clone()), "a message id twice: {}", message.id);
            into.push(message.tool_call_id.to_string());
        };
        // A flush that gives nothing at once was given up on, and the next one tells so.
        let flush = |tools: &mut CommandTools, keep: &mut dyn FnMut(ToolMessage)| {
            loop {
                match tools.flush().now_or_never() {
                    Some(Some(message)) => keep(message),
                    Some(None) => break,
                    None => {}
                }
            }
        };
        for (number, (run, ending)) in runs.iter().enumerate() {
            let start = Event::RunStarted { thread_id: "t".into(), run_id: format!("r{number}").into() };
            // What the start of a run gives is owed to the run before.
            let mut before = answered.pop().unwrap_or_default();
            let had_before = number > 0;
            if let Some(Some(message)) = tools.receive(&start).now_or_never() {
                prop_assert!(had_before);
                keep(&mut before, message);
            }
            flush(&mut tools, &mut |message| keep(&mut before, message));
            if had_before {
                answered.push(before);
            }
            let mut now = Vec::new();
            for event in run.iter().chain(ending) {
                if let Some(Some(message)) = tools.receive(event).now_or_never() {
                    keep(&mut now, message);
                }
            }
            if ending.is_some() {
                flush(&mut tools, &mut |message| keep(&mut now, message));
            }
            answered.push(now);
        }
        let mut last = answered.pop().unwrap_or_default();
        flush(&mut tools, &mut |message| keep(&mut last, message));
        answered.push(last);

        for ((run, ending), mut answered) in runs.iter().zip(answered) {
            let (opened, elsewhere) = opened(run, ending);
            let total = answered.len();
            answered.sort_unstable();
            answered.dedup();
            prop_assert_eq!(answered.len(), total, "answered twice");
            for id in &answered {
                prop_assert!(opened.contains(id), "answered and never opened: {}", id);
            }
            for id in opened.difference(&elsewhere) {
                prop_assert!(answered.contains(id), "opened and never answered: {}", id);
            }
        }
    }
}
