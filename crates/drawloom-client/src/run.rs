//! What is known of one run: what was offered for it, which calls it made and what became of them.

use std::collections::{HashMap, HashSet};

use drawloom_ag_ui::{Tool, ToolCallId};

use crate::conversation::fresh;
use crate::update::RunEnd;
use crate::wire::{Interrupt, ToolCall};

/// One run, or, before the first, none yet.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) id: String,
    /// The tools that went into its input: every other call is the agent's own.
    offered: HashSet<String>,
    calls: HashMap<ToolCallId, Standing>,
    /// The calls of the last snapshot that it shows without an answer.
    pub(crate) unanswered_in_snapshot: Vec<ToolCall>,
    /// What LangGraph asked in events of its own, which counts where the run's end asks nothing.
    pub(crate) asked_by_lang_graph: Vec<Interrupt>,
    /// The message that a text without an id goes on with, and the call that a chunk without one does.
    pub(crate) text: Option<String>,
    pub(crate) chunk: Option<ToolCallId>,
    /// Whether that call was opened by a chunk, so that the next one closes it.
    pub(crate) is_chunk_open: bool,
    pub(crate) frames: u64,
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
    pub(crate) fn new(tools: &[Tool]) -> Self {
        let offered = tools.iter().map(|tool| tool.name.clone()).collect();
        Self { id: fresh("run"), offered, ..Self::default() }
    }

    /// Another run begins in the same stream, in which ids are free again.
    pub(crate) fn begin_again(&mut self) {
        self.calls.clear();
        self.unanswered_in_snapshot.clear();
        self.asked_by_lang_graph.clear();
        self.chunk = None;
    }

    pub(crate) fn offers(&self, tool: &str) -> bool {
        self.offered.contains(tool)
    }

    /// A call begins. Whether it is to be taken note of: one that has come, or is done, is not made again.
    pub(crate) fn open(&mut self, call: &ToolCallId) -> bool {
        *self.calls.entry(call.clone()).or_insert(Standing::Open) == Standing::Open
    }

    pub(crate) fn is_open(&self, call: &ToolCallId) -> bool {
        self.calls.get(call) == Some(&Standing::Open)
    }

    pub(crate) fn close(&mut self, call: &ToolCallId) {
        if let Some(standing) = self.calls.get_mut(call)
            && *standing == Standing::Open
        {
            *standing = Standing::Closed;
        }
    }

    pub(crate) fn knows(&self, call: &ToolCallId) -> bool {
        self.calls.contains_key(call)
    }

    /// A call has its answer. Whether it lacked one.
    pub(crate) fn answer(&mut self, call: &ToolCallId) -> bool {
        self.calls.insert(call.clone(), Standing::Done) != Some(Standing::Done)
    }

    pub(crate) fn is_done(&self, call: &ToolCallId) -> bool {
        self.calls.get(call) == Some(&Standing::Done)
    }

    /// The calls that are still coming.
    pub(crate) fn open_calls(&self) -> Vec<ToolCallId> {
        self.calls_that(|standing| standing == Standing::Open)
    }

    /// The calls nobody has answered.
    pub(crate) fn undone_calls(&self) -> Vec<ToolCallId> {
        self.calls_that(|standing| standing != Standing::Done)
    }

    fn calls_that(&self, is: impl Fn(Standing) -> bool) -> Vec<ToolCallId> {
        self.calls.iter().filter(|(_, standing)| is(**standing)).map(|(call, _)| call.clone()).collect()
    }
}
