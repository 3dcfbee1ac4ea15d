//! The turns of a conversation: a message of the person, the runs that follow, and what became of them.

use std::collections::HashSet;
use std::convert::Infallible;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use drawloom::ag_ui::plain_command_id;
use drawloom::ag_ui::recording::RecordedNote;
use drawloom::client::{Client, TurnEnd, Update};
use drawloom_replay::TranscriptLine;

use super::answers::Answers;
use super::ctrl_c::{self, CtrlC};
use super::playback::Playback;
use super::recorder::EventRecorder;
use super::script::Turn;
use super::thread;
use crate::error::CliError;
use crate::terminal::{ConversationOutput, TerminalSettings, call_line, sanitize};

/// Whether a conversation that was completed may still be a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    Usual,
    Strict,
}

/// Runs the turns of one conversation.
pub(super) struct Turns<O> {
    pub(super) client: Client,
    pub(super) output: Arc<O>,
    answers: Answers<O>,
    ctrl_c: CtrlC,
    recorder: Option<Arc<EventRecorder>>,
    playback: Option<Playback>,
    thread: Option<PathBuf>,
    /// Whether the transcript has the messages of the person: in a conversation of several turns.
    shows_prompts: bool,
    ending: TurnEnd,
    /// Calls whose answer is an error, and texts of the agent.
    failed_calls: u64,
    running: HashSet<String>,
    said_something: bool,
    error: Option<CliError>,
}

