//! The whole adapter: the tools on offer, an agent's events in, tool messages out.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::{BeforeCall, BoxFuture, CommandAccess, NullArguments};

use crate::answerer::{Answerer, Progress, Settings};
use crate::assembler::{AssembledCall, RunBoundary, ToolCallAssembler};
use crate::definition::tools_for;
use crate::event::{Event, RunOutcome};
use crate::limits::AssemblerLimits;
use crate::result::ErrorWords;
use crate::wire::{Tool, ToolCallId, ToolMessage};

/// What becomes of a call to a tool that is not offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unoffered {
    /// It is refused at once.
    #[default]
    Refuse,
    /// It is left to the agent's own backend until the run ends, and refused only where nobody answered it.
    LeaveToBackend,
}

/// The longest run id that goes into a message's id, in bytes.
const RUN_ID_BYTES: usize = 256;

/// Offers a caller's commands to an AG-UI agent, and answers the agent's calls.
///
/// ```
/// use drawloom_ag_ui::{CommandTools, Event};
/// # use drawloom_command::{Command, CommandAccess};
/// # async fn run(access: impl CommandAccess, events: &[&str]) -> Result<(), drawloom_ag_ui::EventError> {
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
pub struct CommandTools<A> {
    assembler: ToolCallAssembler,
    answerer: Answerer<A>,
    unoffered: Unoffered,
    run_id: String,
    // Calls left to the backend, with the place they were closed in, to be answered in that order.
    left: HashMap<ToolCallId, (u64, Waiting)>,
    places: u64,
    // Calls to be answered, in order.
    waiting: VecDeque<Waiting>,
    // Calls whose answer is being awaited: one at most, besides those whose future was dropped.
    in_flight: VecDeque<InFlight>,
}

struct InFlight {
    call: ToolCallId,
    message_id: String,
    progress: Arc<Progress>,
}

/// A call to be answered, and the id its answer will have.
struct Waiting {
    call: AssembledCall,
    message_id: String,
}

/// A call that is ready to be answered, apart from the adapter it came from: several may be answered at once, on any
/// executor, while more events come in.
///
/// Answering it is a promise: the agent waits for it, and one that is dropped is answered by nobody.
#[must_use = "the agent waits for the answer to this call"]
pub struct ReadyCall<A> {
    waiting: Waiting,
    answerer: Answerer<A>,
}

impl<A: CommandAccess> CommandTools<A> {
    /// An adapter for what `access` may reach, with no hook, which refuses what is not offered.
    pub fn new(access: A) -> Self {
        Self {
            assembler: ToolCallAssembler::new(AssemblerLimits::default()),
            answerer: Answerer::new(access),
            unoffered: Unoffered::default(),
            run_id: String::new(),
            left: HashMap::new(),
            places: 0,
            waiting: VecDeque::new(),
            in_flight: VecDeque::new(),
        }
    }

