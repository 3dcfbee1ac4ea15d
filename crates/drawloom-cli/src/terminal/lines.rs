//! The output of a live conversation as lines of a transcript.

use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use drawloom::client::{Client, RunEnd, Update};
use drawloom_replay::{TranscriptContent, TranscriptLine, TranscriptSink, TranscriptWriter};

use super::{ConversationOutput, sanitize};
use crate::error::CliError;

/// Prints the transcript. A text message is printed as one line when no more of it can come.
pub(crate) struct LinesOutput {
    writer: TranscriptWriter<SanitizedStdout>,
    text: Mutex<Option<TextMessage>>,
    deferred: Mutex<Deferred>,
    /// Whether the lines go to the terminal on which the questions are asked.
    is_terminal: bool,
}

/// The text message that is being received.
struct TextMessage {
    id: String,
    text: String,
}

/// The number of open questions, and the output that is printed after they are closed.
#[derive(Default)]
struct Deferred {
    open_questions: usize,
    output: Vec<DeferredOutput>,
}

enum DeferredOutput {
    Line(TranscriptLine),
    Error(String),
}

/// Standard output for lines of JSON, which may be a terminal.
struct SanitizedStdout(Stdout);

impl Write for SanitizedStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // The writer passes complete lines, so no character is divided.
        match std::str::from_utf8(bytes) {
            Ok(line) => line.split_inclusive('\n').try_for_each(|line| {
                let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
                self.0.write_all((sanitize::json(line) + end).as_bytes())
            }),
            Err(_) => self.0.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl LinesOutput {
    pub(crate) fn new() -> Self {
        Self {
            writer: TranscriptWriter::new(SanitizedStdout(io::stdout()), TranscriptContent::AllLines),
            text: Mutex::default(),
            deferred: Mutex::default(),
            is_terminal: io::stdout().is_terminal(),
        }
    }

    fn deferred(&self) -> MutexGuard<'_, Deferred> {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn text(&self) -> MutexGuard<'_, Option<TextMessage>> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print_line(&self, line: &TranscriptLine) {
        let mut deferred = self.deferred();
        if self.is_terminal && deferred.open_questions > 0 {
            deferred.output.push(DeferredOutput::Line(line.clone()));
        } else {
            self.writer.write(line);
        }
    }

    fn print_error(&self, message: String) {
        let mut deferred = self.deferred();
        if deferred.open_questions > 0 {
            deferred.output.push(DeferredOutput::Error(message));
        } else {
            crate::print_error(format_args!("{message}"));
        }
    }

    fn print_deferred(&self, deferred: &mut Deferred) {
        for output in std::mem::take(&mut deferred.output) {
            match output {
                DeferredOutput::Line(line) => self.writer.write(&line),
                DeferredOutput::Error(message) => crate::print_error(format_args!("{message}")),
            }
        }
    }

    /// Prints the text message that was being received, which is complete now.
    fn end_text(&self) {
        let ended = self.text().take();
        if let Some(message) = ended.filter(|message| !message.text.is_empty()) {
            self.print_line(&TranscriptLine::Text(message.text));
        }
    }
}

impl TranscriptSink for LinesOutput {
    fn write(&self, line: &TranscriptLine) {
        self.end_text();
        self.print_line(line);
    }
}

impl ConversationOutput for LinesOutput {
    fn update(&self, update: &Update, _client: &Client) {
        match update {
            Update::Text { message_id, delta, .. } => {
                let continues = self.text().as_ref().is_some_and(|message| message.id == *message_id);
                if !continues {
                    self.end_text();
                    *self.text() = Some(TextMessage { id: message_id.clone(), text: String::new() });
                }
                if let Some(message) = &mut *self.text() {
                    message.text.push_str(delta);
                }
            }
            Update::CallOpened { .. } => self.end_text(),
            Update::Answered { message } => self.write(&TranscriptLine::Answered(message.clone())),
            Update::RunFinished { run_id, outcome } => {
                let outcome = outcome_word(outcome).to_owned();
                self.write(&TranscriptLine::Run { run_id: run_id.clone(), outcome });
            }
            Update::Problem { frame, problem, .. } => {
                self.print_error(format!("frame {frame} of the run: {}", sanitize::line(problem)));
            }
            Update::TurnEnded { .. } => self.end_text(),
            _ => {}
        }
    }

    fn question_opened(&self) {
        self.end_text();
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
