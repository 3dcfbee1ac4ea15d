//! The whole adapter: the tools on offer, an agent's events in, tool messages out.

#[cfg(test)]
mod tests;

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{BeforeCall, CommandAccess, NullArguments};
use drawloom_tools::ErrorPlacement;

use crate::answerer::{Answerer, Progress, Reach, Settings};
use crate::assembler::{AssembledCall, IncompleteCall, LimitExceeded, RunBoundary, ToolCallAssembler};
use crate::definition::tools_for;
use crate::event::{Event, RunOutcome};
use crate::limits::AssemblerLimits;
use crate::message_id::MessageIds;
use crate::owed::{BegunCall, Owed, OwedCall, Place};
use crate::running::RunningCall;
use crate::wire::{Tool, ToolCallId, ToolMessage};

/// What becomes of a call to a tool that is not offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnofferedCalls {
    /// It is refused at once.
    #[default]
    Refuse,
    /// It is left to the agent's own backend until the run ends, and refused only where nobody answered it. A call
    /// beyond the limit of calls or with too long an id is refused at once even so: what is left has to be held.
    LeaveToBackend,
}

/// Offers a caller's commands to an AG-UI agent, and answers the agent's calls.
///
/// ```
/// use drawloom_ag_ui::{CommandTools, Event};
/// # use drawloom_command::{Command, CommandAccess};
/// # async fn run(access: impl CommandAccess + 'static, events: &[&str]) -> Result<(), drawloom_ag_ui::EventError> {
/// let mut tools = CommandTools::new(access);
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
/// Every call the agent opened is answered exactly once, whatever the agent sends and wherever a future is dropped.
/// It holds no transport, no clock and no executor.
pub struct CommandTools {
    assembler: ToolCallAssembler,
    answerer: Answerer,
    unoffered: UnofferedCalls,
    message_ids: MessageIds,
    owed: Owed,
}

/// A call that is ready to be answered, apart from the adapter it came from: several may be answered at once, on any
/// executor, while more events come in.
///
/// Answering it is a promise: the agent waits for it, and one that is dropped is answered by nobody.
#[must_use = "the agent waits for the answer to this call"]
pub struct ReadyCall {
    owed: OwedCall,
    answerer: Answerer,
}

impl CommandTools {
    /// An adapter for what `access` may reach, with no hook, which refuses what is not offered.
    pub fn new(access: impl CommandAccess + 'static) -> Self {
        Self {
            assembler: ToolCallAssembler::new(AssemblerLimits::default()),
            answerer: Answerer::new(access),
            unoffered: UnofferedCalls::default(),
            message_ids: MessageIds::new(),
            owed: Owed::default(),
        }
    }

