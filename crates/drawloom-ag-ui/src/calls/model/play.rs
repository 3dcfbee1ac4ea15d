//! Random sequences, in which the ledger does as the model does.

use std::sync::Arc;

use drawloom_command::CommandOutcome;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::rules::{Damage, DamagedKind, Item, Lane, Model, Name, SNAPSHOT_ARGUMENTS, Status};
use crate::calls::ledger::{
    CallEnd, DueCall, Ledger, Offered, RunEnd, UnofferedCalls, Withdrawn, history_items,
};
use crate::calls::limits::AssemblerLimits;
use crate::calls::report::Report;
use crate::protocol::{self, CallEventType, DamagedLane, Event, EventKind, Message};

#[derive(Clone, Debug)]
pub(super) enum Op {
    RunStarted(Name, Option<Vec<Item>>),
    RunFinished(Name, RunEnd, Vec<&'static str>),
    RunError,
    Start(Lane, &'static str, Option<&'static str>),
    Args(&'static str, &'static str),
    End(&'static str),
    Chunk(Lane, Option<&'static str>, Option<&'static str>, &'static str),
    Result(&'static str),
    Snapshot(Vec<Item>),
    Output,
    SubagentEnds(&'static str, bool),
    Damaged(Damage),
    FrameLost,
    EndOfStream,
    BeginRun(Name, Vec<Item>),
    BeginTurn,
    Begin(usize),
    Running(usize),
    Finish(usize, Finish),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Finish {
    Ran,
    DidNotRun,
    Cancelled,
}

const IDS: [&str; 5] = ["a", "b", "c", "d", "overlong"];

fn id() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just("a"), 4 => Just("b"), 2 => Just("c"), 1 => Just("d"), 1 => Just("overlong")]
}

fn tool() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![4 => Just(Some("on")), 3 => Just(Some("off")), 1 => Just(None)]
}

fn lane() -> impl Strategy<Value = Lane> {
    prop_oneof![3 => Just(None), 2 => Just(Some("s")), 1 => Just(Some("u"))]
}

fn delta() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "{}", "1", "23", "456789"])
}

fn name() -> impl Strategy<Value = Name> {
    let thread = prop_oneof![8 => Just("t"), 1 => Just("")];
    let run = prop_oneof![4 => Just("r"), 4 => Just("s"), 2 => Just("x"), 1 => Just("")];
    (thread, run)
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let item = prop_oneof![
        4 => (id(), tool()).prop_map(|(id, tool)| Item::Call(id, tool.unwrap_or_default())),
        4 => id().prop_map(Item::Answer),
        1 => Just(Item::Output),
    ];
    prop::collection::vec(item, 0..6)
}

fn end() -> impl Strategy<Value = RunEnd> {
    prop_oneof![4 => Just(RunEnd::Success), 1 => Just(RunEnd::Cancelled), 1 => Just(RunEnd::Unknown)]
}

fn damage() -> impl Strategy<Value = Damage> {
    use DamagedKind::{Args, Chunk, End, Result, Start, Subagent};
    let kind = prop::option::weighted(
        0.8,
        prop::sample::select(vec![Start, Args, End, Chunk, Chunk, Result, Subagent]),
    );
    (kind, prop::option::of(id()), tool(), prop::option::weighted(0.7, lane())).prop_map(
        |(kind, id, name, lane)| {
            let id = id.filter(|_| kind != Some(Subagent));
            Damage { kind, id, name, lane }
        },
    )
}

