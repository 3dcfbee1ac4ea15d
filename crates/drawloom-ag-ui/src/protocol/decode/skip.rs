//! Passing over values, and handing them out as raw text.

use std::borrow::Cow;

use super::{Read, Reader, plain_until};
use crate::protocol::Json;

impl<'a> Reader<'a> {
    fn skip_text(&mut self) -> Read<()> {
        self.expect(b'"')?;
        loop {
            self.at = plain_until(self.text.as_bytes(), self.at);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape()?;
                }
                _ => return self.fault(),
            }
        }
    }

    /// Passes over one value, however deep.
    pub(crate) fn skip(&mut self) -> Read<()> {
        self.blank();
        match self.peek() {
            Some(b'"') => self.skip_text(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.skip_nested(),
        }
    }

    /// Passes over one value, of which most are objects or lists.
    fn skip_nested(&mut self) -> Read<()> {
        let mut nesting = Nesting::default();
        loop {
            self.blank();
            match self.peek() {
                Some(b'"') => self.skip_text()?,
                Some(b'{') => {
                    self.at += 1;
                    self.blank();
                    if self.peek() == Some(b'}') {
                        self.at += 1;
                    } else {
                        nesting.push(true);
                        self.skip_key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.blank();
                    if self.peek() == Some(b']') {
                        self.at += 1;
                    } else {
                        nesting.push(false);
                        continue;
                    }
                }
                Some(b't') => self.literal("true")?,
                Some(b'f') => self.literal("false")?,
                Some(b'n') => self.literal("null")?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                _ => return self.fault(),
            }
            // A value has ended; so may have what it stands in.
            loop {
                let Some(is_object) = nesting.top() else { return Ok(()) };
                self.blank();
                match (self.peek(), is_object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        if is_object {
                            self.blank();
                            self.skip_key()?;
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        nesting.pop();
                    }
                    _ => return self.fault(),
                }
            }
        }
    }

    fn skip_key(&mut self) -> Read<()> {
        self.skip_text()?;
        self.blank();
        self.expect(b':')
    }

    fn literal(&mut self, literal: &str) -> Read<()> {
        for byte in literal.bytes() {
            self.expect(byte)?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Read<()> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let digits = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        self.at += digits;
        if digits == 0 { self.fault() } else { Ok(()) }
    }

    fn number(&mut self) -> Read<()> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// The text of the next value, checked and otherwise as it stands.
    pub(crate) fn raw(&mut self) -> Read<Json<'a>> {
        self.blank();
        let start = self.at;
        self.saw_half = false;
        self.skip()?;
        let raw = self.text.get(start..self.at).unwrap_or_default();
        Ok(Json::checked(if self.saw_half { Cow::Owned(mended(raw)) } else { Cow::Borrowed(raw) }))
    }
}

/// Which of the open containers are objects, a bit for each.
#[derive(Default)]
struct Nesting {
    depth: usize,
    word: u64,
    full: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.word);
        }
        self.word = self.word << 1 | u64::from(is_object);
        self.depth += 1;
    }

    fn top(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.word & 1 == 1)
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.word >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.word = self.full.pop().unwrap_or_default();
        }
    }
}

/// Checked JSON text with every half of a surrogate pair written as U+FFFD.
fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut reader = Reader::new(text);
    let mut rest = 0;
    while let Some(backslash) = text.get(reader.at..).and_then(|rest| rest.find('\\')) {
        let start = reader.at + backslash;
        reader.at = start + 1;
        reader.saw_half = false;
        // INVARIANT: the text was checked, so every backslash begins an escape.
        if reader.escape().is_ok() && reader.saw_half {
            mended.push_str(text.get(rest..start).unwrap_or_default());
            mended.push_str("\\ufffd");
            rest = reader.at;
        }
    }
    mended.push_str(text.get(rest..).unwrap_or_default());
    mended
}
