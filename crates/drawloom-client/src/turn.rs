//! A turn: run after run, until one leaves nothing to answer.
//!
//! Everything a turn waits for is polled from one place, in this order: the calls that run, the questions to the person,
//! and the run itself. So a torrent of events holds up no call, and a call that waits holds up no event. Nothing more is
//! read while an update waits to be taken, which bounds what is held.

use std::collections::HashSet;
use std::fmt;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use drawloom_ag_ui::{Event, ToolCallId};
use drawloom_command::BoxFuture;
use futures_util::Stream;
use futures_util::stream::FuturesUnordered;

use crate::client::{Client, Version};
use crate::connection::{Connection, Polled};
use crate::dialect::langgraph::add_resume_command;
use crate::guarded::Guarded;
use crate::guarded_call::GuardedCall;
use crate::run::Run;
use crate::transport::TransportError;
use crate::update::{RunEnd, TurnEnd, Update};
use crate::wire::{Resume, ToolCall};

const PROTOCOL_VERSION: &str = "1.0";

/// One turn.
pub(crate) struct TurnState {
    pub(crate) run: Run,
    phase: Phase,
    pub(crate) runs: u32,
    pub(crate) running: FuturesUnordered<GuardedCall>,
    pub(crate) asking: FuturesUnordered<BoxFuture<'static, (usize, Option<Resume>)>>,
    /// What the agent asked at the end of the run, and the answers so far.
    pub(crate) answers: Vec<Option<Resume>>,
    /// The calls that questions were about, which are the agent's for the whole of the turn: the person may have said no.
    pub(crate) bound: HashSet<ToolCallId>,
}

enum Phase {
    /// A run is being started, with these answers to what the agent asked.
    Starting(Vec<Resume>),
    /// Its events arrive.
    Reading,
    /// No more events arrive: what runs and what is asked comes to its end.
    Settling(Option<TurnEnd>),
}

impl TurnState {
    fn new() -> Self {
        Self {
            run: Run::default(),
            phase: Phase::Settling(None),
            runs: 0,
            running: FuturesUnordered::new(),
            asking: FuturesUnordered::new(),
            answers: Vec::new(),
            bound: HashSet::new(),
        }
    }
}

impl Client {
    pub(crate) fn poll_update(&mut self, cx: &mut Context<'_>) -> Poll<Option<Update>> {
        loop {
            let is_cancelled = self.connection.poll_cancelled(cx);
            if is_cancelled && (self.turn.is_some() || self.is_due) {
                self.cancelled();
            }
            if let Some(update) = self.updates.pop_front() {
                return Poll::Ready(Some(update));
            }
            match &mut self.turn {
                Some(_) => ready!(self.step(cx)),
                None if mem::take(&mut self.is_due) => self.begin(),
                None => return Poll::Ready(None),
            }
        }
    }

