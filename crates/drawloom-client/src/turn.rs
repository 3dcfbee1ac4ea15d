//! A turn: one run after another, until a run leaves nothing to answer.
//!
//! Everything that a turn waits for is polled in one place, in this order: the running calls, the questions to the
//! user, and the run itself. So many events do not delay a call, and a waiting call does not delay an event. No event
//! is read while an update waits to be taken, which limits the memory in use.

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
use crate::guarded::guarded_transport;
use crate::run::Run;
use crate::state::ClientState;
use crate::transport::{Transport, TransportError};
use crate::update::{RunEnd, TurnEnd, Update};

/// Runs the turns of a conversation with an agent.
pub(crate) struct TurnDriver {
    pub(crate) state: ClientState,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) connection: Canceller,
    pub(crate) version: Version,
    /// Whether there are messages that no run was sent yet.
    pub(crate) is_due: bool,
    /// The state of the current turn.
    pub(crate) phase: Option<Phase>,
}

/// The state of a turn.
#[derive(Debug)]
pub(crate) enum Phase {
    /// A run is being started, with these answers to the agent's questions.
    Starting(Vec<Resume>),
    /// Its events arrive.
    Reading,
    /// No more events arrive. The turn waits for the running calls and the open questions.
    Settling(Option<TurnEnd>),
}

/// Whether the version of the protocol is sent to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// It is sent. If the agent rejects the first run, this may be the reason.
    Untested,
    /// It is sent, and the agent accepts it.
    Accepted,
    /// It is not sent, because the agent does not accept it.
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

    /// Begins a turn, or has the current turn send the messages that were added meanwhile.
    pub(crate) fn set_due(&mut self) {
        // A cancellation concerns only what ran before.
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

    /// Continues by one step, if one is possible now.
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

    /// A loaded conversation may contain calls that will get no other answer. It is not known whether they ran.
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
        let id = state.next_run_id();
        state.run = Run::new(id, &tools, state.conversation.messages().len());
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
        let starting = guarded_transport(|| transport.start(input));
        self.phase = Some(Phase::Starting(resume));
        self.connection.open(Connection::Starting(starting));
    }

    fn started(&mut self) {
        if self.version == Version::Untested {
            self.version = Version::Accepted;
        }
        let state = &mut self.state;
        // The answers have arrived, so their questions are closed.
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

    /// No more events arrive.
    fn stream_over(&mut self, error: Option<TransportError>) {
        let state = &mut self.state;
        // If the connection breaks after the end of the run, nothing is missing.
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

    /// Ends the run and the turn, whatever the agent still sends.
    fn broken_off(&mut self, error: TransportError) {
        if self.state.run.end.is_none() {
            let (message, code) = (error.to_string(), Some(error.code().to_owned()));
            self.state.end_run(RunEnd::Error { message, code });
        }
        self.give_up(error.into());
    }

    /// No more events are read, and the turn ends once every call is answered. Questions of the agent stay open and are
    /// asked again in the next turn.
    fn give_up(&mut self, end: TurnEnd) {
        self.connection.close();
        self.phase = Some(Phase::Settling(Some(end)));
        self.state.questions.stop_asking();
        self.state.tools.end_of_stream();
        self.state.start_calls();
        self.state.show_reports();
    }

    /// Nothing runs or waits any more: the answers are sent with a follow-up run, or the turn ends.
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
                message: "the run ended with an unknown outcome".to_owned(),
                code: Some("unknown-outcome".to_owned()),
            },
            _ => {
                let resume = state.take_answers();
                let is_complete = state.run.pending_answers == 0 && resume.is_empty() && !self.is_due;
                if !is_first && is_complete {
                    // A question that expired is not asked again.
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

    /// Ends the turn because this client cancelled it.
    pub(crate) fn cancel(&mut self) {
        self.is_due = false;
        let Some(phase) = self.phase.take() else { return self.end(TurnEnd::Cancelled) };
        // The connection is closed first, so that the agent starts nothing more; then the questions, then the running
        // calls.
        self.connection.close();
        if matches!(phase, Phase::Reading) && self.state.run.end.is_none() {
            self.state.end_run(RunEnd::Cancelled);
        }
        self.state.questions.stop_asking();
        self.state.cancel_calls();
        self.end(TurnEnd::Cancelled);
    }
}
