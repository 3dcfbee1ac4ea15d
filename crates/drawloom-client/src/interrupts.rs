//! The questions that an agent asks at the end of a run. The user is asked once the response has ended; the answers are
//! sent with the next run.

use std::collections::HashSet;
use std::pin::Pin;
use std::task::{Context, Poll};

use drawloom_ag_ui::CallState;
use drawloom_ag_ui::protocol::Resume;
use drawloom_command::BoxFuture;
use futures_util::Stream;
use futures_util::stream::FuturesUnordered;
use serde_json::json;

use crate::conversation::Interrupt;
use crate::state::ClientState;
use crate::update::Update;

/// The answers to the open interrupts that have arrived so far.
#[derive(Default)]
pub(crate) struct Questions {
    asking: FuturesUnordered<BoxFuture<'static, (usize, Option<Resume>)>>,
    /// In the order of the conversation's interrupts.
    answers: Vec<Option<Resume>>,
    /// The interrupts about calls that still run: the outcome is the answer.
    await_calls: Vec<usize>,
}

impl Questions {
    pub(crate) fn is_asking(&self) -> bool {
        !self.asking.is_empty()
    }

    /// Withdraws the questions that are being asked.
    pub(crate) fn stop_asking(&mut self) {
        self.asking.clear();
    }

    pub(crate) fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, Option<Resume>)>> {
        Pin::new(&mut self.asking).poll_next(cx)
    }

    /// A new run is requested. It carries the answers to the questions so far.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl ClientState {
    /// The run ended with these questions. Questions of earlier runs that it does not repeat are closed, unless this
    /// run was sent before.
    pub(crate) fn ask_later(&mut self, asked: Vec<Interrupt>) {
        // An answer names its interrupt, so there is one for each id, and none for an interrupt without an id.
        let mut ids: HashSet<String> = HashSet::new();
        let mut open = Vec::new();
        let asked = asked.into_iter().filter(|interrupt| !interrupt.id.is_empty());
        if self.tools.run_state().is_repeat {
            open.extend(self.conversation.interrupts().iter().cloned());
            ids.extend(open.iter().map(|interrupt: &Interrupt| interrupt.id.to_string()));
        }
        open.extend(asked.filter(|interrupt| ids.insert(interrupt.id.to_string())));
        self.conversation.set_interrupts(open);
    }

    /// Asks the user the open questions. Until they are answered, they are kept in the conversation.
    pub(crate) fn ask_open(&mut self) {
        self.questions.clear();
        let interrupts = self.conversation.interrupts().to_vec();
        self.questions.answers = interrupts.iter().map(|_| None).collect();
        for (place, interrupt) in interrupts.into_iter().enumerate() {
            let call_id = interrupt.tool_call_id.as_deref().filter(|id| !id.is_empty());
            let state = call_id.and_then(|id| self.tools.call_state(id));
            let ran = call_id.is_some_and(|id| self.tools.outcome(id).is_some());
            if ran || state == Some(CallState::Running) {
                // The user is not asked about a call that has run.
                self.questions.await_calls.push(place);
                continue;
            }
            // If a part of the arguments is missing, the user would approve other arguments than those that run.
            let is_torn = call_id.is_some_and(|id| self.run.is_torn(id));
            let call = call_id.filter(|_| !is_torn).and_then(|id| self.conversation.call(id));
            let origin = self.tools.origin(call_id.unwrap_or(&*interrupt.id));
            let asking = self.prompts.ask(interrupt.clone(), call, origin);
            self.questions.asking.push(Box::pin(async move { (place, asking.await) }));
            self.updates.push_back(Update::Interrupted { interrupt: Box::new(interrupt) });
        }
    }

    /// A question was answered, or has expired.
    pub(crate) fn resumed(&mut self, place: usize, resume: Option<Resume>) {
        if let Some(interrupt) = self.conversation.interrupts().get(place) {
            let interrupt_id = interrupt.id.to_string();
            self.updates.push_back(Update::Resumed { interrupt_id, resume: resume.clone() });
        }
        if let Some(answer) = self.questions.answers.get_mut(place) {
            *answer = resume;
        }
    }

    /// All answers, in the order of the questions. A question about a call that ran is answered with the outcome of the
    /// call.
    pub(crate) fn take_answers(&mut self) -> Vec<Resume> {
        for place in std::mem::take(&mut self.questions.await_calls) {
            let Some(interrupt) = self.conversation.interrupts().get(place) else { continue };
            let outcome = interrupt.tool_call_id.as_deref().and_then(|id| self.tools.outcome(id));
            let resume = match outcome {
                Some(outcome) => Resume::resolved(interrupt, json!(outcome)),
                None => Resume::cancelled(interrupt),
            };
            self.resumed(place, Some(resume));
        }
        std::mem::take(&mut self.questions.answers).into_iter().flatten().collect()
    }
}