pub(super) fn op() -> impl Strategy<Value = Op> {
    let bound = || prop::collection::vec(id(), 1..3);
    prop_oneof![
        4 => (name(), prop::option::weighted(0.2, items())).prop_map(|(name, input)| Op::RunStarted(name, input)),
        4 => (name(), end()).prop_map(|(name, end)| Op::RunFinished(name, end, Vec::new())),
        3 => (name(), bound()).prop_map(|(name, ids)| Op::RunFinished(name, RunEnd::Interrupt, ids)),
        1 => Just(Op::RunError),
        14 => (lane(), id(), tool()).prop_map(|(lane, id, tool)| Op::Start(lane, id, tool)),
        8 => (id(), delta()).prop_map(|(id, delta)| Op::Args(id, delta)),
        12 => id().prop_map(Op::End),
        16 => (lane(), prop::option::weighted(0.6, id()), tool(), delta())
            .prop_map(|(lane, id, tool, delta)| Op::Chunk(lane, id, tool, delta)),
        5 => id().prop_map(Op::Result),
        6 => items().prop_map(Op::Snapshot),
        2 => Just(Op::Output),
        2 => (prop::sample::select(vec!["s", "u"]), any::<bool>())
            .prop_map(|(lane, failed)| Op::SubagentEnds(lane, failed)),
        3 => damage().prop_map(Op::Damaged),
        1 => Just(Op::FrameLost),
        1 => Just(Op::EndOfStream),
        2 => (name(), items()).prop_map(|(name, history)| Op::BeginRun(name, history)),
        1 => Just(Op::BeginTurn),
        8 => (0_usize..3).prop_map(Op::Begin),
        3 => (0_usize..3).prop_map(Op::Running),
        8 => (0_usize..3, prop::sample::select(vec![Finish::Ran, Finish::DidNotRun, Finish::Cancelled]))
            .prop_map(|(at, how)| Op::Finish(at, how)),
    ]
}

fn message(at: usize, item: &Item) -> Value {
    let id = format!("m{at}");
    match item {
        Item::Call(call, tool) => json!({"id": id, "role": "assistant", "toolCalls": [
            {"id": call, "type": "function", "function": {"name": tool, "arguments": SNAPSHOT_ARGUMENTS}}]}),
        Item::Answer(call) => json!({"id": id, "role": "tool", "toolCallId": call, "content": "x"}),
        Item::Output => json!({"id": id, "role": "assistant", "content": "hm"}),
    }
}

fn messages(items: &[Item]) -> Value {
    items.iter().enumerate().map(|(at, item)| message(at, item)).collect()
}

/// The event as an agent sends it.
fn event_json(op: &Op) -> Option<Value> {
    let in_lane = |mut event: Value, lane: &Lane| {
        event["subagentRunId"] = json!(lane);
        event
    };
    Some(match op {
        Op::RunStarted((thread, run), input) => {
            let mut event = json!({"type": "RUN_STARTED", "threadId": thread, "runId": run});
            if let Some(input) = input {
                event["input"] = json!({"messages": messages(input), "tools": []});
            }
            event
        }
        Op::RunFinished((thread, run), end, interrupted) => {
            let outcome = match end {
                RunEnd::Success => json!({"type": "success"}),
                RunEnd::Cancelled => json!({"type": "cancelled"}),
                RunEnd::Interrupt => {
                    let interrupts: Vec<_> = interrupted
                        .iter()
                        .map(|id| json!({"id": "i", "reason": "x", "toolCallId": id}))
                        .collect();
                    json!({"type": "interrupt", "interrupts": interrupts})
                }
                _ => json!({"type": "later"}),
            };
            json!({"type": "RUN_FINISHED", "threadId": thread, "runId": run, "outcome": outcome})
        }
        Op::RunError => json!({"type": "RUN_ERROR", "message": "x"}),
        Op::Start(lane, id, tool) => {
            in_lane(json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool}), lane)
        }
        Op::Args(id, delta) => json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta}),
        Op::End(id) => json!({"type": "TOOL_CALL_END", "toolCallId": id}),
        Op::Chunk(lane, id, tool, delta) => in_lane(
            json!({"type": "TOOL_CALL_CHUNK", "toolCallId": id, "toolCallName": tool, "delta": delta}),
            lane,
        ),
        Op::Result(id) => {
            json!({"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": id, "content": "x"})
        }
        Op::Snapshot(items) => json!({"type": "MESSAGES_SNAPSHOT", "messages": messages(items)}),
        Op::Output => json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "hm"}),
        Op::SubagentEnds(lane, false) => json!({"type": "SUBAGENT_FINISHED", "subagentRunId": lane}),
        Op::SubagentEnds(lane, true) => {
            json!({"type": "SUBAGENT_ERROR", "subagentRunId": lane, "message": "x"})
        }
        _ => return None,
    })
}

