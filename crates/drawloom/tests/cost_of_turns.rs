//! The cost of a turn in a long conversation: what is allocated depends on the history that is sent, and on nothing that
//! grows besides it.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

#[path = "../benches/shared/history.rs"]
mod history;

use allocation_counter::measure;
use drawloom::ag_ui::{CommandTools, Event};
use drawloom::client::{Client, InProcessAgent, RunAgentInput, TurnEnd, Update};
use drawloom::prelude::*;
use futures::executor::block_on;
use futures::stream;

fn copilot() -> (PluginContext, Registration) {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let ping = Command::new("notes.ping", "Ping").callable();
    let registration = notes.register(ping, |_: Call| async { Ok(()) }).unwrap();
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    (copilot, registration)
}

/// One turn with one call, of a caller that keeps the conversation itself. Every turn has ids of its own.
fn adapter_turn(tools: &mut CommandTools, turn: usize) {
    let events = [
        format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r{turn:06}"}}"#),
        format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"c{turn:06}","toolCallName":"notes__ping"}}"#),
        format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"c{turn:06}"}}"#),
        format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r{turn:06}"}}"#),
    ];
    tools.begin_turn();
    let mut answered = 0;
    for event in &events {
        answered += usize::from(block_on(tools.receive(&Event::parse(event).unwrap())).is_some());
    }
    assert_eq!((answered, block_on(tools.flush())), (1, None));
}

#[test]
fn the_adapter_allocates_as_much_in_turn_ten_thousand_as_in_turn_one_thousand() {
    let (copilot, _ping) = copilot();
    let mut tools = CommandTools::builder(copilot).build();
    (0..1_000).for_each(|turn| adapter_turn(&mut tools, turn));
    let early = measure(|| (1_000..1_100).for_each(|turn| adapter_turn(&mut tools, turn)));
    let meanwhile = measure(|| (1_100..10_000).for_each(|turn| adapter_turn(&mut tools, turn)));
    let late = measure(|| (10_000..10_100).for_each(|turn| adapter_turn(&mut tools, turn)));
    // A map may be made larger once in so many turns.
    assert!(late.bytes_total < early.bytes_total * 11 / 10, "{early:?} {late:?}");
    assert!(late.count_total < early.count_total * 11 / 10, "{early:?} {late:?}");
    assert!(meanwhile.bytes_current < 16 * 1024, "{meanwhile:?}");
}

/// How many bytes one more turn allocates for each byte of the history before it.
fn allocated_by_a_turn_after(turns: usize) -> u64 {
    let (copilot, _ping) = copilot();
    let (conversation, bytes) = history::of(turns);
    let agent = InProcessAgent::new(|input: RunAgentInput| {
        let is_first = input.messages.last().is_some_and(|message| message.role.as_str() == "user");
        let call = [
            r#"{"type":"TOOL_CALL_START","toolCallId":"new","toolCallName":"notes__ping"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"new"}"#,
        ];
        let call = call.into_iter().filter(move |_| is_first);
        stream::iter(call.chain([r#"{"type":"RUN_FINISHED"}"#]).map(str::to_owned))
    });
    let mut client = Client::builder(agent, copilot)
        .confirm(|_: PendingCall| async { true })
        .conversation(conversation)
        .build();
    let mut end = None;
    let turn = measure(|| {
        client.send_text("Please.");
        while let Some(update) = block_on(client.next()) {
            if let Update::TurnEnded { end: ended } = update {
                end = Some(ended);
            }
        }
    });
    assert_eq!(end, Some(TurnEnd::Completed));
    turn.bytes_total * 100 / bytes as u64
}

#[test]
fn a_turn_of_the_client_allocates_no_more_for_each_byte_of_a_long_history() {
    let short = allocated_by_a_turn_after(1_000);
    let long = allocated_by_a_turn_after(10_000);
    // A map of twice the size may be half full or full.
    assert!(long < short * 2, "{short} {long} hundredths of a byte for each byte");
}
