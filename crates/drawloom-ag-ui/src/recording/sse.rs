//! Server-sent events out of bytes, within a limit. What the bytes mean is decided by the parser (`sse-core`); here its
//! events become frames.

use std::fmt;
use std::num::NonZeroUsize;

use sse_core::{SseDecoder, SseEvent};

use super::Frame;

/// Takes the bytes of server-sent events, however they are cut, and hands out the frames in them. It holds one frame at
/// most, and of that no more than the limit.
///
/// A frame with bytes that are not UTF-8 is handed out with a replacement character in front, so that it is not read as
/// an event. Several `data` lines of a frame are joined with a line feed; comments and other fields are ignored. Lines end with a
/// line feed, a carriage return, or both.
///
/// ```
/// use drawloom_ag_ui::recording::{Frame, FrameDecoder};
///
/// let mut decoder = FrameDecoder::new(1024);
/// let mut bytes = &b"data: {\"type\":\"RUN_ERROR\"}\r\n\r\ndata: {}"[..];
/// let frame = decoder.next_frame(&mut bytes);
/// assert_eq!(frame, Some(Frame::Event(r#"{"type":"RUN_ERROR"}"#.to_owned())));
/// assert_eq!(decoder.next_frame(&mut bytes), None);
/// assert!(bytes.is_empty());
/// assert_eq!(decoder.end(), Some(Frame::Event("{}".to_owned())));
/// ```
pub struct FrameDecoder {
    decoder: SseDecoder,
    limit: NonZeroUsize,
    text: TextWatch,
}

impl FrameDecoder {
    /// Takes frames of at most this many bytes of data.
    pub fn new(limit: usize) -> Self {
        let limit = NonZeroUsize::new(limit).unwrap_or(NonZeroUsize::MIN);
        Self { decoder: SseDecoder::with_limit(limit), limit, text: TextWatch::default() }
    }

    /// The next complete frame. It advances `bytes` behind what it took; at None, it took all of them.
    pub fn next_frame(&mut self, bytes: &mut &[u8]) -> Option<Frame> {
        loop {
            let before = *bytes;
            let next = self.decoder.next(bytes);
            self.text.take(before.get(..before.len() - bytes.len()).unwrap_or_default());
            match next? {
                Ok(SseEvent::Message(message)) if self.text.is_whole() => {
                    return Some(Frame::Event(message.data));
                }
                Ok(SseEvent::Message(message)) => {
                    return Some(Frame::Event(format!("{}{}", char::REPLACEMENT_CHARACTER, message.data)));
                }
                Ok(SseEvent::Retry(_)) => {}
                Err(_too_large) => {
                    self.text = TextWatch::default();
                    return Some(Frame::TooLong(self.limit.get()));
                }
            }
        }
    }

    /// Takes the end of the stream. The last frame counts even without the blank line after it.
    pub fn end(&mut self) -> Option<Frame> {
        self.next_frame(&mut &b"\n\n"[..])
    }
}

/// Watches whether the bytes of a frame are UTF-8, however they are cut.
#[derive(Debug, Default)]
struct TextWatch {
    has_other_bytes: bool,
    /// The beginning of a character that is cut.
    begun: Vec<u8>,
}

impl TextWatch {
    fn take(&mut self, mut bytes: &[u8]) {
        while !self.begun.is_empty()
            && let Some((next, rest)) = bytes.split_first()
        {
            self.begun.push(*next);
            bytes = rest;
            match str::from_utf8(&self.begun) {
                Err(error) if error.error_len().is_none() => continue,
                read => self.has_other_bytes |= read.is_err(),
            }
            self.begun.clear();
        }
        if let Err(error) = str::from_utf8(bytes) {
            match error.error_len() {
                Some(_) => self.has_other_bytes = true,
                None => self.begun.extend(bytes.iter().skip(error.valid_up_to())),
            }
        }
    }

    /// Whether everything since this was asked last is UTF-8.
    fn is_whole(&mut self) -> bool {
        !std::mem::take(&mut self.has_other_bytes)
    }
}

impl fmt::Debug for FrameDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameDecoder").field("limit", &self.limit).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 32;

    /// The frames of a stream that comes in pieces of `size` bytes.
    fn frames(text: &[u8], size: usize) -> Vec<Frame> {
        let mut decoder = FrameDecoder::new(LIMIT);
        let mut frames = Vec::new();
        for mut piece in text.chunks(size) {
            frames.extend(std::iter::from_fn(|| decoder.next_frame(&mut piece)));
            assert!(piece.is_empty());
        }
        frames.extend(std::iter::from_fn(|| decoder.end()));
        frames
    }

    fn events(texts: &[&str]) -> Vec<Frame> {
        texts.iter().map(|text| Frame::Event((*text).to_owned())).collect()
    }

    #[test]
    fn frames_are_the_same_wherever_the_bytes_are_cut() {
        let stream = "\u{feff}: hello\r\nevent: x\r\nid: 7\r\ndata: {\"a\":\"日本🙂\"}\r\n\r\n:\n\nretry: 5\ndata:{\"b\":1}\n\ndata: 1\rdata: 2\r\r";
        for size in 1..stream.len() {
            assert_eq!(
                frames(stream.as_bytes(), size),
                events(&["{\"a\":\"日本🙂\"}", "{\"b\":1}", "1\n2"]),
                "{size}"
            );
        }
    }

    #[test]
    fn the_last_frame_needs_no_blank_line() {
        assert_eq!(frames(b"data: a\n\ndata: b\n", 3), events(&["a", "b"]));
        assert_eq!(frames(b"data: a\n\ndata: b", 3), events(&["a", "b"]));
    }

    #[test]
    fn a_frame_over_the_limit_is_reported_and_the_next_one_is_read() {
        let long = "x".repeat(100_000);
        let stream = format!("data: a\n\ndata: {long}\ndata: more\n\ndata: b\n\n");
        for size in [1, 7, stream.len()] {
            let mut expected = events(&["a", "b"]);
            expected.insert(1, Frame::TooLong(LIMIT));
            assert_eq!(frames(stream.as_bytes(), size), expected, "{size}");
        }
    }

    #[test]
    fn a_long_field_without_data_is_reported_at_most_once() {
        let long = "x".repeat(100_000);
        for field in [": ", "event: ", "id: ", "other: "] {
            let stream = format!("{field}{long}\n\ndata: b\n\n");
            for size in [7, stream.len()] {
                let frames = frames(stream.as_bytes(), size);
                assert_eq!(frames.last(), events(&["b"]).last(), "{field}");
                assert!(frames.len() <= 2, "{field}: {}", frames.len());
            }
        }
    }

    #[test]
    fn bytes_that_are_not_text_affect_only_their_frame() {
        let stream = "data: é€😀\u{fffd}\n\n".as_bytes();
        let stream = [stream, b"data: {\xff}\n\ndata: {\xc3}\n\ndata: b\n\n"].concat();
        for size in [1, 2, 3, stream.len()] {
            // Nothing that begins with this is an event.
            let lost = "\u{fffd}{\u{fffd}}";
            assert_eq!(frames(&stream, size), events(&["é€😀\u{fffd}", lost, lost, "b"]), "{size}");
        }
    }
}
