//! Where runs and turns begin and end.

use super::rules::{Item, Model, Name, Run, SNAPSHOT_ARGUMENTS, Status, calls_in, count, is_complete};
use crate::calls::incomplete::{IncompleteCall, LimitExceeded};
use crate::calls::ledger::RunEnd;

impl Model {
    pub(super) fn end_run(&mut self, end: RunEnd) {
        let reason = match end {
            RunEnd::Success | RunEnd::Interrupt => None,
            RunEnd::Cancelled => Some(IncompleteCall::RunCancelled),
            RunEnd::Unknown => Some(IncompleteCall::NeverClosed),
            RunEnd::Error => Some(IncompleteCall::RunFailed),
            RunEnd::StreamLost => Some(IncompleteCall::StreamEnded),
            RunEnd::AnotherRun => Some(IncompleteCall::NewRunBegan),
        };
        let run = self.current();
        self.run().ending = Some(end);
        for at in 0..self.calls.len() {
            match self.calls[at].status {
                _ if self.calls[at].run != run => {}
                Status::Open => {
                    let content = match reason {
                        Some(reason) => Err(reason),
                        None if self.calls[at].chunked => Ok(()),
                        None => Err(IncompleteCall::NeverClosed),
                    };
                    self.close(at, content, Some(end));
                }
                Status::Left => {
                    self.closings.push(at);
                    self.settle_left(at, end);
                }
                _ => {}
            }
        }
        self.close_snapshot_calls(reason, end);
        self.run().ended = Some(end);
    }

    /// Whether a call stands only in the last snapshot of this run: at this place, without an answer behind it.
    pub(super) fn is_only_in_snapshot(&self, items: &[Item], at: usize) -> bool {
        let Item::Call(id, _) = items[at] else { return false };
        let behind = &items[at + 1..];
        let is_last = !behind.iter().any(|item| matches!(item, Item::Call(other, _) if *other == id));
        is_last
            && !behind.contains(&Item::Answer(id))
            && count(items, id) > self.known(id, false)
            && self.find(id).is_none()
            && !self.is_used(id)
    }

    /// The last snapshot of this run, with how often the agent had spoken.
    pub(super) fn last_snapshot(&self) -> Option<(Vec<Item>, usize)> {
        let (run, items, output_count) = self.snapshots.last().cloned()?;
        (run == self.current()).then_some((items, output_count))
    }

    pub(super) fn close_snapshot_calls(&mut self, reason: Option<IncompleteCall>, end: RunEnd) {
        let Some((items, output_count)) = self.last_snapshot() else { return };
        for (at, item) in items.iter().enumerate() {
            let Item::Call(id, name) = *item else { continue };
            let behind = &items[at + 1..];
            let baseline = self.known(id, false);
            if !self.is_only_in_snapshot(&items, at) {
                continue;
            }
            let name = (!name.is_empty()).then_some(name);
            if !self.open(None, id, name, true) {
                continue;
            }
            let call = self.calls.len() - 1;
            self.calls[call].baseline = baseline;
            let content = match reason {
                Some(reason) => Err(reason),
                None if SNAPSHOT_ARGUMENTS.len() > self.limits.argument_bytes => {
                    Err(LimitExceeded::ArgumentBytes(self.limits.argument_bytes).into())
                }
                None => Ok(()),
            };
            if content.is_ok() {
                self.calls[call].text = SNAPSHOT_ARGUMENTS.to_owned();
            }
            self.calls[call].has_continued =
                behind.contains(&Item::Output) || self.output_count > output_count;
            self.close(call, content, Some(end));
        }
    }

    /// Refuses what was opened after the end, or ends the run, because another one begins.
    pub(super) fn end_current(&mut self, end: RunEnd) {
        if self.runs[self.current()].ended.is_none() {
            return self.end_run(end);
        }
        for at in self.open_calls_of_run() {
            self.close(at, Err(IncompleteCall::Late), None);
        }
    }

    pub(super) fn begin(&mut self, mut run: Run, earlier: Vec<&'static str>) {
        let was_interrupted = self.runs[self.current()].ended == Some(RunEnd::Interrupt);
        run.earlier = earlier;
        self.runs.push(run);
        self.lanes.clear();
        if !self.turns_declared && !was_interrupted {
            self.clear_turn();
        }
    }

    pub(super) fn clear_turn(&mut self) {
        self.bound.clear();
        self.answers.clear();
    }

    pub(super) fn begin_run(&mut self, name: Name, history: &[Item]) {
        self.end_current(RunEnd::AnotherRun);
        self.begin(Run::new(Some(name), None), Vec::new());
        self.is_declared = true;
        self.base = (self.current(), calls_in(history));
        self.answers.retain(|answer| answer.ran);
        for call in &mut self.calls {
            call.was_unreported = false;
        }
    }

    pub(super) fn begin_turn(&mut self) {
        self.turns_declared = true;
        self.clear_turn();
    }

    pub(super) fn run_started(&mut self, name: Name, input: Option<&[Item]>) {
        let run = self.run();
        if run.ended.is_none() {
            if run.awaits_announcement {
                run.awaits_announcement = false;
                run.announced = Some(name);
                return;
            }
            if is_complete(name) && (run.announced == Some(name) || run.declared == Some(name)) {
                return;
            }
        }
        self.end_current(RunEnd::AnotherRun);
        // The newest run that the agent called so.
        let again = (0..self.runs.len()).rev().find(|at| {
            let run = &self.runs[*at];
            is_complete(name) && !run.sent_again && run.announced.or(run.declared) == Some(name)
        });
        let earlier = again.map_or_else(Vec::new, |at| {
            self.runs[at].sent_again = true;
            let fresh = self.calls.iter().filter(|call| call.run == at).map(|call| call.id);
            self.runs[at].earlier.iter().copied().chain(fresh).collect()
        });
        self.begin(Run::new(None, Some(name)), earlier);
        if let Some(input) = input.filter(|_| !self.is_declared) {
            self.base = (self.current(), calls_in(input));
        }
    }

    pub(super) fn run_finished(&mut self, name: Name, end: RunEnd, interrupted: &[&'static str]) {
        let run = &self.runs[self.current()];
        let names: Vec<Name> = run.declared.into_iter().chain(run.announced).collect();
        let fits = |one: &str, other: &str| one.is_empty() || other.is_empty() || one == other;
        if !names.is_empty() && !names.iter().any(|own| fits(name.0, own.0) && fits(name.1, own.1)) {
            return self.report("foreign-run-end", name.1);
        }
        if run.ended.is_none() {
            for (at, id) in interrupted.iter().enumerate() {
                if !interrupted[..at].contains(id) {
                    self.bind(id);
                }
            }
            self.end_run(end);
        }
    }

    pub(super) fn run_failed(&mut self) {
        if self.runs[self.current()].ended.is_none() {
            self.end_run(RunEnd::Error);
        }
    }

    pub(super) fn end_of_stream(&mut self) {
        self.end_current(RunEnd::StreamLost);
    }

    pub(super) fn record_output(&mut self) {
        self.output_count += 1;
    }
}
