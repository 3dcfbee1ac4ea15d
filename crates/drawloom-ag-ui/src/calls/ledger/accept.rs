//! Events in: what each event of the protocol means for the ledger.

use super::super::history::HistoryItem;
use super::damage::{DamagedEvent, DamagedType};
use super::{Ledger, RunEnd};
use crate::protocol::{
    CallEventType, Content, Damage, DamageCause, DamagedLane, Event, EventKind, Message, Role, RunFinished,
    RunOutcome,
};

impl Ledger {
    /// Takes the next event. The calls that closed are [undecided](Ledger::undecided) then, and their owner decides about
    /// them before the next event.
    pub(crate) fn accept(&mut self, event: &Event<'_>) {
        let subagent = event.subagent_run_id.as_deref();
        match &event.kind {
            EventKind::ToolCallArgs(args) => self.arguments(&args.id, &args.delta),
            EventKind::ToolCallStart(start) => {
                self.start(self.lane(subagent), &start.id, start.name.as_deref());
            }
            EventKind::ToolCallEnd(end) => self.end(&end.id),
            EventKind::ToolCallChunk(chunk) => {
                let delta = chunk.delta.as_deref().unwrap_or_default();
                self.chunk(self.lane(subagent), chunk.id.as_deref(), chunk.name.as_deref(), delta);
            }
            EventKind::ToolCallResult(result) => self.result(&result.id),
            EventKind::MessagesSnapshot(snapshot) => self.snapshot(history_items(&snapshot.messages)),
            EventKind::RunStarted(started) => {
                let messages = started.input.as_ref().map(|_| started.input_messages());
                let input = messages.as_ref().map(|messages| history_items(messages));
                self.run_started(&started.thread_id, &started.run_id, input);
            }
            EventKind::RunFinished(finished) => self.accept_end(finished),
            EventKind::RunError(_) => self.run_failed(),
            EventKind::SubagentFinished(_) if subagent.is_some() => {
                self.subagent_finished(self.lane(subagent));
            }
            EventKind::SubagentError(_) if subagent.is_some() => self.subagent_failed(self.lane(subagent)),
            EventKind::Damaged(damage) => self.accept_damage(damage),
            kind if is_speech(kind) => self.record_output(),
            EventKind::Unknown { kind } if kind == "THINKING_TEXT_MESSAGE_CONTENT" => self.record_output(),
            _ => {}
        }
    }

    fn accept_end(&mut self, finished: &RunFinished<'_>) {
        let (end, interrupts) = match &finished.outcome {
            RunOutcome::Success { .. } => (RunEnd::Success, [].as_slice()),
            RunOutcome::Interrupt(interrupts) => (RunEnd::Interrupt, interrupts.as_slice()),
            RunOutcome::Cancelled => (RunEnd::Cancelled, [].as_slice()),
            RunOutcome::Unknown(_) => (RunEnd::Unknown, [].as_slice()),
        };
        let thread = finished.thread_id.as_deref().unwrap_or_default();
        let run = finished.run_id.as_deref().unwrap_or_default();
        let calls = interrupts.iter().filter_map(|interrupt| interrupt.tool_call_id.as_deref());
        self.run_finished(thread, run, end, calls);
    }

    fn accept_damage(&mut self, damage: &Damage<'_>) {
        let kind = match damage.event_type {
            Some(CallEventType::Start) => DamagedType::Start,
            Some(CallEventType::Args) => DamagedType::Arguments,
            Some(CallEventType::End) => DamagedType::End,
            Some(CallEventType::Chunk) => DamagedType::Chunk,
            Some(CallEventType::Result) => DamagedType::Result,
            Some(CallEventType::SubagentFinished | CallEventType::SubagentError) => DamagedType::Other,
            None => DamagedType::Unreadable,
        };
        let lane = match &damage.lane {
            DamagedLane::Agent => Some(self.lane(None)),
            DamagedLane::Subagent(id) => Some(self.lane(Some(id))),
            DamagedLane::Unreadable => None,
        };
        let (id, name) = (damage.call_id.as_deref(), damage.name.as_deref());
        // Nothing of such an event was lost: it never named a call.
        let lacks_id =
            !damage.what.is_empty() && damage.what.iter().all(|member| member.cause == DamageCause::Missing);
        self.damaged(DamagedEvent { kind, id, name, lane, lacks_id }, damage.to_string());
    }
}

/// Whether the event adds text or reasoning that is not empty.
fn is_speech(kind: &EventKind<'_>) -> bool {
    let is_said =
        |delta: &Option<_>| delta.as_ref().is_some_and(|delta: &std::borrow::Cow<'_, str>| !delta.is_empty());
    match kind {
        EventKind::TextMessageContent(content) => !content.delta.is_empty(),
        EventKind::TextMessageChunk(chunk) => {
            is_said(&chunk.delta) && matches!(chunk.role, None | Some(Role::Assistant))
        }
        EventKind::ReasoningMessageContent(content) => !content.delta.is_empty(),
        EventKind::ReasoningMessageChunk(chunk) => is_said(&chunk.delta),
        _ => false,
    }
}

/// A list of messages, as far as calls are concerned.
pub(crate) fn history_items<'a>(messages: &'a [Message<'a>]) -> impl Iterator<Item = HistoryItem<'a>> {
    messages.iter().flat_map(|message| {
        let says = match &message.content {
            Some(Content::Text(text)) => !text.is_empty(),
            Some(Content::Parts(parts)) => parts.get() != "[]",
            Some(Content::Other(_)) | None => false,
        };
        let output = (says && matches!(message.role, Role::Assistant | Role::Reasoning))
            .then_some(HistoryItem::Output);
        let calls = message.tool_calls.iter().map(|call| HistoryItem::Call {
            id: &call.id,
            name: &call.name,
            arguments: &call.arguments,
        });
        let answer = message.answered_call().map(|id| HistoryItem::Answer { id });
        output.into_iter().chain(calls).chain(answer)
    })
}
