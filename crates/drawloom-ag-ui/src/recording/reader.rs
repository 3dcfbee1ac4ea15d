//! Reading a recording, whatever its form.
//!
//! Nothing is held but the line or the frame that is being read, and that only up to a limit. Only a JSON array is held
//! as a whole, up to the same limit.

use std::io::{self, BufRead, Cursor, Read};
use std::{fmt, mem, str};

use super::array::ArrayItems;
use super::lines::{BYTE_ORDER_MARK, Line, LineReader};
use super::writer::recorded_loss;
use super::{Frame, FrameDecoder, FrameProblem, RecordedNote};
use crate::protocol::{Event, EventError};

/// The most bytes of a line, a frame or an array, unless another limit is set.
const LIMIT: usize = 64 * 1024 * 1024;
/// How much longer a line of server-sent events may be than its data.
const FIELD_ROOM: usize = 16;
/// The length of the longest name of a field of server-sent events.
const LONGEST_FIELD: usize = 5;

/// Reads the events of a recording, one at a time.
///
/// - A text that is as a whole one JSON array with an object in it is an array of events.
/// - Otherwise the first line that begins with `{` makes it JSON lines, and the first line that is a comment or a field
///   of server-sent events (`data`, `event`, `id`, `retry`) makes it those.
///
/// Lines end with a line feed, or with a carriage return and a line feed. A byte order mark at the start is ignored.
///
/// ```
/// use drawloom_ag_ui::recording::{RecordingItem, RecordingReader};
///
/// let input = ": a comment\nevent: x\ndata: {\"type\":\"RUN_ERROR\"}\n\ndata: oops\n\n";
/// let mut recording = RecordingReader::new(input.as_bytes());
/// let Some(RecordingItem::Event { event, .. }) = recording.read()? else { panic!("not an event") };
/// assert_eq!(event.kind.type_name(), "RUN_ERROR");
/// let Some(RecordingItem::Lost { line, problem }) = recording.read()? else { panic!("not lost") };
/// assert_eq!(format!("line {line} {problem}"), "line 5 is not a JSON object");
/// assert!(recording.read()?.is_none());
/// # Ok::<(), drawloom_ag_ui::recording::RecordingError>(())
/// ```
pub struct RecordingReader<R> {
    lines: LineReader<Replayed<R>>,
    form: Form,
    /// The data of the frame that was read last.
    data: String,
    has_event: bool,
}

/// What a [`RecordingReader`] finds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecordingItem<'a> {
    /// An event.
    Event {
        /// The event.
        event: Event<'a>,
        /// Its text.
        text: &'a str,
        /// Its first line, from 1.
        line: u64,
    },
    /// A part that cannot be read. The calls that are open may be incomplete.
    Lost {
        /// Its first line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: FrameProblem,
    },
    /// A line about the conversation, which is not an event.
    Note {
        /// What it says.
        note: RecordedNote,
        /// Its line, from 1.
        line: u64,
    },
}

/// A recording cannot be read any further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The input cannot be read.
    #[error("the recording cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The whole recording has no event in it.
    #[error("the recording has no event in it")]
    NoEvent,
    /// The recording is a JSON array that is longer than this many bytes.
    #[error("the recording is a JSON array of more than {0} bytes; write one event per line instead")]
    ArrayTooLong(usize),
}

impl RecordingError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "io",
            Self::NoEvent => "no-event",
            Self::ArrayTooLong(_) => "array-too-long",
        }
    }
}

/// What form a recording has, as far as it is known.
enum Form {
    /// Nothing was read yet.
    Unread,
    /// No line said anything yet.
    Undecided,
    JsonLines,
    ServerSentEvents(SseLines),
    Array(ArrayItems),
}

/// Server-sent events, line by line.
struct SseLines {
    decoder: FrameDecoder,
    /// The first line of the frame that is being read.
    frame_line: Option<u64>,
    /// The line that was read last, with a line feed, and how much of it the decoder took.
    line: Vec<u8>,
    taken: usize,
}

/// Where the text of the next event is.
enum Found {
    Line(u64),
    Data(u64),
    Item { line: u64, start: usize, end: usize },
    Lost(u64, FrameProblem),
}

impl<R: BufRead> RecordingReader<R> {
    /// Reads a recording.
    pub fn new(input: R) -> Self {
        let input = Replayed { read_before: Cursor::default(), input };
        Self {
            lines: LineReader::new(input, LIMIT),
            form: Form::Unread,
            data: String::new(),
            has_event: false,
        }
    }

