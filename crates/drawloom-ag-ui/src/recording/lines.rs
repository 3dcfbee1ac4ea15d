//! The lines of an input, each held only up to a limit.

use std::io::{self, BufRead, Read};

/// The mark that some programs put before UTF-8 text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

#[derive(Debug)]
pub(super) struct LineReader<R> {
    pub(super) input: R,
    /// The most bytes of a line, without its end.
    pub(super) limit: usize,
    /// The line that was read last, without its end; only its start if it is over the limit.
    pub(super) line: Vec<u8>,
    /// The number of that line, from 1.
    pub(super) number: u64,
    /// How many bytes were read.
    pub(super) bytes: u64,
    is_new: bool,
}

/// Whether all of a line is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole,
    TooLong,
}

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit, line: Vec::new(), number: 0, bytes: 0, is_new: true }
    }

    /// Reads the next line; nothing at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        self.line.clear();
        // Room for either line end and, in the first line, for the mark.
        let most = self.limit.saturating_add(2 + if self.is_new { BYTE_ORDER_MARK.len() } else { 0 });
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        self.bytes += read as u64;
        self.number += 1;
        let is_ended = self.line.pop_if(|last| *last == b'\n').is_some();
        if is_ended {
            self.line.pop_if(|last| *last == b'\r');
        }
        if self.is_new && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        self.is_new = false;
        if self.line.len() <= self.limit {
            return Ok(Some(Line::Whole));
        }
        if !is_ended {
            self.bytes += self.input.skip_until(b'\n')? as u64;
        }
        self.line.truncate(self.limit);
        Ok(Some(Line::TooLong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(text: &str, limit: usize, buffer: usize) -> (Vec<(String, Line)>, u64) {
        let mut reader = LineReader::new(BufReader::with_capacity(buffer, text.as_bytes()), limit);
        let mut lines = Vec::new();
        while let Some(line) = reader.next().unwrap() {
            lines.push((String::from_utf8(reader.line.clone()).unwrap(), line));
            assert_eq!(reader.number, lines.len() as u64);
        }
        (lines, reader.bytes)
    }

    fn whole(text: &str) -> (String, Line) {
        (text.to_owned(), Line::Whole)
    }

    fn cut(text: &str) -> (String, Line) {
        (text.to_owned(), Line::TooLong)
    }

    #[test]
    fn lines_are_the_same_however_they_arrive() {
        let text = "\u{feff}ab\r\n\nabc\rd\n\r\n\u{feff}e";
        for buffer in 1..text.len() + 1 {
            let expected = [whole("ab"), whole(""), whole("abc\rd"), whole(""), whole("\u{feff}e")];
            assert_eq!(lines(text, 100, buffer), (expected.to_vec(), text.len() as u64));
        }
    }

    #[test]
    fn a_line_may_have_as_many_bytes_as_the_limit_and_no_more() {
        for buffer in [1, 3, 100] {
            for end in ["\n", "\r\n"] {
                let text = format!("\u{feff}abc{end}abcd{end}abcdefghijklm{end}abc{end}");
                let expected = [whole("abc"), cut("abc"), cut("abc"), whole("abc")];
                assert_eq!(lines(&text, 3, buffer), (expected.to_vec(), text.len() as u64), "{text:?}");
            }
            assert_eq!(lines("abcd", 3, buffer).0, [cut("abc")]);
            assert_eq!(lines("abcd\r", 3, buffer).0, [cut("abc")]);
            assert_eq!(lines("abc", 3, buffer).0, [whole("abc")]);
        }
    }

    #[test]
    fn a_line_without_an_end_holds_no_more_than_the_limit() {
        let mut reader = LineReader::new(BufReader::new(io::repeat(b'x').take(10_000_000)), 100);
        assert_eq!(reader.next().unwrap(), Some(Line::TooLong));
        assert!(reader.line.capacity() < 1000, "{}", reader.line.capacity());
        assert_eq!(reader.bytes, 10_000_000);
        assert_eq!(reader.next().unwrap(), None);
    }
}
