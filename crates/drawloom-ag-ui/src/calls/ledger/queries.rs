//! Queries about the state of calls and runs.

use std::sync::Arc;

use drawloom_command::CommandOutcome;

use super::super::lanes::Continued;
use super::super::report::Report;
use super::{CallKey, CallState, KnownState, Ledger, Phase, RunState, Stage, UnreportedCall};
use crate::protocol::ToolCallId;

impl Ledger {
    /// Where the latest call with this id stands, among those of the current run and those that are not over. Of a call that
    /// was handed out, `is_running` may know that it has come further.
    pub(crate) fn state(&self, id: &str, is_running: impl Fn(CallKey) -> bool) -> Option<CallState> {
        let begun = |key| if is_running(key) { CallState::Running } else { self.begun_state(key) };
        let hash = self.hash_of_recent(id);
        if let Some(call) = self.open.get(&hash) {
            return Some(if call.is_torn { CallState::Torn } else { CallState::Open });
        }
        if let Some(known) = self.run.known.get(&hash) {
            return Some(match known.state {
                KnownState::Closed | KnownState::Due(_) => CallState::Closed,
                KnownState::Begun(key) => begun(key),
                KnownState::Answered => CallState::Answered,
                KnownState::Cancelled => CallState::Cancelled,
                KnownState::Backend => CallState::AnsweredByBackend,
                KnownState::Left(_) => CallState::LeftToBackend,
                KnownState::Unreported(_) => CallState::Unreported,
                KnownState::Bound if self.bound.get(&hash).is_some_and(|bound| bound.is_answered) => {
                    CallState::AnsweredByBackend
                }
                KnownState::Bound => CallState::Bound,
            });
        }
        if let Some(key) = self.latest(hash, Stage::Begun) {
            return Some(begun(key));
        }
        if self.latest(hash, Stage::Due).is_some() {
            return Some(CallState::Closed);
        }
        if let Some(answered) = self.answered.get(&hash)
            && (answered.outcome.is_some() || !self.bound.contains_key(&hash))
        {
            return Some(CallState::Answered);
        }
        if let Some(bound) = self.bound.get(&hash) {
            return Some(if bound.is_answered { CallState::AnsweredByBackend } else { CallState::Bound });
        }
        if self.unreported.by_id.contains_key(&hash) {
            return Some(CallState::Unreported);
        }
        self.run.earlier.contains(&hash).then_some(CallState::Earlier)
    }

    fn begun_state(&self, key: u64) -> CallState {
        match self.begun.get(&key) {
            Some(call) if call.is_running => CallState::Running,
            _ => CallState::Asked,
        }
    }

    /// How the latest call with this id ended, if it was answered here in this turn and ran.
    pub(crate) fn outcome(&self, id: &str) -> Option<&Arc<CommandOutcome>> {
        let hash = self.hash(id);
        // A call of this run is a later one than any that was answered before.
        let is_later = self.open.contains_key(&hash)
            || self.run.known.get(&hash).is_some_and(|known| known.state != KnownState::Answered);
        self.answered.get(&hash).filter(|_| !is_later)?.outcome.as_ref()
    }

    /// The calls that the agent left without a result, in the order in which they were opened.
    pub(crate) fn unreported(&self) -> impl Iterator<Item = &UnreportedCall> {
        self.unreported.calls.values().map(|(call, _, _)| call)
    }

    /// The open call that a chunk without an id continues in the lane of a subagent or, without one, of the agent itself.
    pub(crate) fn continued_call(&self, subagent: Option<&str>) -> Option<&ToolCallId> {
        match self.lanes.continued(self.lane(subagent)) {
            Continued::Call(hash) | Continued::Doubtful(hash) => self.open.get(&hash).map(|call| &call.id),
            Continued::Nothing => None,
        }
    }

    /// Where the current run stands.
    pub(crate) fn run_state(&self) -> RunState {
        RunState { number: self.runs, is_open: self.run.phase == Phase::Open, is_repeat: self.run.is_repeat }
    }

    /// What was lost or ignored since the last time that somebody asked.
    pub(crate) fn next_report(&mut self) -> Option<Report> {
        self.reports.next()
    }

    /// How many calls are open: begun, and neither closed nor answered by the agent's backend.
    pub(crate) fn open_calls(&self) -> usize {
        self.open.len()
    }

    /// Whether anything waits for the end of the run.
    pub(crate) fn awaits_end(&self) -> bool {
        !self.open.is_empty() || !self.left.is_empty() || !self.run.snapshot_calls.is_empty()
    }

    /// How many calls are left to the backend, wait to be answered, and are being answered.
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        (self.left.len(), self.due.len(), self.begun.len())
    }

    /// A call that waits to be answered.
    #[cfg(test)]
    pub(crate) fn due_call(&self, key: u64) -> Option<&super::DueCall> {
        self.due.get(&key).map(|(call, _, _)| call)
    }

    /// Counts text or reasoning of the agent.
    pub(super) fn record_output(&mut self) {
        self.output_count += 1;
    }
}
