//! Calls out of events: a plain state machine, with no I/O, no clock and no idea of what a call does.
//!
//! What it does is keep a promise under everything an agent may send: a call that is opened in a run comes out exactly
//! once, complete or with the reason why it may not run, unless the agent itself sees to its answer.

mod call;
mod open;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};

pub use call::{AssembledCall, IncompleteCall, LimitExceeded};
use open::{Form, OpenCall, bounded_name};

use crate::event::{Event, RunOutcome};
use crate::limits::AssemblerLimits;
use crate::wire::ToolCallId;

/// How many ids of calls a run may make the assembler remember. What it would have to remember beyond that is not
/// looked at, so it is not answered either.
const REMEMBERED_CALLS: usize = 1_000_000;

/// Puts an agent's calls together from its events, and says of each that is not to run why not.
///
/// Feed it every event with [`accept`](Self::accept), and take what became of it with [`next_call`](Self::next_call)
/// until there is none: an event completes no call, one, or, where it ends a run, many.
///
/// ```
/// use drawloom_ag_ui::{AssemblerLimits, Event, ToolCallAssembler};
///
/// let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
/// for text in [
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
///     r#"{"type":"TOOL_CALL_START","toolCallId":"call_1","toolCallName":"notes__open"}"#,
///     r#"{"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"{\"path\":"}"#,
///     r#"{"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"\"inbox\"}"}"#,
/// ] {
///     assembler.accept(&Event::parse(text)?);
///     assert_eq!(assembler.next_call(), None);
/// }
/// assembler.accept(&Event::parse(r#"{"type":"TOOL_CALL_END","toolCallId":"call_1"}"#)?);
///
/// let call = assembler.next_call().unwrap();
/// assert_eq!(call.id, "call_1");
/// assert_eq!(call.name, "notes__open");
/// assert_eq!(call.arguments.as_deref(), Ok(r#"{"path":"inbox"}"#));
/// assert_eq!(assembler.next_call(), None);
/// # Ok::<(), drawloom_ag_ui::EventError>(())
/// ```
///
/// # Which calls come out, and when
///
/// A call opened by a start is closed by its end, and calls may interleave. A call opened by a chunk is closed by a
/// chunk that names another call, by an end, or by the run finishing. Whatever names an open call adds to it, in
/// whichever form it was opened; a start for an open call begins it again.
///
/// When a run ends, what is open comes out in the order it was opened: calls carried by chunks are complete if the run
/// finished, every other call is refused. A call that an interrupt is about does not come out, since it is answered by
/// resuming the run, and neither does one that was answered in the stream while it was open.
///
/// An id that came out, or was answered in the stream, is done until the next run begins: whatever names it is ignored.
/// A run begins with a `RUN_STARTED`, save one that repeats the ids of the run that is still going. Calls that come with
/// no `RUN_STARTED` before them are taken as well.
///
/// # What it costs
///
/// The time is linear in the bytes received, however they are cut. An open call holds its arguments, at most
/// [`argument_bytes`](AssemblerLimits::argument_bytes) of them. Of a call that is done 8 bytes are kept, a hash of its
/// id under a key no agent knows: that a new call of a run is mistaken for one of a million done ones, and ignored,
/// has a chance of one in 2⁴⁴. After a million calls in one run no more are looked at.
#[derive(Debug)]
pub struct ToolCallAssembler {
    limits: AssemblerLimits,
    open: HashMap<ToolCallId, OpenCall>,
    // INVARIANT: no id is open and done at once, so the two together are the calls of the run.
    done: HashSet<u64>,
    /// The call that the last chunk with an id named, which chunks without one go on with. It need not be open.
    current: Option<ToolCallId>,
    /// The run that is going on, as a hash of its ids; none where no `RUN_STARTED` began one.
    run: Option<u64>,
    opened: u64,
    hasher: RandomState,
    ready: VecDeque<AssembledCall>,
}

/// Where one run ends and another begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunBoundary {
    /// A run began: ids are free again.
    Began,
    /// The run ended. No more calls of it are to be expected.
    Ended,
}

impl ToolCallAssembler {
    /// An assembler that has seen nothing yet.
    pub fn new(limits: AssemblerLimits) -> Self {
        Self {
            limits,
            open: HashMap::new(),
            done: HashSet::new(),
            current: None,
            run: None,
            opened: 0,
            hasher: RandomState::new(),
            ready: VecDeque::new(),
        }
    }

    /// Takes the next event, and says so where it begins or ends a run. What calls it completed
    /// [`next_call`](Self::next_call) tells.
    ///
    /// That a backend answered a call which came out before is not told here; the event itself tells it.
    pub fn accept(&mut self, event: &Event<'_>) -> Option<RunBoundary> {
        match event {
            Event::RunStarted { thread_id, run_id } => return self.run_started(thread_id, run_id),
            Event::RunFinished { outcome } => return Some(self.run_finished(outcome)),
            Event::RunError => return Some(self.run_ended(Ending::NothingRuns(IncompleteCall::RunFailed))),
            Event::ToolCallStart { id, name } => self.start(id, name),
            Event::ToolCallArgs { id, delta } => self.append(id, delta),
            Event::ToolCallEnd { id } => self.close(id),
            Event::ToolCallChunk { id: Some(id), name, delta } => {
                self.chunk(id, name.as_deref(), delta.as_deref().unwrap_or_default());
            }
            Event::ToolCallChunk { id: None, delta, .. } => {
                self.continuation(delta.as_deref().unwrap_or_default());
            }
            Event::ToolCallResult { id } => self.forget(id),
            Event::MessagesSnapshot { answered } => answered.iter().for_each(|id| self.forget(id)),
            Event::Other => {}
        }
        None
    }

