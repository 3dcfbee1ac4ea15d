//! The ledger: the only place that knows the state of each call of each run.
//!
//! A plain state machine. It has no I/O, no clock and no executor, and calls no foreign code: whether a tool is offered
//! is a question that its owner answers, and what runs, runs elsewhere. The table of states is in the module
//! [`calls`](super).

mod accept;
mod answers;
mod damage;
mod opening;
mod queries;
mod run;
mod settle;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use drawloom_command::CommandOutcome;

use super::hash::{IdHash, IdMap, IdSet};
use super::history::History;
use super::incomplete::IncompleteCall;
use super::lanes::Lanes;
use super::limits::AssemblerLimits;
use super::message_id::MessageIds;
use super::open::OpenCall;
use super::report::{Report, Reports};
use super::runs::{EndedRuns, RunNames};
use crate::protocol::ToolCallId;

pub(crate) use accept::history_items;
pub(crate) use run::RunEnd;

/// What happens to a call to a tool that is not offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnofferedCalls {
    /// It is refused at once.
    #[default]
    Refuse,
    /// It is left to the agent's backend until the run ends. It is refused then, unless the backend reported a result or
    /// the agent continued without one. A call beyond the limit of calls, or with too long an id, is refused at once.
    LeaveToBackend,
}

/// Whether the tool of a call that closed is offered at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offered {
    Yes,
    No,
}

/// A call that is answered here, in the order in which such calls closed.
pub(crate) type CallKey = u64;

/// A call that closed, and whose tool nobody has looked at yet.
#[derive(Debug)]
pub(crate) struct ClosedCall {
    key: CallKey,
    hash: IdHash,
    call: OpenCall,
    content: Result<(), IncompleteCall>,
    /// The end of the run that closed it, after which nothing more comes for it.
    end: Option<RunEnd>,
}

impl ClosedCall {
    /// The tool that it calls; empty if the agent named none.
    pub(crate) fn tool(&self) -> &str {
        self.call.name.as_deref().unwrap_or_default()
    }
}

/// What is to be done about a call that is answered here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Its tool is offered: it runs, unless its arguments or the hook prevent that.
    Run { arguments: String },
    /// Its tool is not offered, or it was left to the agent's backend in a run that failed: the hook may answer it, and
    /// otherwise it is refused. Without arguments where they are not known completely.
    Unoffered { arguments: Option<String> },
    /// It was left to the agent's backend, which reported no result: the hook may answer it, and otherwise it is refused.
    /// An interrupt may have been bound to an earlier call with its id.
    NoResult { arguments: Option<String>, was_bound: bool },
    /// It is refused.
    Refuse(IncompleteCall),
}

/// A call that is to be answered here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DueCall {
    pub(crate) key: CallKey,
    pub(crate) id: ToolCallId,
    /// The tool that it calls; empty if the agent named none.
    pub(crate) tool: String,
    /// The id of the message that answers it.
    pub(crate) message_id: String,
    pub(crate) run_ids: RunIds,
    pub(crate) treatment: Treatment,
}

/// The ids of a run, by whoever requested it or otherwise by the agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunIds {
    pub(crate) thread: Option<Arc<str>>,
    pub(crate) run: Option<Arc<str>>,
    /// The id of the first run of the turn.
    pub(crate) turn: Option<Arc<str>>,
}

/// How a call that was answered here ended.
#[derive(Clone, Debug)]
pub(crate) enum CallEnd {
    /// It ran, or its hook answered it.
    Ran(Arc<CommandOutcome>),
    /// It did not run: it was refused or declined.
    DidNotRun,
    /// It was cancelled before it ran.
    Cancelled,
}

/// A call that was answered here, or was about to be, and that an interrupt is bound to now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WithdrawnCall {
    /// The call.
    pub id: ToolCallId,
    /// The id of the message that answers it, or would have.
    pub message_id: String,
    /// What is to be withdrawn.
    pub what: Withdrawn,
}

/// What is to be withdrawn when an interrupt is bound to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Withdrawn {
    /// The call is being decided about: the future that does so is to be dropped.
    Question,
    /// The call was refused or declined: the tool message that says so is to be taken back.
    Message,
}

