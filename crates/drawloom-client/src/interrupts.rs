//! What an agent asks at the end of a run: put to the person, answered with the next run.

use std::collections::HashSet;
use std::mem;

use crate::client::Client;
use crate::conversation::borrowed;
use crate::update::Update;
use crate::wire::{Interrupt, Resume};
use drawloom_ag_ui::{Event, RunOutcome, RunningCall, ToolCallId};

impl Client {
    /// Puts what the agent asks to the person. Until there are answers, it is the conversation's.
    pub(crate) fn ask(&mut self, interrupts: Vec<Interrupt>) {
        let Some(turn) = &mut self.turn else { return };
        // What another run in the same stream asked before is asked no more: this is what the agent waits for now.
        turn.asking.clear();
        turn.bound.extend(interrupts.iter().filter_map(|interrupt| interrupt.tool_call_id.clone()));
        turn.answers = interrupts.iter().map(|_| None).collect();
        for (place, interrupt) in interrupts.iter().enumerate() {
            let call = interrupt.tool_call_id.as_ref();
            let call = call.and_then(|id| self.conversation.call(id.as_str()));
            // Arguments with a piece missing would not be the ones that are approved.
            let call = call.filter(|call| !turn.run.is_torn(&call.id));
            let asking = self.prompts.ask(interrupt.clone(), call);
            turn.asking.push(Box::pin(async move { (place, asking.await) }));
            self.updates.push_back(Update::Interrupted { interrupt: interrupt.clone() });
        }
        self.conversation.set_interrupts(interrupts);
    }

    pub(crate) fn resumed(&mut self, place: usize, resume: Option<Resume>) {
        let Some(turn) = &mut self.turn else { return };
        if let Some(interrupt) = self.conversation.interrupts().get(place) {
            let interrupt_id = interrupt.id.clone();
            self.updates.push_back(Update::Resumed { interrupt_id, resume: resume.clone() });
        }
        if let Some(answer) = turn.answers.get_mut(place) {
            *answer = resume;
        }
    }

    /// Takes calls back that the end of the run binds to an interrupt: out of the adapter, and out of what waits for a
    /// person. What runs already cannot be taken back.
    pub(crate) fn leave_to_interrupts(&mut self, asked_about: HashSet<ToolCallId>) {
        let Some(turn) = &mut self.turn else { return };
        // While the agent waits for an answer, calls of its own are its own to answer.
        let mut bound: HashSet<_> = turn.run.undone_calls().into_iter().collect();
        bound.retain(|id| {
            let call = self.conversation.call(id.as_str());
            !call.is_some_and(|call| turn.run.offers(&call.function.name))
        });
        bound.extend(asked_about);
        let outcome = RunOutcome::Interrupted(bound.iter().map(borrowed).collect());
        let first = self.tools.accept(&Event::RunFinished { outcome });
        for call in mem::take(&mut turn.running) {
            let is_taken_back = |call: &RunningCall| bound.contains(call.id()) && !call.has_reached_seam();
            if call.call().is_some_and(is_taken_back) {
                drop(call);
            } else {
                turn.running.push(call);
            }
        }
        for id in &bound {
            turn.run.answer(id);
        }
        turn.bound.extend(bound);
        if let Some(ready) = first {
            self.run_call(ready);
        }
    }
}
