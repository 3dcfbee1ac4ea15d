//! What the model keeps, and how it finds what it needs: lists and scans.

use crate::calls::ledger::{RunEnd, Treatment, UnofferedCalls};
use crate::calls::limits::AssemblerLimits;

/// A subagent, or the agent itself.
pub(super) type Lane = Option<&'static str>;
/// A thread and a run; either may be empty.
pub(super) type Name = (&'static str, &'static str);

/// A message of a history or a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Call(&'static str, &'static str),
    Answer(&'static str),
    Output,
}

/// A damaged event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// None where the type cannot be read.
    pub(super) kind: Option<DamagedKind>,
    pub(super) id: Option<&'static str>,
    pub(super) name: Option<&'static str>,
    /// None where the lane cannot be read.
    pub(super) lane: Option<Lane>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DamagedKind {
    Start,
    Args,
    End,
    Chunk,
    Result,
    Subagent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Open,
    Due,
    Begun { running: bool },
    Answered,
    Cancelled,
    Backend,
    Left,
    Unreported,
    Bound,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) run: usize,
    pub(super) id: &'static str,
    pub(super) name: Option<&'static str>,
    pub(super) text: String,
    pub(super) lane: Lane,
    pub(super) chunked: bool,
    pub(super) torn: bool,
    pub(super) late: bool,
    pub(super) baseline: usize,
    pub(super) status: Status,
    pub(super) treatment: Option<Treatment>,
    /// How often the agent had spoken when it last sent an event about it, and whether a snapshot shows that it spoke again.
    pub(super) output_count: usize,
    pub(super) has_continued: bool,
    /// Whether its arguments are not known completely.
    pub(super) incomplete: bool,
    pub(super) late_result_told: bool,
    pub(super) was_unreported: bool,
}

impl Call {
    /// A call that an interrupt is bound to, and that no event announced.
    pub(super) fn bound(run: usize, id: &'static str, baseline: usize) -> Self {
        Self {
            run,
            id,
            name: None,
            text: String::new(),
            lane: None,
            chunked: true,
            torn: false,
            late: false,
            baseline,
            status: Status::Bound,
            treatment: None,
            output_count: 0,
            has_continued: false,
            incomplete: false,
            late_result_told: false,
            was_unreported: false,
        }
    }
}

#[derive(Debug)]
pub(super) struct Run {
    pub(super) declared: Option<Name>,
    pub(super) announced: Option<Name>,
    pub(super) awaits_announcement: bool,
    /// How it ends, while that is found out and afterwards.
    pub(super) ending: Option<RunEnd>,
    pub(super) ended: Option<RunEnd>,
    /// The ids that it used when it was sent before, and whether it was sent again since.
    pub(super) earlier: Vec<&'static str>,
    pub(super) sent_again: bool,
    pub(super) has_loss: bool,
    pub(super) never_begun: Vec<&'static str>,
    /// Ids that a damaged event without a readable type named.
    pub(super) suspect: Vec<&'static str>,
}

impl Run {
    pub(super) fn new(declared: Option<Name>, announced: Option<Name>) -> Self {
        Self {
            declared,
            announced,
            awaits_announcement: declared.is_some(),
            ending: None,
            ended: None,
            earlier: Vec::new(),
            sent_again: false,
            has_loss: false,
            never_begun: Vec::new(),
            suspect: Vec::new(),
        }
    }
}

/// What happened in the lanes of a run, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LaneEvent {
    Named(Lane, &'static str),
    Doubted(Option<Lane>, &'static str),
    /// The beginning of a call may be lost, in one lane or in all.
    Lost(Option<Lane>),
    Began(Lane),
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) id: &'static str,
    pub(super) run: usize,
    pub(super) ran: bool,
}

#[derive(Debug)]
pub(super) struct Binding {
    pub(super) id: &'static str,
    pub(super) baseline: usize,
    pub(super) answered: bool,
}