fn damaged_event(damage: &Damage) -> Event<'static> {
    Event::new(EventKind::Damaged(protocol::Damage {
        what: Vec::new(),
        event_type: damage.kind.map(|kind| match kind {
            DamagedKind::Start => CallEventType::Start,
            DamagedKind::Args => CallEventType::Args,
            DamagedKind::End => CallEventType::End,
            DamagedKind::Chunk => CallEventType::Chunk,
            DamagedKind::Result => CallEventType::Result,
            DamagedKind::Subagent => CallEventType::SubagentFinished,
        }),
        call_id: damage.id.map(Into::into),
        name: damage.name.map(Into::into),
        lane: match damage.lane {
            None => DamagedLane::Unreadable,
            Some(None) => DamagedLane::Agent,
            Some(Some(id)) => DamagedLane::Subagent(id.into()),
        },
    }))
}

/// The ledger, and the calls that were taken from it.
struct Played {
    ledger: Ledger,
    begun: Vec<DueCall>,
}

impl Played {
    fn play(&mut self, op: &Op) {
        let ledger = &mut self.ledger;
        if let Some(event) = event_json(op) {
            let text = event.to_string();
            ledger.accept(&Event::parse(&text).unwrap());
        }
        match op {
            Op::Damaged(damage) => ledger.accept(&damaged_event(damage)),
            Op::FrameLost => ledger.frame_lost("cut".to_owned()),
            Op::EndOfStream => ledger.end_of_stream(),
            Op::BeginRun((thread, run), history) => {
                let messages: Vec<Message<'_>> = serde_json::from_value(messages(history)).unwrap();
                ledger.begin_run(thread, run, history_items(&messages));
            }
            Op::BeginTurn => ledger.begin_turn(),
            Op::Begin(skip) => {
                let mut key = ledger.first_due(0);
                for _ in 0..*skip {
                    key = key.and_then(|key| ledger.first_due(key + 1)).or(key);
                }
                self.begun.extend(key.and_then(|key| ledger.begin(key)));
            }
            Op::Running(at) => {
                if let Some(call) = self.begun.get(*at) {
                    ledger.note_running(call.key);
                }
            }
            Op::Finish(at, how) if *at < self.begun.len() => {
                let call = self.begun.remove(*at);
                let end = match how {
                    Finish::Ran => CallEnd::Ran(Arc::new(CommandOutcome::Answered { value: None })),
                    Finish::DidNotRun => CallEnd::DidNotRun,
                    Finish::Cancelled => CallEnd::Cancelled,
                };
                assert!(ledger.finish(call.key, end).is_some(), "{} was withdrawn without a word", call.id);
            }
            _ => {}
        }
        while let Some(closed) = ledger.undecided() {
            let offered = if closed.tool() == "on" { Offered::Yes } else { Offered::No };
            ledger.decide(offered);
        }
    }
}

fn play_model(model: &mut Model, op: &Op) {
    match op {
        Op::RunStarted(name, input) => model.run_started(*name, input.as_deref()),
        Op::RunFinished(name, end, interrupted) => model.run_finished(*name, *end, interrupted),
        Op::RunError => model.run_failed(),
        Op::Start(lane, id, tool) => model.start(*lane, id, *tool),
        Op::Args(id, delta) => model.args(id, delta),
        Op::End(id) => model.end(id),
        Op::Chunk(lane, id, tool, delta) => model.chunk(*lane, *id, *tool, delta),
        Op::Result(id) => model.result(id),
        Op::Snapshot(items) => model.snapshot(items),
        Op::Output => model.record_output(),
        Op::SubagentEnds(lane, failed) => model.subagent_ends(lane, *failed),
        Op::Damaged(damage) => model.damaged(*damage),
        Op::FrameLost => model.frame_lost(),
        Op::EndOfStream => model.end_of_stream(),
        Op::BeginRun(name, history) => model.begin_run(*name, history),
        Op::BeginTurn => model.begin_turn(),
        Op::Begin(skip) => {
            let due = model.due_calls();
            if let Some(at) = due.get(*skip).or(due.last()) {
                model.calls[*at].status = Status::Begun { running: false };
                model.begun.push(*at);
            }
        }
        Op::Running(at) => {
            if let Some(at) = model.begun.get(*at) {
                model.calls[*at].status = Status::Begun { running: true };
            }
        }
        Op::Finish(at, how) if *at < model.begun.len() => {
            let at = model.begun.remove(*at);
            match how {
                Finish::Ran => model.finish(at, Status::Answered, true),
                Finish::DidNotRun => model.finish(at, Status::Answered, false),
                Finish::Cancelled => model.finish(at, Status::Cancelled, false),
            }
        }
        Op::Finish(..) => {}
    }
}

