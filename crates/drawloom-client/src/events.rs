//! What one event of a run does: to the conversation, to the calls, and to what the product sees.

use std::borrow::Cow;
use std::collections::HashSet;

use drawloom_ag_ui::{Event, ReadyCall, RunOutcome, ToolCallId, ToolMessage};

use crate::client::Client;
use crate::conversation::fresh;
use crate::dialect::langgraph;
use crate::frames::torn;
use crate::guarded::catch;
use crate::guarded_call::GuardedCall;
use crate::told::Told;
use crate::update::{RunEnd, TurnEnd, Update};
use crate::wire::{Interrupt, Message};

impl Client {
    pub(crate) fn event(&mut self, event: &Event<'_>, text: &str) {
        let (kind, told) = match Told::read(text) {
            Ok(read) => read,
            // What the adapter would make of it, the conversation could not follow.
            Err(error) => return self.unreadable(error.to_string()),
        };
        if let Some(tap) = &mut self.tap
            && catch("the tap", || tap(&on_one_line(text))).is_none()
        {
            self.tap = None;
        }
        if !self.may_keep(event, &told, text.len()) {
            return;
        }
        match (event, told) {
            (Event::RunStarted { .. }, _) => self.run_started(event),
            (Event::RunFinished { outcome }, Told::Interrupts(asked)) => {
                self.run_finished(event, outcome, asked)
            }
            (Event::RunFinished { outcome }, _) => self.run_finished(event, outcome, Vec::new()),
            (Event::RunError, told) => {
                let (message, code) = match told {
                    Told::Error { message, code } => (message, code),
                    _ => (String::new(), None),
                };
                self.run_failed(event, message, code);
            }
            (Event::MessagesSnapshot { .. }, told) => self.snapshot(event, told),
            (Event::ToolCallResult { id }, told) => self.backend_answered(event, id, told),
            (Event::ToolCallStart { id, name }, told) => {
                self.call_opened(id, name, told);
                self.accept(event);
            }
            (Event::ToolCallArgs { id, delta }, _) => {
                self.call_arguments(&ToolCallId::from(&**id), delta);
                self.accept(event);
            }
            (Event::ToolCallEnd { id }, _) => {
                self.accept(event);
                self.call_closed(&ToolCallId::from(&**id));
            }
            (Event::ToolCallChunk { id, name, delta }, told) => {
                self.chunk(id.as_deref(), name.as_deref(), delta.as_deref(), told);
                self.accept(event);
            }
            (_, Told::Text { id, role, delta }) => self.text(id, role, delta),
            (_, Told::LangGraph { id, value }) => {
                if let Some(turn) = &mut self.turn {
                    let place = turn.run.asked_by_lang_graph.len() + 1;
                    let id = id.unwrap_or_else(|| format!("{}-interrupt-{place}", turn.run.id));
                    turn.run.asked_by_lang_graph.push(langgraph::interrupt(value, id));
                }
            }
            _ if kind == "TEXT_MESSAGE_END" => {}
            _ => self.updates.push_back(Update::Other { kind, event: text.to_owned() }),
        }
    }

    /// The client has said already that a run began. A second run in the same stream begins where one is over.
    fn run_started(&mut self, event: &Event<'_>) {
        let Some(turn) = &mut self.turn else { return };
        match &turn.run.end {
            None => return,
            // Nothing may follow what failed. What it asked stays open, and would be lost to a run that goes on.
            Some(RunEnd::Error { message, code }) => {
                let (message, code) = (message.clone(), code.clone());
                return self.give_up(TurnEnd::AgentFailed { message, code });
            }
            Some(_) => {}
        }
        if turn.runs > self.follow_ups {
            return self.give_up(TurnEnd::TooManyRuns { follow_ups: self.follow_ups });
        }
        turn.runs += 1;
        // What was opened after the run before had ended is of no run, and is refused.
        self.accept(event);
        self.run_what_is_left();
        let Some(turn) = &mut self.turn else { return };
        turn.run.end = None;
        turn.run.begin_again();
        self.updates.push_back(Update::RunStarted { run_id: turn.run.id.clone() });
    }

    fn accept(&mut self, event: &Event<'_>) {
        if let Some(ready) = self.tools.accept(event) {
            self.run_call(ready);
        }
    }