    /// Puts a hook in front of every call.
    #[must_use]
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.settings().hook = Some(Arc::new(hook));
        self
    }

    /// Says what becomes of calls to tools that are not offered.
    #[must_use]
    pub fn unoffered(mut self, unoffered: Unoffered) -> Self {
        self.unoffered = unoffered;
        self
    }

    /// Says where the words of a refusal or a failure go.
    #[must_use]
    pub fn error_words(mut self, errors: ErrorWords) -> Self {
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

    fn settings(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.answerer.settings)
    }

    /// What the commands are reached through.
    pub fn access(&self) -> &A {
        &self.answerer.access
    }

    /// Everything the agent may call at this moment, as tools. Ask for each run: a kept list promises what is gone.
    pub fn list(&self) -> Vec<Tool> {
        tools_for(&self.answerer.access.invocable_commands())
    }

    /// Takes one event, and answers the call that it completed; nothing where it completed none. The event that ends a
    /// run answers the first call it leaves open, [`CommandTools::flush`] the others.
    ///
    /// Dropping the future gives up on the call's own answer; `flush` then says how far it came.
    pub async fn receive(&mut self, event: &Event<'_>) -> Option<ToolMessage> {
        let ready = self.accept(event)?;
        Some(self.drive(ready).await)
    }

    /// Answers one call that still waits for its answer, or nothing once none does. A stream that stopped without the
    /// end of its run leaves calls open: they are refused here, so ask only once the run is over.
    pub async fn flush(&mut self) -> Option<ToolMessage> {
        if let Some(InFlight { call, message_id, progress }) = self.in_flight.pop_front() {
            return Some(ToolMessage { id: message_id, ..self.answerer.abandoned(call, &progress) });
        }
        let ready = self.accept_left()?;
        Some(self.drive(ready).await)
    }

    /// Takes one event like [`CommandTools::receive`], and hands out the call it completed instead of answering it.
    pub fn accept(&mut self, event: &Event<'_>) -> Option<ReadyCall<A>> {
        let before = self.waiting.len();
        match event {
            Event::ToolCallResult { id } => drop(self.left.remove(&**id)),
            Event::MessagesSnapshot { answered } => {
                answered.iter().for_each(|id| drop(self.left.remove(&**id)))
            }
            Event::RunFinished { outcome: RunOutcome::Interrupted(calls) } => {
                calls.iter().for_each(|id| drop(self.left.remove(&**id)));
            }
            _ => {}
        }
        let boundary = self.assembler.accept(event);
        if boundary.is_some() {
            self.give_up_on_backend();
        }
        self.sort_ready(boundary);
        if let (Some(RunBoundary::Began), Event::RunStarted { run_id, .. }) = (boundary, event) {
            self.run_id =
                if run_id.len() <= RUN_ID_BYTES { run_id.clone().into_owned() } else { String::new() };
        }
        // What was left waiting before is for `flush`: this event's own call comes first.
        self.waiting.remove(before).map(|waiting| self.ready(waiting))
    }

    /// Hands out one call that still waits for its answer, like [`CommandTools::flush`].
    pub fn accept_left(&mut self) -> Option<ReadyCall<A>> {
        // A run in which nothing is open goes on: asking once too often ends nothing.
        let is_unfinished = self.assembler.open_calls() > 0 || !self.left.is_empty();
        if self.waiting.is_empty() && is_unfinished {
            self.assembler.end_of_stream();
            self.give_up_on_backend();
            self.sort_ready(Some(RunBoundary::Ended));
        }
        self.waiting.pop_front().map(|waiting| self.ready(waiting))
    }

    /// Sorts what the assembler has ready into what is answered here and what is left to the backend.
    fn sort_ready(&mut self, boundary: Option<RunBoundary>) {
        while let Some(call) = self.assembler.next_call() {
            let message_id = match &*self.run_id {
                "" => format!("result-{}", call.id),
                run => format!("result-{run}-{}", call.id),
            };
            let waiting = Waiting { call, message_id };
            // A run that is over has nobody left who would answer.
            let is_left = boundary.is_none()
                && self.unoffered == Unoffered::LeaveToBackend
                && self.answerer.offer(&waiting.call.name).is_none();
            if is_left {
                self.leave_to_backend(waiting);
            } else {
                self.waiting.push_back(waiting);
            }
        }
    }

    fn leave_to_backend(&mut self, mut waiting: Waiting) {
        // It will not run here, so its arguments are of no use.
        waiting.call.arguments = waiting.call.arguments.map(|_| String::new());
        self.left.insert(waiting.call.id.clone(), (self.places, waiting));
        self.places += 1;
    }

    fn give_up_on_backend(&mut self) {
        let mut left: Vec<_> = self.left.drain().map(|(_, left)| left).collect();
        left.sort_unstable_by_key(|(place, _)| *place);
        self.waiting.extend(left.into_iter().map(|(_, waiting)| waiting));
    }

    fn ready(&self, waiting: Waiting) -> ReadyCall<A> {
        ReadyCall { waiting, answerer: self.answerer.clone() }
    }

    async fn drive(&mut self, ready: ReadyCall<A>) -> ToolMessage {
        let ReadyCall { waiting: Waiting { call, message_id }, answerer } = ready;
        let progress = Arc::new(Progress::default());
        let (id, message) = (call.id.clone(), message_id.clone());
        // It stays behind where this future is dropped at the await below, and nowhere else.
        self.in_flight.push_back(InFlight { call: id, message_id: message, progress: progress.clone() });
        let message = answerer.answer(call, &progress).await;
        self.in_flight.pop_back();
        ToolMessage { id: message_id, ..message }
    }
}

