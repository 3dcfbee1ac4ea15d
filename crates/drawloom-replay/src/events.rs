//! Reading a recorded run line by line: JSON lines or server-sent events, told apart by what the lines look like.
//!
//! Nothing is held but the line, or the frame, that is being read, and those only up to a limit.

mod lines;

use std::io::{self, BufRead};
use std::{fmt, mem, str};

use drawloom::ag_ui::Event;

use lines::{Line, LineReader};

/// The most bytes of a line or a frame, unless said otherwise.
const LIMIT: usize = 64 * 1024 * 1024;
/// How long the longest name of a field is that is known.
const LONGEST_FIELD: usize = 5;

/// Reads the events of a recorded run, one at a time.
///
/// The first line that begins with `{` makes the input JSON lines; the first that is a comment or a field of
/// server-sent events (`data:`, `event:`, `id:`, `retry:`) makes it those. Of server-sent events the `data` is read,
/// several lines of it joined with a line feed, and a last frame needs no empty line after it. Lines end with a line
/// feed or with a carriage return and one, and a byte order mark at the start is passed over.
///
/// ```
/// use drawloom::ag_ui::EventKind;
/// use drawloom_replay::{EventReader, Recorded};
///
/// let input = ": a comment\nevent: x\ndata: {\"type\":\"RUN_ERROR\"}\n\ndata: oops\n\n";
/// let mut events = EventReader::new(input.as_bytes());
/// let Some(Recorded::Event(event)) = events.read()? else { panic!("it is an event") };
/// assert!(matches!(event.kind, EventKind::RunError(_)));
/// let Some(Recorded::Skipped(line)) = events.read()? else { panic!("it is no event") };
/// assert_eq!(line.to_string(), "line 5 is not a JSON object");
/// assert_eq!(events.read()?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct EventReader<R> {
    lines: LineReader<R>,
    format: Option<Format>,
    frame: Frame,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    JsonLines,
    ServerSentEvents,
}

/// What an [`EventReader`] found.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "an event is read and passed on; it is never stored")]
pub enum Recorded<'a> {
    /// An event.
    Event(Event<'a>),
    /// Something that is none, and was passed over.
    Skipped(SkippedLine),
}

/// A line that was passed over, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedLine {
    /// The line, from 1; the first one of a frame.
    pub line: u64,
    /// Why it was passed over.
    pub reason: SkipReason,
}

/// Why a line was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is not a JSON object.
    NotAnObject,
    /// It, or the frame it begins, is longer than this many bytes.
    TooLong(usize),
    /// It is JSON amid server-sent events, without the `data:` in front.
    NotAField,
}

/// What is wrong with the line, as it goes on after the name of the file.
impl fmt::Display for SkippedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match self.reason {
            SkipReason::NotAnObject => write!(f, "line {line} is not a JSON object"),
            SkipReason::TooLong(limit) => write!(f, "line {line} is longer than {limit} bytes"),
            SkipReason::NotAField => {
                write!(f, "line {line} is JSON amid server-sent events, without \"data:\"")
            }
        }
    }
}

/// The data lines of one frame so far.
#[derive(Debug, Default)]
struct Frame {
    /// The first of them.
    line: Option<u64>,
    data: Vec<u8>,
    is_too_long: bool,
}

/// Where the text of the next event is, and the line it begins in.
enum Found {
    Line(u64),
    Frame(u64),
    Skipped(SkippedLine),
}

/// A line of server-sent events that says something.
enum Field<'a> {
    Data(&'a [u8]),
    /// A comment, or a field that means nothing here.
    Other,
}

impl<'a> Field<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let colon = line.iter().take(LONGEST_FIELD + 1).position(|byte| *byte == b':');
        let (name, value) = line.split_at_checked(colon.unwrap_or(line.len()))?;
        match name {
            b"data" => {
                let value = value.strip_prefix(b":").unwrap_or(value);
                Some(Self::Data(value.strip_prefix(b" ").unwrap_or(value)))
            }
            b"event" | b"id" | b"retry" => Some(Self::Other),
            b"" if colon.is_some() => Some(Self::Other),
            _ => None,
        }
    }
}

