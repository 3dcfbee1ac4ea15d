//! Where runs and turns begin and end, and what becomes of the calls that are open then.

use std::mem;
use std::sync::Arc;

use super::super::history::HistoryItem;
use super::super::incomplete::IncompleteCall;
use super::super::lanes::{Lane, Lanes};
use super::super::open::{Form, OpenCall};
use super::super::report::{Report, excerpt};
use super::super::runs::{REMEMBERED_CALLS, REMEMBERED_RUNS, RunName, RunNames};
use super::{CurrentRun, Ledger, Phase, RunIds, SnapshotCall, Unreported};

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    Success,
    Interrupt,
    Cancelled,
    /// With an unknown outcome, which does not count as a success.
    Unknown,
    Error,
    StreamLost,
    AnotherRun,
}

impl RunEnd {
    /// Why no open call of the run may run, or none where its chunk calls may.
    pub(super) fn reason(self) -> Option<IncompleteCall> {
        match self {
            Self::Success | Self::Interrupt => None,
            Self::Cancelled => Some(IncompleteCall::RunCancelled),
            Self::Unknown => Some(IncompleteCall::NeverClosed),
            Self::Error => Some(IncompleteCall::RunFailed),
            Self::StreamLost => Some(IncompleteCall::StreamEnded),
            Self::AnotherRun => Some(IncompleteCall::NewRunBegan),
        }
    }
}

/// A call that the end of the run concerns.
enum Unsettled {
    Open(u64, OpenCall),
    Left,
}

impl Ledger {
    fn name(&self, thread: &str, run: &str) -> RunName {
        let hash = |id: &str| (!id.is_empty()).then(|| self.hash(id));
        RunName { thread: hash(thread), run: hash(run) }
    }

