//! The state of a stream, and the rules about runs, messages, reasoning, steps and subagents.

use std::collections::{HashSet, VecDeque};

use super::open::{Began, Form, Ids, Known, Open, Thing, Things, shown};
use super::{ProtocolBreach, ProtocolRule};
use crate::protocol::shape::{self, ShapeFault};
use crate::protocol::{
    Event, EventError, EventKind, Interrupt, Message, RunAgentInput, RunFinished, RunOutcome,
};
use crate::recording::{Frame, FrameProblem};

/// The limit on breaches that wait to be taken. Further ones are only counted.
const MAX_WAITING: usize = 1024;
/// The agent itself, as a lane.
const AGENT: u64 = 0;

/// Checks the events of an agent against the rules of the protocol, one event at a time.
///
/// It is told about the requests too, if they are known: then the runs must have their ids, and calls in their messages
/// are known calls. It neither stops nor changes anything. After a breach it continues with the most probable meaning, so
/// that one mistake is reported once.
///
/// Its memory is bounded: it keeps the open messages and calls up to a limit, and 8 bytes for each id that was used.
///
/// ```
/// use drawloom_ag_ui::recording::Frame;
/// use drawloom_ag_ui::{ProtocolChecker, ProtocolRule};
///
/// let mut checker = ProtocolChecker::new();
/// for event in [
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
///     r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"notes__open"}"#,
///     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
/// ] {
///     checker.accept_frame(&Frame::Event(event.to_owned()));
/// }
/// let breach = checker.next_breach().expect("the call has not ended");
/// assert_eq!((breach.rule, breach.number, breach.since), (ProtocolRule::CallNotEnded, 3, Some(2)));
/// assert_eq!(breach.problem, "the run finished while call \"c\" was open");
/// ```
#[derive(Debug, Default)]
pub struct ProtocolChecker {
    pub(super) ids: Ids,
    pub(super) known: Known,
    pub(super) things: Things,
    run: RunState,
    /// What the run that was requested last is called, until it begins.
    requested: Option<(String, String)>,
    /// The thread and run that RUN_FINISHED must name; empty where they are not known.
    names: (String, String),
    is_full: bool,
    event: u64,
    event_type: String,
    waiting: VecDeque<ProtocolBreach>,
    dropped: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RunState {
    /// No event has come yet.
    #[default]
    Awaited,
    Open,
    Finished,
    Failed,
}

impl ProtocolChecker {
    /// A checker at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// A run was requested: the events that follow are the response. What the response before left open is reported.
    pub fn request(&mut self, input: &RunAgentInput) {
        self.end_of_response();
        self.requested = Some((input.thread_id.clone(), input.run_id.clone()));
        self.know_calls(&input.messages);
    }

    /// Checks one frame as it was received.
    pub fn accept_frame(&mut self, frame: &Frame) {
        match frame {
            Frame::Event(text) => match Event::parse(text) {
                Ok(event) => self.accept(&event, text),
                Err(EventError::TooManyItems) => self.frame_lost(&FrameProblem::TooManyItems),
                Err(EventError::NotAnObject { .. }) => self.frame_lost(&FrameProblem::NotAnObject),
            },
            Frame::TooLong(limit) => self.frame_lost(&FrameProblem::TooLong(*limit)),
            Frame::Lost { problem, .. } => self.frame_lost(problem),
        }
    }

    /// Checks one event, which was read from this text.
    pub fn accept(&mut self, event: &Event<'_>, text: &str) {
        self.event += 1;
        event.kind.type_name().clone_into(&mut self.event_type);
        self.check_members(text);
        self.check(event);
    }

    /// Takes note of a frame that cannot be read.
    pub fn frame_lost(&mut self, problem: &FrameProblem) {
        self.event += 1;
        self.event_type.clear();
        self.report(ProtocolRule::NotAnEvent, format!("the frame {problem}"), None);
    }

    /// How many events and unreadable frames were checked.
    pub fn events(&self) -> u64 {
        self.event
    }

