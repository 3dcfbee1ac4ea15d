//! The conversation as lines of a transcript.

use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use drawloom::client::{Client, RunEnd, Update};
use drawloom_replay::{Agent, Lines, Recorder, Step, TranscriptWriter};

use super::{Output, visible};
use crate::failure::Failure;

/// Prints a line for each step. A text is a line once nothing more of it comes.
pub(crate) struct LinesOutput {
    writer: TranscriptWriter<Shown>,
    text: Mutex<Option<Text>>,
    questions: Mutex<Questions>,
    /// Whether the lines go where the questions stand.
    is_terminal: bool,
}

struct Text {
    message: String,
    said: String,
}

/// The questions that are open, and what comes meanwhile, which is shown after.
#[derive(Default)]
struct Questions {
    open: usize,
    kept: Vec<Kept>,
}

enum Kept {
    Step(Step),
    Told(String),
}

/// Standard output, for lines of JSON: they may stand on a terminal as well.
struct Shown(Stdout);

impl Write for Shown {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // A line comes whole, so no character is cut.
        match std::str::from_utf8(bytes) {
            Ok(line) => line.split_inclusive('\n').try_for_each(|line| {
                let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
                self.0.write_all((visible::json(line) + end).as_bytes())
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
            writer: TranscriptWriter::new(Shown(io::stdout()), Lines::Steps),
            text: Mutex::default(),
            questions: Mutex::default(),
            is_terminal: io::stdout().is_terminal(),
        }
    }

    fn questions(&self) -> MutexGuard<'_, Questions> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, step: &Step) {
        let mut questions = self.questions();
        if self.is_terminal && questions.open > 0 {
            questions.kept.push(Kept::Step(step.clone()));
        } else {
            self.writer.record(step);
        }
    }

    fn tell(&self, what: String) {
        let mut questions = self.questions();
        if questions.open > 0 {
            questions.kept.push(Kept::Told(what));
        } else {
            crate::tell(format_args!("{what}"));
        }
    }

    fn show_kept(&self, questions: &mut Questions) {
        for kept in std::mem::take(&mut questions.kept) {
            match kept {
                Kept::Step(step) => self.writer.record(&step),
                Kept::Told(what) => crate::tell(format_args!("{what}")),
            }
        }
    }

    fn text(&self) -> MutexGuard<'_, Option<Text>> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text that came is whole.
    fn text_over(&self) {
        let over = self.text().take();
        if let Some(text) = over.filter(|text| !text.said.is_empty()) {
            self.write(&Step::Text(text.said));
        }
    }
}

impl Recorder for LinesOutput {
    fn record(&self, step: &Step) {
        self.text_over();
        self.write(step);
    }
}

impl Output for LinesOutput {
    fn update(&self, update: &Update, _client: &Client) {
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
                self.tell(format!("frame {frame} of the run: {}, passed over", visible::line(problem)));
            }
            Update::Ended { .. } => self.text_over(),
            _ => {}
        }
    }

    fn hold(&self) {
        self.text_over();
        self.questions().open += 1;
    }

    fn release(&self) {
        let mut questions = self.questions();
        questions.open = questions.open.saturating_sub(1);
        if questions.open == 0 {
            self.show_kept(&mut questions);
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
