//! The rules, written down with lists and scans.

use crate::calls::incomplete::{IncompleteCall, LimitExceeded};
use crate::calls::ledger::{CallState, RunEnd, Treatment, UnofferedCalls};
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
    Speech,
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
    run: usize,
    pub(super) id: &'static str,
    pub(super) name: Option<&'static str>,
    text: String,
    lane: Lane,
    chunked: bool,
    torn: bool,
    late: bool,
    baseline: usize,
    pub(super) status: Status,
    pub(super) treatment: Option<Treatment>,
    /// How often the agent had spoken when it last sent an event about it, and whether a snapshot shows that it spoke again.
    spoken: usize,
    went_on: bool,
    /// Whether its arguments are not known completely.
    incomplete: bool,
    late_result_told: bool,
    was_unreported: bool,
}

#[derive(Debug)]
struct Run {
    declared: Option<Name>,
    announced: Option<Name>,
    awaits_announcement: bool,
    /// How it ends, while that is found out and afterwards.
    ending: Option<RunEnd>,
    ended: Option<RunEnd>,
    /// The ids that it used when it was sent before, and whether it was sent again since.
    earlier: Vec<&'static str>,
    sent_again: bool,
    has_loss: bool,
    strangers: Vec<&'static str>,
    /// Ids that a damaged event without a readable type named.
    doubted: Vec<&'static str>,
}

impl Run {
    fn new(declared: Option<Name>, announced: Option<Name>) -> Self {
        Self {
            declared,
            announced,
            awaits_announcement: declared.is_some(),
            ending: None,
            ended: None,
            earlier: Vec::new(),
            sent_again: false,
            has_loss: false,
            strangers: Vec::new(),
            doubted: Vec::new(),
        }
    }
}

