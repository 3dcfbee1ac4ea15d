//! A turn: run after run, until one leaves nothing to answer.
//!
//! Everything that a turn waits for is polled from one place, in this order: the calls that run, the questions to the
//! person, and the run itself. So a torrent of events delays no call, and a call that waits delays no event. Nothing more
//! is read while an update waits to be taken, which bounds what is held.

use std::collections::HashSet;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use drawloom_ag_ui::protocol::{PROTOCOL_VERSION, Resume};
use futures_util::Stream;

use crate::apply::Stop;
use crate::connection::{Canceller, Connection, Polled};
use crate::conversation::ToolCall;
use crate::dialect::langgraph;
use crate::guarded::Guarded;
use crate::run::Run;
use crate::state::ClientState;
use crate::transport::{Transport, TransportError};
use crate::update::{RunEnd, TurnEnd, Update};

/// Takes turns with an agent.
pub(crate) struct TurnDriver {
    pub(crate) state: ClientState,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) connection: Canceller,
    pub(crate) version: Version,
    /// Whether something was said that no run was sent yet.
    pub(crate) is_due: bool,
    /// Where the turn that is going on stands.
    pub(crate) phase: Option<Phase>,
}

/// Where a turn stands.
#[derive(Debug)]
pub(crate) enum Phase {
    /// A run is being started, with these answers to what the agent asked.
    Starting(Vec<Resume>),
    /// Its events arrive.
    Reading,
    /// No more events arrive: what runs and what is asked comes to its end.
    Settling(Option<TurnEnd>),
}

/// Whether the agent is told the version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// It is, and an agent that rejects the first run may do so for that reason.
    Untested,
    /// It is, and the agent accepts it.
    Accepted,
    /// The agent does not accept it.
    Omitted,
}

impl TurnDriver {
    pub(crate) fn poll_update(&mut self, cx: &mut Context<'_>) -> Poll<Option<Update>> {
        loop {
            if self.connection.is_cancelled() && (self.phase.is_some() || self.is_due) {
                self.cancel();
            }
            if let Some(update) = self.state.updates.pop_front() {
                return Poll::Ready(Some(update));
            }
            match &self.phase {
                Some(_) => {
                    if self.step(cx).is_pending() {
                        self.connection.register(cx);
                        if !self.connection.is_cancelled() {
                            return Poll::Pending;
                        }
                    }
                }
                None if mem::take(&mut self.is_due) => self.begin(),
                None => return Poll::Ready(None),
            }
        }
    }

    /// A turn is to begin, or to take up what was said meanwhile.
    pub(crate) fn set_due(&mut self) {
        // What was cancelled is what was going on before.
        if self.phase.is_some() && self.connection.is_cancelled() {
            self.cancel();
        }
        if self.phase.is_none() {
            self.connection.reset();
            // A turn does not begin with the end of the turn before it.
            self.state.updates.retain(|update| !matches!(update, Update::TurnEnded { .. }));
        }
        self.is_due = true;
    }