    /// A client makes a request with this history: a new run begins, whatever its ids.
    pub(crate) fn begin_run<'a>(
        &mut self,
        thread: &str,
        run: &str,
        history: impl IntoIterator<Item = HistoryItem<'a>>,
    ) {
        self.end_current();
        let names = RunNames { declared: Some(self.name(thread, run)), announced: None };
        self.set_run(names, thread, run);
        self.run.awaits_announcement = true;
        let calls: Vec<_> = history
            .into_iter()
            .filter_map(|item| match item {
                HistoryItem::Call { id, .. } => Some(self.hash(id)),
                _ => None,
            })
            .collect();
        self.history.declare(calls.into_iter());
        self.unreported = Unreported::default();
        // What was answered before is part of that history, so it cannot be taken back.
        self.answered.retain(|_, call| call.outcome.is_some());
    }

    /// The next turn begins: no interrupt of an earlier one is bound to a call any more.
    pub(crate) fn begin_turn(&mut self) {
        self.has_declared_turns = true;
        self.clear_turn();
    }

    fn clear_turn(&mut self) {
        self.bound = Default::default();
        self.answered = Default::default();
        self.turn_id = None;
    }

    /// The ids of the current run.
    pub(crate) fn run_ids(&self) -> &RunIds {
        &self.run_ids
    }

    /// The agent reports that a run begins, possibly with its history.
    pub(super) fn run_started<'a>(
        &mut self,
        thread: &str,
        run: &str,
        input: Option<impl IntoIterator<Item = HistoryItem<'a>>>,
    ) {
        let name = self.name(thread, run);
        if self.run.phase == Phase::Open {
            if mem::take(&mut self.run.awaits_announcement) {
                self.run.names.announced = Some(name);
                return;
            }
            if self.run.names.is_named(name) {
                return;
            }
        }
        self.end_current();
        self.set_run(RunNames { declared: None, announced: Some(name) }, thread, run);
        if let Some(input) = input {
            let calls: Vec<_> = input
                .into_iter()
                .filter_map(|item| match item {
                    HistoryItem::Call { id, .. } => Some(self.hash(id)),
                    _ => None,
                })
                .collect();
            self.history.read_input(calls.into_iter());
        }
    }

    /// Ends the current run, if it has not ended, because another one begins.
    fn end_current(&mut self) {
        match self.run.phase {
            Phase::Open => self.end_run(RunEnd::AnotherRun),
            Phase::Ended => self.refuse_late(),
        }
    }

    fn set_run(&mut self, names: RunNames, thread: &str, run: &str) {
        let last = mem::take(&mut self.run);
        self.history.run_ended(last.known.keys().copied());
        let mut ids = last.earlier;
        ids.extend(last.known.into_keys());
        if !ids.is_empty() || last.names.announced.is_some() || last.names.declared.is_some() {
            for forgotten in self.ended.remember(last.names, ids) {
                self.history.run_forgotten(&forgotten);
            }
        }
        // A declared run is new whatever its ids.
        let earlier = match names {
            RunNames { declared: None, announced: Some(name) } => self.ended.take(name),
            _ => None,
        };
        let is_repeat = earlier.is_some();
        self.run =
            CurrentRun { names, earlier: earlier.unwrap_or_default(), is_repeat, ..CurrentRun::default() };
        self.lanes = Lanes::default();
        self.runs += 1;
        self.message_ids.run_began(thread, run);
        if !self.has_declared_turns && !self.was_interrupted {
            self.clear_turn();
        }
        self.was_interrupted = false;
        let id = |id: &str| (!id.is_empty()).then(|| Arc::from(id));
        let run = id(run);
        let turn = self.turn_id.get_or_insert_with(|| run.clone()).clone();
        self.run_ids = RunIds { thread: id(thread), run, turn };
        self.forget_in_turn();
    }

    /// Bounds what one turn makes the ledger keep, however many runs the turn has. Looks at all of it once in so many runs,
    /// so that a call costs the same in a long turn.
    fn forget_in_turn(&mut self) {
        const INTERVAL: u64 = REMEMBERED_RUNS as u64;
        if !self.runs.is_multiple_of(INTERVAL) {
            return;
        }
        let oldest = self.runs - INTERVAL;
        self.answered.retain(|_, call| call.run > oldest);
        // A call that an interrupt is bound to must not run here, and to know that takes little: such calls are forgotten
        // only if there are very many.
        if self.bound.len() > REMEMBERED_CALLS {
            self.bound.retain(|_, call| call.run > oldest);
        }
    }

    /// The agent reports that a run ends. Returns whether it is the current run.
    pub(super) fn run_finished<'a>(
        &mut self,
        thread: &str,
        run: &str,
        end: RunEnd,
        interrupted: impl Iterator<Item = &'a str>,
    ) -> bool {
        if !self.run.names.is_ended_by(self.name(thread, run)) {
            let thread_id = excerpt(thread).to_owned();
            self.report(Report::ForeignRunEnd { thread_id, run_id: excerpt(run).to_owned() });
            return false;
        }
        if self.run.phase == Phase::Open {
            self.bind(interrupted);
            self.end_run(end);
        }
        true
    }

    /// The run ends in an error.
    pub(super) fn run_failed(&mut self) {
        if self.run.phase == Phase::Open {
            self.end_run(RunEnd::Error);
        }
    }

    /// No more events arrive. A stream that ends within a run did not succeed.
    pub(crate) fn end_of_stream(&mut self) {
        match self.run.phase {
            Phase::Open => self.end_run(RunEnd::StreamLost),
            Phase::Ended => self.refuse_late(),
        }
    }

    fn end_run(&mut self, end: RunEnd) {
        self.was_interrupted = end == RunEnd::Interrupt;
        self.run.ending = Some(end);
        let mut calls: Vec<(u64, Unsettled)> =
            self.open.drain().map(|(hash, call)| (call.order, Unsettled::Open(hash, call))).collect();
        calls.extend(self.left.keys().map(|order| (*order, Unsettled::Left)));
        calls.sort_unstable_by_key(|(order, _)| *order);
        for (order, call) in calls {
            match call {
                Unsettled::Open(hash, call) => {
                    let content = match end.reason() {
                        Some(reason) => Err(reason),
                        None if call.form == Form::Chunked => Ok(()),
                        None => Err(IncompleteCall::NeverClosed),
                    };
                    self.close(hash, call, content);
                }
                Unsettled::Left => {
                    let Some(left) = self.take_left(order) else { continue };
                    let key = self.next_key();
                    self.settle_left(order, left, key, end);
                }
            }
        }
        for call in mem::take(&mut self.run.snapshot_calls) {
            self.close_snapshot_call(call, end);
        }
        self.run.phase = Phase::Ended;
    }

    /// A call that stands only in a snapshot counts as closed where the run ends.
    fn close_snapshot_call(&mut self, call: SnapshotCall, end: RunEnd) {
        let SnapshotCall { hash, id, name, arguments, has_continued, output_count, baseline } = call;
        let name = (!name.is_empty()).then_some(name.as_str());
        if self.open.contains_key(&hash) || !self.open(Lane::AGENT, id.as_str(), hash, name, Form::Chunked) {
            return;
        }
        let Some(mut open) = self.open.remove(&hash) else { return };
        open.baseline = baseline;
        let content = match end.reason() {
            Some(reason) => Err(reason),
            None => open.append(&arguments, self.limits.argument_bytes).map_err(IncompleteCall::from),
        };
        // The agent continued if there is text behind the call, in the snapshot or after it.
        open.output_count = if has_continued { output_count.wrapping_sub(1) } else { output_count };
        self.close(hash, open, content);
    }

    /// Refuses the calls that were opened after the end of the run.
    fn refuse_late(&mut self) {
        let mut calls: Vec<_> = self.open.drain().collect();
        calls.sort_unstable_by_key(|(_, call)| call.order);
        for (hash, call) in calls {
            self.close(hash, call, Err(IncompleteCall::Late));
        }
    }
}