    /// Puts a hook in front of every call, in place of the one there is: see [`CommandTools::hook`].
    #[must_use]
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.settings().hook = Some(Arc::new(hook));
        self
    }

    /// Says what becomes of calls to tools that are not offered.
    #[must_use]
    pub fn unoffered_calls(mut self, unoffered: UnofferedCalls) -> Self {
        self.unoffered = unoffered;
        self
    }

    /// Says where the words of a refusal or a failure go.
    #[must_use]
    pub fn error_placement(mut self, errors: ErrorPlacement) -> Self {
        self.settings().errors = errors;
        self
    }

    /// Says what a null among the arguments means.
    #[must_use]
    pub fn null_arguments(mut self, nulls: NullArguments) -> Self {
        self.settings().nulls = nulls;
        self
    }

    /// Limits what an agent may make the adapter hold. Set it before the first event: calls that are under way are
    /// forgotten.
    #[must_use]
    pub fn limits(mut self, limits: AssemblerLimits) -> Self {
        self.assembler = ToolCallAssembler::new(limits);
        self
    }

    /// The hook in front of every call, for one that is to stand beside it.
    pub fn hook(&self) -> Option<&Arc<dyn BeforeCall>> {
        self.answerer.settings.hook.as_ref()
    }

    fn settings(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.answerer.settings)
    }

    /// What the commands are reached through.
    pub fn access(&self) -> &Arc<dyn CommandAccess> {
        &self.answerer.access
    }

    /// Everything the agent may call at this moment, as tools. Ask for each run: a kept list promises what is gone.
    pub fn list(&self) -> Vec<Tool> {
        tools_for(&self.answerer.access.invocable_commands())
    }

    /// Takes one event, and answers the call that it completed; nothing where it completed none. The event that ends a
    /// run answers the first call it leaves open, [`CommandTools::flush`] the others: ask it after each run, since what
    /// is not asked for is held.
    ///
    /// The event is taken here and now; what is awaited is the answer. Dropping the future, whether it was polled or
    /// not, gives up on that answer, and `flush` then says how far it came.
    pub fn receive<'t>(
        &'t mut self,
        event: &Event<'_>,
    ) -> impl Future<Output = Option<ToolMessage>> + Send + use<'t> {
        let begun = self.take_event(event).and_then(|place| self.begin(place));
        // Boxed where there is a call to answer: most events have none, and their future stays small enough to be moved
        // for next to nothing.
        let answering = begun.map(|begun| Box::pin(self.answer(begun)));
        async move { Some(answering?.await) }
    }

    /// Answers one call that still waits for its answer, or nothing once none does. A stream that stopped without the
    /// end of its run leaves calls open: they are refused here, so ask only once the run is over.
    pub async fn flush(&mut self) -> Option<ToolMessage> {
        if let Some(given_up) = self.owed.first_begun().and_then(|place| self.owed.end(place)) {
            let message = self.answerer.abandoned(given_up.call, &given_up.progress);
            return Some(ToolMessage { id: given_up.message_id, ..message });
        }
        let begun = self.take_left().and_then(|place| self.begin(place))?;
        Some(self.answer(begun).await)
    }

    /// Takes one event like [`CommandTools::receive`], and hands out the call it completed instead of answering it.
    pub fn accept(&mut self, event: &Event<'_>) -> Option<ReadyCall> {
        let place = self.take_event(event)?;
        self.hand_out(place)
    }

    /// Hands out one call that still waits for its answer, like [`CommandTools::flush`].
    pub fn accept_left(&mut self) -> Option<ReadyCall> {
        let place = self.take_left()?;
        self.hand_out(place)
    }

    /// Takes one event, and gives the call to answer now. What was due before is for `flush`: the event's own call
    /// comes first.
    fn take_event(&mut self, event: &Event<'_>) -> Option<Place> {
        match event {
            Event::ToolCallResult { id } => self.owed.settle(id),
            Event::MessagesSnapshot { answered: calls }
            | Event::RunFinished { outcome: RunOutcome::Interrupted(calls) } => {
                calls.iter().for_each(|id| self.owed.settle(id));
            }
            _ => {}
        }
        let boundary = self.assembler.accept(event);
        let given_up = if boundary.is_some() { self.owed.give_up_on_backend() } else { None };
        let ready = self.take_ready(boundary);
        if let (Some(RunBoundary::Began), Event::RunStarted { thread_id, run_id }) = (boundary, event) {
            self.owed.run_began();
            self.message_ids.run_began(thread_id, run_id);
        }
        given_up.or(ready)
    }

    /// Gives a call that is due. Where none is, the events are taken for over.
    fn take_left(&mut self) -> Option<Place> {
        self.owed.first_due().or_else(|| {
            // A run in which nothing is open goes on: asking once too often ends nothing.
            if self.assembler.open_calls() == 0 && !self.owed.is_anything_left() {
                return None;
            }
            self.assembler.end_of_stream();
            self.owed.give_up_on_backend();
            self.take_ready(Some(RunBoundary::Ended));
            self.owed.first_due()
        })
    }

    /// Takes what the assembler has ready, and gives the first call of it that is to be answered here.
    fn take_ready(&mut self, boundary: Option<RunBoundary>) -> Option<Place> {
        let mut first = None;
        while let Some(mut call) = self.assembler.next_call() {
            let message_id = self.message_ids.of(&call.id);
            // A run that is over has nobody left who would answer.
            if boundary.is_none() && self.is_left_to_backend(&call) {
                // It will not run here, not even if the tool is offered by then, so its arguments are of no use.
                call.arguments = call.arguments.map(|_| String::new());
                self.owed.leave(OwedCall { call, message_id, reach: Reach::Nothing });
            } else {
                let place = self.owed.answer(OwedCall { call, message_id, reach: Reach::WhatIsOffered });
                first = first.or(Some(place));
            }
        }
        first
    }

    fn is_left_to_backend(&self, call: &AssembledCall) -> bool {
        let can_be_held = !matches!(
            call.arguments,
            Err(IncompleteCall::LimitExceeded(LimitExceeded::CallsPerRun(_) | LimitExceeded::IdBytes(_)))
        );
        self.unoffered == UnofferedCalls::LeaveToBackend
            && can_be_held
            && !self.answerer.is_offered(&call.name)
    }

    fn hand_out(&mut self, place: Place) -> Option<ReadyCall> {
        let owed = self.owed.hand_out(place)?;
        Some(ReadyCall { owed, answerer: self.answerer.clone() })
    }

    fn begin(&mut self, place: Place) -> Option<Begun> {
        let (call, reach, progress) = self.owed.begin(place)?;
        Some(Begun { place, call, reach, progress })
    }

    /// Answers a call. It stays begun where this future is dropped, polled or not, and nowhere else.
    async fn answer(&mut self, begun: Begun) -> ToolMessage {
        let Begun { place, call, reach, progress } = begun;
        let message = self.answerer.answer(call, reach, &progress).await;
        let id = match self.owed.end(place) {
            Some(BegunCall { message_id, .. }) => message_id,
            None => self.message_ids.of(&message.tool_call_id),
        };
        ToolMessage { id, ..message }
    }
}