/// A call that the agent left without a result, and for which no run is started. When another run is started, its
/// history needs a tool message for the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnreportedCall {
    pub(crate) id: ToolCallId,
    /// The id that the message for it has.
    pub(crate) message_id: String,
}

/// Where the current run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunState {
    /// How many runs have begun, this one included.
    pub number: u64,
    /// Whether it has not ended.
    pub is_open: bool,
    /// Whether the same run was sent before.
    pub is_repeat: bool,
}

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallState {
    /// Its arguments still arrive.
    Open,
    /// Its arguments still arrive, and an event about it could not be read completely.
    Torn,
    /// It is closed, is answered here, and nothing has been done about it yet.
    Closed,
    /// It is being decided about: a hook may be asking the person.
    Asked,
    /// Its command runs.
    Running,
    /// It was answered here.
    Answered,
    /// It was cancelled before it ran, and answered with that.
    Cancelled,
    /// The agent's backend answered it.
    AnsweredByBackend,
    /// It is left to the agent's backend until the run ends.
    LeftToBackend,
    /// The run ended without its result, and the agent continued without one.
    Unreported,
    /// An interrupt is bound to it: it is answered by resuming the run.
    Bound,
    /// It belongs to an earlier time that this run was sent, and stays as it is.
    Earlier,
}

/// The state of a call of the current run that is not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownState {
    /// It closed, and its owner is to say whether its tool is offered.
    Closed,
    Due(CallKey),
    Begun(CallKey),
    Answered,
    Cancelled,
    Backend,
    Left(u64),
    Unreported(u64),
    Bound,
}

#[derive(Debug)]
struct Known {
    state: KnownState,
    /// Whether it was reported that the agent reported a result for this call, which is answered here.
    is_late_result_reported: bool,
}

/// The run that is current, until the next one starts.
#[derive(Debug, Default)]
struct CurrentRun {
    names: RunNames,
    /// Whether a client declared it, and the agent has not announced it yet.
    awaits_announcement: bool,
    phase: Phase,
    /// How it ends, from the event on that ends it.
    ending: Option<RunEnd>,
    /// The calls that it made when it was sent before.
    earlier: IdSet,
    /// Whether it was sent before.
    is_repeat: bool,
    // INVARIANT: no call is open and known at once.
    known: IdMap<Known>,
    /// Whether any event of it was lost or damaged.
    has_loss: bool,
    /// The ids of which it was reported that the agent never began them.
    never_begun: IdSet,
    is_overlong: bool,
    /// Damaged events of a type that could not be read named these ids, which no call had yet.
    suspect: IdSet,
    snapshot_calls: Vec<SnapshotCall>,
}

impl CurrentRun {
    fn has_failed(&self) -> bool {
        self.ending.is_some_and(|end| end.reason().is_some())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Events are expected. So they are before any run has started.
    #[default]
    Open,
    Ended,
}

/// A call in the last snapshot that no event announced.
#[derive(Debug)]
struct SnapshotCall {
    hash: IdHash,
    id: ToolCallId,
    name: String,
    arguments: String,
    has_continued: bool,
    output_count: u64,
    baseline: u32,
}

/// A call that is left to the agent's backend.
#[derive(Debug)]
struct LeftCall {
    hash: IdHash,
    id: ToolCallId,
    tool: String,
    arguments: Option<String>,
    baseline: u32,
    /// How often the agent had sent text or reasoning when it last sent an event about the call, and whether a snapshot
    /// shows that it sent more.
    output_count: u64,
    has_continued: bool,
}

/// A call that is being answered elsewhere.
#[derive(Debug)]
struct BegunCall {
    hash: IdHash,
    id: ToolCallId,
    message_id: String,
    run: u64,
    is_running: bool,
}

/// A call that was answered here in this turn.
#[derive(Debug)]
struct AnsweredCall {
    /// None where it did not run.
    outcome: Option<Arc<CommandOutcome>>,
    message_id: String,
    run: u64,
}

/// How far a call has come that is to be answered here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Due,
    Begun,
}

#[derive(Debug)]
struct BoundCall {
    run: u64,
    baseline: u32,
    is_answered: bool,
}

