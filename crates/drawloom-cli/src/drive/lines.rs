//! The conversation as lines of a transcript.

use std::io::{self, Stdout};
use std::sync::{Mutex, MutexGuard, PoisonError};

use drawloom::client::{Client, RunEnd, Update};
use drawloom_replay::{Agent, Lines, Recorder, Step, TranscriptWriter};

use super::{Output, visible};
use crate::failure::Failure;

/// Prints a line for each step. A text is a line once nothing more of it comes.
pub(crate) struct LinesOutput {
    writer: TranscriptWriter<Stdout>,
    text: Mutex<Option<Text>>,
}

struct Text {
    message: String,
    said: String,
}

impl LinesOutput {
    pub(crate) fn new() -> Self {
        Self { writer: TranscriptWriter::new(io::stdout(), Lines::Steps), text: Mutex::default() }
    }

    fn text(&self) -> MutexGuard<'_, Option<Text>> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text that came is whole.
    fn text_over(&self) {
        let over = self.text().take();
        if let Some(text) = over.filter(|text| !text.said.is_empty()) {
            self.writer.record(&Step::Text(text.said));
        }
    }
}

impl Recorder for LinesOutput {
    fn record(&self, step: &Step) {
        self.text_over();
        self.writer.record(step);
    }
}

impl Output for LinesOutput {
    fn update(&self, update: &Update, _client: &Client<Agent>) {
        match update {
            Update::Text { message_id, delta, .. } => {
                let goes_on = self.text().as_ref().is_some_and(|text| text.message == *message_id);
                if !goes_on {
                    self.text_over();
                    *self.text() = Some(Text { message: message_id.clone(), said: String::new() });
                }
                if let Some(text) = &mut *self.text() {
                    text.said.push_str(delta);
                }
            }
            Update::CallOpened { .. } => self.text_over(),
            Update::Answered { message } => self.record(&Step::Answered(message.clone())),
            Update::RunFinished { run_id, outcome } => {
                let outcome = word(outcome).to_owned();
                self.record(&Step::Run { run_id: run_id.clone(), outcome });
            }
            Update::Unreadable { frame, problem } => {
                crate::tell(format_args!(
                    "frame {frame} of the run: {}, passed over",
                    visible::line(problem)
                ));
            }
            Update::Ended { .. } => self.text_over(),
            _ => {}
        }
    }

    fn is_broken(&self) -> bool {
        self.writer.is_broken()
    }

    fn end(&self) -> Result<(), Failure> {
        self.writer.take_error().map_or(Ok(()), Failure::of_output)
    }
}

/// How a run ended, in a word.
fn word(end: &RunEnd) -> &'static str {
    match end {
        RunEnd::Success => "success",
        RunEnd::Interrupt => "interrupt",
        RunEnd::Cancelled => "cancelled",
        RunEnd::Error { .. } => "error",
        _ => "unknown",
    }
}
