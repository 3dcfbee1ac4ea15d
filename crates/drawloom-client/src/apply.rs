//! Applies one frame of a run to the ledger of calls and to the conversation, and shows it as updates. Each event is
//! read once, here.

mod runs;

use std::collections::HashSet;

use drawloom_ag_ui::protocol::{CustomEvent, EventKind, MessagesSnapshot, Role, ToolCallResult};
use drawloom_ag_ui::recording::Frame;
use drawloom_ag_ui::{CallState, Event};

use crate::conversation::{Message, OpenedCall, fresh_id};
use crate::dialect::langgraph;
use crate::guarded::catch;
use crate::state::ClientState;
use crate::transport::TransportError;
use crate::update::Update;

/// Why reading a stream stops.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The run went over a limit.
    Broken(TransportError),
    /// The agent began more runs than are allowed.
    TooManyRuns,
}

type Applied = Result<(), Stop>;

/// How an event may begin a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opens {
    /// A start, which may begin the call again while it is open.
    Again,
    /// Only if the call is not open: a chunk or, after a loss, any event.
    Once,
}

impl ClientState {
    pub(crate) fn apply_frame(&mut self, frame: &Frame) -> Applied {
        self.run.usage.events += 1;
        match frame {
            Frame::Event(text) => {
                self.run.usage.bytes = self.run.usage.bytes.saturating_add(text.len());
                // A frame that is over a limit is not read any further.
                self.check_limits()?;
                self.show_to_tap(frame);
                match Event::parse(text) {
                    Ok(event) => self.apply(&event, text)?,
                    Err(error) => self.tools.frame_lost(error.to_string()),
                }
            }
            lost => {
                self.show_to_tap(frame);
                self.tools.frame_lost(match lost {
                    Frame::TooLong(limit) => format!("the frame is longer than {limit} bytes"),
                    Frame::Lost { line, problem } => format!("line {line} {problem}"),
                    _ => "the frame is of an unknown kind".to_owned(),
                });
            }
        }
        self.show_reports();
        self.run.note_messages(self.conversation.messages().len());
        self.check_limits()
    }

    fn show_to_tap(&mut self, frame: &Frame) {
        if let Some(tap) = &mut self.tap
            && catch("the tap", || tap(frame)).is_none()
        {
            self.tap = None;
        }
    }

    fn check_limits(&self) -> Applied {
        self.limits.check(&self.run.usage).map_err(|exceeded| {
            tracing::warn!(run = %self.run.id, %exceeded, "the run went over a limit and is stopped");
            Stop::Broken(TransportError::LimitExceeded(exceeded.to_string()))
        })
    }

    /// Each loss is shown once.
    pub(crate) fn show_reports(&mut self) {
        while let Some(report) = self.tools.next_report() {
            let frame = self.run.usage.events as u64;
            self.updates.push_back(Update::Problem {
                frame,
                code: report.code(),
                problem: report.to_string(),
            });
        }
    }

    /// Counts what an event adds to the memory in use.
    fn keep(&mut self, bytes: usize) -> Applied {
        let usage = &mut self.run.usage;
        usage.kept_bytes = usage.kept_bytes.saturating_add(bytes);
        self.check_limits()
    }