impl<O: ConversationOutput + 'static> Turns<O> {
    pub(super) fn new(
        client: Client,
        output: Arc<O>,
        answers: Answers<O>,
        ctrl_c: CtrlC,
        settings: TerminalSettings,
        recorder: Option<Arc<EventRecorder>>,
    ) -> Result<Self, CliError> {
        let records = recorder.clone();
        let before = move || {
            if let Some(recorder) = &records {
                recorder.note(&RecordedNote::Cancelled);
            }
        };
        ctrl_c::watch(ctrl_c.clone(), client.canceller(), settings.clone(), before)
            .map_err(CliError::Start)?;
        ctrl_c::restore_before_the_end(settings).map_err(CliError::Start)?;
        Ok(Self {
            client,
            output,
            answers,
            ctrl_c,
            recorder,
            playback: None,
            thread: None,
            shows_prompts: false,
            ending: TurnEnd::Completed,
            failed_calls: 0,
            running: HashSet::new(),
            said_something: false,
            error: None,
        })
    }

    pub(super) fn set_playback(&mut self, playback: Playback) {
        self.playback = Some(playback);
    }

    pub(super) fn set_thread(&mut self, thread: Option<PathBuf>) {
        self.thread = thread;
    }

    pub(super) fn show_prompts(&mut self) {
        self.shows_prompts = true;
    }

    /// Whether no further turn should follow without the person.
    pub(super) fn is_over(&self) -> bool {
        self.ending != TurnEnd::Completed || self.error.is_some() || self.output.is_broken()
    }

    /// Sends a message, and runs the turn to its end.
    pub(super) async fn turn(&mut self, turn: Turn) {
        self.answers.begin_turn(turn.answers);
        self.note(&RecordedNote::Prompt(turn.prompt.clone()));
        if self.shows_prompts {
            self.output.write(&TranscriptLine::Prompt(turn.prompt.clone()));
        }
        self.client.send_text(turn.prompt);
        self.run().await;
    }

    /// Runs a turn to its end.
    pub(super) async fn run(&mut self) {
        self.ctrl_c.reset();
        self.ending = TurnEnd::Completed;
        let canceller = self.client.canceller();
        loop {
            let update = tokio::select! {
                biased;
                update = self.client.next() => update,
                // Polled only if the client has no update ready.
                () = cancelled(self.playback.as_ref()) => {
                    canceller.cancel();
                    continue;
                }
                never = show_waiting(&*self.output) => match never {},
            };
            let Some(update) = update else { break };
            self.look_at(&update);
            self.output.update(&update, &self.client);
            if self.output.is_broken() {
                self.note(&RecordedNote::Cancelled);
                canceller.cancel();
            }
        }
        if let Some(path) = &self.thread
            && let Err(error) = thread::save(path, self.client.conversation())
        {
            self.error = Some(error);
        }
    }

    fn look_at(&mut self, update: &Update) {
        match update {
            Update::Text { delta, .. } => self.said_something |= !delta.trim().is_empty(),
            Update::Running { call } => {
                self.running.insert(call.call_id.to_string());
                if let Some(playback) = &self.playback {
                    playback.call_runs(&call.call_id);
                }
            }
            Update::Answered { message } => {
                let call_id = message.tool_call_id.to_string();
                let has_run = self.running.remove(&call_id);
                let command = self.client.conversation().call(&call_id).map(|call| call.name.to_string());
                let command = command.map(|tool| plain_command_id(&tool).unwrap_or(tool)).unwrap_or_default();
                let is_declined = !has_run && self.answers.was_declined(&command);
                self.failed_calls += u64::from(message.error.is_some() && !is_declined);
                if let Some(playback) = &self.playback {
                    playback.call_answered(&call_id);
                }
                self.note(&RecordedNote::Answered { call_id });
            }
            Update::Interrupted { interrupt } => {
                let id = interrupt.tool_call_id.as_deref();
                let call = id
                    .map(|id| call_line(&self.client, Some(self.answers.agent()), id, None))
                    .filter(|call| !call.is_empty());
                self.answers.interrupted(interrupt, call);
            }
            Update::Resumed { resume, .. } => self.note(&RecordedNote::Resumed(resume.clone())),
            Update::TurnEnded { end } => {
                self.ending = end.clone();
            }
            _ => {}
        }
    }

    fn note(&self, note: &RecordedNote) {
        if let Some(recorder) = &self.recorder {
            recorder.note(note);
        }
    }

    /// How the last turn ended was shown, and does not decide about the exit code.
    pub(super) fn forget_ending(&mut self) {
        self.ending = TurnEnd::Completed;
    }

    /// Why the last turn was not completed, in words.
    pub(super) fn problem(&self) -> Option<String> {
        let text = match &self.ending {
            TurnEnd::Completed => return None,
            TurnEnd::AgentFailed { message, code: Some(code) } => {
                format!("the agent's run failed: {message} (code {code})")
            }
            other => other.to_string(),
        };
        Some(sanitize::line(&text))
    }

    /// The result of the conversation.
    pub(super) fn result(
        &mut self,
        max_runs: NonZeroU32,
        strictness: Strictness,
        breaches: u64,
    ) -> Result<(), CliError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        match &self.ending {
            TurnEnd::Completed => {}
            // Cancelled because nobody reads the output any more.
            TurnEnd::Cancelled if !self.ctrl_c.was_pressed() => return Ok(()),
            TurnEnd::TooManyRuns { .. } => return Err(CliError::TooManyRuns(max_runs)),
            _ => return Err(CliError::Conversation(self.problem().unwrap_or_default())),
        }
        if strictness == Strictness::Usual {
            return Ok(());
        }
        let unanswered = self.answers.unanswered();
        let mut found = Vec::new();
        if self.failed_calls > 0 {
            found.push(format!("calls that failed or were refused: {}", self.failed_calls));
        }
        if unanswered > 0 {
            found.push(format!("questions that nobody could answer: {unanswered}"));
        }
        if !self.said_something {
            found.push("the agent sent no text".to_owned());
        }
        if breaches > 0 {
            found.push(format!("breaches of the protocol: {breaches}"));
        }
        if found.is_empty() { Ok(()) } else { Err(CliError::Strict(found.join("; "))) }
    }
}

/// Waits until a played conversation was cancelled.
async fn cancelled(playback: Option<&Playback>) {
    match playback {
        Some(playback) => playback.cancelled().await,
        None => std::future::pending().await,
    }
}

/// Shows that the conversation is waiting, and never ends.
async fn show_waiting(output: &impl ConversationOutput) -> Infallible {
    output.show_waiting();
    std::future::pending().await
}
