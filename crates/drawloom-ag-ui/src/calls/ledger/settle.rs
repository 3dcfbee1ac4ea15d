//! From a call's close to its answer: who answers it, and how it ended.

use std::sync::Arc;

use super::super::hash::IdHash;
use super::super::incomplete::{IncompleteCall, LimitExceeded};
use super::super::open::OpenCall;
use super::{
    AnsweredCall, BegunCall, CallEnd, CallKey, ClosedCall, DueCall, KnownState, Ledger, LeftCall, Offered,
    RunEnd, Stage, Treatment, UnofferedCalls, UnreportedCall, WithdrawnCall,
};
use crate::protocol::ToolCallId;

/// How many times the limit of one call's arguments all the calls that are left to the backend may hold together.
const LEFT_ARGUMENTS: usize = 16;

impl Ledger {
    /// Takes a call that is not open any more, with the reason why it may not run, if there is one.
    pub(super) fn close(&mut self, hash: IdHash, call: OpenCall, content: Result<(), IncompleteCall>) {
        let key = self.next_key();
        self.set_state(hash, KnownState::Closed);
        if call.is_late && self.bound.contains_key(&hash) {
            // It belongs to the agent, which resumes the run for it.
            return self.set_state(hash, KnownState::Bound);
        }
        if call.is_late {
            return self.refuse(key, hash, call, IncompleteCall::Late);
        }
        let is_held = !matches!(
            content,
            Err(IncompleteCall::LimitExceeded(LimitExceeded::CallsPerRun(_) | LimitExceeded::IdBytes(_)))
        );
        let content = if call.is_torn { content.and(Err(IncompleteCall::Torn)) } else { content };
        let closed = ClosedCall { key, hash, call, content, end: self.run.ending };
        if is_held && self.bound.contains_key(&hash) {
            return self.leave(closed);
        }
        match closed.content {
            Ok(()) | Err(IncompleteCall::Torn) => {}
            // Nobody is asked about a call of a run that failed: another run may have begun by then.
            Err(IncompleteCall::LimitExceeded(_)) if is_held && !self.run.has_failed() => {}
            Err(reason) => return self.refuse(key, hash, closed.call, reason),
        }
        self.undecided.push_back(closed);
        // A call without a name is one to a tool that is not offered, so nobody has to be asked.
        if self.undecided.len() == 1 {
            self.decide_nameless();
        }
    }

    /// The first call that closed and of which nobody knows yet whether its tool is offered. Its owner looks, and says so
    /// with [`Ledger::decide`], before the next event.
    pub(crate) fn undecided(&self) -> Option<&ClosedCall> {
        self.undecided.front()
    }

    /// Says whether the tool of the first [undecided](Ledger::undecided) call is offered.
    pub(crate) fn decide(&mut self, offered: Offered) {
        self.decide_first(offered);
        self.decide_nameless();
    }

    fn decide_nameless(&mut self) {
        while self.undecided.front().is_some_and(|closed| closed.call.name.is_none()) {
            self.decide_first(Offered::No);
        }
    }

    fn decide_first(&mut self, offered: Offered) {
        let Some(closed) = self.undecided.pop_front() else { return };
        match (offered, self.unoffered, closed.content) {
            (Offered::Yes, _, Ok(())) => {
                let ClosedCall { key, hash, call, .. } = closed;
                let tool = call.name.unwrap_or_default();
                let treatment = Treatment::Run { arguments: call.arguments };
                self.make_due(key, hash, call.id, tool, treatment);
            }
            (Offered::Yes, _, Err(reason)) => self.refuse(closed.key, closed.hash, closed.call, reason),
            (Offered::No, UnofferedCalls::LeaveToBackend, _) => self.leave(closed),
            (Offered::No, UnofferedCalls::Refuse, Err(reason @ IncompleteCall::LimitExceeded(_))) => {
                self.refuse(closed.key, closed.hash, closed.call, reason);
            }
            (Offered::No, UnofferedCalls::Refuse, content) => {
                let ClosedCall { key, hash, call, .. } = closed;
                let tool = call.name.unwrap_or_default();
                let treatment = Treatment::Unoffered { arguments: content.ok().map(|()| call.arguments) };
                self.make_due(key, hash, call.id, tool, treatment);
            }
        }
    }

    fn refuse(&mut self, key: CallKey, hash: IdHash, call: OpenCall, reason: IncompleteCall) {
        self.make_due(key, hash, call.id, call.name.unwrap_or_default(), Treatment::Refuse(reason));
    }

    fn make_due(&mut self, key: CallKey, hash: IdHash, id: ToolCallId, tool: String, treatment: Treatment) {
        let message_id = self.message_ids.of(&id);
        self.set_state(hash, KnownState::Due(key));
        self.unanswered.insert((hash, Stage::Due, key));
        self.due.insert(
            key,
            (
                DueCall { key, id, tool, message_id, run_ids: self.run_ids.clone(), treatment },
                hash,
                self.runs,
            ),
        );
    }

    /// Leaves a call to the agent's backend, until the end of the run.
    fn leave(&mut self, closed: ClosedCall) {
        let ClosedCall { key, hash, call, content, end } = closed;
        let room = self.limits.argument_bytes.saturating_mul(LEFT_ARGUMENTS).saturating_sub(self.left_bytes);
        let arguments = content.ok().map(|()| call.arguments).filter(|text| text.len() <= room);
        let left = LeftCall {
            hash,
            id: call.id,
            tool: call.name.unwrap_or_default(),
            arguments,
            baseline: call.baseline,
            output_count: call.output_count,
            has_continued: false,
        };
        if let Some(end) = end {
            return self.settle_left(call.order, left, key, end);
        }
        self.left_bytes += left.arguments.as_ref().map_or(0, String::len);
        self.set_state(hash, KnownState::Left(call.order));
        self.left.insert(call.order, left);
    }

