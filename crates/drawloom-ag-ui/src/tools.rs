//! The whole adapter: the tools that are offered, an agent's events in, tool messages out.

mod builder;
mod running;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{BeforeCall, CallOrigin, CommandAccess, CommandOutcome};
use drawloom_tools::{ErrorPlacement, ExecutionStage, StageHandle, ToolExecutor, ToolResult};

pub use builder::CommandToolsBuilder;
pub use running::{FinishedCall, ReadyCall, RunningCall};

use crate::calls::{
    CallKey, CallState, Ledger, Offered, Report, RunIds, RunState, Withdrawn, WithdrawnCall, history_items,
};
use crate::definition::tools_for;
use crate::protocol::{Event, EventKind, Message, RunOutcome, Tool, ToolCallId, ToolMessage};

/// The message for a call that the agent left without a result.
const NOT_REPORTED: &str = "No result was reported for this call.";

/// The limit on withdrawn calls that wait for the caller.
const WAITING_WITHDRAWALS: usize = 10_000;

/// Offers a caller's commands to an AG-UI agent, and answers the agent's calls.
///
/// ```
/// use drawloom_ag_ui::{CommandTools, Event};
/// # use drawloom_command::{Command, CommandAccess};
/// # async fn run(access: impl CommandAccess + 'static, events: &[&str]) -> Result<(), drawloom_ag_ui::EventError> {
/// let mut tools = CommandTools::builder(access).build();
/// let offered = tools.list();                       // goes into the run's input; ask again for each run
/// let mut messages = Vec::new();
/// for text in events {
///     if let Some(answer) = tools.receive(&Event::parse(text)?).await {
///         messages.push(answer);
///     }
/// }
/// while let Some(left) = tools.flush().await {      // once the run is over
///     messages.push(left);
/// }
/// # let _ = offered;
/// # Ok(())
/// # }
/// ```
///
/// Every call that the agent opened is answered exactly once, whatever the agent sends and wherever a future is dropped,
/// except one that the agent's backend answers or that an interrupt is bound to. The adapter holds no transport, no clock
/// and no executor.
///
/// # Calls that run while events arrive
///
/// [`receive`](Self::receive) awaits each call before the next event. To take events while calls run, use
/// [`accept`](Self::accept), and start each [`next_call`](Self::next_call) on any task. Return the finished call with
/// [`finished`](Self::finished).
pub struct CommandTools {
    ledger: Ledger,
    executor: ToolExecutor,
    errors: ErrorPlacement,
    agent: Option<Arc<str>>,
    handed_out: BTreeMap<CallKey, HandedOut>,
    withdrawn: VecDeque<WithdrawnCall>,
}

/// A call that is being executed, its stage, and who executes it.
struct HandedOut {
    stage: StageHandle,
    to: Recipient,
}

/// Who executes a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recipient {
    /// The future that `receive` or `flush` returned. If the weak pointer is empty, the future was dropped.
    Awaited,
    /// The caller that took the call with `next_call`.
    Caller,
}

impl CommandTools {
    /// Builder for an adapter that offers the commands that `access` can reach.
    pub fn builder(access: impl CommandAccess + 'static) -> CommandToolsBuilder {
        CommandToolsBuilder::new(access)
    }

    /// The access through which commands are invoked.
    pub fn access(&self) -> &Arc<dyn CommandAccess> {
        self.executor.access()
    }

    /// The hook in front of every call.
    pub fn hook(&self) -> Option<&Arc<dyn BeforeCall>> {
        self.executor.hook()
    }

    /// The commands that the agent may call now, as tools. Ask again for each run, because commands may have been
    /// removed.
    pub fn list(&self) -> Vec<Tool> {
        tools_for(&self.access().invocable_commands())
    }

