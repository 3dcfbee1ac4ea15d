//! The state that the events of an agent change: the conversation, the adapter, and the questions to the user.

use std::collections::{HashSet, VecDeque};

use drawloom_ag_ui::recording::Frame;
use drawloom_ag_ui::{CommandTools, FinishedCall, ReadyCall};
use futures_util::stream::FuturesUnordered;

use crate::conversation::{CallSlot, Conversation, OpenedCall, fresh_id};
use crate::guarded::catch;
use crate::interrupts::Questions;
use crate::limits::RunLimits;
use crate::prompts::Prompts;
use crate::run::Run;
use crate::started_call::StartedCall;
use crate::update::Update;

/// The tap, which is shown every frame.
pub(crate) type Tap = Box<dyn FnMut(&Frame) + Send>;

/// Returns the id of the next run.
pub(crate) type RunIds = Box<dyn FnMut() -> String + Send>;

/// See the [module](self).
pub(crate) struct ClientState {
    pub(crate) tools: CommandTools,
    pub(crate) conversation: Conversation,
    pub(crate) run: Run,
    /// The number of runs in the turn, and the limit on follow-up runs.
    pub(crate) runs: u32,
    pub(crate) follow_ups: u32,
    pub(crate) calls: FuturesUnordered<StartedCall>,
    pub(crate) questions: Questions,
    pub(crate) prompts: Prompts,
    pub(crate) limits: RunLimits,
    pub(crate) tap: Option<Tap>,
    pub(crate) run_ids: RunIds,
    pub(crate) updates: VecDeque<Update>,
}

impl ClientState {
    /// The id of a run that is started.
    pub(crate) fn next_run_id(&mut self) -> String {
        let run_ids = &mut self.run_ids;
        catch("the function for the ids of runs", run_ids).unwrap_or_else(|| {
            self.run_ids = Box::new(|| fresh_id("run"));
            fresh_id("run")
        })
    }

    /// Shows the updates of the hooks and prompts.
    pub(crate) fn show_queued(&mut self) {
        self.updates.extend(self.prompts.queue.take());
    }

    /// Starts the calls that wait to be answered.
    pub(crate) fn start_calls(&mut self) {
        while let Some(call) = self.tools.next_call() {
            let slot = self.slot(&call);
            self.calls.push(StartedCall::new(call.start(), slot, self.prompts.queue.clone()));
        }
    }

    /// Cancels all calls, those that run and those that wait to be answered, and answers them.
    pub(crate) fn cancel_calls(&mut self) {
        for call in std::mem::take(&mut self.calls) {
            let (finished, slot) = call.cancel();
            self.show_queued();
            self.answer(finished, slot);
        }
        self.tools.end_of_stream();
        while let Some(call) = self.tools.next_call() {
            let slot = self.slot(&call);
            self.answer(call.cancel(), slot);
        }
    }

    /// Stops deciding about the calls that these messages would answer, because an interrupt is bound to them. Calls of
    /// earlier runs with the same ids go on.
    pub(crate) fn drop_calls(&mut self, message_ids: &HashSet<String>) {
        if message_ids.is_empty() {
            return;
        }
        let calls = std::mem::take(&mut self.calls);
        let stays = |call: &StartedCall| !message_ids.contains(call.message_id());
        self.calls = calls.into_iter().filter(stays).collect();
    }

    /// A call has been executed.
    pub(crate) fn answer(&mut self, finished: FinishedCall, slot: Option<CallSlot>) {
        let Some(message) = self.tools.finished(finished) else { return };
        self.run.pending_answers += 1;
        match slot {
            Some(slot) => self.conversation.answer_slot(message.clone().into(), slot),
            None => self.conversation.answered(message.clone().into()),
        }
        self.updates.push_back(Update::Answered { message });
    }

    /// The slot of a call in the conversation. A call that only a snapshot contains is announced here. A call that is
    /// missing in the conversation is added, because each answer needs its call.
    fn slot(&mut self, call: &ReadyCall) -> Option<CallSlot> {
        let (id, tool) = (call.id().as_str(), call.tool());
        if self.conversation.call(id).is_none() || self.conversation.answer_to(id).is_some() {
            self.conversation.call_opened(OpenedCall { id, tool, ..OpenedCall::default() });
            self.announce(id, tool);
        } else if !self.conversation.is_streamed(id) {
            self.conversation.set_streamed(id);
            self.announce(id, tool);
        }
        self.conversation.slot(id)
    }

    /// Shows that a call begins.
    pub(crate) fn announce(&mut self, id: &str, tool: &str) {
        self.run.usage.calls += 1;
        let offered = self.run.offers(tool);
        let call_id = self.conversation.call_id(id);
        self.updates.push_back(Update::CallOpened { call_id, tool: tool.to_owned(), offered });
    }
}