    /// Takes out a call that is left to the backend.
    pub(super) fn take_left(&mut self, order: u64) -> Option<LeftCall> {
        let left = self.left.remove(&order)?;
        self.left_bytes -= left.arguments.as_ref().map_or(0, String::len);
        Some(left)
    }

    /// Settles a call that was left to the backend, now that the run ends.
    pub(super) fn settle_left(&mut self, order: u64, left: LeftCall, key: CallKey, end: RunEnd) {
        let has_failed = end.reason().is_some();
        if has_failed || (!left.has_continued && left.output_count == self.output_count) {
            let LeftCall { hash, id, tool, arguments, .. } = left;
            let was_bound = self.bound.contains_key(&hash);
            let treatment = match has_failed {
                true => Treatment::Unoffered { arguments },
                false => Treatment::NoResult { arguments, was_bound },
            };
            return self.make_due(key, hash, id, tool, treatment);
        }
        let message_id = self.message_ids.of(&left.id);
        self.set_state(left.hash, KnownState::Unreported(order));
        self.unreported.by_id.insert(left.hash, order);
        let call = UnreportedCall { id: left.id, message_id };
        self.unreported.calls.insert(order, (call, left.hash, left.baseline));
        // What nobody takes is bounded.
        while self.unreported.calls.len() > self.limits.calls_per_run.max(1) {
            let Some((oldest, (_, hash, _))) = self.unreported.calls.pop_first() else { break };
            if self.unreported.by_id.get(&hash) == Some(&oldest) {
                self.unreported.by_id.remove(&hash);
            }
        }
    }

    /// The key that the next call to close will have: the calls with this one and greater ones closed later.
    pub(crate) fn next_closed_key(&self) -> CallKey {
        self.closed
    }

    /// The first call that waits to be answered, among those that closed at `from` or later.
    pub(crate) fn first_due(&self, from: CallKey) -> Option<CallKey> {
        self.due.range(from..).next().map(|(key, _)| *key)
    }

    /// Hands out a call to be answered. It counts as [asked](super::CallState::Asked) until more is known.
    pub(crate) fn begin(&mut self, key: CallKey) -> Option<DueCall> {
        let (call, hash, run) = self.take_due(key)?;
        let begun = BegunCall {
            hash,
            id: call.id.clone(),
            message_id: call.message_id.clone(),
            run,
            is_running: false,
        };
        self.begun.insert(key, begun);
        self.unanswered.insert((hash, Stage::Begun, key));
        self.set_state_in(run, hash, KnownState::Begun(key));
        Some(call)
    }

    /// Hands out a call for good, to somebody who keeps its state.
    pub(crate) fn give_away(&mut self, key: CallKey) -> Option<DueCall> {
        let (call, hash, run) = self.take_due(key)?;
        self.set_state_in(run, hash, KnownState::Answered);
        Some(call)
    }

    pub(super) fn take_due(&mut self, key: CallKey) -> Option<(DueCall, IdHash, u64)> {
        let (call, hash, run) = self.due.remove(&key)?;
        self.unanswered.remove(&(hash, Stage::Due, key));
        Some((call, hash, run))
    }

    pub(super) fn take_begun(&mut self, key: CallKey) -> Option<BegunCall> {
        let call = self.begun.remove(&key)?;
        self.unanswered.remove(&(call.hash, Stage::Begun, key));
        Some(call)
    }

    /// The last call with this id to close, of those that came this far and are not answered.
    pub(super) fn latest(&self, hash: IdHash, stage: Stage) -> Option<CallKey> {
        let of_id = (hash, stage, CallKey::MIN)..=(hash, stage, CallKey::MAX);
        self.unanswered.range(of_id).next_back().map(|(_, _, key)| *key)
    }

    /// The last call with this id that was handed out.
    pub(crate) fn latest_begun(&self, id: &str) -> Option<CallKey> {
        self.latest(self.hash(id), Stage::Begun)
    }

    /// Takes note that the command of a call may be running.
    pub(crate) fn note_running(&mut self, key: CallKey) {
        if let Some(call) = self.begun.get_mut(&key) {
            call.is_running = true;
        }
    }

    /// Takes note of how a call ended that was handed out. Gives its id and that of the message that answers it, unless an
    /// interrupt was bound to the call meanwhile: then it is not to be answered.
    pub(crate) fn finish(&mut self, key: CallKey, end: CallEnd) -> Option<(ToolCallId, String)> {
        let call = self.take_begun(key)?;
        let state =
            if matches!(end, CallEnd::Cancelled) { KnownState::Cancelled } else { KnownState::Answered };
        self.set_state_in(call.run, call.hash, state);
        let outcome: Option<Arc<_>> = match end {
            CallEnd::Ran(outcome) => Some(outcome),
            CallEnd::DidNotRun | CallEnd::Cancelled => None,
        };
        // A later call may have the id, and have ended before.
        if self.answered.get(&call.hash).is_none_or(|other| other.run <= call.run) {
            let answered = AnsweredCall { outcome, message_id: call.message_id.clone(), run: call.run };
            self.answered.insert(call.hash, answered);
        }
        Some((call.id, call.message_id))
    }

    /// The next call that an interrupt was bound to after it was handed out or answered.
    pub(crate) fn next_withdrawn(&mut self) -> Option<(WithdrawnCall, CallKey)> {
        self.withdrawn.pop_front()
    }
}
