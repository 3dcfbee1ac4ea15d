//! Server-sent events out of bytes, within a limit. What the bytes mean is the parser's business (`sse-core`); here
//! its events become frames.

use std::num::NonZeroUsize;

use bytes::Bytes;
use sse_core::{SseDecoder, SseEvent};

use super::Frame;

/// Puts frames together from bytes, however they are cut. It holds one frame at most, and of that no more than the
/// limit.
pub(super) struct FrameDecoder {
    decoder: SseDecoder,
    bytes: Bytes,
    limit: NonZeroUsize,
    ended: bool,
}

impl FrameDecoder {
    pub(super) fn new(limit: NonZeroUsize) -> Self {
        Self { decoder: SseDecoder::with_limit(limit), bytes: Bytes::new(), limit, ended: false }
    }

    /// Takes the next bytes. Take every frame before.
    pub(super) fn feed(&mut self, bytes: Bytes) {
        self.bytes = bytes;
    }

    /// Takes the end. Where the last frame lacks the blank line after it, it counts all the same.
    pub(super) fn end(&mut self) {
        if !self.ended {
            self.ended = true;
            self.bytes = Bytes::from_static(b"\n\n");
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The next frame that is complete.
    pub(super) fn next_frame(&mut self) -> Option<Frame> {
        loop {
            match self.decoder.next(&mut self.bytes)? {
                Ok(SseEvent::Message(message)) => return Some(Frame::Event(message.data)),
                Ok(SseEvent::Retry(_)) => {}
                Err(_too_large) => return Some(Frame::TooLong(self.limit.get())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 32;

    /// The frames of a stream that comes in pieces of `size` bytes.
    fn frames(text: &[u8], size: usize) -> Vec<Frame> {
        let mut decoder = FrameDecoder::new(NonZeroUsize::new(LIMIT).unwrap());
        let mut frames = Vec::new();
        for piece in text.chunks(size) {
            decoder.feed(Bytes::copy_from_slice(piece));
            frames.extend(std::iter::from_fn(|| decoder.next_frame()));
        }
        decoder.end();
        frames.extend(std::iter::from_fn(|| decoder.next_frame()));
        frames
    }

    fn events(texts: &[&str]) -> Vec<Frame> {
        texts.iter().map(|text| Frame::Event((*text).to_owned())).collect()
    }

    #[test]
    fn lines_end_as_they_like_and_bytes_are_cut_as_they_like() {
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
    fn a_last_frame_needs_no_blank_line() {
        assert_eq!(frames(b"data: a\n\ndata: b\n", 3), events(&["a", "b"]));
        assert_eq!(frames(b"data: a\n\ndata: b", 3), events(&["a", "b"]));
    }

    #[test]
    fn a_frame_too_long_is_passed_over_and_never_held() {
        let long = "x".repeat(100_000);
        let stream = format!("data: a\n\ndata: {long}\ndata: more\n\ndata: b\n\n");
        for size in [1, 7, stream.len()] {
            let mut expected = events(&["a", "b"]);
            expected.insert(1, Frame::TooLong(LIMIT));
            assert_eq!(frames(stream.as_bytes(), size), expected, "{size}");
        }
    }

    #[test]
    fn what_is_no_data_is_never_held() {
        let long = "x".repeat(100_000);
        for (field, is_told) in [(": ", false), ("event: ", true), ("id: ", true), ("other: ", true)] {
            let stream = format!("{field}{long}\n\ndata: b\n\n");
            for size in [7, stream.len()] {
                let frames = frames(stream.as_bytes(), size);
                assert_eq!(frames.last(), events(&["b"]).last(), "{field}");
                assert!(frames.len() <= 1 + usize::from(is_told), "{field}: {}", frames.len());
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_spoil_only_themselves() {
        assert_eq!(frames(b"data: \xff\n\ndata: b\n\n", 2), events(&["\u{fffd}", "b"]));
    }
}