/// Calls that the agent left without a result, by the order in which they were opened.
#[derive(Debug, Default)]
struct Unreported {
    calls: BTreeMap<u64, (UnreportedCall, IdHash, u32)>,
    by_id: IdMap<u64>,
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Ledger {
    limits: AssemblerLimits,
    unoffered: UnofferedCalls,
    hasher: RandomState,
    run: CurrentRun,
    runs: u64,
    ended: EndedRuns,
    history: History,
    lanes: Lanes,
    open: IdMap<OpenCall>,
    /// The call that the last event was about, which the next one mostly is about too.
    last: IdHash,
    /// How many calls were opened, and how many closed.
    opened: u64,
    closed: CallKey,
    /// How often the agent sent text or reasoning.
    output_count: u64,
    undecided: VecDeque<ClosedCall>,
    left: BTreeMap<u64, LeftCall>,
    left_bytes: usize,
    due: BTreeMap<CallKey, (DueCall, IdHash, u64)>,
    begun: BTreeMap<CallKey, BegunCall>,
    /// The calls in `due` and `begun` by their ids: no event may cost as much as there are calls that wait.
    unanswered: BTreeSet<(IdHash, Stage, CallKey)>,
    unreported: Unreported,
    /// What follows is kept for a turn.
    answered: IdMap<AnsweredCall>,
    bound: IdMap<BoundCall>,
    was_interrupted: bool,
    has_declared_turns: bool,
    withdrawn: VecDeque<(WithdrawnCall, CallKey)>,
    /// The id of the first run of the turn, once that run began.
    turn_id: Option<Option<Arc<str>>>,
    message_ids: MessageIds,
    run_ids: RunIds,
    reports: Reports,
}

impl Ledger {
    pub(crate) fn new(limits: AssemblerLimits, unoffered: UnofferedCalls) -> Self {
        Self {
            limits,
            unoffered,
            hasher: RandomState::new(),
            run: CurrentRun::default(),
            runs: 0,
            ended: EndedRuns::default(),
            history: History::default(),
            lanes: Lanes::default(),
            open: IdMap::default(),
            last: 0,
            opened: 0,
            closed: 0,
            output_count: 0,
            undecided: VecDeque::new(),
            left: BTreeMap::new(),
            left_bytes: 0,
            due: BTreeMap::new(),
            begun: BTreeMap::new(),
            unanswered: BTreeSet::new(),
            unreported: Unreported::default(),
            answered: IdMap::default(),
            bound: IdMap::default(),
            was_interrupted: false,
            has_declared_turns: false,
            withdrawn: VecDeque::new(),
            turn_id: None,
            message_ids: MessageIds::new(),
            run_ids: RunIds::default(),
            reports: Reports::default(),
        }
    }

    fn hash(&self, id: &str) -> IdHash {
        self.hasher.hash_one(id)
    }

    /// The hash of an id that is probably that of the call that the last event was about.
    fn hash_of_recent(&self, id: &str) -> IdHash {
        if self.open.get(&self.last).is_some_and(|call| call.id.as_str() == id) {
            self.last
        } else {
            self.hash(id)
        }
    }

    /// The same, for an event about the call.
    fn hash_of_next(&mut self, id: &str) -> IdHash {
        self.last = self.hash_of_recent(id);
        self.last
    }

    /// Whether the current run made a call with this id that is not open any more.
    fn is_used(&self, hash: IdHash) -> bool {
        self.run.known.contains_key(&hash) || self.run.earlier.contains(&hash)
    }

    /// How many calls the current run has made.
    fn calls_of_run(&self) -> usize {
        self.open.len() + self.run.known.len() + self.run.earlier.len()
    }

    fn set_state(&mut self, hash: IdHash, state: KnownState) {
        self.run.known.entry(hash).or_insert(Known { state, is_late_result_reported: false }).state = state;
    }

    /// Sets the state of a call that may belong to an earlier run, where another call may have its id by now.
    fn set_state_in(&mut self, run: u64, hash: IdHash, state: KnownState) {
        if run == self.runs && self.run.known.contains_key(&hash) {
            self.set_state(hash, state);
        }
    }

    fn report(&mut self, report: Report) {
        self.reports.add(report);
    }

    fn next_key(&mut self) -> CallKey {
        let key = self.closed;
        self.closed += 1;
        key
    }
}