    /// Takes one event, and answers the call that it completed; `None` if the event completed no call. The event that
    /// ends a run answers the first remaining call. Call [`CommandTools::flush`] after each run to answer the others.
    ///
    /// The event takes effect at once, before the future is polled. If the future is dropped, `flush` answers the call
    /// and says whether it may have run.
    pub fn receive<'t>(
        &'t mut self,
        event: &Event<'_>,
    ) -> impl Future<Output = Option<ToolMessage>> + Send + use<'t> {
        let first = self.ledger.next_closed_key();
        self.accept(event);
        // Most events close no call.
        let due = if self.ledger.next_closed_key() == first { None } else { self.ledger.first_due(first) };
        let call = due.and_then(|key| self.hand_out(key, Recipient::Awaited));
        // Boxed where there is a call to answer: most events have none, and their future stays small enough to be moved
        // at almost no cost.
        let answering = call.map(|call| Box::pin(self.answer(call.start())));
        async move { answering?.await }
    }

    /// Answers the next call that still waits for an answer, or returns `None`. If the stream stopped before the end of
    /// its run, this refuses the open calls, so use it only after the run.
    pub async fn flush(&mut self) -> Option<ToolMessage> {
        while let Some(message) = self.abandoned() {
            if message.is_some() {
                return message;
            }
        }
        if self.ledger.first_due(0).is_none() && self.ledger.awaits_end() {
            self.end_of_stream();
        }
        let call = self.ledger.first_due(0).and_then(|key| self.hand_out(key, Recipient::Awaited))?;
        self.answer(call.start()).await
    }

    /// Takes one event. The calls that it completed wait for [`CommandTools::next_call`].
    pub fn accept(&mut self, event: &Event<'_>) {
        if let EventKind::RunFinished(finished) = &event.kind
            && let RunOutcome::Interrupt(interrupts) = &finished.outcome
        {
            // Which calls an interrupt is bound to depends on how far they have come.
            interrupts
                .iter()
                .filter_map(|interrupt| interrupt.tool_call_id.as_deref())
                .for_each(|id| self.note_running(id));
        }
        self.ledger.accept(event);
        self.settle();
    }

    /// Reports that a frame or a line of the stream could not be read. It may have been any event, so the calls that
    /// are open do not run.
    pub fn frame_lost(&mut self, problem: impl Into<String>) {
        self.ledger.frame_lost(problem.into());
    }

    /// Reports that no more events arrive. If the run has not ended, the calls that are open are refused.
    pub fn end_of_stream(&mut self) {
        self.ledger.end_of_stream();
        self.settle();
    }

    /// Declares a run: the caller made a request with these ids and this history. It is a new run whatever its ids, and
    /// the first `RUN_STARTED` after it only adds the ids that the agent uses.
    pub fn begin_run(&mut self, thread_id: &str, run_id: &str, history: &[Message<'_>]) {
        self.ledger.begin_run(thread_id, run_id, history_items(history));
        self.settle();
    }

    /// Declares a turn: no interrupt of an earlier turn is bound to a call any more. If turns are not declared, one ends
    /// where a run begins after one that did not end with an interrupt.
    ///
    /// A turn is named after its first run; see [`CommandTools::turn_id`].
    pub fn begin_turn(&mut self) {
        self.ledger.begin_turn();
    }

    /// The id of the current turn, which is the id of its first run. It is in the [`CallOrigin`]
    /// of each call of the turn. `None` before the first run, and if that run has no id.
    pub fn turn_id(&self) -> Option<&str> {
        self.ledger.run_ids().turn.as_deref()
    }

    /// The origin of a call of the current run, for what is recorded about it.
    pub fn origin(&self, call_id: &str) -> CallOrigin {
        call_origin(call_id, self.ledger.run_ids(), self.agent.clone())
    }

    /// The next call that waits for its answer, to be executed while events arrive, in the order in which the calls
    /// closed.
    pub fn next_call(&mut self) -> Option<ReadyCall> {
        self.ledger.first_due(0).and_then(|key| self.hand_out(key, Recipient::Caller))
    }

    /// Takes a call that was executed, and returns the message that answers it. `None` if an interrupt was bound to the
    /// call meanwhile, so that it is answered by resuming the run.
    pub fn finished(&mut self, call: FinishedCall) -> Option<ToolMessage> {
        self.handed_out.remove(&call.key);
        let text = call.text(self.errors);
        let (id, message_id) = self.ledger.finish(call.key, call.into_end())?;
        let message = ToolMessage::new(message_id, id, text.content);
        Some(match text.error {
            Some(error) => message.with_error(error),
            None => message,
        })
    }

    /// The next report about an event that could not be read or had no effect.
    pub fn next_report(&mut self) -> Option<Report> {
        self.ledger.next_report()
    }

    /// The next call to withdraw because an interrupt is bound to it: the question about the call, or the message that
    /// answered it.
    pub fn next_withdrawn(&mut self) -> Option<WithdrawnCall> {
        self.withdrawn.pop_front()
    }

    /// The state of the latest call with this id, among the calls of the current run and those that are not finished.
    pub fn call_state(&self, call_id: &str) -> Option<CallState> {
        self.ledger.state(call_id, |key| self.is_running(key))
    }

    /// The open call that a chunk without an id continues: in the lane of this subagent or, without one, of the agent
    /// itself.
    pub fn continued_call(&self, subagent_run_id: Option<&str>) -> Option<&ToolCallId> {
        self.ledger.continued_call(subagent_run_id)
    }

    /// The state of the current run.
    pub fn run_state(&self) -> RunState {
        self.ledger.run_state()
    }

    /// The outcome of the latest call with this id, if its command ran in this turn, or its hook answered it.
    pub fn outcome(&self, call_id: &str) -> Option<&CommandOutcome> {
        self.ledger.outcome(call_id).map(|outcome| &**outcome)
    }

    /// Messages for the calls that the agent left without a result, in the order in which the calls were opened. When
    /// another run is started, its history needs them. [`CommandTools::begin_run`] empties the list.
    pub fn unreported(&self) -> Vec<ToolMessage> {
        let message = |call: &crate::calls::UnreportedCall| {
            ToolMessage::new(call.message_id.clone(), call.id.clone(), NOT_REPORTED)
        };
        self.ledger.unreported().map(message).collect()
    }

    /// Decides for each closed call whether its tool is offered now, and passes on what is to be withdrawn.
    fn settle(&mut self) {
        while let Some(closed) = self.ledger.undecided() {
            let is_offered = self.executor.is_offered(closed.tool());
            self.ledger.decide(if is_offered { Offered::Yes } else { Offered::No });
        }
        while let Some((call, key)) = self.ledger.next_withdrawn() {
            let handed_out = self.handed_out.remove(&key);
            // Nobody holds a question whose future was dropped.
            let is_held = handed_out.is_some_and(|call| call.to == Recipient::Caller);
            if (call.what == Withdrawn::Message || is_held) && self.withdrawn.len() < WAITING_WITHDRAWALS {
                self.withdrawn.push_back(call);
            }
        }
    }

    fn hand_out(&mut self, key: CallKey, to: Recipient) -> Option<ReadyCall> {
        let call = ReadyCall::new(self.ledger.begin(key)?, self.agent.clone(), &self.executor);
        self.handed_out.insert(key, HandedOut { stage: call.stage(), to });
        Some(call)
    }

    /// Answers a call. If this future is dropped, the call stays marked as handed out.
    async fn answer(&mut self, call: RunningCall) -> Option<ToolMessage> {
        let finished = call.await;
        self.finished(finished)
    }

    /// Answers the first call whose future was dropped. `None` if there is none; a call has no message if an interrupt is
    /// bound to it.
    fn abandoned(&mut self) -> Option<Option<ToolMessage>> {
        let is_abandoned = |(_, call): &(&CallKey, &HandedOut)| call.to == Recipient::Awaited;
        let (key, call) = self.handed_out.iter().find(is_abandoned)?;
        let result = ToolResult::cancelled(call.stage.get());
        Some(self.finished(FinishedCall::abandoned(*key, result)))
    }

    fn is_running(&self, key: CallKey) -> bool {
        self.handed_out
            .get(&key)
            .is_some_and(|call| matches!(call.stage.get(), ExecutionStage::Running | ExecutionStage::Done))
    }

    fn note_running(&mut self, call_id: &str) {
        if let Some(key) = self.ledger.latest_begun(call_id).filter(|key| self.is_running(*key)) {
            self.ledger.note_running(key);
        }
    }
}

fn call_origin(call_id: &str, run: &RunIds, agent: Option<Arc<str>>) -> CallOrigin {
    let mut origin = CallOrigin::new(call_id);
    origin.agent = agent;
    (origin.run_id, origin.turn_id, origin.thread_id) =
        (run.run.clone(), run.turn.clone(), run.thread.clone());
    origin
}

impl fmt::Debug for CommandTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, due, begun) = self.ledger.counts();
        f.debug_struct("CommandTools")
            .field("open", &self.ledger.open_calls())
            .field("left_to_backend", &left)
            .field("due", &due)
            .field("begun", &begun)
            .finish_non_exhaustive()
    }
}