    /// A call has come, and is run, or refused where it may not.
    pub(crate) fn run_call(&mut self, ready: ReadyCall) {
        let Some(turn) = &mut self.turn else { return };
        turn.run.close(ready.id());
        if turn.run.is_torn(ready.id()) {
            return self.answered(torn(ready.id().clone()));
        }
        // Made again before it was answered, a call is the same one, and gets one answer.
        if !turn.run.is_done(ready.id()) && !turn.run.is_earlier(ready.id()) {
            turn.running.push(GuardedCall::new(ready.start()));
        }
    }

    fn text(&mut self, id: Option<String>, role: Option<String>, delta: String) {
        let Some(turn) = &mut self.turn else { return };
        let id = id.or_else(|| turn.run.text.clone()).unwrap_or_else(|| format!("{}-text", turn.run.id));
        let role = match self.conversation.message(&id) {
            Some(message) => message.role.clone(),
            None => role.unwrap_or_else(|| "assistant".to_owned()),
        };
        if !self.conversation.text(&id, &role, &delta) {
            return;
        }
        turn.run.text = Some(id.clone());
        self.updates.push_back(Update::Text { message_id: id, role, delta });
    }

    fn call_opened(&mut self, id: &str, tool: &str, told: Told) {
        let Some(turn) = &mut self.turn else { return };
        let call_id = ToolCallId::from(id);
        if !turn.run.open(&call_id) {
            return;
        }
        let parent = match &told {
            Told::CallParent(parent) => parent.as_deref(),
            _ => None,
        };
        let run = &turn.run;
        self.conversation.call_opened(&call_id, tool, parent, |call| run.knows(call));
        let offered = turn.run.offers(tool);
        self.updates.push_back(Update::CallOpened { call_id, tool: tool.to_owned(), offered });
    }

    fn call_arguments(&mut self, call_id: &ToolCallId, delta: &str) {
        let Some(turn) = &mut self.turn else { return };
        if delta.is_empty() || !turn.run.is_open(call_id) {
            return;
        }
        self.conversation.call_arguments(call_id, delta);
        self.updates.push_back(Update::CallArguments { call_id: call_id.clone(), delta: delta.to_owned() });
    }

    fn call_closed(&mut self, call: &ToolCallId) {
        if let Some(turn) = &mut self.turn {
            turn.run.close(call);
        }
    }

    /// A chunk that names another call closes the one before; one that names none goes on with it.
    fn chunk(&mut self, id: Option<&str>, name: Option<&str>, delta: Option<&str>, told: Told) {
        let Some(turn) = &mut self.turn else { return };
        let named = id.map(ToolCallId::from);
        if named.is_some() && named != turn.run.chunk {
            let before = std::mem::replace(&mut turn.run.chunk, named);
            if let Some(before) = before
                && std::mem::take(&mut turn.run.is_chunk_open)
            {
                turn.run.close(&before);
            }
        }
        let Some(call) = turn.run.chunk.clone() else { return };
        if let Some(name) = name
            && id.is_some()
            && !turn.run.knows(&call)
        {
            turn.run.is_chunk_open = true;
            self.call_opened(call.as_str(), name, told);
        }
        self.call_arguments(&call, delta.unwrap_or_default());
    }

    fn backend_answered(&mut self, event: &Event<'_>, id: &str, told: Told) {
        self.accept(event);
        let Some(turn) = &mut self.turn else { return };
        let call = ToolCallId::from(id);
        // What has its answer, from this run or one before, gets no other.
        let waits = self.conversation.call(id).is_some() && self.conversation.answer_to(id).is_none();
        if !waits || !turn.run.answer(&call) {
            return;
        }
        let Told::Result { message_id, content, error } = told else { return };
        let mut message = Message::new(message_id.unwrap_or_else(|| fresh("result")), "tool");
        message.content = Some(content);
        message.tool_call_id = Some(call);
        message.error = error;
        self.conversation.answered(message.clone());
        self.updates.push_back(Update::AnsweredByBackend { message });
    }

    fn snapshot(&mut self, event: &Event<'_>, told: Told) {
        self.accept(event);
        let (Some(turn), Told::Snapshot(messages)) = (&mut self.turn, told) else { return };
        let run = &mut turn.run;
        for message in &messages {
            if let Some(call) = message.answers()
                && run.holds(call)
                && run.answer(call)
            {
                self.updates.push_back(Update::AnsweredByBackend { message: message.clone() });
            }
        }
        self.conversation.replaced(messages, |call| run.holds(call));
        run.has_snapshot = true;
        self.updates.push_back(Update::Snapshot);
    }

