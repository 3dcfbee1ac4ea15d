//! Writing a recording.

use std::fmt;
use std::io::{self, Write};

use super::{Frame, FrameProblem, RecordedNote};
use crate::protocol::{Event, EventError};

/// How the line begins that marks a lost frame, inside its JSON string.
const MARK: &str = "lost frame: ";

/// Writes a recording as JSON lines.
///
/// Where a frame was lost, it writes a line with a JSON string that begins with `lost frame: `. Such a line is not an
/// event, so every reader of a recording takes it for a lost frame, even one that does not know the mark.
///
/// ```
/// use drawloom_ag_ui::recording::{Frame, RecordingWriter};
///
/// let mut writer = RecordingWriter::new(Vec::new());
/// writer.write(&Frame::Event("{\"type\":\n\"RUN_ERROR\"}".to_owned()))?;
/// writer.write(&Frame::TooLong(1024))?;
/// assert_eq!(
///     String::from_utf8(writer.into_inner()).unwrap(),
///     "{\"type\": \"RUN_ERROR\"}\n\"lost frame: it is longer than 1024 bytes\"\n",
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordingWriter<W> {
    output: W,
}

impl<W: Write> RecordingWriter<W> {
    /// Writes to this output, a line at a time, without a buffer of its own.
    pub fn new(output: W) -> Self {
        Self { output }
    }

    /// Writes one frame: an event as one line, and the mark for anything else, also for text that is not an event.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&mut self, frame: &Frame) -> io::Result<()> {
        match frame {
            Frame::Event(text) => match Event::parse(text) {
                Ok(_event) => self.event(text),
                Err(EventError::NotAnObject { .. }) => self.lost(&It(&FrameProblem::NotAnObject)),
                Err(EventError::TooManyItems) => self.lost(&It(&FrameProblem::TooManyItems)),
            },
            Frame::TooLong(limit) => self.lost(&It(&FrameProblem::TooLong(*limit))),
            Frame::Lost { problem: FrameProblem::Recorded(reason), .. } => self.lost(reason),
            Frame::Lost { problem, .. } => self.lost(&It(problem)),
        }
    }

    /// Writes the mark for a lost frame.
    ///
    /// # Errors
    /// Those of the output.
    pub fn lost(&mut self, reason: &dyn fmt::Display) -> io::Result<()> {
        let mut line = serde_json::to_string(&format!("{MARK}{reason}"))?;
        line.push('\n');
        self.output.write_all(line.as_bytes())
    }

    /// Writes a line about the conversation.
    ///
    /// # Errors
    /// Those of the output.
    pub fn note(&mut self, note: &RecordedNote) -> io::Result<()> {
        self.output.write_all(note.to_line()?.as_bytes())
    }

    /// Makes sure that everything reaches its destination.
    ///
    /// # Errors
    /// Those of the output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.output
    }

    fn event(&mut self, text: &str) -> io::Result<()> {
        // INVARIANT: the text is JSON, so a line end in it is whitespace between two tokens.
        let mut line = text.trim_ascii().replace(['\n', '\r'], " ");
        line.push('\n');
        self.output.write_all(line.as_bytes())
    }
}

/// A problem as a sentence of its own.
struct It<'p>(&'p FrameProblem);

impl fmt::Display for It<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it {}", self.0)
    }
}

/// The reason in a line that marks a lost frame; None if the line is anything else.
pub(super) fn recorded_loss(line: &str) -> Option<String> {
    let text: String = serde_json::from_str(line).ok()?;
    text.strip_prefix(MARK).map(ToOwned::to_owned)
}