    /// The response, or the recording, has ended: a run that is open is reported.
    pub fn end_of_response(&mut self) {
        self.event_type.clear();
        match self.run {
            RunState::Open => {
                self.report(
                    ProtocolRule::RunNotEnded,
                    "the events ended while a run was open".to_owned(),
                    None,
                );
            }
            RunState::Awaited if self.requested.is_some() => {
                self.report(ProtocolRule::RunNotStarted, "the response has no event".to_owned(), None);
            }
            _ => {}
        }
        self.abandon_response();
    }

    /// The response is not read any further, because the application cancelled the run: nothing is reported about its end.
    pub fn abandon_response(&mut self) {
        self.run = RunState::Awaited;
        self.requested = None;
        self.things = Things::default();
    }

    /// The next breach, in the order of the events. Each is returned once.
    pub fn next_breach(&mut self) -> Option<ProtocolBreach> {
        self.waiting.pop_front()
    }

    /// How many breaches are missing, because too many waited to be taken.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn report(&mut self, rule: ProtocolRule, problem: String, since: Option<u64>) {
        if self.waiting.len() >= MAX_WAITING {
            self.dropped += 1;
            return;
        }
        let event_type = self.event_type.clone();
        self.waiting.push_back(ProtocolBreach { rule, problem, number: self.event, event_type, since });
    }

    /// Something is not checked because there is too much of it. That is reported once.
    pub(super) fn too_much(&mut self) {
        if !std::mem::replace(&mut self.is_full, true) {
            self.report(
                ProtocolRule::TooMuch,
                "more ids are open or known than this check keeps".to_owned(),
                None,
            );
        }
    }

    fn check_members(&mut self, text: &str) {
        let event_type = std::mem::take(&mut self.event_type);
        let problems = shape::problems(&event_type, text);
        self.event_type = event_type;
        for problem in problems {
            let member = problem.member;
            let (rule, problem) = match problem.fault {
                ShapeFault::Missing => (ProtocolRule::MissingMember, format!("\"{member}\" is missing")),
                ShapeFault::Blank => (ProtocolRule::EmptyId, format!("\"{member}\" is empty")),
                ShapeFault::Repeated => {
                    (ProtocolRule::RepeatedMember, format!("\"{member}\" occurs more than once"))
                }
                ShapeFault::WrongKind { expected, found } => {
                    (ProtocolRule::WrongKind, format!("\"{member}\" is {found} instead of {expected}"))
                }
            };
            self.report(rule, problem, None);
        }
    }

    fn check(&mut self, event: &Event<'_>) {
        match &event.kind {
            EventKind::RunStarted(started) => {
                self.run_started(&started.thread_id, &started.run_id);
                self.know_calls(&started.input_messages());
                return;
            }
            EventKind::RunError(_) => {
                if self.run == RunState::Failed {
                    self.after_end();
                }
                self.run = RunState::Failed;
                return;
            }
            _ => {}
        }
        match self.run {
            RunState::Finished | RunState::Failed => return self.after_end(),
            RunState::Awaited => {
                let problem = "the first event of the run is not RUN_STARTED".to_owned();
                self.report(ProtocolRule::RunNotStarted, problem, None);
                self.begin_run();
                self.names = self.requested.take().unwrap_or_default();
            }
            RunState::Open => {}
        }
        self.check_in_run(event);
    }

