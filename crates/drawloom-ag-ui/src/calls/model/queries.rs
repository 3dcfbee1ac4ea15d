//! What others ask the model.

use super::rules::{Binding, Call, Model, Status};
use crate::calls::ledger::CallState;

impl Model {
    pub(super) fn open_calls(&self) -> usize {
        self.open_calls_of_run().len()
    }

    pub(super) fn unreported(&self) -> Vec<&'static str> {
        let listed = |call: &&Call| call.status == Status::Unreported && call.was_unreported;
        self.calls.iter().filter(listed).map(|call| call.id).collect()
    }

    pub(super) fn outcome(&self, id: &str) -> bool {
        let is_later = self.find(id).is_some_and(|at| self.calls[at].status != Status::Answered);
        !is_later && self.answers.iter().any(|answer| answer.id == id && answer.ran)
    }

    pub(super) fn state(&self, id: &str) -> Option<CallState> {
        let bound = self.bound.iter().find(|bound| bound.id == id);
        let of_bound = |bound: &Binding| match bound.answered {
            true => CallState::AnsweredByBackend,
            false => CallState::Bound,
        };
        let waiting = |status: Status| match status {
            Status::Due => Some(CallState::Closed),
            Status::Begun { running: false } => Some(CallState::Asked),
            Status::Begun { running: true } => Some(CallState::Running),
            _ => None,
        };
        if let Some(at) = self.find(id) {
            let call = &self.calls[at];
            return Some(match call.status {
                Status::Open if call.torn => CallState::Torn,
                Status::Open => CallState::Open,
                Status::Answered => CallState::Answered,
                Status::Cancelled => CallState::Cancelled,
                Status::Backend => CallState::AnsweredByBackend,
                Status::Left => CallState::LeftToBackend,
                Status::Unreported => CallState::Unreported,
                Status::Bound => bound.map_or(CallState::Bound, of_bound),
                status => waiting(status).unwrap(),
            });
        }
        let of_id = |at: &&usize| self.calls[**at].id == id;
        let waiting: Vec<_> =
            self.closings.iter().filter(of_id).filter_map(|at| waiting(self.calls[*at].status)).collect();
        let begun = waiting.iter().rev().find(|state| **state != CallState::Closed);
        if let Some(state) = begun.or(waiting.last()) {
            return Some(*state);
        }
        if self.answers.iter().any(|answer| answer.id == id && (answer.ran || bound.is_none())) {
            return Some(CallState::Answered);
        }
        if let Some(bound) = bound {
            return Some(of_bound(bound));
        }
        if self.unreported().contains(&id) {
            return Some(CallState::Unreported);
        }
        self.runs[self.current()].earlier.contains(&id).then_some(CallState::Earlier)
    }
}