    /// Goes on by one step, or takes note that there is none to take yet.
    fn step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(turn) = &mut self.turn else { return Poll::Ready(()) };
        let answered = Pin::new(&mut turn.running).poll_next(cx);
        self.show_queued();
        if let Poll::Ready(Some(message)) = answered {
            self.answered(message);
            return Poll::Ready(());
        }
        let Some(turn) = &mut self.turn else { return Poll::Ready(()) };
        let asked = Pin::new(&mut turn.asking).poll_next(cx);
        self.show_queued();
        if let Poll::Ready(Some((place, resume))) = asked {
            self.resumed(place, resume);
            return Poll::Ready(());
        }
        if !self.updates.is_empty() {
            return Poll::Ready(());
        }
        let Some(turn) = &mut self.turn else { return Poll::Ready(()) };
        match &turn.phase {
            Phase::Starting(_) | Phase::Reading => match ready!(self.connection.poll(cx)) {
                Polled::Started => self.started(),
                Polled::NotStarted(error) => self.could_not_start(error),
                Polled::Frame(frame) => self.frame(frame),
                Polled::Over(error) => self.stream_over(error),
            },
            Phase::Settling(_) if !turn.running.is_empty() || !turn.asking.is_empty() => {
                return Poll::Pending;
            }
            Phase::Settling(_) => self.settled(),
        }
        Poll::Ready(())
    }

    /// Takes what those who are asked, and what runs, left word of.
    fn show_queued(&mut self) {
        self.updates.extend(std::iter::from_fn(|| self.prompts.queue.pop()));
    }

    fn begin(&mut self) {
        self.turn = Some(TurnState::new());
        self.answer_what_was_lost();
        let open = self.conversation.interrupts().to_vec();
        self.ask(open);
    }

    /// A conversation that was taken up may hold calls that nobody answers any more. Whether they ran is not known.
    fn answer_what_was_lost(&mut self) {
        let offered: HashSet<_> = self.tools.list().into_iter().map(|tool| tool.name).collect();
        let asked = self.conversation.interrupts().iter();
        let bound: HashSet<_> = asked.filter_map(|interrupt| interrupt.tool_call_id.clone()).collect();
        let is_lost = |call: &ToolCall| offered.contains(&call.function.name) && !bound.contains(&call.id);
        for message in self.conversation.answer_what_was_lost(is_lost) {
            self.updates.push_back(Update::Answered { message });
        }
    }

    fn start(&mut self, resume: Vec<Resume>) {
        let Some(turn) = &mut self.turn else { return };
        let tools = self.tools.list();
        self.conversation.tidy();
        turn.run = Run::new(&tools, self.conversation.messages().len());
        turn.runs += 1;
        turn.answers.clear();
        self.is_due = false;
        let mut input = self.conversation.input(&turn.run.id);
        input.tools = tools;
        if self.version != Version::Omitted {
            input.protocol_version = Some(PROTOCOL_VERSION.to_owned());
        }
        add_resume_command(&mut input.forwarded_props, self.conversation.interrupts(), &resume);
        input.resume.clone_from(&resume);
        tracing::debug!(thread = %input.thread_id, run = %input.run_id, "run started");
        let transport = &self.transport;
        let starting = Guarded::new("the transport", || transport.start(input));
        turn.phase = Phase::Starting(resume);
        self.connection.open(Connection::Starting(starting));
    }

    fn started(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        if self.version == Version::Untested {
            self.version = Version::Accepted;
        }
        // The answers have arrived, so what they answer is asked no more.
        self.conversation.set_interrupts(Vec::new());
        self.conversation.ran(turn.run.id.clone());
        turn.phase = Phase::Reading;
        self.updates.push_back(Update::RunStarted { run_id: turn.run.id.clone() });
        // A run that never says it began is one all the same, and its ids are its own.
        let begins = Event::RunStarted {
            thread_id: self.conversation.thread_id().to_owned().into(),
            run_id: turn.run.id.clone().into(),
        };
        if let Some(ready) = self.tools.accept(&begins) {
            self.run_call(ready);
        }
    }

    fn could_not_start(&mut self, error: TransportError) {
        let Some(turn) = &mut self.turn else { return };
        if self.version == Version::Untested
            && error.rejects_the_input()
            && let Phase::Starting(resume) = &mut turn.phase
        {
            let resume = mem::take(resume);
            tracing::info!(%error, "the agent rejects the input; trying without the protocol's version");
            self.version = Version::Omitted;
            turn.runs -= 1;
            self.start(resume);
            return;
        }
        turn.phase = Phase::Settling(Some(error.into()));
    }

    /// No more events come.
    fn stream_over(&mut self, error: Option<TransportError>) {
        let Some(turn) = &mut self.turn else { return };
        // A connection that breaks after the run has ended has said what it had to.
        if turn.run.end.is_none() {
            let error = error.unwrap_or_else(|| {
                TransportError::Broken("the stream of events ended before the run did".to_owned())
            });
            return self.broken_off(error);
        }
        turn.phase = Phase::Settling(None);
        self.run_what_is_left();
    }

    /// The run is over, whatever it says, and so is the turn.
    pub(crate) fn broken_off(&mut self, error: TransportError) {
        let Some(turn) = &mut self.turn else { return };
        if turn.run.end.is_none() {
            let outcome = RunEnd::Error { message: error.to_string(), code: Some(error.code().to_owned()) };
            turn.run.end = Some(outcome.clone());
            self.updates.push_back(Update::RunFinished { run_id: turn.run.id.clone(), outcome });
        }
        self.give_up(error.into());
    }

    /// Nothing more is read, and once everything is answered the turn is over. What was asked stays open, and is asked
    /// again in the next turn.
    pub(crate) fn give_up(&mut self, ending: TurnEnd) {
        let Some(turn) = &mut self.turn else { return };
        self.connection.close();
        turn.phase = Phase::Settling(Some(ending));
        turn.asking.clear();
        self.run_what_is_left();
    }

    /// Runs, or refuses, the calls that wait to be answered now that a run is over.
    pub(crate) fn run_what_is_left(&mut self) {
        while let Some(ready) = self.tools.accept_left() {
            self.run_call(ready);
        }
    }

    /// Everything has come to its end: what the agent is to be told goes out, or the turn is over.
    fn settled(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let Phase::Settling(ending) = &mut turn.phase else { return };
        if let Some(ending) = ending.take() {
            return self.end(ending);
        }
        let resume: Vec<_> = mem::take(&mut turn.answers).into_iter().flatten().collect();
        let is_first = turn.runs == 0;
        let ending = match turn.run.end.take() {
            Some(RunEnd::Error { message, code }) => TurnEnd::AgentFailed { message, code },
            Some(RunEnd::Cancelled) => TurnEnd::CancelledByAgent,
            Some(RunEnd::Unknown) => TurnEnd::AgentFailed {
                message: "it ended in a way that is not known".to_owned(),
                code: Some("unknown-outcome".to_owned()),
            },
            _ if !is_first && !turn.run.has_answers && resume.is_empty() && !self.is_due => {
                self.conversation.set_interrupts(Vec::new());
                TurnEnd::Completed
            }
            _ if turn.runs > self.follow_ups => TurnEnd::TooManyRuns { follow_ups: self.follow_ups },
            _ => return self.start(resume),
        };
        self.end(ending);
    }

    fn end(&mut self, end: TurnEnd) {
        self.turn = None;
        self.conversation.tidy();
        tracing::debug!(thread = %self.conversation.thread_id(), %end, "turn over");
        self.updates.push_back(Update::TurnEnded { end });
    }

    /// The turn is over because it was cancelled here.
    pub(crate) fn cancelled(&mut self) {
        self.is_due = false;
        let Some(turn) = &mut self.turn else { return self.end(TurnEnd::Cancelled) };
        // The connection first, so that the agent starts nothing more; then the questions, then what runs.
        self.connection.close();
        let phase = mem::replace(&mut turn.phase, Phase::Settling(None));
        if matches!(phase, Phase::Reading) && turn.run.end.is_none() {
            let run_id = turn.run.id.clone();
            self.updates.push_back(Update::RunFinished { run_id, outcome: RunEnd::Cancelled });
        }
        turn.asking.clear();
        let running = mem::take(&mut turn.running);
        for call in running {
            let message = call.cancel();
            self.show_queued();
            message.into_iter().for_each(|message| self.answered(message));
        }
        while let Some(ready) = self.tools.accept_left() {
            let message = ready.cancel();
            self.answered(message);
        }
        self.end(TurnEnd::Cancelled);
    }
}

impl fmt::Debug for TurnState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnState")
            .field("run", &self.run.id)
            .field("running", &self.running.len())
            .field("asking", &self.asking.len())
            .finish_non_exhaustive()
    }
}