    /// Continues by one step, or takes note that there is none to take yet.
    fn step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let state = &mut self.state;
        // Most events find nothing that runs and nothing that is asked.
        if !state.calls.is_empty() {
            let answered = Pin::new(&mut state.calls).poll_next(cx);
            state.show_queued();
            if let Poll::Ready(Some((finished, slot))) = answered {
                state.answer(finished, slot);
                return Poll::Ready(());
            }
        }
        if state.questions.is_asking() {
            let answered = state.questions.poll_answer(cx);
            state.show_queued();
            if let Poll::Ready(Some((place, resume))) = answered {
                state.resumed(place, resume);
                return Poll::Ready(());
            }
        }
        if !state.updates.is_empty() {
            return Poll::Ready(());
        }
        match &self.phase {
            Some(Phase::Starting(_) | Phase::Reading) => match ready!(self.connection.poll(cx)) {
                Polled::Started => self.started(),
                Polled::NotStarted(error) => self.not_started(error),
                Polled::Frame(frame) => match self.state.apply_frame(&frame) {
                    Ok(()) => {}
                    Err(Stop::Broken(error)) => self.broken_off(error),
                    Err(Stop::TooManyRuns) => {
                        self.give_up(TurnEnd::TooManyRuns { follow_ups: self.state.follow_ups });
                    }
                },
                Polled::Over(error) => self.stream_over(error),
            },
            Some(Phase::Settling(_)) if !state.calls.is_empty() || state.questions.is_asking() => {
                return Poll::Pending;
            }
            Some(Phase::Settling(_)) => self.settled(),
            None => {}
        }
        Poll::Ready(())
    }

    fn begin(&mut self) {
        self.phase = Some(Phase::Settling(None));
        let state = &mut self.state;
        state.run = Run::default();
        state.runs = 0;
        state.tools.begin_turn();
        self.answer_abandoned();
        self.state.ask_open();
    }

    /// A conversation that is continued may hold calls that nobody answers any more. Whether they ran is not known.
    fn answer_abandoned(&mut self) {
        let state = &mut self.state;
        let offered: HashSet<_> = state.tools.list().into_iter().map(|tool| tool.name).collect();
        let asked = state.conversation.interrupts().iter();
        let bound: HashSet<_> = asked.filter_map(|interrupt| interrupt.tool_call_id.clone()).collect();
        let is_abandoned = |call: &ToolCall| offered.contains(&*call.name) && !bound.contains(&call.id);
        for message in state.conversation.answer_abandoned(is_abandoned) {
            state.updates.push_back(Update::Answered { message });
        }
    }

    fn start(&mut self, resume: Vec<Resume>) {
        let state = &mut self.state;
        let tools = state.tools.list();
        for unreported in state.tools.unreported() {
            state.conversation.answered(unreported.into());
        }
        state.conversation.tidy();
        state.conversation.begin_request();
        state.run = Run::new(&tools, state.conversation.messages().len());
        state.runs += 1;
        state.tools.begin_run(state.conversation.thread_id(), &state.run.id, state.conversation.messages());
        state.questions.clear();
        self.is_due = false;
        let mut input = state.conversation.input(&state.run.id);
        input.tools = tools;
        if self.version != Version::Omitted {
            input.protocol_version = Some(PROTOCOL_VERSION.to_owned());
        }
        langgraph::add_resume_command(&mut input.forwarded_props, state.conversation.interrupts(), &resume);
        input.resume.clone_from(&resume);
        tracing::debug!(thread = %input.thread_id, run = %input.run_id, "run started");
        let transport = &self.transport;
        let starting = Guarded::new("the transport", || transport.start(input));
        self.phase = Some(Phase::Starting(resume));
        self.connection.open(Connection::Starting(starting));
    }

    fn started(&mut self) {
        if self.version == Version::Untested {
            self.version = Version::Accepted;
        }
        let state = &mut self.state;
        // The answers have arrived, so what they answer is not asked any more.
        state.conversation.set_interrupts(Vec::new());
        state.conversation.set_last_run(state.run.id.clone());
        state.updates.push_back(Update::RunStarted { run_id: state.run.id.clone() });
        self.phase = Some(Phase::Reading);
    }

    fn not_started(&mut self, error: TransportError) {
        if self.version == Version::Untested
            && error.rejects_the_input()
            && let Some(Phase::Starting(resume)) = &mut self.phase
        {
            let resume = mem::take(resume);
            tracing::info!(%error, "the agent rejects the input; trying without the protocol's version");
            self.version = Version::Omitted;
            self.state.runs -= 1;
            self.start(resume);
            return;
        }
        self.phase = Some(Phase::Settling(Some(error.into())));
    }

    /// No more events come.
    fn stream_over(&mut self, error: Option<TransportError>) {
        let state = &mut self.state;
        // A connection that breaks after the run has ended has said what it had to.
        let Some(end) = &state.run.end else {
            let error = error.unwrap_or_else(|| {
                TransportError::Broken("the stream of events ended before the run did".to_owned())
            });
            return self.broken_off(error);
        };
        let is_success = matches!(end, RunEnd::Success | RunEnd::Interrupt);
        self.phase = Some(Phase::Settling(None));
        state.tools.end_of_stream();
        state.start_calls();
        state.show_reports();
        if is_success {
            state.ask_open();
        }
    }

    /// The run is over, whatever it says, and so is the turn.
    fn broken_off(&mut self, error: TransportError) {
        if self.state.run.end.is_none() {
            let (message, code) = (error.to_string(), Some(error.code().to_owned()));
            self.state.end_run(RunEnd::Error { message, code });
        }
        self.give_up(error.into());
    }

    /// Nothing more is read, and once everything is answered the turn is over. What was asked stays open, and is asked again
    /// in the next turn.
    fn give_up(&mut self, end: TurnEnd) {
        self.connection.close();
        self.phase = Some(Phase::Settling(Some(end)));
        self.state.questions.stop_asking();
        self.state.tools.end_of_stream();
        self.state.start_calls();
        self.state.show_reports();
    }

    /// Everything has come to its end: what the agent is to be told goes out, or the turn is over.
    fn settled(&mut self) {
        let Some(Phase::Settling(end)) = &mut self.phase else { return };
        if let Some(end) = end.take() {
            return self.end(end);
        }
        let state = &mut self.state;
        let is_first = state.runs == 0;
        let end = match state.run.end.take() {
            Some(RunEnd::Error { message, code }) => TurnEnd::AgentFailed { message, code },
            Some(RunEnd::Cancelled) => TurnEnd::CancelledByAgent,
            Some(RunEnd::Unknown) => TurnEnd::AgentFailed {
                message: "it ended in a way that is not known".to_owned(),
                code: Some("unknown-outcome".to_owned()),
            },
            _ => {
                let resume = state.take_answers();
                let is_complete = state.run.pending_answers == 0 && resume.is_empty() && !self.is_due;
                if !is_first && is_complete {
                    // What nobody could answer in time is not asked again.
                    state.conversation.set_interrupts(Vec::new());
                    TurnEnd::Completed
                } else if state.runs > state.follow_ups {
                    TurnEnd::TooManyRuns { follow_ups: state.follow_ups }
                } else {
                    return self.start(resume);
                }
            }
        };
        self.end(end);
    }

    fn end(&mut self, end: TurnEnd) {
        self.phase = None;
        self.state.conversation.tidy();
        tracing::debug!(thread = %self.state.conversation.thread_id(), %end, "turn over");
        self.state.updates.push_back(Update::TurnEnded { end });
    }

    /// The turn is over because it was cancelled here.
    pub(crate) fn cancel(&mut self) {
        self.is_due = false;
        let Some(phase) = self.phase.take() else { return self.end(TurnEnd::Cancelled) };
        // The connection first, so that the agent starts nothing more; then the questions, then what runs.
        self.connection.close();
        if matches!(phase, Phase::Reading) && self.state.run.end.is_none() {
            self.state.end_run(RunEnd::Cancelled);
        }
        self.state.questions.stop_asking();
        self.state.cancel_calls();
        self.end(TurnEnd::Cancelled);
    }
}
