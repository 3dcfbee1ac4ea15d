//! The output of a live conversation as lines of a transcript.

use std::sync::{Mutex, MutexGuard, PoisonError};

use std::time::Duration;

use drawloom::ag_ui::protocol::Json;
use drawloom::ag_ui::{Event, ProtocolBreach};
use drawloom::client::{Client, RunEnd, Update};
use drawloom_replay::{TranscriptContent, TranscriptLine, TranscriptSink, TranscriptWriter};

use super::output::{self, JsonLines};
use super::{ConversationOutput, sanitize};
use crate::error::CliError;

/// How many text messages are received at the same time. Beyond that all of them count as complete.
const MAX_OPEN_TEXTS: usize = 128;

/// Prints the transcript. A text message is printed as one line when no more of it can come.
pub(crate) struct LinesOutput {
    writer: TranscriptWriter<JsonLines>,
    /// Those that are being received: at most one of the agent, and one of each subagent.
    texts: Mutex<Vec<TextMessage>>,
    deferred: Mutex<Deferred>,
    /// Whether the lines go to the terminal on which the questions are asked.
    is_terminal: bool,
    shows_events: bool,
}

/// A text message that is being received.
struct TextMessage {
    id: String,
    subagent: Option<String>,
    text: String,
}

/// The number of open questions, and the output that is printed after they are closed.
#[derive(Default)]
struct Deferred {
    open_questions: usize,
    output: Vec<DeferredOutput>,
}

enum DeferredOutput {
    Line(Box<TranscriptLine>),
    Error(String),
}

impl LinesOutput {
    pub(crate) fn new(content: TranscriptContent, shows_events: bool) -> Self {
        Self {
            writer: TranscriptWriter::new(JsonLines::default(), content),
            texts: Mutex::default(),
            deferred: Mutex::default(),
            is_terminal: output::is_terminal(),
            shows_events,
        }
    }

    fn deferred(&self) -> MutexGuard<'_, Deferred> {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn texts(&self) -> MutexGuard<'_, Vec<TextMessage>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print_line(&self, line: &TranscriptLine) {
        let mut deferred = self.deferred();
        if self.is_terminal && deferred.open_questions > 0 {
            deferred.output.push(DeferredOutput::Line(Box::new(line.clone())));
        } else {
            self.writer.write(line);
        }
    }

    fn print_error(&self, message: String) {
        let mut deferred = self.deferred();
        if deferred.open_questions > 0 {
            deferred.output.push(DeferredOutput::Error(message));
        } else {
            output::print_error(format_args!("{message}"));
        }
    }

    fn print_deferred(&self, deferred: &mut Deferred) {
        for output in std::mem::take(&mut deferred.output) {
            match output {
                DeferredOutput::Line(line) => self.writer.write(&line),
                DeferredOutput::Error(message) => output::print_error(format_args!("{message}")),
            }
        }
    }

    /// Prints the text messages that were being received, which are complete now.
    fn end_texts(&self) {
        let ended = std::mem::take(&mut *self.texts());
        ended.into_iter().for_each(|message| self.print_text(message));
    }

    fn print_text(&self, message: TextMessage) {
        if !message.text.is_empty() {
            self.print_line(&TranscriptLine::Text(message.text));
        }
    }

    /// Adds to a text message. It ends the one before of the same agent or subagent.
    fn add_text(&self, message_id: &str, subagent: Option<&str>, delta: &str) {
        let mut texts = self.texts();
        let place = texts.iter().position(|message| message.subagent.as_deref() == subagent);
        if let Some(message) = place.and_then(|place| texts.get_mut(place))
            && message.id == message_id
        {
            message.text.push_str(delta);
            return;
        }
        if place.is_none() && texts.len() >= MAX_OPEN_TEXTS {
            drop(texts);
            self.end_texts();
            return self.add_text(message_id, subagent, delta);
        }
        let ended = place.map(|place| texts.remove(place));
        let subagent = subagent.map(ToOwned::to_owned);
        texts.push(TextMessage { id: message_id.to_owned(), subagent, text: delta.to_owned() });
        drop(texts);
        if let Some(ended) = ended {
            self.print_text(ended);
        }
    }
}