    /// Limits the length of a line, a frame or an array, in bytes. 64 MiB by default; a longer line or frame is lost.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.lines.limit = bytes;
        self
    }

    /// How many bytes were read.
    pub fn bytes(&self) -> u64 {
        self.lines.bytes
    }

    /// The next event, or what was lost; None at the end. It waits for no more of the input than the event needs,
    /// except for an array.
    ///
    /// # Errors
    /// [`RecordingError`] if the input cannot be read, or is at its end without an event.
    pub fn read(&mut self) -> Result<Option<RecordingItem<'_>>, RecordingError> {
        let found = match self.find()? {
            Some(found) => found,
            None if self.has_event => return Ok(None),
            None => return Err(RecordingError::NoEvent),
        };
        let (text, line) = match found {
            Found::Lost(line, problem) => return Ok(Some(RecordingItem::Lost { line, problem })),
            Found::Line(line) => (str::from_utf8(&self.lines.line).unwrap_or_default(), line),
            Found::Data(line) => (&*self.data, line),
            Found::Item { line, start, end } => match &self.form {
                Form::Array(items) => (items.text().get(start..end).unwrap_or_default(), line),
                _ => ("", line),
            },
        };
        Ok(Some(match Event::parse(text) {
            Ok(event) => {
                if let Some(note) = RecordedNote::of(&event) {
                    return Ok(Some(RecordingItem::Note { note, line }));
                }
                self.has_event = true;
                RecordingItem::Event { event, text: text.trim_ascii(), line }
            }
            Err(error) => RecordingItem::Lost { line, problem: problem_of(text, &error) },
        }))
    }

    /// Like [`read`](Self::read), as a frame on its own. Notes are passed over.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn next_frame(&mut self) -> Result<Option<Frame>, RecordingError> {
        loop {
            match self.read()? {
                Some(RecordingItem::Event { text, .. }) => return Ok(Some(Frame::Event(text.to_owned()))),
                Some(RecordingItem::Lost { line, problem }) => {
                    return Ok(Some(Frame::Lost { line, problem }));
                }
                Some(RecordingItem::Note { .. }) => {}
                None => return Ok(None),
            }
        }
    }

    fn find(&mut self) -> Result<Option<Found>, RecordingError> {
        if let Form::Unread = self.form {
            self.form = self.begin()?;
        }
        if let Form::Array(items) = &mut self.form {
            let item = items.next();
            return Ok(item.map(|item| Found::Item { line: item.line, start: item.start, end: item.end }));
        }
        loop {
            if let Some(found) = self.next_data(false) {
                return Ok(Some(found));
            }
            let limit = self.lines.limit;
            // A line of server-sent events is longer than its data, which is what the limit is about.
            self.lines.limit = limit.saturating_add(FIELD_ROOM);
            let line = self.lines.next();
            self.lines.limit = limit;
            let Some(extent) = line? else { return Ok(self.next_data(true)) };
            if let Some(found) = self.take_line(extent) {
                return Ok(Some(found));
            }
        }
    }

    /// Takes the line that was just read.
    fn take_line(&mut self, extent: Line) -> Option<Found> {
        let LineReader { line, number, limit, .. } = &self.lines;
        let (number, limit) = (*number, *limit);
        let is_object = line.trim_ascii_start().starts_with(b"{");
        if let Form::Undecided = self.form {
            if is_object {
                self.form = Form::JsonLines;
            } else if is_field(line) {
                self.form = Form::ServerSentEvents(SseLines {
                    decoder: FrameDecoder::new(limit),
                    frame_line: None,
                    line: Vec::new(),
                    taken: 0,
                });
            }
        }
        if let Form::ServerSentEvents(sse) = &mut self.form {
            if is_object {
                return Some(Found::Lost(number, FrameProblem::NotAField));
            }
            if sse.frame_line.is_none() && line.starts_with(b"data") {
                sse.frame_line = Some(number);
            }
            mem::swap(&mut sse.line, &mut self.lines.line);
            sse.line.push(b'\n');
            sse.taken = 0;
            return None;
        }
        if extent == Line::TooLong || line.len() > limit {
            return Some(Found::Lost(number, FrameProblem::TooLong(limit)));
        }
        if line.trim_ascii().is_empty() { None } else { Some(Found::Line(number)) }
    }

    /// The next frame of server-sent events in the lines that were taken.
    fn next_data(&mut self, is_end: bool) -> Option<Found> {
        let limit = self.lines.limit;
        let Form::ServerSentEvents(sse) = &mut self.form else { return None };
        loop {
            let mut left = sse.line.get(sse.taken..).unwrap_or_default();
            let frame = if is_end { sse.decoder.end() } else { sse.decoder.next_frame(&mut left) };
            sse.taken = sse.line.len() - left.len();
            let line = sse.frame_line.unwrap_or(self.lines.number);
            match frame? {
                // An empty frame is how a server says that it is still there.
                Frame::Event(data) if data.is_empty() => sse.frame_line = None,
                Frame::Event(data) => {
                    sse.frame_line = None;
                    self.data = data;
                    return Some(Found::Data(line));
                }
                _ => {
                    sse.frame_line = None;
                    return Some(Found::Lost(line, FrameProblem::TooLong(limit)));
                }
            }
        }
    }

    /// Reads as far as is needed to know whether the recording is an array.
    fn begin(&mut self) -> Result<Form, RecordingError> {
        let limit = self.lines.limit;
        let most = limit.saturating_add(BYTE_ORDER_MARK.len());
        let Replayed { read_before, input } = &mut self.lines.input;
        let mut begin = Vec::new();
        let mut content = loop {
            let left = u64::try_from(most.saturating_sub(begin.len())).unwrap_or(u64::MAX);
            let read = input.by_ref().take(left).read_until(b'\n', &mut begin)?;
            let content = begin.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&begin).trim_ascii_start();
            if read == 0 || !content.is_empty() {
                break content;
            }
        };
        if content.starts_with(b"[") {
            let begins_with_object =
                |content: &[u8]| content.get(1..).unwrap_or_default().trim_ascii_start().starts_with(b"{");
            let left = u64::try_from(most.saturating_sub(begin.len())).unwrap_or(u64::MAX);
            input.by_ref().take(left).read_to_end(&mut begin)?;
            let is_whole = begin.len() < most || input.fill_buf()?.is_empty();
            let text = begin.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&begin);
            content = text.trim_ascii_start();
            if !is_whole && begins_with_object(content) {
                return Err(RecordingError::ArrayTooLong(limit));
            }
            if is_whole
                && let Ok(text) = str::from_utf8(text)
                && let Ok(items) = ArrayItems::new(text.to_owned())
            {
                self.lines.bytes = begin.len() as u64;
                return Ok(Form::Array(items));
            }
        }
        *read_before = Cursor::new(begin);
        Ok(Form::Undecided)
    }
}

