//! From a call's first event to its close.

use super::super::hash::IdHash;
use super::super::incomplete::{IncompleteCall, LimitExceeded};
use super::super::lanes::{Continued, Lane};
use super::super::open::{Form, OpenCall};
use super::super::report::{Report, excerpt};
use super::super::runs::REMEMBERED_CALLS;
use super::{Ledger, Phase};
use crate::protocol::ToolCallId;

/// How many ids that no call has are remembered for a run, so that each is reported once.
const MAX_NEVER_BEGUN: usize = 1024;

impl Ledger {
    /// The lane of a subagent, or of the agent itself.
    pub(super) fn lane(&self, subagent: Option<&str>) -> Lane {
        match subagent.filter(|id| !id.trim().is_empty()) {
            // A hash may be anything, and the agent's own lane has a fixed one.
            Some(id) => Lane(self.hash(id) | 1),
            None => Lane::AGENT,
        }
    }

    pub(super) fn start(&mut self, lane: Lane, id: &str, name: Option<&str>) {
        let hash = self.hash_of_next(id);
        match self.open.get_mut(&hash) {
            Some(call) => {
                call.restart(lane, name);
                call.output_count = self.output_count;
            }
            None => {
                self.open(lane, id, hash, name, Form::Streamed);
            }
        }
    }

    pub(super) fn arguments(&mut self, id: &str, delta: &str) {
        let hash = self.hash_of_next(id);
        if !self.append(hash, delta) {
            self.report_never_begun(id, hash);
        }
    }

    pub(super) fn end(&mut self, id: &str) {
        let hash = self.hash_of_next(id);
        if let Some(mut call) = self.open.remove(&hash) {
            call.output_count = self.output_count;
            self.close(hash, call, Ok(()));
        } else if !self.is_used(hash) {
            self.report_never_begun(id, hash);
            if self.run.has_loss && self.open(Lane::AGENT, id, hash, None, Form::Streamed) {
                // Its beginning may be what was lost.
                self.tear(hash);
                if let Some(call) = self.open.remove(&hash) {
                    self.close(hash, call, Ok(()));
                }
            }
        }
    }

    pub(super) fn chunk(&mut self, lane: Lane, id: Option<&str>, name: Option<&str>, delta: &str) {
        let Some(id) = id else { return self.continuation(lane, delta) };
        let hash = self.hash_of_next(id);
        self.leave_lane(lane, hash);
        if !self.open.contains_key(&hash) {
            let is_suspect = self.run.suspect.contains(&hash);
            if self.open(lane, id, hash, name, Form::Chunked)
                && (self.lanes.begins_without_its_beginning(lane) | is_suspect)
            {
                self.tear(hash);
            }
        }
        self.append(hash, delta);
        self.enter_lane(lane, hash);
    }

    fn continuation(&mut self, lane: Lane, delta: &str) {
        match self.lanes.continued(lane) {
            Continued::Call(hash) => {
                self.append(hash, delta);
            }
            Continued::Doubtful(hash) => self.tear(hash),
            Continued::Nothing => {}
        }
    }

    /// Takes note that a chunk names a call: the call that the lane was sending before is complete, if a chunk opened it.
    pub(super) fn leave_lane(&mut self, lane: Lane, named: IdHash) {
        if let Continued::Call(current) | Continued::Doubtful(current) = self.lanes.continued(lane)
            && current != named
        {
            self.lanes.leave(lane);
            self.close_chunked(current, Ok(()));
        }
    }

    pub(super) fn enter_lane(&mut self, lane: Lane, hash: IdHash) {
        if !self.open.contains_key(&hash) {
            // What continues a call that is not open is ignored.
            self.lanes.leave(lane);
            return;
        }
        let open = &self.open;
        for lost in self.lanes.enter(lane, hash, self.limits.open_calls, |call| open.contains_key(&call)) {
            self.tear(lost);
        }
    }

    /// A subagent finished, which closes the call that its chunks opened.
    pub(super) fn subagent_finished(&mut self, lane: Lane) {
        self.close_lane(lane, Ok(()));
    }

    /// A subagent failed, and the call that its chunks carried will not be completed.
    pub(super) fn subagent_failed(&mut self, lane: Lane) {
        self.close_lane(lane, Err(IncompleteCall::SubagentFailed));
    }

    /// Closes the current call of a lane, if a chunk opened it. One that a start opened goes on.
    fn close_lane(&mut self, lane: Lane, content: Result<(), IncompleteCall>) {
        if let Continued::Call(current) | Continued::Doubtful(current) = self.lanes.continued(lane) {
            self.close_chunked(current, content);
            if !self.open.contains_key(&current) {
                self.lanes.leave(lane);
            }
        }
    }

    fn close_chunked(&mut self, hash: IdHash, content: Result<(), IncompleteCall>) {
        if self.open.get(&hash).is_some_and(|call| call.form == Form::Chunked)
            && let Some(call) = self.open.remove(&hash)
        {
            self.close(hash, call, content);
        }
    }

    /// Opens a call that is not open, unless its id is used up or it is over a limit. Says whether it is open now.
    pub(super) fn open(
        &mut self,
        lane: Lane,
        id: &str,
        hash: IdHash,
        name: Option<&str>,
        form: Form,
    ) -> bool {
        let calls = self.calls_of_run();
        if self.is_used(hash) {
            return false;
        }
        if calls >= REMEMBERED_CALLS {
            if !std::mem::replace(&mut self.run.is_overlong, true) {
                self.report(Report::TooManyCalls);
            }
            return false;
        }
        let limits = &self.limits;
        let exceeded = if id.len() > limits.id_bytes {
            Some(LimitExceeded::IdBytes(limits.id_bytes))
        } else if calls >= limits.calls_per_run {
            Some(LimitExceeded::CallsPerRun(limits.calls_per_run))
        } else if self.open.len() >= limits.open_calls {
            Some(LimitExceeded::OpenCalls(limits.open_calls))
        } else {
            None
        };
        let mut call = OpenCall::new(ToolCallId::from(id), self.opened, lane, form, name);
        call.is_late = self.run.phase == Phase::Ended;
        call.baseline = self.history.known(hash);
        call.output_count = self.output_count;
        self.opened += 1;
        match exceeded {
            Some(limit) => {
                self.close(hash, call, Err(limit.into()));
                false
            }
            None => {
                self.open.insert(hash, call);
                true
            }
        }
    }

    /// Adds a piece to the arguments of a call. Says whether the call is open.
    fn append(&mut self, hash: IdHash, delta: &str) -> bool {
        let Some(call) = self.open.get_mut(&hash) else { return false };
        call.output_count = self.output_count;
        if let Err(limit) = call.append(delta, self.limits.argument_bytes)
            && let Some(call) = self.open.remove(&hash)
        {
            self.close(hash, call, Err(limit.into()));
        }
        true
    }

    /// Handles an event about a call that is not open. It is reported only if the call was never begun.
    fn report_never_begun(&mut self, id: &str, hash: IdHash) {
        if self.is_used(hash)
            || self.run.never_begun.len() >= MAX_NEVER_BEGUN
            || !self.run.never_begun.insert(hash)
        {
            return;
        }
        self.report(Report::UnknownCall { call_id: excerpt(id).into() });
    }
}
