//! From a call's close to its answer: who answers it, here or elsewhere.

use super::rules::{Answer, Binding, Call, Item, Model, Status, calls_in, count};
use crate::calls::incomplete::{IncompleteCall, LimitExceeded};
use crate::calls::ledger::{RunEnd, Treatment, UnofferedCalls};

impl Model {
    /// A call closes, at the end of the run or before. A reason says why it may not run.
    pub(super) fn close(&mut self, at: usize, content: Result<(), IncompleteCall>, end: Option<RunEnd>) {
        self.closings.push(at);
        let is_bound = self.is_bound(self.calls[at].id);
        let call = &mut self.calls[at];
        if call.late && is_bound {
            call.status = Status::Bound;
            return;
        }
        if call.late {
            return self.due(at, Treatment::Refuse(IncompleteCall::Late));
        }
        let never_held = matches!(
            content,
            Err(IncompleteCall::LimitExceeded(LimitExceeded::CallsPerRun(_) | LimitExceeded::IdBytes(_)))
        );
        let content = if call.torn && content.is_ok() { Err(IncompleteCall::Torn) } else { content };
        call.incomplete = content.is_err();
        if is_bound && !never_held {
            return self.leave(at, end);
        }
        let has_failed = end.is_some_and(|end| !matches!(end, RunEnd::Success | RunEnd::Interrupt));
        let is_offered = call.name == Some("on");
        let leaves = self.unoffered == UnofferedCalls::LeaveToBackend;
        let arguments = call.text.clone();
        match content {
            Ok(()) if is_offered => self.due(at, Treatment::Run { arguments }),
            Ok(()) | Err(IncompleteCall::Torn) if !is_offered && leaves => self.leave(at, end),
            Ok(()) => self.due(at, Treatment::Unoffered { arguments: Some(arguments) }),
            Err(IncompleteCall::Torn) if !is_offered => {
                self.due(at, Treatment::Unoffered { arguments: None })
            }
            Err(IncompleteCall::LimitExceeded(_)) if !is_offered && leaves && !never_held && !has_failed => {
                self.leave(at, end)
            }
            Err(reason) => self.due(at, Treatment::Refuse(reason)),
        }
    }

    pub(super) fn due(&mut self, at: usize, treatment: Treatment) {
        self.calls[at].status = Status::Due;
        self.calls[at].treatment = Some(treatment);
    }

    pub(super) fn leave(&mut self, at: usize, end: Option<RunEnd>) {
        self.calls[at].status = Status::Left;
        if let Some(end) = end {
            self.settle_left(at, end);
        } else {
            // It takes its place among the others at the end of the run.
            self.closings.pop();
        }
    }

    pub(super) fn settle_left(&mut self, at: usize, end: RunEnd) {
        let was_bound = self.is_bound(self.calls[at].id);
        let call = &mut self.calls[at];
        let is_success = matches!(end, RunEnd::Success | RunEnd::Interrupt);
        if is_success && (call.has_continued || self.output_count > call.output_count) {
            call.status = Status::Unreported;
            call.was_unreported = true;
            return;
        }
        let arguments = (!call.incomplete).then(|| call.text.clone());
        let treatment = match is_success {
            true => Treatment::NoResult { arguments, was_bound },
            false => Treatment::Unoffered { arguments },
        };
        self.due(at, treatment);
    }

    pub(super) fn is_bound(&self, id: &str) -> bool {
        self.bound.iter().any(|bound| bound.id == id)
    }

    pub(super) fn result(&mut self, id: &'static str) {
        self.answered(id, None);
    }

    /// An answer of the backend's; in a snapshot, one that counts for calls with a smaller baseline than this.
    pub(super) fn answered(&mut self, id: &'static str, count: Option<usize>) {
        let counts = |baseline: usize| count.is_none_or(|count| count > baseline);
        if let Some(at) = self.find(id) {
            let call = &mut self.calls[at];
            match call.status {
                Status::Open | Status::Left => {
                    if counts(call.baseline) {
                        call.status = Status::Backend;
                    }
                    return;
                }
                Status::Due | Status::Begun { .. } | Status::Answered | Status::Cancelled => {
                    if count.is_none() && !call.late_result_told {
                        call.late_result_told = true;
                        self.report("late-result", id);
                    }
                    return;
                }
                Status::Backend | Status::Unreported | Status::Bound => {}
            }
        }
        if let Some(call) = self.calls.iter_mut().rev().find(|call| call.id == id && call.was_unreported)
            && call.status == Status::Unreported
            && counts(call.baseline)
        {
            call.status = Status::Backend;
        }
        for bound in &mut self.bound {
            bound.answered |= bound.id == id && counts(bound.baseline);
        }
    }