    fn apply(&mut self, event: &Event<'_>, text: &str) -> Applied {
        let subagent = event.subagent_run_id.as_deref();
        match &event.kind {
            EventKind::ToolCallArgs(args) => {
                self.keep(text.len())?;
                let is_open = self.is_open(&args.id);
                self.tools.accept(event);
                if is_open {
                    self.call_arguments(&args.id, &args.delta);
                }
                return Ok(());
            }
            EventKind::ToolCallStart(start) => {
                self.keep(text.len())?;
                let tool = start.name.as_deref().unwrap_or_default();
                let parent = start.parent_message_id.as_deref().filter(|id| !id.is_empty());
                let opened = OpenedCall { id: &start.id, tool, parent, subagent };
                self.call_event(event, opened, Opens::Again);
            }
            EventKind::ToolCallEnd(end) => {
                self.note_if_torn(&end.id);
                let opened = OpenedCall { id: &end.id, subagent, ..OpenedCall::default() };
                self.call_event(event, opened, Opens::Once);
            }
            EventKind::ToolCallChunk(chunk) => {
                self.keep(text.len())?;
                let named = chunk.id.as_deref();
                let continued = || self.tools.continued_call(subagent).map(|id| id.as_str().to_owned());
                let Some(id) = named.map(ToOwned::to_owned).or_else(continued) else {
                    self.tools.accept(event);
                    return Ok(());
                };
                if named.is_some() {
                    self.note_lane_if_torn(subagent, named);
                }
                let was_open = self.is_open(&id);
                let tool = chunk.name.as_deref().unwrap_or_default();
                let parent = chunk.parent_message_id.as_deref().filter(|id| !id.is_empty());
                let is_opened =
                    self.call_event(event, OpenedCall { id: &id, tool, parent, subagent }, Opens::Once);
                if was_open || is_opened {
                    self.call_arguments(&id, chunk.delta.as_deref().unwrap_or_default());
                }
            }
            EventKind::ToolCallResult(result) => {
                self.keep(text.len())?;
                self.result(event, result);
            }
            EventKind::MessagesSnapshot(snapshot) => self.snapshot(event, snapshot, text.len())?,
            EventKind::RunStarted(_) => self.run_started(event)?,
            EventKind::RunFinished(finished) => {
                self.keep(text.len())?;
                self.run_finished(event, finished)?;
            }
            EventKind::RunError(error) => {
                self.keep(text.len())?;
                self.run_failed(event, error);
            }
            EventKind::TextMessageStart(start) => {
                self.text(event, Some(&start.message_id), start.role.as_ref(), "", text.len())?;
            }
            EventKind::TextMessageContent(content) => {
                self.text(event, Some(&content.message_id), None, &content.delta, text.len())?;
            }
            EventKind::TextMessageChunk(chunk) => {
                let delta = chunk.delta.as_deref().unwrap_or_default();
                self.text(event, chunk.message_id.as_deref(), chunk.role.as_ref(), delta, text.len())?;
            }
            EventKind::TextMessageEnd(_) => {}
            EventKind::Custom(custom) if custom.name == langgraph::ON_INTERRUPT => {
                self.asked_by_dialect(event, custom, text.len())?;
            }
            kind => {
                let name = kind.type_name().to_owned();
                if let EventKind::Damaged(damage) = kind {
                    let id = damage.call_id.as_deref().unwrap_or_default();
                    let tool = damage.name.as_deref().unwrap_or_default();
                    self.call_event(event, OpenedCall { id, tool, parent: None, subagent }, Opens::Once);
                } else {
                    if let EventKind::SubagentFinished(_) = kind {
                        self.note_lane_if_torn(subagent, None);
                    }
                    self.tools.accept(event);
                }
                self.updates.push_back(Update::Other { kind: name, event: text.to_owned() });
            }
        }
        self.start_calls();
        Ok(())
    }

    fn is_open(&self, call: &str) -> bool {
        matches!(self.tools.call_state(call), Some(CallState::Open | CallState::Torn))
    }

    /// Marks a call that is about to be closed as incomplete.
    fn note_if_torn(&mut self, call: &str) {
        if self.tools.call_state(call) == Some(CallState::Torn) {
            self.run.note_torn(call);
        }
    }

    /// The same for the call of a lane that a chunk for another call closes.
    fn note_lane_if_torn(&mut self, subagent: Option<&str>, named: Option<&str>) {
        let call = self.tools.continued_call(subagent).map(|id| id.as_str());
        if let Some(call) = call.filter(|call| Some(*call) != named)
            && self.tools.call_state(call) == Some(CallState::Torn)
        {
            let call = call.to_owned();
            self.run.note_torn(&call);
        }
    }

    /// Applies an event about a call. Returns whether the call begins with it, which the ledger decides.
    fn call_event(&mut self, event: &Event<'_>, opened: OpenedCall<'_>, opens: Opens) -> bool {
        let before = self.tools.call_state(opened.id);
        self.tools.accept(event);
        let was_open = matches!(before, Some(CallState::Open | CallState::Torn));
        let after = self.tools.call_state(opened.id);
        let is_open = matches!(after, Some(CallState::Open | CallState::Torn));
        let is_opened = match opens {
            Opens::Again => is_open || after != before,
            Opens::Once => !was_open && after != before,
        };
        if is_opened && !opened.id.is_empty() {
            self.run.note_opened(opened.id);
            if !(was_open && self.conversation.call_restarted(opened)) {
                self.conversation.call_opened(opened);
            }
            self.announce(opened.id, opened.tool);
        }
        is_opened
    }

    fn call_arguments(&mut self, id: &str, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if let Some(call_id) = self.conversation.call_arguments(id, delta) {
            self.updates.push_back(Update::CallArguments { call_id, delta: delta.to_owned() });
        }
    }

