//! What is known of one run: what was offered for it, which calls it made and what became of them.

use std::collections::{HashMap, HashSet};

use drawloom_ag_ui::{Tool, ToolCallId};

use crate::conversation::fresh;
use crate::limits::Spent;
use crate::update::RunEnd;
use crate::wire::Interrupt;

/// One run, or, before the first, none yet.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) id: String,
    /// The tools that went into its input: every other call is the agent's own.
    offered: HashSet<String>,
    calls: HashMap<ToolCallId, Standing>,
    /// Those of them that are still coming.
    open: HashSet<ToolCallId>,
    /// Whether a snapshot may show calls that no event told of.
    pub(crate) has_snapshot: bool,
    /// The calls of a run before in the same stream that have no answer yet.
    earlier: HashSet<ToolCallId>,
    /// Those of the open ones of which nothing is missing, and the calls of which a piece may be: these never run.
    whole: HashSet<ToolCallId>,
    torn: HashSet<ToolCallId>,
    /// What LangGraph asked in events of its own, which counts where the run's end asks nothing.
    pub(crate) asked_by_lang_graph: Vec<Interrupt>,
    /// The message that a text without an id goes on with, and the call that a chunk without one does.
    pub(crate) text: Option<String>,
    pub(crate) chunk: Option<ToolCallId>,
    /// Whether that call was opened by a chunk, so that the next one closes it.
    pub(crate) is_chunk_open: bool,
    /// What it has sent so far, and how many messages there were before.
    pub(crate) spent: Spent,
    messages_before: usize,
    /// How it ended, once it did.
    pub(crate) end: Option<RunEnd>,
    /// Whether anything was answered here that the agent has yet to be told.
    pub(crate) has_answers: bool,
}

/// Where a call of the run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It is still coming.
    Open,
    /// It has come, and is owed an answer.
    Closed,
    /// It was answered, or is answered by others.
    Done,
}

impl Run {
    pub(crate) fn new(tools: &[Tool], messages_before: usize) -> Self {
        let offered = tools.iter().map(|tool| tool.name.clone()).collect();
        Self { id: fresh("run"), offered, messages_before, ..Self::default() }
    }

    /// Takes note of how many messages the conversation has grown to.
    pub(crate) fn has_grown_to(&mut self, messages: usize) {
        self.spent.messages = messages.saturating_sub(self.messages_before);
    }

    /// Another run begins in the same stream, in which ids are free again.
    pub(crate) fn begin_again(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        let unanswered = calls.into_iter().filter(|(_, standing)| *standing != Standing::Done);
        self.earlier.extend(unanswered.map(|(call, _)| call));
        self.open.clear();
        self.whole.clear();
        self.torn.clear();
        self.has_snapshot = false;
        self.asked_by_lang_graph.clear();
        self.text = None;
        self.chunk = None;
        self.is_chunk_open = false;
    }

    pub(crate) fn offers(&self, tool: &str) -> bool {
        self.offered.contains(tool)
    }

    /// A call begins. Whether it is to be taken note of: one that has come, or is done, is not made again, and neither is
    /// one of a run before in the same stream that waits for its answer.
    pub(crate) fn open(&mut self, call: &ToolCallId) -> bool {
        if !self.holds(call) {
            self.calls.insert(call.clone(), Standing::Open);
            self.open.insert(call.clone());
            self.whole.insert(call.clone());
            self.spent.calls += 1;
        }
        self.is_open(call)
    }

    pub(crate) fn is_open(&self, call: &ToolCallId) -> bool {
        self.open.contains(call)
    }

    pub(crate) fn close(&mut self, call: &ToolCallId) {
        self.whole.remove(call);
        if self.open.remove(call) {
            self.calls.insert(call.clone(), Standing::Closed);
        }
    }

    pub(crate) fn knows(&self, call: &ToolCallId) -> bool {
        self.calls.contains_key(call)
    }

    /// Whether this run made the call, or one before in the same stream that has yet to be answered.
    pub(crate) fn holds(&self, call: &ToolCallId) -> bool {
        self.knows(call) || self.earlier.contains(call)
    }

    /// A call has its answer. Whether it lacked one.
    pub(crate) fn answer(&mut self, call: &ToolCallId) -> bool {
        self.open.remove(call);
        self.whole.remove(call);
        self.earlier.remove(call);
        self.calls.insert(call.clone(), Standing::Done) != Some(Standing::Done)
    }

    /// A piece may be missing of every call that is open. Those that were whole until now come back.
    pub(crate) fn tear_open_calls(&mut self) -> HashSet<ToolCallId> {
        let whole = std::mem::take(&mut self.whole);
        self.torn.extend(whole.iter().cloned());
        whole
    }

    pub(crate) fn is_torn(&self, call: &ToolCallId) -> bool {
        self.torn.contains(call)
    }

    /// Whether a run before in the same stream made the call, and it has yet to be answered.
    pub(crate) fn is_earlier(&self, call: &ToolCallId) -> bool {
        self.earlier.contains(call)
    }

    pub(crate) fn is_done(&self, call: &ToolCallId) -> bool {
        self.calls.get(call) == Some(&Standing::Done)
    }

    /// The calls nobody has answered.
    pub(crate) fn undone_calls(&self) -> Vec<ToolCallId> {
        let undone = self.calls.iter().filter(|(_, standing)| **standing != Standing::Done);
        undone.map(|(call, _)| call.clone()).collect()
    }
}