#[derive(Debug)]
pub(super) struct Model {
    pub(super) limits: AssemblerLimits,
    pub(super) unoffered: UnofferedCalls,
    pub(super) calls: Vec<Call>,
    pub(super) runs: Vec<Run>,
    /// The calls that closed, in order.
    pub(super) closings: Vec<usize>,
    /// Each with the run in which it came, and how often the agent had spoken.
    pub(super) snapshots: Vec<(usize, Vec<Item>, usize)>,
    /// The last history that was declared or announced, with the first run that it does not contain.
    pub(super) base: (usize, Vec<&'static str>),
    pub(super) is_declared: bool,
    pub(super) lanes: Vec<LaneEvent>,
    pub(super) output_count: usize,
    pub(super) answers: Vec<Answer>,
    pub(super) bound: Vec<Binding>,
    pub(super) turns_declared: bool,
    pub(super) withdrawn: Vec<(&'static str, bool)>,
    pub(super) reports: Vec<String>,
    /// The calls that are being answered, in the order in which that began.
    pub(super) begun: Vec<usize>,
}

impl Model {
    pub(super) fn new(limits: AssemblerLimits, unoffered: UnofferedCalls) -> Self {
        Self {
            limits,
            unoffered,
            calls: Vec::new(),
            runs: vec![Run::new(None, None)],
            closings: Vec::new(),
            snapshots: Vec::new(),
            base: (0, Vec::new()),
            is_declared: false,
            lanes: Vec::new(),
            output_count: 0,
            answers: Vec::new(),
            bound: Vec::new(),
            turns_declared: false,
            withdrawn: Vec::new(),
            reports: Vec::new(),
            begun: Vec::new(),
        }
    }

    pub(super) fn current(&self) -> usize {
        self.runs.len() - 1
    }

    pub(super) fn run(&mut self) -> &mut Run {
        self.runs.last_mut().unwrap()
    }

    /// The call of the current run with this id.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        let run = self.current();
        self.calls.iter().position(|call| call.run == run && call.id == id)
    }

    pub(super) fn find_open(&self, id: &str) -> Option<usize> {
        self.find(id).filter(|at| self.calls[*at].status == Status::Open)
    }

    pub(super) fn is_used(&self, id: &str) -> bool {
        let run = &self.runs[self.current()];
        run.earlier.contains(&id) || (self.find(id).is_some() && self.find_open(id).is_none())
    }

    pub(super) fn open_calls_of_run(&self) -> Vec<usize> {
        let run = self.current();
        let is_open = |at: &usize| self.calls[*at].run == run && self.calls[*at].status == Status::Open;
        (0..self.calls.len()).filter(is_open).collect()
    }

    /// How often the conversation contains this id before the current run, and, if asked for, in its last snapshot.
    pub(super) fn known(&self, id: &str, with_snapshot_of_run: bool) -> usize {
        let run = self.current();
        let streamed =
            |from: usize| self.calls.iter().filter(|c| c.id == id && c.run >= from && c.run < run).count();
        let (first, history) = &self.base;
        let requested = history.iter().filter(|other| **other == id).count() + streamed(*first);
        let remembered = if self.is_declared { 0 } else { streamed(0) };
        let counts = |snapshot: &&(usize, Vec<Item>, usize)| with_snapshot_of_run || snapshot.0 < run;
        let snapshot = self.snapshots.iter().rev().find(counts).map_or(0, |(_, items, _)| count(items, id));
        requested.max(remembered).max(snapshot)
    }

    pub(super) fn report(&mut self, code: &str, id: &str) {
        self.reports.push(format!("{code} {id}"));
    }
}

/// The arguments of each call in a snapshot.
pub(super) const SNAPSHOT_ARGUMENTS: &str = "{}";

pub(super) fn is_complete(name: Name) -> bool {
    !name.0.is_empty() && !name.1.is_empty()
}

pub(super) fn calls_in(items: &[Item]) -> Vec<&'static str> {
    items.iter().filter_map(|item| if let Item::Call(id, _) = item { Some(*id) } else { None }).collect()
}

pub(super) fn count(items: &[Item], id: &str) -> usize {
    calls_in(items).iter().filter(|other| **other == id).count()
}