    /// Takes the end of the events. A stream that ends within a run did not succeed, so every open call is refused.
    pub fn end_of_stream(&mut self) {
        self.run_ended(Ending::NothingRuns(IncompleteCall::StreamEnded));
    }

    /// The next call that came out, in order. Calls wait here until they are taken.
    pub fn next_call(&mut self) -> Option<AssembledCall> {
        self.ready.pop_front()
    }

    /// How many calls are open: begun, and neither out nor answered in the stream.
    pub fn open_calls(&self) -> usize {
        self.open.len()
    }

    fn run_started(&mut self, thread_id: &str, run_id: &str) -> Option<RunBoundary> {
        let run = Some(self.hasher.hash_one((thread_id, run_id)));
        if self.run == run {
            return None;
        }
        self.run_ended(Ending::NothingRuns(IncompleteCall::NewRunBegan));
        self.run = run;
        // A new set, since a large one would keep its room.
        self.done = HashSet::new();
        Some(RunBoundary::Began)
    }

    fn run_finished(&mut self, outcome: &RunOutcome<'_>) -> RunBoundary {
        let ending = match outcome {
            RunOutcome::Success => Ending::ChunksRun,
            RunOutcome::Interrupted(calls) => {
                calls.iter().for_each(|id| self.forget(id));
                Ending::ChunksRun
            }
            RunOutcome::Cancelled => Ending::NothingRuns(IncompleteCall::RunCancelled),
            RunOutcome::Unknown => Ending::NothingRuns(IncompleteCall::NeverClosed),
        };
        self.run_ended(ending)
    }

    fn run_ended(&mut self, ending: Ending) -> RunBoundary {
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort_unstable_by_key(|(_, call)| call.place);
        for (id, call) in open {
            let arguments = match ending {
                Ending::ChunksRun if call.form == Form::Chunked => Ok(call.arguments),
                Ending::ChunksRun => Err(IncompleteCall::NeverClosed),
                Ending::NothingRuns(why) => Err(why),
            };
            self.hand_out(id, call.name, arguments);
        }
        self.current = None;
        self.run = None;
        RunBoundary::Ended
    }

    fn start(&mut self, id: &str, name: &str) {
        match self.open.get_mut(id) {
            Some(call) => call.restart(name),
            None => self.open(id, name, Form::Streamed),
        }
    }

    fn chunk(&mut self, id: &str, name: Option<&str>, delta: &str) {
        if self.current.as_ref().is_none_or(|current| current != id) {
            self.close_current();
            // An id too long is never open, so nothing can go on with it.
            self.current = (id.len() <= self.limits.id_bytes).then(|| id.into());
        }
        if let Some(name) = name
            && !self.open.contains_key(id)
        {
            self.open(id, name, Form::Chunked);
        }
        self.append(id, delta);
    }

    fn continuation(&mut self, delta: &str) {
        if let Some(id) = self.current.take() {
            self.append(id.as_str(), delta);
            self.current = Some(id);
        }
    }

    /// Leaves the call that chunks went on with, and closes it if only chunks kept it open.
    fn close_current(&mut self) {
        if let Some(id) = self.current.take()
            && self.open.get(&id).is_some_and(|call| call.form == Form::Chunked)
        {
            self.close(id.as_str());
        }
    }

    /// Opens a call that is not open, unless it is done or over a limit.
    fn open(&mut self, id: &str, name: &str, form: Form) {
        let calls = self.open.len() + self.done.len();
        if calls >= REMEMBERED_CALLS || self.done.contains(&self.hasher.hash_one(id)) {
            return;
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
        let id = ToolCallId::from(id);
        if let Some(limit) = exceeded {
            self.hand_out(id, bounded_name(name), Err(limit.into()));
        } else {
            self.open.insert(id, OpenCall::new(self.opened, form, name));
            self.opened += 1;
        }
    }

    fn append(&mut self, id: &str, delta: &str) {
        let Some(call) = self.open.get_mut(id) else { return };
        if let Err(limit) = call.append(delta, self.limits.argument_bytes)
            && let Some((id, call)) = self.open.remove_entry(id)
        {
            self.hand_out(id, call.name, Err(limit.into()));
        }
    }

    fn close(&mut self, id: &str) {
        if let Some((id, call)) = self.open.remove_entry(id) {
            self.hand_out(id, call.name, Ok(call.arguments));
        }
    }

    /// Leaves an open call to whoever else answers it.
    fn forget(&mut self, id: &str) {
        if self.open.remove(id).is_some() {
            self.done.insert(self.hasher.hash_one(id));
        }
    }

    fn hand_out(&mut self, id: ToolCallId, name: String, arguments: Result<String, IncompleteCall>) {
        self.done.insert(self.hasher.hash_one(id.as_str()));
        self.ready.push_back(AssembledCall { id, name, arguments });
    }
}

/// What becomes of the calls that are open when a run ends.
#[derive(Clone, Copy)]
enum Ending {
    /// Those carried by chunks are complete.
    ChunksRun,
    /// None is complete, and this is why.
    NothingRuns(IncompleteCall),
}