impl Frame {
    /// Adds a line of data; `rest` says whether there is all of it.
    fn push(&mut self, data: &[u8], rest: Line, number: u64, limit: usize) {
        if self.line.is_some() && !self.is_too_long {
            self.data.push(b'\n');
        }
        self.line.get_or_insert(number);
        self.is_too_long |= rest == Line::TooLong || self.data.len().saturating_add(data.len()) > limit;
        if self.is_too_long {
            self.data.clear();
        } else {
            self.data.extend_from_slice(data);
        }
    }

    fn end(&mut self, limit: usize) -> Option<Found> {
        let line = self.line.take()?;
        if mem::take(&mut self.is_too_long) {
            return Some(Found::Skipped(SkippedLine { line, reason: SkipReason::TooLong(limit) }));
        }
        // An empty frame is how a server says that it is still there.
        if self.data.is_empty() { None } else { Some(Found::Frame(line)) }
    }
}

impl<R: BufRead> EventReader<R> {
    /// Reads events from `input`.
    pub fn new(input: R) -> Self {
        Self { lines: LineReader::new(input, LIMIT), format: None, frame: Frame::default() }
    }

    /// Limits how long a line or a frame may be, in bytes. 64 MiB by default; what is longer is passed over.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.lines.limit = bytes;
        self
    }

    /// How many bytes were read.
    pub fn bytes(&self) -> u64 {
        self.lines.bytes
    }

    /// The next event, or what was passed over; nothing at the end of the input. It waits for the input, and for no
    /// more of it than the event needs.
    ///
    /// # Errors
    /// Where the input cannot be read.
    pub fn read(&mut self) -> io::Result<Option<Recorded<'_>>> {
        let (text, line) = match self.find()? {
            None => return Ok(None),
            Some(Found::Skipped(line)) => return Ok(Some(Recorded::Skipped(line))),
            Some(Found::Line(line)) => (&self.lines.line, line),
            Some(Found::Frame(line)) => (&self.frame.data, line),
        };
        let event = str::from_utf8(text).ok().and_then(|text| Event::parse(text).ok());
        Ok(Some(match event {
            Some(event) => Recorded::Event(event),
            None => Recorded::Skipped(SkippedLine { line, reason: SkipReason::NotAnObject }),
        }))
    }

    fn find(&mut self) -> io::Result<Option<Found>> {
        if self.frame.line.is_none() {
            // The one before was read.
            self.frame.data.clear();
        }
        while let Some(rest) = self.lines.next()? {
            if let Some(found) = self.take_line(rest) {
                return Ok(Some(found));
            }
        }
        Ok(self.frame.end(self.lines.limit))
    }

    /// Takes the line that was just read, of which there is all or only the start.
    fn take_line(&mut self, rest: Line) -> Option<Found> {
        let LineReader { line, number, limit, .. } = &self.lines;
        let field = Field::of(line);
        let is_object = line.trim_ascii_start().starts_with(b"{");
        let format = match (is_object, &field) {
            (true, _) => *self.format.get_or_insert(Format::JsonLines),
            (false, Some(_)) => *self.format.get_or_insert(Format::ServerSentEvents),
            // It tells nothing, and is taken for a line of JSON as long as nothing did.
            (false, None) => self.format.unwrap_or(Format::JsonLines),
        };
        let skipped = |reason| Some(Found::Skipped(SkippedLine { line: *number, reason }));
        match (format, field) {
            (Format::ServerSentEvents, Some(Field::Data(data))) => {
                self.frame.push(data, rest, *number, *limit);
                None
            }
            (Format::ServerSentEvents, None) if line.is_empty() && rest == Line::Whole => {
                self.frame.end(*limit)
            }
            (Format::ServerSentEvents, None) if is_object => skipped(SkipReason::NotAField),
            (Format::ServerSentEvents, _) => None,
            (Format::JsonLines, _) if rest == Line::TooLong => skipped(SkipReason::TooLong(*limit)),
            (Format::JsonLines, _) if line.trim_ascii().is_empty() => None,
            (Format::JsonLines, _) => Some(Found::Line(*number)),
        }
    }
}

