//! An agent's calls through the whole adapter and the seam: their answers are the same however the calls are cut and mixed.
//! That each call is answered once, whatever arrives, is held against a model in `drawloom-ag-ui`.

use std::collections::BTreeMap;

use drawloom::ag_ui::{CommandTools, Event, ToolMessage};
use drawloom::prelude::*;
use futures::executor::block_on;
use proptest::prelude::*;
use serde_json::{Value, json};

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

fn echoing(command: &Command) -> PluginContext {
    workbench(|notes| {
        let command = command.clone().callable().answers("The arguments");
        notes.register(command, |call: Call| async move { Ok(call.into_arguments()) }).unwrap().keep();
    })
}

/// Plays the events and every flush after them, and keys the answers by call.
fn answers(copilot: PluginContext, events: &[Value]) -> BTreeMap<String, ToolMessage> {
    block_on(async {
        let mut tools = CommandTools::builder(copilot).build();
        let mut answers = BTreeMap::new();
        let mut keep = |message: ToolMessage| {
            let before = answers.insert(message.tool_call_id.to_string(), message);
            assert!(before.is_none(), "answered twice: {before:?}");
        };
        for event in events {
            let text = event.to_string();
            if let Some(message) = tools.receive(&Event::parse(&text).unwrap()).await {
                keep(message);
            }
        }
        while let Some(message) = tools.flush().await {
            keep(message);
        }
        answers
    })
}

fn started() -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })
}

fn finished() -> Value {
    json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" })
}

/// A call in pieces: its start, its deltas, its end.
fn pieces(id: usize, text: &str, cuts: &[prop::sample::Index]) -> Vec<Value> {
    let id = format!("c{id}");
    let mut at: Vec<usize> = cuts
        .iter()
        .map(|cut| cut.index(text.len() + 1))
        .filter(|at| text.is_char_boundary(*at))
        .chain([0, text.len()])
        .collect();
    at.sort_unstable();
    let deltas = at.windows(2).map(|ends| text[ends[0]..ends[1]].to_owned());
    [json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "notes__open" })]
        .into_iter()
        .chain(deltas.map(|delta| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta })))
        .chain([json!({ "type": "TOOL_CALL_END", "toolCallId": id })])
        .collect()
}

/// Mixes the calls' events, each call's own in order.
fn mixed(calls: Vec<Vec<Value>>, turns: &[prop::sample::Index]) -> Vec<Value> {
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
        (command, given) in matching_call(),
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
        let plain = answers(echoing(&command), &whole);
        prop_assert_eq!(plain.len(), texts.len());
        // The handler gets the defaults too, and its answer leaves out what is secret.
        let mut expected = given;
        command.clone().declare().unwrap().complete(&mut expected);
        prop_assert_eq!(CommandArguments::from_json(&plain["c0"].content), Ok(expected.without_secrets()));
        prop_assert_eq!(answers(echoing(&command), &mixed(call(&cuts), &turns)), plain);
    }

    #[test]
    fn chunks_give_the_same_bytes(
        (command, given) in matching_call(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let text = serde_json::to_string(&given).unwrap();
        let streamed = pieces(0, &text, &cuts);
        let chunked = streamed.iter().filter_map(|event| match event["type"].as_str() {
            Some("TOOL_CALL_START") => Some(json!({
                "type": "TOOL_CALL_CHUNK",
                "toolCallId": event["toolCallId"],
                "toolCallName": event["toolCallName"],
            })),
            Some("TOOL_CALL_ARGS") => Some(json!({ "type": "TOOL_CALL_CHUNK", "delta": event["delta"] })),
            _ => None,
        });
        let run = |events: Vec<Value>| -> Vec<_> {
            [started()].into_iter().chain(events).chain([finished()]).collect()
        };
        let chunked = answers(echoing(&command), &run(chunked.collect()));
        prop_assert_eq!(chunked, answers(echoing(&command), &run(streamed)));
    }
}