impl<A: CommandAccess> ReadyCall<A> {
    /// The id the agent gave the call.
    pub fn id(&self) -> &ToolCallId {
        &self.waiting.call.id
    }

    /// The tool it calls.
    pub fn tool(&self) -> &str {
        &self.waiting.call.name
    }

    /// Answers the call.
    pub fn answer(self) -> impl Future<Output = ToolMessage> + Send
    where
        A: 'static,
    {
        let Self { waiting: Waiting { call, message_id }, answerer } = self;
        async move {
            let message = answerer.answer(call, &Progress::default()).await;
            ToolMessage { id: message_id, ..message }
        }
    }

    /// Answers the call in a way that can still be called off, with an answer that says how far it came.
    pub fn start(self) -> RunningCall
    where
        A: 'static,
    {
        let Self { waiting: Waiting { call, message_id }, answerer } = self;
        let progress = Arc::new(Progress::default());
        let id = call.id.clone();
        let (abandoned, reached) = (answerer.clone(), progress.clone());
        let name = message_id.clone();
        let answer = async move { ToolMessage { id: name, ..answerer.answer(call, &reached).await } };
        let given_up = {
            let (id, progress) = (id.clone(), progress.clone());
            move || ToolMessage { id: message_id, ..abandoned.abandoned(id, &progress) }
        };
        RunningCall { id, progress, answer: Box::pin(answer), given_up: Box::new(given_up) }
    }

    /// Answers the call without running it: it was cancelled.
    pub fn cancel(self) -> ToolMessage {
        let Self { waiting: Waiting { call, message_id }, answerer } = self;
        ToolMessage { id: message_id, ..answerer.abandoned(call.id, &Progress::default()) }
    }
}

/// A call that is being answered, and can be called off: see [`ReadyCall::start`]. As a future it is the answer.
#[must_use = "the agent waits for the answer to this call"]
pub struct RunningCall {
    id: ToolCallId,
    progress: Arc<Progress>,
    answer: BoxFuture<'static, ToolMessage>,
    given_up: Box<dyn FnOnce() -> ToolMessage + Send>,
}

impl RunningCall {
    /// The id the agent gave the call.
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// Whether it has been handed to the workbench, where it may have run. Before that a hook decides about it.
    pub fn has_reached_seam(&self) -> bool {
        self.progress.has_reached_seam()
    }

    /// Calls it off, and answers it: as one that did not run, or that may have done a part of its work. Whatever it
    /// was doing is dropped first, a question to the person as well as a command.
    pub fn cancel(self) -> ToolMessage {
        drop(self.answer);
        (self.given_up)()
    }
}

impl Future for RunningCall {
    type Output = ToolMessage;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolMessage> {
        self.answer.as_mut().poll(cx)
    }
}

impl fmt::Debug for RunningCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningCall").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<A> fmt::Debug for CommandTools<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandTools")
            .field("open", &self.assembler.open_calls())
            .field("left_to_backend", &self.left.len())
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

impl<A> fmt::Debug for ReadyCall<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadyCall")
            .field("id", &self.waiting.call.id)
            .field("tool", &self.waiting.call.name)
            .finish_non_exhaustive()
    }
}