    fn check_in_run(&mut self, event: &Event<'_>) {
        let subagent = event.subagent_run_id.as_deref();
        let lane = self.lane(subagent);
        match &event.kind {
            EventKind::RunFinished(finished) => self.run_finished(finished),
            EventKind::StepStarted(step) => self.begins(Thing::Step, &step.step_name, lane, Form::Started),
            EventKind::StepFinished(step) => self.ends(Thing::Step, &step.step_name, lane),
            EventKind::TextMessageStart(start) => {
                self.begins(Thing::Message, &start.message_id, lane, Form::Started);
            }
            EventKind::TextMessageContent(content) => {
                self.continues(Thing::Message, &content.message_id, lane)
            }
            EventKind::TextMessageEnd(end) => self.ends(Thing::Message, &end.message_id, lane),
            EventKind::TextMessageChunk(chunk) => {
                self.chunk(Thing::Message, chunk.message_id.as_deref(), lane)
            }
            EventKind::ReasoningStart(start) => {
                self.begins(Thing::Reasoning, &start.message_id, lane, Form::Started);
            }
            EventKind::ReasoningEnd(end) => self.ends(Thing::Reasoning, &end.message_id, lane),
            EventKind::ReasoningMessageStart(start) => {
                self.begins(Thing::ReasoningMessage, &start.message_id, lane, Form::Started);
            }
            EventKind::ReasoningMessageContent(content) => {
                self.continues(Thing::ReasoningMessage, &content.message_id, lane);
            }
            EventKind::ReasoningMessageEnd(end) => self.ends(Thing::ReasoningMessage, &end.message_id, lane),
            EventKind::ReasoningMessageChunk(chunk) => {
                self.chunk(Thing::ReasoningMessage, chunk.message_id.as_deref(), lane);
            }
            EventKind::SubagentStarted(started) => {
                let parent = started.parent_subagent_run_id.as_deref().unwrap_or_default();
                let key = self.ids.of(Thing::Subagent, AGENT, parent);
                if !parent.is_empty() && self.things.get(key).is_none() && !self.things.has_ended(key) {
                    let problem = format!("its parent, subagent {}, did not begin", shown(parent));
                    self.report(ProtocolRule::SubagentNotStarted, problem, None);
                }
                self.begins(Thing::Subagent, subagent.unwrap_or_default(), AGENT, Form::Started);
            }
            EventKind::SubagentFinished(_) => {
                self.lane_finished(lane);
                self.ends(Thing::Subagent, subagent.unwrap_or_default(), AGENT);
            }
            EventKind::SubagentError(_) => self.ends(Thing::Subagent, subagent.unwrap_or_default(), AGENT),
            EventKind::MessagesSnapshot(snapshot) => self.know_calls(&snapshot.messages),
            kind => self.check_call(kind, lane),
        }
    }

    fn after_end(&mut self) {
        let problem = "the event came after the end of the run".to_owned();
        self.report(ProtocolRule::EventAfterEnd, problem, None);
    }

    fn begin_run(&mut self) {
        self.run = RunState::Open;
        self.things = Things::default();
    }

    fn run_started(&mut self, thread: &str, run: &str) {
        if self.run == RunState::Open {
            let problem = "another run began before this one ended".to_owned();
            self.report(ProtocolRule::RunStartedTwice, problem, None);
        }
        match self.requested.take() {
            Some((requested_thread, requested_run)) => {
                self.compare(ProtocolRule::ForeignThread, "thread", thread, &requested_thread);
                self.compare(ProtocolRule::ForeignRun, "run", run, &requested_run);
            }
            None if self.run == RunState::Awaited => {}
            None => {
                let before = self.names.0.clone();
                self.compare(ProtocolRule::ForeignThread, "thread", thread, &before);
            }
        }
        if let Some(key) = self.ids.pair(thread, run)
            && !self.known.add_run(key)
        {
            let problem = format!("run {} began before in this thread", shown(run));
            self.report(ProtocolRule::RepeatedId, problem, None);
        }
        self.begin_run();
        self.names = (thread.to_owned(), run.to_owned());
    }

    fn run_finished(&mut self, finished: &RunFinished<'_>) {
        let (thread, run) = self.names.clone();
        let named = |id: &Option<std::borrow::Cow<'_, str>>| id.as_deref().unwrap_or_default().to_owned();
        self.compare(ProtocolRule::ForeignThread, "thread", &named(&finished.thread_id), &thread);
        self.compare(ProtocolRule::ForeignRun, "run", &named(&finished.run_id), &run);
        if let RunOutcome::Interrupt(interrupts) = &finished.outcome {
            self.check_interrupts(interrupts);
        }
        self.chunk_calls_end();
        // A run that was cancelled stops wherever it is.
        if !matches!(finished.outcome, RunOutcome::Cancelled) {
            for left in self.things.left_open() {
                let problem = format!("the run finished while {} {} was open", left.thing.word(), left.id);
                self.report(left.thing.not_ended(), problem, Some(left.since));
            }
        }
        self.run = RunState::Finished;
    }