/// What happened in the lanes of a run, in order.
#[derive(Clone, Debug, PartialEq)]
enum LaneEvent {
    Named(Lane, &'static str),
    Doubted(Option<Lane>, &'static str),
    /// The beginning of a call may be lost, in one lane or in all.
    Lost(Option<Lane>),
    Began(Lane),
}

#[derive(Debug)]
struct Answer {
    id: &'static str,
    run: usize,
    ran: bool,
}

#[derive(Debug)]
struct Binding {
    id: &'static str,
    baseline: usize,
    answered: bool,
}

#[derive(Debug)]
pub(super) struct Model {
    limits: AssemblerLimits,
    unoffered: UnofferedCalls,
    pub(super) calls: Vec<Call>,
    runs: Vec<Run>,
    /// The calls that closed, in order.
    closings: Vec<usize>,
    /// Each with the run in which it came, and how often the agent had spoken.
    snapshots: Vec<(usize, Vec<Item>, usize)>,
    /// The last history that was declared or announced, with the first run that it does not contain.
    base: (usize, Vec<&'static str>),
    is_declared: bool,
    lanes: Vec<LaneEvent>,
    spoken: usize,
    answers: Vec<Answer>,
    bound: Vec<Binding>,
    turns_declared: bool,
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
            spoken: 0,
            answers: Vec::new(),
            bound: Vec::new(),
            turns_declared: false,
            withdrawn: Vec::new(),
            reports: Vec::new(),
            begun: Vec::new(),
        }
    }

    fn current(&self) -> usize {
        self.runs.len() - 1
    }

    fn run(&mut self) -> &mut Run {
        self.runs.last_mut().unwrap()
    }

    /// The call of the current run with this id.
    fn find(&self, id: &str) -> Option<usize> {
        let run = self.current();
        self.calls.iter().position(|call| call.run == run && call.id == id)
    }

    fn find_open(&self, id: &str) -> Option<usize> {
        self.find(id).filter(|at| self.calls[*at].status == Status::Open)
    }

    fn is_used(&self, id: &str) -> bool {
        let run = &self.runs[self.current()];
        run.earlier.contains(&id) || (self.find(id).is_some() && self.find_open(id).is_none())
    }

    fn open_calls_of_run(&self) -> Vec<usize> {
        let run = self.current();
        let is_open = |at: &usize| self.calls[*at].run == run && self.calls[*at].status == Status::Open;
        (0..self.calls.len()).filter(is_open).collect()
    }

    /// How often the conversation contains this id before the current run, and, if asked for, in its last snapshot.
    fn known(&self, id: &str, with_snapshot_of_run: bool) -> usize {
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

    fn report(&mut self, code: &str, id: &str) {
        self.reports.push(format!("{code} {id}"));
    }

    // Opening

    fn open(&mut self, lane: Lane, id: &'static str, name: Option<&'static str>, chunked: bool) -> bool {
        let run = self.current();
        if self.is_used(id) {
            return false;
        }
        let of_run = self.calls.iter().filter(|call| call.run == run).count() + self.runs[run].earlier.len();
        let open = self.open_calls_of_run().len();
        let late = self.runs[run].ended.is_some();
        let baseline = self.known(id, true);
        self.calls.push(Call {
            run,
            id,
            name,
            text: String::new(),
            lane,
            chunked,
            torn: false,
            late,
            baseline,
            status: Status::Open,
            treatment: None,
            spoken: self.spoken,
            went_on: false,
            incomplete: false,
            late_result_told: false,
            was_unreported: false,
        });
        let limits = self.limits;
        let limit = if id.len() > limits.id_bytes {
            LimitExceeded::IdBytes(limits.id_bytes)
        } else if of_run >= limits.calls_per_run {
            LimitExceeded::CallsPerRun(limits.calls_per_run)
        } else if open >= limits.open_calls {
            LimitExceeded::OpenCalls(limits.open_calls)
        } else {
            return true;
        };
        let at = self.calls.len() - 1;
        let ending = self.runs[run].ending;
        self.close(at, Err(limit.into()), ending);
        false
    }

    fn append(&mut self, id: &str, delta: &str) {
        let Some(at) = self.find_open(id) else { return };
        let call = &mut self.calls[at];
        call.spoken = self.spoken;
        if call.torn || call.late {
            return;
        }
        call.text.push_str(delta);
        if call.text.len() > self.limits.argument_bytes {
            self.close(at, Err(LimitExceeded::ArgumentBytes(self.limits.argument_bytes).into()), None);
        }
    }

    pub(super) fn start(&mut self, lane: Lane, id: &'static str, name: Option<&'static str>) {
        match self.find_open(id) {
            Some(at) => {
                let call = &mut self.calls[at];
                (call.lane, call.name, call.chunked, call.torn) = (lane, name, false, false);
                call.text.clear();
                call.spoken = self.spoken;
            }
            None => {
                self.open(lane, id, name, false);
            }
        }
    }

    pub(super) fn args(&mut self, id: &'static str, delta: &str) {
        self.append(id, delta);
        self.stranger(id);
    }

    pub(super) fn end(&mut self, id: &'static str) {
        if let Some(at) = self.find_open(id) {
            self.calls[at].spoken = self.spoken;
            return self.close(at, Ok(()), None);
        }
        let is_new = self.find(id).is_none() && !self.is_used(id);
        self.stranger(id);
        if is_new && self.runs[self.current()].has_loss && self.open(None, id, None, false) {
            let at = self.find_open(id).unwrap();
            self.calls[at].torn = true;
            self.close(at, Ok(()), None);
        }
    }

    fn stranger(&mut self, id: &'static str) {
        if self.find(id).is_none() && !self.is_used(id) && !self.run().strangers.contains(&id) {
            self.run().strangers.push(id);
            self.report("unknown-call", id);
        }
    }

    /// The id that the last chunk of a lane named, and whether another one may have been named since.
    fn named(&self, lane: Lane) -> Option<(&'static str, bool)> {
        let is_named = |event: &LaneEvent| matches!(event, LaneEvent::Named(of, _) if *of == lane);
        let at = self.lanes.iter().rposition(is_named)?;
        let LaneEvent::Named(_, id) = self.lanes[at] else { unreachable!() };
        let doubts = |event: &LaneEvent| matches!(event, LaneEvent::Doubted(of, other) if of.is_none_or(|of| of == lane) && *other != id);
        Some((id, self.lanes[at..].iter().any(doubts)))
    }

    fn is_beginning_lost(&self, lane: Lane) -> bool {
        let last = |is: &dyn Fn(&LaneEvent) -> bool| self.lanes.iter().rposition(is);
        let lost = last(&|event| matches!(event, LaneEvent::Lost(of) if of.is_none_or(|of| of == lane)));
        let began = last(&|event| *event == LaneEvent::Began(lane));
        lost > began
    }

    /// A chunk of a lane names a call.
    fn chunk_names(&mut self, lane: Lane, id: &'static str) {
        if let Some((before, _)) = self.named(lane)
            && before != id
        {
            self.close_chunked(before, Ok(()));
        }
        self.lanes.push(LaneEvent::Named(lane, id));
    }

    fn close_chunked(&mut self, id: &str, content: Result<(), IncompleteCall>) {
        if let Some(at) = self.find_open(id).filter(|at| self.calls[*at].chunked) {
            self.close(at, content, None);
        }
    }

    pub(super) fn chunk(
        &mut self,
        lane: Lane,
        id: Option<&'static str>,
        name: Option<&'static str>,
        delta: &str,
    ) {
        let Some(id) = id else {
            match self.named(lane) {
                Some((id, false)) => self.append(id, delta),
                Some((id, true)) => self.tear(id),
                None => {}
            }
            return;
        };
        self.chunk_names(lane, id);
        if self.find_open(id).is_none() && self.open(lane, id, name, true) {
            if self.is_beginning_lost(lane) || self.runs[self.current()].doubted.contains(&id) {
                self.tear(id);
            }
            self.lanes.push(LaneEvent::Began(lane));
        }
        self.append(id, delta);
    }

    pub(super) fn subagent_ends(&mut self, lane: &'static str, failed: bool) {
        let content = if failed { Err(IncompleteCall::SubagentFailed) } else { Ok(()) };
        if let Some((id, _)) = self.named(Some(lane)) {
            self.close_chunked(id, content);
        }
    }

    // Damage

    fn tear(&mut self, id: &str) {
        if let Some(at) = self.find_open(id) {
            self.calls[at].torn = true;
            self.calls[at].text.clear();
        }
    }

    fn tear_lane(&mut self, lane: Option<Lane>) {
        for at in self.open_calls_of_run() {
            if lane.is_none_or(|lane| self.calls[at].lane == lane) {
                self.tear(self.calls[at].id);
            }
        }
    }

    pub(super) fn damaged(&mut self, damage: Damage) {
        let Damage { kind, id, name, lane } = damage;
        self.run().has_loss = true;
        self.report("damaged-event", id.unwrap_or_default());
        let Some(id) = id else {
            self.tear_lane(if kind.is_none() { None } else { lane });
            match kind {
                None => self.lanes.push(LaneEvent::Lost(None)),
                Some(DamagedKind::Chunk) => self.lanes.push(LaneEvent::Lost(lane)),
                _ => {}
            }
            return;
        };
        match (kind, lane) {
            (Some(DamagedKind::Chunk), Some(lane)) => self.chunk_names(lane, id),
            (Some(DamagedKind::Chunk) | None, _) => self.lanes.push(LaneEvent::Doubted(lane, id)),
            _ => {}
        }
        if self.find_open(id).is_some() {
            self.tear(id);
        } else if !self.is_used(id) {
            match kind {
                Some(DamagedKind::Start | DamagedKind::Chunk) => {
                    let chunked = kind == Some(DamagedKind::Chunk);
                    if self.open(lane.unwrap_or(None), id, name, chunked) {
                        self.tear(id);
                    }
                }
                None => self.run().doubted.push(id),
                _ => {}
            }
        }
    }

    pub(super) fn frame_lost(&mut self) {
        self.run().has_loss = true;
        self.report("frame-lost", "");
        self.tear_lane(None);
        self.lanes.push(LaneEvent::Lost(None));
    }

    // Closing

    /// A call closes, at the end of the run or before. A reason says why it may not run.
    fn close(&mut self, at: usize, content: Result<(), IncompleteCall>, end: Option<RunEnd>) {
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

    fn due(&mut self, at: usize, treatment: Treatment) {
        self.calls[at].status = Status::Due;
        self.calls[at].treatment = Some(treatment);
    }

    fn leave(&mut self, at: usize, end: Option<RunEnd>) {
        self.calls[at].status = Status::Left;
        if let Some(end) = end {
            self.settle_left(at, end);
        } else {
            // It takes its place among the others at the end of the run.
            self.closings.pop();
        }
    }

    fn settle_left(&mut self, at: usize, end: RunEnd) {
        let was_bound = self.is_bound(self.calls[at].id);
        let call = &mut self.calls[at];
        let is_success = matches!(end, RunEnd::Success | RunEnd::Interrupt);
        if is_success && (call.went_on || self.spoken > call.spoken) {
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

    // Runs

    fn end_run(&mut self, end: RunEnd) {
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

    fn close_snapshot_calls(&mut self, reason: Option<IncompleteCall>, end: RunEnd) {
        let Some((run, items, spoken)) = self.snapshots.last().cloned() else { return };
        if run != self.current() {
            return;
        }
        for (at, item) in items.iter().enumerate() {
            let Item::Call(id, name) = *item else { continue };
            let behind = &items[at + 1..];
            let is_last = !behind.iter().any(|item| matches!(item, Item::Call(other, _) if *other == id));
            let baseline = self.known(id, false);
            if !is_last
                || behind.contains(&Item::Answer(id))
                || count(&items, id) <= baseline
                || self.find(id).is_some()
                || self.is_used(id)
            {
                continue;
            }
            let name = (!name.is_empty()).then_some(name);
            if !self.open(None, id, name, true) {
                continue;
            }
            let call = self.calls.len() - 1;
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
            self.calls[call].went_on = behind.contains(&Item::Speech) || self.spoken > spoken;
            self.close(call, content, Some(end));
        }
    }

    /// Refuses what was opened after the end, or ends the run, because another one begins.
    fn end_current(&mut self, end: RunEnd) {
        if self.runs[self.current()].ended.is_none() {
            return self.end_run(end);
        }
        for at in self.open_calls_of_run() {
            self.close(at, Err(IncompleteCall::Late), None);
        }
    }

    fn begin(&mut self, mut run: Run, earlier: Vec<&'static str>) {
        let was_interrupted = self.runs[self.current()].ended == Some(RunEnd::Interrupt);
        run.earlier = earlier;
        self.runs.push(run);
        self.lanes.clear();
        if !self.turns_declared && !was_interrupted {
            self.clear_turn();
        }
    }

    fn clear_turn(&mut self) {
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

    pub(super) fn spoke(&mut self) {
        self.spoken += 1;
    }

    // Answers of others

    fn is_bound(&self, id: &str) -> bool {
        self.bound.iter().any(|bound| bound.id == id)
    }

    pub(super) fn result(&mut self, id: &'static str) {
        self.answered(id, None);
    }

    /// An answer of the backend's; in a snapshot, one that counts for calls with a smaller baseline than this.
    fn answered(&mut self, id: &'static str, count: Option<usize>) {
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
                self.calls[at].went_on |= behind.contains(&Item::Speech);
            }
        }
        self.snapshots.push((run, items.to_vec(), self.spoken));
    }

    fn bind(&mut self, id: &'static str) {
        let mut baseline = self.known(id, true);
        let run = self.current();
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

    // Our answers

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

    // What others ask

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

/// The arguments of each call in a snapshot.
pub(super) const SNAPSHOT_ARGUMENTS: &str = "{}";

fn is_complete(name: Name) -> bool {
    !name.0.is_empty() && !name.1.is_empty()
}

fn calls_in(items: &[Item]) -> Vec<&'static str> {
    items.iter().filter_map(|item| if let Item::Call(id, _) = item { Some(*id) } else { None }).collect()
}

fn count(items: &[Item], id: &str) -> usize {
    calls_in(items).iter().filter(|other| **other == id).count()
}