fn report_line(report: &Report) -> String {
    let id = match report {
        Report::DamagedEvent { call_id, .. } => call_id.as_ref().map_or("", |id| id.as_str()),
        Report::LateResult { call_id } | Report::UnknownCall { call_id } => call_id.as_str(),
        Report::ForeignRunEnd { run_id, .. } => run_id,
        _ => "",
    };
    format!("{} {id}", report.code())
}

pub(super) fn check(ops: &[Op], limits: AssemblerLimits, unoffered: UnofferedCalls) {
    let mut played = Played { ledger: Ledger::new(limits, unoffered), begun: Vec::new() };
    let mut model = Model::new(limits, unoffered);
    for (at, op) in ops.iter().enumerate() {
        played.play(op);
        play_model(&mut model, op);
        let context = || ops[..=at].iter().map(|op| format!("\n  {op:?}")).collect::<String>();
        let ledger = &mut played.ledger;

        let mut due = Vec::new();
        let mut from = 0;
        while let Some(key) = ledger.first_due(from) {
            let call = ledger.due_call(key).unwrap();
            due.push((call.id.to_string(), call.tool.clone(), call.treatment.clone()));
            from = key + 1;
        }
        let expected: Vec<_> = model
            .due_calls()
            .into_iter()
            .map(|at| {
                let call = &model.calls[at];
                (
                    call.id.to_owned(),
                    call.name.unwrap_or_default().to_owned(),
                    call.treatment.clone().unwrap(),
                )
            })
            .collect();
        assert_eq!(due, expected, "due calls {}", context());

        let mut withdrawn = Vec::new();
        while let Some((call, key)) = ledger.next_withdrawn() {
            let is_message = call.what == Withdrawn::Message;
            withdrawn.push((call.id.to_string(), is_message));
            played.begun.retain(|begun| begun.key != key);
        }
        let expected: Vec<_> =
            model.withdrawn.drain(..).map(|(id, is_message)| (id.to_owned(), is_message)).collect();
        assert_eq!(withdrawn, expected, "withdrawn {}", context());
        let begun = model.begun_calls();
        model.begun.retain(|at| begun.contains(at));

        let reports: Vec<_> =
            std::iter::from_fn(|| ledger.next_report()).map(|it| report_line(&it)).collect();
        assert_eq!(reports, std::mem::take(&mut model.reports), "reports {}", context());
        for id in IDS {
            assert_eq!(ledger.state(id, |_| false), model.state(id), "state of {id} {}", context());
            assert_eq!(ledger.outcome(id).is_some(), model.outcome(id), "outcome of {id} {}", context());
        }
        let unreported: Vec<_> = ledger.unreported().map(|call| call.id.to_string()).collect();
        assert_eq!(unreported, model.unreported(), "unreported {}", context());
        assert_eq!(ledger.open_calls(), model.open_calls(), "open calls {}", context());
    }
}

pub(super) fn limits() -> impl Strategy<Value = AssemblerLimits> {
    let small = (0_usize..8, 0_usize..4, 0_usize..5).prop_map(|(bytes, open, calls)| {
        AssemblerLimits::default()
            .with_argument_bytes(bytes)
            .with_open_calls(open)
            .with_calls_per_run(calls)
            .with_id_bytes(4)
    });
    prop_oneof![3 => Just(AssemblerLimits::default()), 1 => small]
}

pub(super) fn unoffered() -> impl Strategy<Value = UnofferedCalls> {
    prop_oneof![Just(UnofferedCalls::Refuse), Just(UnofferedCalls::LeaveToBackend)]
}

proptest! {
    #[test]
    fn the_ledger_does_as_the_model_does(
        ops in prop::collection::vec(op(), 0..40), limits in limits(), unoffered in unoffered(),
    ) {
        check(&ops, limits, unoffered);
    }
}