    pub(super) fn snapshot(&mut self, items: &[Item]) {
        let run = self.current();
        let mut ids = calls_in(items);
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let is_call = |item: &Item| matches!(item, Item::Call(other, _) if *other == id);
            let behind = &items[items.iter().rposition(is_call).unwrap()..];
            if behind.contains(&Item::Answer(id)) {
                self.answered(id, Some(count(items, id)));
            } else if let Some(at) = self.find(id)
                && self.calls[at].status == Status::Left
                && count(items, id) > self.calls[at].baseline
            {
                self.calls[at].has_continued |= behind.contains(&Item::Output);
            }
        }
        self.snapshots.push((run, items.to_vec(), self.output_count));
    }

    pub(super) fn bind(&mut self, id: &'static str) {
        let mut baseline = self.known(id, true);
        let run = self.current();
        if let Some((items, _)) = self.last_snapshot()
            && (0..items.len()).any(|at| {
                matches!(items[at], Item::Call(of, _) if of == id) && self.is_only_in_snapshot(&items, at)
            })
        {
            baseline = self.known(id, false);
            self.calls.push(Call::bound(run, id, baseline));
            self.answers.retain(|answer| answer.id != id);
            self.bound.retain(|bound| bound.id != id);
            self.bound.push(Binding { id, baseline, answered: false });
            return;
        }
        let mine = self.find(id);
        // The call of this run, otherwise the last one to close that still waits for its answer.
        let at = mine.or_else(|| {
            let waits = |at: &usize| matches!(self.calls[*at].status, Status::Due | Status::Begun { .. });
            let last =
                self.closings.iter().rev().copied().find(|at| self.calls[*at].id == id && waits(at))?;
            // Unless a later one was answered.
            let is_last = |answer: &Answer| answer.id != id || answer.run <= self.calls[last].run;
            self.answers.iter().all(is_last).then_some(last)
        });
        if mine.is_none()
            && let Some(call) = self.calls.iter_mut().rev().find(|call| call.id == id && call.was_unreported)
            && call.status == Status::Unreported
        {
            call.status = Status::Bound;
        }
        let was = at.map(|at| self.calls[at].status);
        match was {
            Some(Status::Open | Status::Left) => {
                baseline = self.calls[at.unwrap()].baseline;
                self.calls[at.unwrap()].status = Status::Bound;
            }
            Some(Status::Due | Status::Unreported) => self.calls[at.unwrap()].status = Status::Bound,
            Some(Status::Begun { running: false }) => {
                self.calls[at.unwrap()].status = Status::Bound;
                self.withdrawn.push((id, false));
            }
            Some(Status::Begun { running: true } | Status::Backend | Status::Bound) => {}
            Some(Status::Answered | Status::Cancelled) | None => {
                if self.answers.iter().any(|answer| answer.id == id && !answer.ran) {
                    self.answers.retain(|answer| answer.id != id);
                    self.withdrawn.push((id, true));
                    if let Some(at) = self.calls.iter().position(|call| call.run == run && call.id == id) {
                        self.calls[at].status = Status::Bound;
                    }
                }
            }
        }
        if at.is_some_and(|at| self.calls[at].status == Status::Bound && was != Some(Status::Bound)) {
            self.answers.retain(|answer| answer.id != id);
        }
        self.bound.retain(|bound| bound.id != id);
        self.bound.push(Binding { id, baseline, answered: false });
    }

    /// The calls that wait to be answered, in the order in which they closed.
    pub(super) fn due_calls(&self) -> Vec<usize> {
        self.closings.iter().copied().filter(|at| self.calls[*at].status == Status::Due).collect()
    }

    pub(super) fn begun_calls(&self) -> Vec<usize> {
        let is_begun = |at: &usize| matches!(self.calls[*at].status, Status::Begun { .. });
        self.closings.iter().copied().filter(is_begun).collect()
    }

    pub(super) fn finish(&mut self, at: usize, status: Status, ran: bool) {
        self.calls[at].status = status;
        let answer = Answer { id: self.calls[at].id, run: self.calls[at].run, ran };
        if !self.answers.iter().any(|other| other.id == answer.id && other.run > answer.run) {
            self.answers.retain(|other| other.id != answer.id);
            self.answers.push(answer);
        }
    }
}