impl TranscriptSink for LinesOutput {
    fn write(&self, line: &TranscriptLine) {
        self.end_texts();
        self.print_line(line);
    }
}

impl ConversationOutput for LinesOutput {
    fn update(&self, update: &Update, _client: &Client) {
        match update {
            Update::Text { message_id, subagent_run_id, delta, .. } => {
                self.add_text(message_id, subagent_run_id.as_deref(), delta);
            }
            Update::CallOpened { .. } => self.end_texts(),
            Update::Answered { message } => self.write(&TranscriptLine::Answered(message.clone())),
            Update::RunFinished { run_id, outcome } => {
                let (message, code) = match outcome {
                    RunEnd::Error { message, code } => (Some(message.clone()), code.clone()),
                    _ => (None, None),
                };
                let (run_id, outcome) = (run_id.clone(), outcome_word(outcome).to_owned());
                self.write(&TranscriptLine::Run { run_id, outcome, message, code });
            }
            Update::AnsweredByBackend { message } => {
                self.write(&TranscriptLine::AnsweredByAgent((**message).clone()));
            }
            Update::Interrupted { interrupt } => {
                self.write(&TranscriptLine::Interrupted((**interrupt).clone()));
            }
            Update::Resumed { resume: Some(resume), .. } => {
                self.write(&TranscriptLine::Resumed(resume.clone()));
            }
            Update::Resumed { interrupt_id, resume: None } => {
                self.write(&TranscriptLine::Expired { interrupt_id: interrupt_id.clone() });
            }
            Update::Withdrawn { call_id } => {
                self.write(&TranscriptLine::Withdrawn { call_id: call_id.to_string() });
            }
            Update::AnswerRejected { problem, .. } => {
                self.print_error(format!(
                    "this answer does not fit the question: {}",
                    sanitize::line(problem)
                ));
            }
            Update::Problem { frame, problem, .. } => {
                self.print_error(format!("frame {frame} of the run: {}", sanitize::line(problem)));
            }
            Update::TurnEnded { .. } => self.end_texts(),
            _ => {}
        }
    }

    fn breach(&self, breach: &ProtocolBreach) {
        self.print_line(&TranscriptLine::Breach(breach.clone()));
    }

    fn notice(&self, notice: String) {
        self.print_error(notice);
    }

    fn wire(&self, text: &str) {
        let mut deferred = self.deferred();
        if deferred.open_questions > 0 {
            deferred.output.push(DeferredOutput::Error(text.to_owned()));
        } else {
            output::print_error_whole(text);
        }
    }

    fn event(&self, _event: &Event<'_>, text: &str, at: Duration) {
        if !self.shows_events {
            return;
        }
        let at_ms = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        if let Ok(event) = Json::new(text) {
            self.print_line(&TranscriptLine::Event { at_ms, event: event.into_owned() });
        }
    }

    fn question_opened(&self) {
        self.end_texts();
        self.deferred().open_questions += 1;
    }

    fn question_closed(&self) {
        let mut deferred = self.deferred();
        deferred.open_questions = deferred.open_questions.saturating_sub(1);
        if deferred.open_questions == 0 {
            self.print_deferred(&mut deferred);
        }
    }

    fn is_broken(&self) -> bool {
        self.writer.is_broken()
    }

    fn finish(&self) -> Result<(), CliError> {
        self.writer.take_error().map_or(Ok(()), CliError::from_output)
    }
}

/// The word for the outcome of a run in the transcript.
fn outcome_word(outcome: &RunEnd) -> &'static str {
    match outcome {
        RunEnd::Success => "success",
        RunEnd::Interrupt => "interrupt",
        RunEnd::Cancelled => "cancelled",
        RunEnd::Error { .. } => "error",
        _ => "unknown",
    }
}