impl<R> fmt::Debug for EventReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventReader")
            .field("line", &self.lines.number)
            .field("bytes", &self.lines.bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use drawloom::ag_ui::EventKind;

    use super::*;
    use std::io::{BufReader, Read};

    use proptest::prelude::*;

    /// What is read, in short: the id of each run error by its `toolCallId`, or the complaint.
    fn read_with(text: &[u8], limit: usize, buffer: usize) -> Vec<String> {
        let mut reader = EventReader::new(BufReader::with_capacity(buffer, text)).limit(limit);
        let mut read = Vec::new();
        while let Some(next) = reader.read().unwrap() {
            read.push(match next {
                Recorded::Event(Event { kind: EventKind::ToolCallEnd(end), .. }) => end.id.into_owned(),
                Recorded::Event(other) => format!("{other:?}"),
                Recorded::Skipped(line) => line.to_string(),
            });
        }
        assert_eq!(reader.bytes(), text.len() as u64);
        read
    }

    fn read(text: &str) -> Vec<String> {
        let read = read_with(text.as_bytes(), LIMIT, 8192);
        for buffer in [1, 2, 7] {
            assert_eq!(read_with(text.as_bytes(), LIMIT, buffer), read, "with a buffer of {buffer}");
        }
        read
    }

    fn end(id: &str) -> String {
        format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"{id}"}}"#)
    }

    #[test]
    fn json_lines_are_read_line_by_line() {
        let text = format!("\n{}\n\n  {}  \r\n{}", end("a"), end("b"), end("c"));
        assert_eq!(read(&text), ["a", "b", "c"]);
    }

    #[test]
    fn a_line_that_is_no_object_is_named_and_the_next_is_read() {
        let text = format!("{}\noops\n[1]\n{}x\ndata: {}\n{}\n", end("a"), end("b"), end("c"), end("d"));
        let complaints = [2, 3, 4, 5].map(|line| format!("line {line} is not a JSON object"));
        let expected: Vec<_> =
            ["a".to_owned()].into_iter().chain(complaints).chain(["d".to_owned()]).collect();
        assert_eq!(read(&text), expected);
    }

    #[test]
    fn bytes_that_are_no_text_are_no_event() {
        let text = [b"{\"a\":\"\xFF\"}\n", end("a").as_bytes()].concat();
        assert_eq!(read_with(&text, LIMIT, 8192), ["line 1 is not a JSON object", "a"]);
    }

    #[test]
    fn of_server_sent_events_the_data_is_read() {
        let text = format!(
            "\u{feff}: hello\nevent: message\nid: 7\nretry: 10\ndata: {}\nfoo: bar\nfoo\n\n\n\ndata:{}\n\n:\n\ndata\n\ndata: {}",
            end("a"),
            end("b"),
            end("c"),
        );
        assert_eq!(read(&text), ["a", "b", "c"]);
        assert_eq!(read(&text.replace('\n', "\r\n")), ["a", "b", "c"]);
    }

    #[test]
    fn any_field_or_comment_tells_that_it_is_server_sent_events() {
        for first in [":", ": hello", "event: x", "event", "id: 1", "id", "retry: 10", "data", "data:"] {
            assert_eq!(read(&format!("{first}\nfoo\ndata: {}\n\n", end("a"))), ["a"], "{first}");
        }
        for first in ["foo: x", "retries: 1", "events", "Data: x"] {
            let complaint = "line 1 is not a JSON object";
            assert_eq!(read(&format!("{first}\ndata: {}\n\n", end("a"))), [complaint, "a"], "{first}");
        }
    }

    #[test]
    fn lines_of_data_are_joined() {
        let text = "data: {\"type\":\"TOOL_CALL_END\",\ndata: \"toolCallId\":\ndata\ndata:  \"a\"}\n\n";
        assert_eq!(read(text), ["a"]);
        // Where the line feed falls into a string, it is no JSON: joined with anything else it would be.
        assert_eq!(read("data: {\"a\":\"b\ndata: c\"}\n\n"), ["line 1 is not a JSON object"],);
    }

    #[test]
    fn a_frame_that_is_no_object_is_named_by_its_first_line() {
        let text = format!(": \n\ndata: oops\ndata: twice\n\ndata: {}\n\n", end("a"));
        assert_eq!(read(&text), ["line 3 is not a JSON object", "a"]);
    }

    #[test]
    fn a_line_of_json_amid_server_sent_events_is_named() {
        let text = format!("data: {}\n\n{}\n\ndata: {}\n\n", end("a"), end("b"), end("c"));
        let complaint = "line 3 is JSON amid server-sent events, without \"data:\"";
        assert_eq!(read(&text), ["a", complaint, "c"]);
    }

    #[test]
    fn what_stands_before_the_first_event_decides_nothing() {
        let text = format!("HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\ndata: {}\n\n", end("a"));
        assert_eq!(read(&text), ["line 1 is not a JSON object", "line 2 is not a JSON object", "a"]);
    }

    #[test]
    fn what_is_too_long_is_named_and_passed_over() {
        let long = end(&"x".repeat(100));
        let complaint = |line: u64| format!("line {line} is longer than 60 bytes");
        for buffer in [1, 50, 1000] {
            let text = format!("{}\n{long}\n{}\n", end("a"), end("b"));
            assert_eq!(
                read_with(text.as_bytes(), 60, buffer),
                ["a".to_owned(), complaint(2), "b".to_owned()]
            );
            let text = format!("data: {long}\ndata: x\n\n: {long}\ndata: {}\n\n", end("b"));
            assert_eq!(read_with(text.as_bytes(), 60, buffer), [complaint(1), "b".to_owned()]);
            // No line is too long, but all of them together are.
            let part = format!("data: {}\n", "x".repeat(25));
            let text = format!("{}\ndata: {}\n\n", part.repeat(3), end("b"));
            assert_eq!(read_with(text.as_bytes(), 60, buffer), [complaint(1), "b".to_owned()]);
        }
    }

    #[test]
    fn a_frame_may_have_as_many_bytes_as_the_limit_and_no_more() {
        let data = ["{\"type\":\"TOOL_CALL_END\",", "\"toolCallId\":\"a\"}"];
        let text = format!("data: {}\ndata: {}\n\n", data[0], data[1]);
        let bytes = data.join("\n").len();
        assert_eq!(read_with(text.as_bytes(), bytes, 8192), ["a"]);
        let complaint = format!("line 1 is longer than {} bytes", bytes - 1);
        assert_eq!(read_with(text.as_bytes(), bytes - 1, 8192), [complaint]);
    }

    #[test]
    fn a_line_may_have_64_mebibytes_unless_said_otherwise() {
        let input = BufReader::with_capacity(1 << 20, io::repeat(b'x').take((64 << 20) + 1));
        let mut reader = EventReader::new(input);
        let reason = SkipReason::TooLong(64 << 20);
        assert_eq!(reader.read().unwrap(), Some(Recorded::Skipped(SkippedLine { line: 1, reason })));
        assert_eq!(reader.bytes(), (64 << 20) + 1);
    }

    #[test]
    fn an_event_is_there_as_soon_as_its_line_is() {
        struct Live(Vec<&'static [u8]>);
        impl Read for Live {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let part = self.0.pop().expect("read beyond what the event needs");
                buffer[..part.len()].copy_from_slice(part);
                Ok(part.len())
            }
        }
        let live = Live(vec![b"\":\"RUN_ERROR\"}\n", b"{\"type"]);
        let mut reader = EventReader::new(BufReader::new(live));
        let Some(Recorded::Event(event)) = reader.read().unwrap() else { panic!("no event") };
        assert!(matches!(event.kind, EventKind::RunError(_)));
    }

    proptest! {
        /// Whatever comes in, reading ends, and a line feed more or less at the end changes nothing.
        #[test]
        fn any_bytes_are_read_to_their_end(
            text in "((data: ?|:|event: x)?(\\{\"type\":\"RUN_ERROR\"\\}|[a{\":} ]{0,3}|\\PC{0,4})(\n|\r\n|\n\n)){0,8}",
            limit in 0_usize..40,
        ) {
            let read = read_with(text.as_bytes(), limit, 8192);
            prop_assert_eq!(&read_with(text.as_bytes(), limit, 3), &read);
            prop_assert_eq!(&read_with(format!("{text}\n").as_bytes(), limit, 8192), &read);
        }

        /// The same events read the same in either form.
        #[test]
        fn both_forms_read_the_same(ids in proptest::collection::vec("[a-z]{1,3}", 0..6), crlf: bool) {
            let line_end = if crlf { "\r\n" } else { "\n" };
            let lines: String = ids.iter().map(|id| end(id) + line_end).collect();
            let frames: String =
                ids.iter().map(|id| format!("data: {}{line_end}{line_end}", end(id))).collect();
            prop_assert_eq!(&read(&lines), &ids);
            prop_assert_eq!(&read(&frames), &ids);
        }
    }
}