    fn result(&mut self, event: &Event<'_>, result: &ToolCallResult<'_>) {
        let before = self.tools.call_state(&result.id);
        self.tools.accept(event);
        // An interrupt may be bound to a call that is not in the conversation, or has an answer by now.
        let call = &*result.id;
        let is_waiting =
            self.conversation.call(call).is_some() && self.conversation.answer_to(call).is_none();
        let is_answered = is_waiting
            && before != Some(CallState::AnsweredByBackend)
            && self.tools.call_state(&result.id) == Some(CallState::AnsweredByBackend);
        if !is_answered {
            return;
        }
        let id =
            if result.message_id.is_empty() { fresh_id("result") } else { result.message_id.to_string() };
        let mut message = Message::new(id, Role::Tool);
        message.content = Some(result.content.clone().into_owned());
        message.tool_call_id = Some(result.id.to_string().into());
        message.error = result.error.as_ref().map(|error| error.to_string().into());
        self.conversation.answered(message.clone());
        self.updates.push_back(Update::AnsweredByBackend { message: Box::new(message) });
    }

    fn snapshot(&mut self, event: &Event<'_>, snapshot: &MessagesSnapshot<'_>, bytes: usize) -> Applied {
        let told = &snapshot.messages;
        let items = told.iter().map(|message| 1 + message.tool_calls.len()).sum::<usize>();
        let read = self.conversation.size().saturating_add(items).saturating_add(1);
        let usage = &mut self.run.usage;
        usage.snapshot_messages = usage.snapshot_messages.saturating_add(read);
        // It replaces the previous value, so only its own size counts.
        usage.kept_bytes = usage.kept_bytes.max(bytes);
        self.check_limits()?;
        let answers = told.iter().filter(|message| {
            message.answered_call().is_some_and(|call| {
                let state = self.tools.call_state(call);
                self.conversation.call(call).is_some()
                    && state.is_some_and(|state| state != CallState::AnsweredByBackend)
            })
        });
        let answers: Vec<_> = answers.collect();
        self.tools.accept(event);
        // Of several answers under one id, the last one answers the last call.
        let mut ids = HashSet::new();
        let mut answered: Vec<_> = answers
            .into_iter()
            .rev()
            .filter(|message| {
                message.answered_call().is_some_and(|call| {
                    self.tools.call_state(call) == Some(CallState::AnsweredByBackend) && ids.insert(call)
                })
            })
            .collect();
        answered.reverse();
        for message in answered {
            let message = Box::new(message.clone().into_owned());
            self.updates.push_back(Update::AnsweredByBackend { message });
        }
        let is_ours = |call: &&str| {
            use CallState::{Answered, Asked, Cancelled, Closed, Running};
            matches!(self.tools.call_state(call), Some(Closed | Asked | Running | Answered | Cancelled))
        };
        let ours = told.iter().filter_map(|message| message.answered_call()).filter(is_ours).collect();
        self.conversation.replaced(told, &ours);
        self.updates.push_back(Update::Snapshot);
        Ok(())
    }

    fn text(
        &mut self,
        event: &Event<'_>,
        named: Option<&str>,
        role: Option<&Role<'_>>,
        delta: &str,
        bytes: usize,
    ) -> Applied {
        self.keep(bytes)?;
        self.tools.accept(event);
        let subagent = event.subagent_run_id.as_deref();
        let id = self.run.text_message(named.filter(|id| !id.is_empty()), subagent);
        let role = match self.conversation.message(&id) {
            Some(message) => message.role.clone(),
            None => role.cloned().map_or(Role::Assistant, Role::into_owned),
        };
        if self.conversation.text(&id, &role, delta, subagent) {
            let role = role.to_string();
            let subagent_run_id = subagent.map(ToOwned::to_owned);
            let delta = delta.to_owned();
            self.updates.push_back(Update::Text { message_id: id, role, subagent_run_id, delta });
        }
        Ok(())
    }

    fn asked_by_dialect(&mut self, event: &Event<'_>, custom: &CustomEvent<'_>, bytes: usize) -> Applied {
        self.run.usage.interrupts += 1;
        self.keep(bytes)?;
        let place = self.run.asked_by_dialect.len() + 1;
        let fallback = format!("{}-interrupt-{place}", self.run.id);
        let interrupt = langgraph::interrupt(custom, event.raw_event.as_ref(), fallback);
        self.run.asked_by_dialect.push(interrupt);
        Ok(())
    }
}