    fn check_interrupts(&mut self, interrupts: &[Interrupt<'_>]) {
        if interrupts.is_empty() {
            self.report(
                ProtocolRule::NoInterrupt,
                "the run was interrupted without an interrupt".to_owned(),
                None,
            );
        }
        let mut ids = HashSet::new();
        for interrupt in interrupts {
            if interrupt.id.trim().is_empty() {
                self.report(ProtocolRule::EmptyId, "an interrupt has no \"id\"".to_owned(), None);
            } else if !ids.insert(&*interrupt.id) {
                let problem = format!("two interrupts have the id {}", shown(&interrupt.id));
                self.report(ProtocolRule::RepeatedId, problem, None);
            }
        }
    }

    fn compare(&mut self, rule: ProtocolRule, what: &str, found: &str, expected: &str) {
        // A name that is missing is reported by its member.
        if !found.trim().is_empty() && !expected.is_empty() && found != expected {
            let problem = format!("the {what} is {}, but {} was expected", shown(found), shown(expected));
            self.report(rule, problem, None);
        }
    }

    pub(super) fn lane(&self, subagent: Option<&str>) -> u64 {
        subagent.map_or(AGENT, |id| self.ids.text(id))
    }

    pub(super) fn key(&self, thing: Thing, id: &str, lane: u64) -> u64 {
        // Subagents may have steps of the same name.
        self.ids.of(thing, if thing == Thing::Step { lane } else { AGENT }, id)
    }

    /// Something begins. Whether it is open now.
    pub(super) fn begins(&mut self, thing: Thing, id: &str, lane: u64, form: Form) {
        if id.trim().is_empty() {
            return;
        }
        let key = self.key(thing, id, lane);
        let open = Open { thing, id: shown(id), lane, form, since: self.event, content: 0 };
        match self.things.begin(key, open) {
            Began::New => {}
            Began::Again(since) => {
                let problem = format!("{} {} began again while it was open", thing.word(), shown(id));
                self.report(thing.started_twice(), problem, Some(since));
            }
            // A step may be done again.
            Began::Reused if thing == Thing::Step => {}
            Began::Reused => {
                let problem =
                    format!("the id {} of a {} was used before in this run", shown(id), thing.word());
                self.report(ProtocolRule::RepeatedId, problem, None);
            }
            Began::TooMany => self.too_much(),
        }
    }

    /// Something goes on. Returns it if it is open.
    pub(super) fn goes_on(&mut self, thing: Thing, id: &str, lane: u64, verb: &str) -> Option<u64> {
        if id.trim().is_empty() {
            return None;
        }
        let key = self.key(thing, id, lane);
        let Some(open) = self.things.get(key) else {
            let why = if self.things.has_ended(key) { "has ended" } else { "did not begin" };
            // What is beyond the limit did begin.
            if !self.is_full {
                let problem = format!("the event {verb} {} {}, which {why}", thing.word(), shown(id));
                self.report(thing.not_started(), problem, None);
            }
            return None;
        };
        let (since, is_mixed) = (open.since, open.lane != lane);
        if is_mixed {
            let problem =
                format!("{} {} goes on from another subagent than it began with", thing.word(), shown(id));
            self.report(ProtocolRule::LanesMixed, problem, Some(since));
        }
        Some(key)
    }

    fn continues(&mut self, thing: Thing, id: &str, lane: u64) {
        self.goes_on(thing, id, lane, "continues");
    }

    fn ends(&mut self, thing: Thing, id: &str, lane: u64) {
        if let Some(key) = self.goes_on(thing, id, lane, "ends") {
            self.things.end(key);
        }
    }

    /// A chunk of a message.
    fn chunk(&mut self, thing: Thing, id: Option<&str>, lane: u64) {
        let Some(id) = id.filter(|id| !id.trim().is_empty()) else {
            if self.things.current(thing, lane).is_none() {
                let problem = format!("a chunk without an id continues no {}", thing.word());
                self.report(thing.not_started(), problem, None);
            }
            return;
        };
        let key = self.key(thing, id, lane);
        if self.things.get(key).is_some() {
            self.continues(thing, id, lane);
        } else {
            self.begins(thing, id, lane, Form::Chunks);
        }
        self.things.set_current(thing, lane, key);
    }

    fn know_calls(&mut self, messages: &[Message<'_>]) {
        for call in messages.iter().flat_map(|message| &message.tool_calls) {
            let key = self.ids.of(Thing::Call, AGENT, &call.id);
            if !self.known.add_call(key, None) {
                self.too_much();
                return;
            }
        }
    }
}
