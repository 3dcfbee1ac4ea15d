//! The beginning and the end of runs: the questions of the agent, and the calls that only the agent answers.

use std::collections::HashSet;

use drawloom_ag_ui::protocol::{EventKind, RunError, RunFinished, RunOutcome};
use drawloom_ag_ui::{CallState, Event, Withdrawn};

use super::{Applied, Stop};
use crate::conversation::Interrupt;
use crate::state::ClientState;
use crate::update::{RunEnd, Update};

impl ClientState {
    /// The client has shown already that the run that it requested began. The agent may begin another one in the stream.
    pub(super) fn run_started(&mut self, event: &Event<'_>) -> Applied {
        let before = self.tools.run_state();
        self.tools.accept(event);
        // The calls of the run before that were open are refused.
        self.start_calls();
        if self.tools.run_state().number == before.number {
            return Ok(());
        }
        if self.run.end.is_none() {
            let message = "another run began before this one ended".to_owned();
            self.end_run(RunEnd::Error { message, code: None });
        }
        if self.runs > self.follow_ups {
            return Err(Stop::TooManyRuns);
        }
        self.runs += 1;
        self.run.begin_another();
        self.conversation.begin_run();
        self.updates.push_back(Update::RunStarted { run_id: self.run.id.clone() });
        Ok(())
    }

    pub(super) fn run_finished(&mut self, event: &Event<'_>, finished: &RunFinished<'_>) -> Applied {
        let mut asked: Vec<Interrupt> = Vec::new();
        let mut is_interrupt = false;
        if let RunOutcome::Interrupt(interrupts) = &finished.outcome {
            self.run.usage.interrupts += interrupts.len();
            self.check_limits()?;
            asked = interrupts.iter().map(|interrupt| interrupt.clone().into_owned()).collect();
            is_interrupt = true;
        }
        if !self.tools.run_state().is_open {
            // It may be the end of another run, which is reported.
            self.tools.accept(event);
            return Ok(());
        }
        for interrupt in &asked {
            self.note_if_torn(interrupt.tool_call_id.as_deref().unwrap_or_default());
        }
        let by_dialect = std::mem::take(&mut self.run.asked_by_dialect);
        if matches!(finished.outcome, RunOutcome::Success { .. }) && !by_dialect.is_empty() {
            asked.clone_from(&by_dialect);
            is_interrupt = true;
        }
        if is_interrupt && !asked.is_empty() {
            self.tools.accept(&self.with_own_calls_bound(event, finished, &asked));
        } else {
            self.tools.accept(event);
        }
        if self.tools.run_state().is_open {
            // The end of another run, which is reported. The current run continues.
            self.run.asked_by_dialect = by_dialect;
            return Ok(());
        }
        self.withdraw();
        self.start_calls();
        let end = match &finished.outcome {
            _ if is_interrupt => RunEnd::Interrupt,
            RunOutcome::Success { .. } => RunEnd::Success,
            RunOutcome::Cancelled => RunEnd::Cancelled,
            _ => RunEnd::Unknown,
        };
        if matches!(end, RunEnd::Success | RunEnd::Interrupt) {
            self.ask_later(asked);
        }
        self.end_run(end);
        Ok(())
    }

    /// Ends a run that waits for answers. The agent's own calls without a result are bound too: while the agent waits,
    /// only the agent can answer them.
    fn with_own_calls_bound<'a>(
        &self,
        event: &Event<'a>,
        finished: &RunFinished<'a>,
        asked: &[Interrupt],
    ) -> Event<'a> {
        // Of a call that only a snapshot shows, nothing is known until the run has ended.
        let waits = |call: &str| {
            matches!(
                self.tools.call_state(call),
                None | Some(CallState::Open | CallState::Torn | CallState::LeftToBackend)
            )
        };
        let own = self.conversation.unanswered_of_request();
        let own = own.filter(|call| !self.run.offers(&call.name) && waits(&call.id)).map(|call| {
            let mut binding = Interrupt::new("", "");
            binding.tool_call_id = Some(call.id.clone());
            binding
        });
        let bindings = asked.iter().cloned().chain(own).collect();
        let mut event = event.clone();
        let mut finished = finished.clone();
        finished.outcome = RunOutcome::Interrupt(bindings);
        event.kind = EventKind::RunFinished(finished);
        event
    }

    /// Withdraws the questions and the answers about calls that an interrupt is bound to.
    fn withdraw(&mut self) {
        let (mut answers, mut questions) = (HashSet::new(), HashSet::new());
        while let Some(withdrawn) = self.tools.next_withdrawn() {
            match withdrawn.what {
                Withdrawn::Question => {
                    questions.insert(withdrawn.message_id);
                }
                _ => {
                    self.run.pending_answers = self.run.pending_answers.saturating_sub(1);
                    answers.insert(withdrawn.message_id);
                }
            }
            self.updates.push_back(Update::Withdrawn { call_id: withdrawn.id });
        }
        self.drop_calls(&questions);
        self.conversation.withdraw(answers);
    }

    /// A run may say that it failed even after it said that it finished.
    pub(super) fn run_failed(&mut self, event: &Event<'_>, error: &RunError<'_>) {
        self.tools.accept(event);
        self.start_calls();
        let message = error.message.to_string();
        let code = error.code.as_ref().map(ToString::to_string);
        let failed = RunEnd::Error { message, code };
        match &self.run.end {
            Some(RunEnd::Error { .. }) => {}
            Some(_) => self.run.end = Some(failed),
            None => self.end_run(failed),
        }
    }

    /// Ends the run, and shows it once.
    pub(crate) fn end_run(&mut self, end: RunEnd) {
        if self.run.end.replace(end.clone()).is_none() {
            self.updates.push_back(Update::RunFinished { run_id: self.run.id.clone(), outcome: end });
        }
    }
}
