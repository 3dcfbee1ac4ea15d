//! Standard output for a protocol of JSON lines, which may be a terminal.
//!
//! A character that a terminal would obey becomes an escape of JSON, so that the value of each message stays the same.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use drawloom_command::printable_chars;
use tokio::io::AsyncWrite;

/// How many bytes wait to be written before more are taken.
const WAITING_BYTES: usize = 64 * 1024;

/// Writes JSON with everything escaped that a terminal would obey.
#[derive(Debug)]
pub(crate) struct PrintableJson<W> {
    output: W,
    /// The first bytes of a character whose rest was not written yet.
    begun: Vec<u8>,
    waiting: Vec<u8>,
}

impl<W> PrintableJson<W> {
    pub(crate) fn new(output: W) -> Self {
        Self { output, begun: Vec::new(), waiting: Vec::new() }
    }

    /// Takes bytes. Those at the end that are not a whole character wait for the rest of it.
    fn take(&mut self, bytes: &[u8]) {
        self.begun.extend_from_slice(bytes);
        let bytes = std::mem::take(&mut self.begun);
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.escape(chunk.valid());
            // Four bytes are the longest character: what is shorter at the end may be continued.
            match chunk.invalid() {
                begun if chunks.peek().is_none() && begun.len() < 4 => self.begun = begun.to_vec(),
                // Not UTF-8, so not JSON either.
                _ => self.waiting.extend_from_slice("\u{fffd}".as_bytes()),
            }
        }
    }

    fn escape(&mut self, json: &str) {
        for (character, is_shown) in printable_chars(json) {
            if is_shown || character == '\n' {
                self.waiting.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    self.waiting.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                }
            }
        }
    }
}

impl<W: AsyncWrite + Unpin> PrintableJson<W> {
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.waiting.is_empty() {
            let written = ready!(Pin::new(&mut self.output).poll_write(context, &self.waiting))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.waiting.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for PrintableJson<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_drain(context))?;
        let bytes = bytes.get(..WAITING_BYTES).unwrap_or(bytes);
        self.take(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_drain(context))?;
        Pin::new(&mut self.output).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_drain(context))?;
        Pin::new(&mut self.output).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use tokio::io::AsyncWriteExt;

    /// What is written of a text that comes in pieces of this many bytes.
    async fn written(text: &str, size: usize) -> String {
        let mut output = PrintableJson::new(Vec::new());
        for piece in text.as_bytes().chunks(size) {
            output.write_all(piece).await.unwrap();
        }
        output.flush().await.unwrap();
        String::from_utf8(output.output).unwrap()
    }

    #[tokio::test]
    async fn every_message_keeps_its_value_and_controls_no_terminal() {
        let value =
            serde_json::json!({ "a\u{9b}2J": "\u{202e}b \u{e0041} 日本 🙂 \u{7f} می\u{200c}خواهم \u{1b}" });
        let line = format!("{value}\n");
        for size in 1..line.len() {
            let written = written(&line, size).await;
            assert!(written.ends_with('\n') && written.lines().count() == 1, "{written}");
            assert!(written.contains("日本 🙂") && written.contains("\\u009b2J"), "{written}");
            let unsafe_characters = ['\u{9b}', '\u{202e}', '\u{e0041}', '\u{7f}', '\u{1b}'];
            assert!(!written.contains(unsafe_characters), "{written}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), value);
        }
    }
}