/// A call whose answer is begun, and its place among the owed.
struct Begun {
    place: Place,
    call: AssembledCall,
    reach: Reach,
    progress: Arc<Progress>,
}

impl ReadyCall {
    /// The id the agent gave the call.
    pub fn id(&self) -> &ToolCallId {
        &self.owed.call.id
    }

    /// The tool it calls.
    pub fn tool(&self) -> &str {
        &self.owed.call.name
    }

    /// Answers the call.
    pub fn answer(self) -> impl Future<Output = ToolMessage> + Send {
        let Self { owed: OwedCall { call, message_id, reach }, answerer } = self;
        async move {
            let message = answerer.answer(call, reach, &Progress::default()).await;
            ToolMessage { id: message_id, ..message }
        }
    }

    /// Answers the call in a way that can still be called off, with an answer that says how far it came.
    pub fn start(self) -> RunningCall {
        let Self { owed: OwedCall { call, message_id, reach }, answerer } = self;
        let (id, progress) = (call.id.clone(), Arc::new(Progress::default()));
        let given_up = {
            let (id, message_id) = (id.clone(), message_id.clone());
            let (answerer, progress) = (answerer.clone(), progress.clone());
            move || ToolMessage { id: message_id, ..answerer.abandoned(id, &progress) }
        };
        let reached = progress.clone();
        let answer = async move {
            let message = answerer.answer(call, reach, &reached).await;
            ToolMessage { id: message_id, ..message }
        };
        RunningCall { id, progress, answer: Box::pin(answer), given_up: Box::new(given_up) }
    }

    /// Answers the call without running it: it was cancelled.
    pub fn cancel(self) -> ToolMessage {
        let Self { owed: OwedCall { call, message_id, .. }, answerer } = self;
        ToolMessage { id: message_id, ..answerer.abandoned(call.id, &Progress::default()) }
    }
}

impl fmt::Debug for CommandTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (due, left, begun) = self.owed.counts();
        f.debug_struct("CommandTools")
            .field("open", &self.assembler.open_calls())
            .field("left_to_backend", &left)
            .field("due", &due)
            .field("begun", &begun)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ReadyCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadyCall")
            .field("id", &self.owed.call.id)
            .field("tool", &self.owed.call.name)
            .finish_non_exhaustive()
    }
}
