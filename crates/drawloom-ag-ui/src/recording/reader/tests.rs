//! Recordings of every form, read from buffers of every size.

use std::io::BufReader;

use proptest::prelude::*;

use super::*;
use crate::protocol::EventKind;

/// What is read, in short: the call of each TOOL_CALL_END, the type of any other event, or what was lost.
fn read_with(text: &[u8], limit: usize, buffer: usize) -> Vec<String> {
    let mut reader = RecordingReader::new(BufReader::with_capacity(buffer, text)).limit(limit);
    let mut read = Vec::new();
    loop {
        match reader.read() {
            Ok(Some(RecordingItem::Event {
                event: Event { kind: EventKind::ToolCallEnd(end), .. }, ..
            })) => {
                read.push(end.id.into_owned());
            }
            Ok(Some(RecordingItem::Event { event, .. })) => read.push(event.kind.to_string()),
            Ok(Some(RecordingItem::Lost { line, problem })) => read.push(format!("line {line} {problem}")),
            Ok(Some(RecordingItem::Note { note, line })) => read.push(format!("line {line} note {note:?}")),
            Ok(None) => break,
            Err(error) => {
                read.push(error.to_string());
                break;
            }
        }
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

const NO_EVENT: &str = "the recording has no event in it";

#[test]
fn json_lines_are_read_line_by_line() {
    let text = format!("\u{feff}\n{}\n\n  {}  \r\n{}", end("a"), end("b"), end("c"));
    assert_eq!(read(&text), ["a", "b", "c"]);
}

#[test]
fn a_line_that_is_not_an_object_is_lost_and_the_next_is_read() {
    let text = format!("{}\noops\n[1]\n{}x\ndata: {}\n{}\n", end("a"), end("b"), end("c"), end("d"));
    let lost = [2, 3, 4, 5].map(|line| format!("line {line} is not a JSON object"));
    let expected: Vec<_> = ["a".to_owned()].into_iter().chain(lost).chain(["d".to_owned()]).collect();
    assert_eq!(read(&text), expected);
}

#[test]
fn a_recording_without_an_event_is_an_error() {
    for text in ["", "\n \n", "\u{feff}", ": only a comment\n\n", "data\n\n", "[]", "[1]"] {
        assert_eq!(read(text).last().unwrap(), NO_EVENT, "{text:?}");
    }
    assert_eq!(read("oops"), ["line 1 is not a JSON object", NO_EVENT]);
}

#[test]
fn bytes_that_are_not_text_are_not_an_event() {
    let text = [b"{\"a\":\"\xFF\"}\n", end("a").as_bytes()].concat();
    assert_eq!(read_with(&text, LIMIT, 8192), ["line 1 is not a JSON object", "a"]);
}

#[test]
fn the_data_of_server_sent_events_is_read() {
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
fn any_field_or_comment_makes_it_server_sent_events() {
    for first in [":", ": hello", "event: x", "event", "id: 1", "id", "retry: 10", "data", "data:"] {
        assert_eq!(read(&format!("{first}\nfoo\ndata: {}\n\n", end("a"))), ["a"], "{first}");
    }
    for first in ["foo: x", "retries: 1", "events", "Data: x"] {
        let lost = "line 1 is not a JSON object";
        assert_eq!(read(&format!("{first}\ndata: {}\n\n", end("a"))), [lost, "a"], "{first}");
    }
}

#[test]
fn several_lines_of_data_are_one_frame() {
    let text = "data: {\"type\":\"TOOL_CALL_END\",\ndata: \"toolCallId\":\ndata\ndata:  \"a\"}\n\n";
    assert_eq!(read(text), ["a"]);
    // Joined with anything but a line feed, it would be JSON.
    assert_eq!(read("data: {\"a\":\"b\ndata: c\"}\n\n"), ["line 1 is not a JSON object", NO_EVENT]);
}

#[test]
fn a_lost_frame_is_named_by_its_first_line_of_data() {
    let text = format!(": \n\ndata: oops\ndata: twice\n\ndata: {}\n\n", end("a"));
    assert_eq!(read(&text), ["line 3 is not a JSON object", "a"]);
}

#[test]
fn json_between_server_sent_events_is_lost() {
    let text = format!("data: {}\n\n{}\n\ndata: {}\n\n", end("a"), end("b"), end("c"));
    assert_eq!(read(&text), ["a", "line 3 is JSON between server-sent events, without \"data:\"", "c"]);
}

#[test]
fn the_head_of_a_response_does_not_decide_the_form() {
    let text = format!("HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\ndata: {}\n\n", end("a"));
    assert_eq!(read(&text), ["line 1 is not a JSON object", "line 2 is not a JSON object", "a"]);
}

#[test]
fn a_line_or_frame_over_the_limit_is_lost() {
    let long = end(&"x".repeat(100));
    let lost = |line: u64| format!("line {line} is longer than 60 bytes");
    for buffer in [1, 50, 1000] {
        let text = format!("{}\n{long}\n{}\n", end("a"), end("b"));
        assert_eq!(read_with(text.as_bytes(), 60, buffer), ["a".to_owned(), lost(2), "b".to_owned()]);
        let text = format!("data: {long}\ndata: x\n\n: {long}\ndata: {}\n\n", end("b"));
        assert_eq!(read_with(text.as_bytes(), 60, buffer), [lost(1), "b".to_owned()]);
        // No line is too long, but all of them together are.
        let part = format!("data: {}\n", "x".repeat(25));
        let text = format!("{}\ndata: {}\n\n", part.repeat(3), end("b"));
        assert_eq!(read_with(text.as_bytes(), 60, buffer), [lost(1), "b".to_owned()]);
    }
}

#[test]
fn the_limit_is_the_most_that_a_line_or_frame_may_have() {
    let data = ["{\"type\":\"TOOL_CALL_END\",", "\"toolCallId\":\"a\"}"];
    let text = format!("data: {}\ndata: {}\n\n", data[0], data[1]);
    let bytes = data.join("\n").len();
    assert_eq!(read_with(text.as_bytes(), bytes, 8192), ["a"]);
    let lost = format!("line 1 is longer than {} bytes", bytes - 1);
    assert_eq!(read_with(text.as_bytes(), bytes - 1, 8192), [&*lost, NO_EVENT]);
    let text = end("a");
    assert_eq!(read_with(text.as_bytes(), text.len(), 8192), ["a"]);
    let lost = format!("line 1 is longer than {} bytes", text.len() - 1);
    assert_eq!(read_with(text.as_bytes(), text.len() - 1, 8192), [&*lost, NO_EVENT]);
}

#[test]
fn the_limit_is_64_mebibytes_by_default() {
    let input = BufReader::with_capacity(1 << 20, io::repeat(b'x').take((64 << 20) + 1));
    let mut reader = RecordingReader::new(input);
    let lost = Frame::Lost { line: 1, problem: FrameProblem::TooLong(64 << 20) };
    assert_eq!(reader.next_frame().unwrap(), Some(lost));
    assert_eq!(reader.bytes(), (64 << 20) + 1);
}

#[test]
fn an_event_is_read_as_soon_as_its_line_is_there() {
    struct Live(Vec<&'static [u8]>);
    impl Read for Live {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let part = self.0.pop().expect("read further than the event needs");
            buffer[..part.len()].copy_from_slice(part);
            Ok(part.len())
        }
    }
    for parts in [["\":\"RUN_ERROR\"}\n", "{\"type"], ["\":\"RUN_ERROR\"}\n\n", "data: {\"type"]] {
        let live = Live(parts.map(str::as_bytes).to_vec());
        let mut reader = RecordingReader::new(BufReader::new(live));
        assert!(matches!(reader.next_frame().unwrap(), Some(Frame::Event(_))));
    }
}

#[test]
fn an_array_of_events_is_read_however_it_is_laid_out() {
    let (a, b) = (end("a"), end("b"));
    for text in [
        format!("[{a},{b}]"),
        format!("\u{feff}\n \n[\n  {a},\n  {b}\n]\n"),
        format!("[\r\n{a}\r\n,\r\n{b}]\r\n\r\n"),
    ] {
        assert_eq!(read(&text), ["a", "b"], "{text}");
    }
}

#[test]
fn an_item_of_an_array_that_is_not_an_object_is_lost() {
    let text = format!("\n[\n{},\n\n7,\n\"lost frame: it broke\", [{}],\n{}]", end("a"), end("x"), end("b"));
    assert_eq!(
        read(&text),
        [
            "a",
            "line 5 is not a JSON object",
            "line 6 records a lost frame: it broke",
            "line 6 is not a JSON object",
            "b",
        ]
    );
}

#[test]
fn only_a_text_that_is_one_array_as_a_whole_is_an_array() {
    for first in ["[1,2]".to_owned(), format!("[{}]", end("x")), "[".to_owned()] {
        let text = format!("{first}\n{}\n", end("a"));
        assert_eq!(read(&text), ["line 1 is not a JSON object", "a"], "{first}");
    }
    let text = format!("[1,2]\ndata: {}\n\n", end("a"));
    assert_eq!(read(&text), ["line 1 is not a JSON object", "a"]);
}

#[test]
fn an_array_over_the_limit_is_an_error_and_lines_are_not() {
    let array = format!("[{},{}]", end("a"), end("b"));
    let mut reader = RecordingReader::new(array.as_bytes()).limit(array.len() - 4);
    assert_eq!(reader.read().unwrap_err().code(), "array-too-long");
    let lines = format!("[1,2]\n{}\n{}\n", end("a"), end("b"));
    assert_eq!(read_with(lines.as_bytes(), 60, 8192), ["line 1 is not a JSON object", "a", "b"]);
}

#[test]
fn what_is_written_is_read_back() {
    let mut writer = super::super::RecordingWriter::new(Vec::new());
    let frames = [
        Frame::Event(end("a").replace(',', ",\r\n")),
        Frame::TooLong(60),
        Frame::Event("oops\n".to_owned()),
        Frame::Lost { line: 9, problem: FrameProblem::Recorded("it \"broke\"\nbadly".to_owned()) },
        Frame::Lost { line: 9, problem: FrameProblem::NotAField },
        Frame::Event(end("b")),
    ];
    for frame in &frames {
        writer.write(frame).unwrap();
    }
    let text = String::from_utf8(writer.into_inner()).unwrap();
    assert_eq!(text.lines().count(), frames.len());
    assert_eq!(
        read(&text),
        [
            "a",
            "line 2 records a lost frame: it is longer than 60 bytes",
            "line 3 records a lost frame: it is not a JSON object",
            "line 4 records a lost frame: it \"broke\"\nbadly",
            "line 5 records a lost frame: it is JSON between server-sent events, without \"data:\"",
            "b",
        ]
    );
}

#[test]
fn many_frames_on_one_line_take_linear_time() {
    // Lines that end with a carriage return alone are one line to the line reader. Quadratic, this takes minutes.
    let frame = format!("data: {}\r\r", end("a"));
    let text = format!(": \n{}", frame.repeat(200_000));
    assert_eq!(read_with(text.as_bytes(), LIMIT, 8192).len(), 200_000);
}

proptest! {
    /// Whatever is read, reading ends, and another line feed at the end changes nothing.
    #[test]
    fn any_bytes_are_read_to_their_end(
        text in "((data: ?|:|event: x)?(\\{\"type\":\"RUN_ERROR\"\\}|[\\[a{\":,\\]} ]{0,3}|\\PC{0,4})(\n|\r\n|\n\n)){0,8}",
        limit in 1_usize..40,
    ) {
        let read = read_with_any(text.as_bytes(), limit, 8192);
        prop_assert_eq!(&read_with_any(text.as_bytes(), limit, 3), &read);
    }

    /// The same events read the same in every form.
    #[test]
    fn all_forms_read_the_same(ids in proptest::collection::vec("[a-z]{1,3}", 1..6), crlf: bool) {
        let line_end = if crlf { "\r\n" } else { "\n" };
        let lines: String = ids.iter().map(|id| end(id) + line_end).collect();
        let frames: String = ids.iter().map(|id| format!("data: {}{line_end}{line_end}", end(id))).collect();
        let array = ids.iter().map(|id| end(id)).collect::<Vec<_>>().join(&format!(",{line_end}"));
        prop_assert_eq!(&read(&lines), &ids);
        prop_assert_eq!(&read(&frames), &ids);
        prop_assert_eq!(&read(&format!("[{array}]")), &ids);
    }
}

/// Like [`read_with`], for a text that may be an array over the limit, which is not read to its end.
fn read_with_any(text: &[u8], limit: usize, buffer: usize) -> Vec<String> {
    let mut reader = RecordingReader::new(BufReader::with_capacity(buffer, text)).limit(limit);
    let mut read = Vec::new();
    loop {
        match reader.next_frame() {
            Ok(Some(frame)) => read.push(format!("{frame:?}")),
            Ok(None) => return read,
            Err(error) => {
                read.push(error.to_string());
                return read;
            }
        }
    }
}
