//! One frame of a run: whether it is an event, whether it is within the limits, and what becomes of calls where it is lost.

use drawloom_ag_ui::{Event, ToolCallId, ToolMessage};
use drawloom_command::{CommandOutcome, Refusal, RefusalReason};

use crate::client::Client;
use crate::conversation::answer_to;
use crate::told::Told;
use crate::transport::{Frame, TransportError};
use crate::update::Update;

impl Client {
    pub(crate) fn frame(&mut self, frame: Frame) {
        let Some(turn) = &mut self.turn else { return };
        turn.run.spent.events += 1;
        let text = match frame {
            Frame::Event(text) => text,
            Frame::TooLong(limit) => {
                self.unreadable(format!("the frame is longer than {limit} bytes"));
                return self.keep_within_limits();
            }
        };
        turn.run.spent.bytes = turn.run.spent.bytes.saturating_add(text.len());
        // What is over a limit of its own is not looked at any further.
        if self.limits.check(&turn.run.spent).is_ok() {
            match Event::parse(&text) {
                Ok(event) => self.event(&event, &text),
                Err(error) => self.unreadable(error.to_string()),
            }
        }
        self.keep_within_limits();
    }

    /// Ends the run where it has gone over a limit.
    fn keep_within_limits(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        turn.run.has_grown_to(self.conversation.messages().len());
        if let Err(exceeded) = self.limits.check(&turn.run.spent) {
            tracing::warn!(run = %turn.run.id, %exceeded, "the run is broken off");
            self.broken_off(TransportError::LimitExceeded(exceeded.to_string()));
        }
    }

    /// Counts what an event is about to add to what is held. Whether it may.
    pub(crate) fn may_keep(&mut self, event: &Event<'_>, told: &Told, bytes: usize) -> bool {
        let Some(turn) = &mut self.turn else { return false };
        let spent = &mut turn.run.spent;
        match told {
            Told::Snapshot(told) => {
                let told = told.iter().map(|message| 1 + message.tool_calls.len()).sum::<usize>();
                let read = self.conversation.size().saturating_add(told).saturating_add(1);
                spent.snapshot_messages = spent.snapshot_messages.saturating_add(read);
                // It takes the place of what was there before, so it is measured by itself.
                spent.kept_bytes = spent.kept_bytes.max(bytes);
            }
            Told::Interrupts(asked) => {
                spent.interrupts += asked.len();
                spent.kept_bytes = spent.kept_bytes.saturating_add(bytes);
            }
            Told::LangGraph { .. } => {
                spent.interrupts += 1;
                spent.kept_bytes = spent.kept_bytes.saturating_add(bytes);
            }
            Told::Nothing if !matches!(event, Event::ToolCallArgs { .. }) => {}
            _ => spent.kept_bytes = spent.kept_bytes.saturating_add(bytes),
        }
        self.limits.check(spent).is_ok()
    }

    /// A frame was lost. What calls that are open carry is not known whole any more, and what is left of it might be
    /// read as something else, so they are refused. The agent's own are left to it, which knows what it meant.
    pub(crate) fn unreadable(&mut self, problem: String) {
        let Some(turn) = &mut self.turn else { return };
        let frame = turn.run.spent.events as u64;
        let mut refused = Vec::new();
        tracing::warn!(run = %turn.run.id, frame, %problem, "a frame was passed over");
        // Once for each call, however many frames are lost while it is open.
        let run = &mut turn.run;
        let whole = run.tear_open_calls();
        self.updates.push_back(Update::Unreadable { frame, problem });
        for call in whole {
            let made = self.conversation.call(call.as_str());
            if made.is_some_and(|made| run.offers(&made.function.name)) {
                self.tools.accept(&Event::ToolCallResult { id: call.as_str().into() });
                refused.push(torn(call));
            }
        }
        refused.into_iter().for_each(|message| self.answered(message));
    }
}

/// The answer to a call of which a piece may be missing.
pub(crate) fn torn(call: ToolCallId) -> ToolMessage {
    let refusal = Refusal {
        reason: RefusalReason::InvalidArguments,
        message: "a part of the stream could not be read while the call was open; send it again".to_owned(),
    };
    answer_to(call, &CommandOutcome::Refused(refusal))
}