    fn run_finished(&mut self, event: &Event<'_>, outcome: &RunOutcome<'_>, mut asked: Vec<Interrupt>) {
        let Some(turn) = &mut self.turn else { return };
        // A run ends once. Agents that failed say that they finished all the same.
        if turn.run.end.is_some() {
            return;
        }
        let by_lang_graph = std::mem::take(&mut turn.run.asked_by_lang_graph);
        if asked.is_empty() && matches!(outcome, RunOutcome::Success) {
            asked = by_lang_graph;
        }
        let mut bound: HashSet<_> = asked.iter().filter_map(|asked| asked.tool_call_id.clone()).collect();
        // What cannot be answered, for want of an id, binds its call all the same.
        if let RunOutcome::Interrupted(calls) = outcome {
            bound.extend(calls.iter().map(|call| ToolCallId::from(&**call)));
        }
        // An answer goes by the question's id, so under one id there is one question.
        let mut ids = HashSet::new();
        asked.retain(|interrupt| ids.insert(interrupt.id.clone()));
        if !asked.is_empty() || matches!(outcome, RunOutcome::Interrupted(_)) {
            self.leave_to_interrupts(bound);
            self.run_over(RunEnd::Interrupt, None);
            self.ask(asked);
            return;
        }
        let first = self.tools.accept(event);
        let end = match outcome {
            RunOutcome::Success => RunEnd::Success,
            RunOutcome::Cancelled => RunEnd::Cancelled,
            _ => RunEnd::Unknown,
        };
        self.run_over(end, first);
    }

    /// That it failed, a run may say even after it said that it finished. What it asked stays open until the next turn.
    fn run_failed(&mut self, event: &Event<'_>, message: String, code: Option<String>) {
        let Some(turn) = &mut self.turn else { return };
        if matches!(turn.run.end, Some(RunEnd::Error { .. })) {
            return;
        }
        turn.asking.clear();
        let first = self.tools.accept(event);
        self.run_over(RunEnd::Error { message, code }, first);
    }

    fn run_over(&mut self, end: RunEnd, first: Option<ReadyCall>) {
        if let Some(ready) = first {
            self.run_call(ready);
        }
        self.run_what_is_left();
        if matches!(end, RunEnd::Success | RunEnd::Interrupt) {
            self.run_what_only_the_snapshot_shows();
        }
        let Some(turn) = &mut self.turn else { return };
        // A run that fails after its end is over already, and the turn's ending tells why.
        if turn.run.end.replace(end.clone()).is_none() {
            self.updates.push_back(Update::RunFinished { run_id: turn.run.id.clone(), outcome: end });
        }
    }

    /// Calls that no event told of, but a snapshot: they are taken as if they had been streamed.
    fn run_what_only_the_snapshot_shows(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        if !std::mem::take(&mut turn.run.has_snapshot) {
            return;
        }
        let shown = self.conversation.unanswered();
        let shown = shown.filter(|call| {
            let is_known = turn.run.holds(&call.id) || turn.bound.contains(&call.id);
            turn.run.offers(&call.function.name) && !is_known
        });
        for call in shown.cloned().collect::<Vec<_>>() {
            let Some(turn) = &mut self.turn else { return };
            let (id, name) = (&call.id, &call.function.name);
            if !turn.run.open(id) {
                continue;
            }
            let (call_id, tool) = (id.clone(), name.clone());
            self.updates.push_back(Update::CallOpened { call_id, tool, offered: true });
            let arguments = call.function.arguments.as_str();
            for event in [
                Event::ToolCallStart { id: id.as_str().into(), name: name.as_str().into() },
                Event::ToolCallArgs { id: id.as_str().into(), delta: arguments.into() },
                Event::ToolCallEnd { id: id.as_str().into() },
            ] {
                self.accept(&event);
            }
        }
        // Where a tool is no longer offered, nobody else answers the call any more.
        self.run_what_is_left();
    }

    pub(crate) fn answered(&mut self, message: ToolMessage) {
        let Some(turn) = &mut self.turn else { return };
        // The backend may have answered meanwhile, in this run or one before, and the agent gets one answer.
        let id = &message.tool_call_id;
        if turn.run.answer(id) && self.conversation.answer_to(id.as_str()).is_none() {
            turn.run.has_answers = true;
            self.conversation.answered(message.clone().into());
            self.updates.push_back(Update::Answered { message });
        }
    }
}

/// An event that came in several lines, in one: a line's end stands for white space there, and within no text.
fn on_one_line(event: &str) -> Cow<'_, str> {
    let ends_line = |at: char| matches!(at, '\n' | '\r');
    if event.contains(ends_line) { event.replace(ends_line, " ").into() } else { event.into() }
}