/// Whether a line is a comment or a field of server-sent events.
fn is_field(line: &[u8]) -> bool {
    let colon = line.iter().take(LONGEST_FIELD + 1).position(|byte| *byte == b':');
    let name = line.get(..colon.unwrap_or(line.len())).unwrap_or_default();
    matches!(name, b"data" | b"event" | b"id" | b"retry") || colon == Some(0)
}

fn problem_of(text: &str, error: &EventError) -> FrameProblem {
    match error {
        EventError::TooManyItems => FrameProblem::TooManyItems,
        EventError::NotAnObject { .. } => {
            recorded_loss(text).map_or(FrameProblem::NotAnObject, FrameProblem::Recorded)
        }
    }
}

impl<R> fmt::Debug for RecordingReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordingReader")
            .field("line", &self.lines.number)
            .field("bytes", &self.lines.bytes)
            .finish_non_exhaustive()
    }
}

/// An input of which the beginning was read before, and is read again.
#[derive(Debug)]
struct Replayed<R> {
    read_before: Cursor<Vec<u8>>,
    input: R,
}

impl<R> Replayed<R> {
    fn is_replaying(&self) -> bool {
        self.read_before.position() < self.read_before.get_ref().len() as u64
    }
}

impl<R: BufRead> Read for Replayed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_replaying() { self.read_before.read(buffer) } else { self.input.read(buffer) }
    }
}

impl<R: BufRead> BufRead for Replayed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.is_replaying() { self.read_before.fill_buf() } else { self.input.fill_buf() }
    }

    fn consume(&mut self, amount: usize) {
        if self.is_replaying() { self.read_before.consume(amount) } else { self.input.consume(amount) }
    }
}

#[cfg(test)]
mod tests;
