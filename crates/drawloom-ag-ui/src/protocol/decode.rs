//! The only reader of JSON text in this crate: one pass over the bytes, borrowing from them.
//!
//! It checks the grammar of RFC 8259 exactly as serde_json does, and differs from it in what it hands out. A value that
//! nobody asked for is skipped or handed out as raw text, without a limit to its depth and without stack for it. A
//! number is never converted. Half of a surrogate pair, which JavaScript can write, reads as U+FFFD.
//!
//! What the members mean is decided elsewhere.

mod skip;

use std::borrow::Cow;

/// The most members and items that one text is taken apart into. A raw value counts as one, whatever it holds.
pub(crate) const MAX_ITEMS: usize = 250_000;

/// Why a text could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The text does not follow the grammar, or is not what was asked for, at this byte.
    At(usize),
    /// The text has more than [`MAX_ITEMS`] members and items to take apart.
    TooManyItems,
}

pub(crate) type Read<T> = Result<T, Fault>;

/// What kind of value comes next, as its first byte says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Null,
    Text,
    Object,
    List,
    /// A number, true or false, or something that is not JSON.
    Other,
}

/// A position in a JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    items: usize,
    /// Whether what was read or skipped last has half of a surrogate pair in it.
    saw_half: bool,
}

/// The members of an object or the items of a list that is being read.
#[derive(Debug)]
pub(crate) struct Inside {
    is_first: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, items: 0, saw_half: false }
    }

    /// Where it stands, to return to with [`Reader::rewind`].
    pub(crate) fn mark(&self) -> usize {
        self.at
    }

    pub(crate) fn rewind(&mut self, mark: usize) {
        self.at = mark;
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault<T>(&self) -> Read<T> {
        Err(Fault::At(self.at))
    }

    #[inline]
    fn blank(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Read<()> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            self.fault()
        }
    }

    /// Makes sure that nothing but whitespace is left.
    pub(crate) fn end(&mut self) -> Read<()> {
        self.blank();
        if self.at == self.text.len() { Ok(()) } else { self.fault() }
    }

    /// Whether half of a surrogate pair was read since this was asked last.
    #[inline]
    pub(crate) fn take_half(&mut self) -> bool {
        std::mem::take(&mut self.saw_half)
    }

    /// What comes next. Never changes what is read.
    #[inline]
    pub(crate) fn next(&mut self) -> Next {
        self.blank();
        match self.peek() {
            Some(b'"') => Next::Text,
            Some(b'{') => Next::Object,
            Some(b'[') => Next::List,
            Some(b'n') => Next::Null,
            _ => Next::Other,
        }
    }

    /// Counts one more thing that is kept on its own.
    #[inline]
    pub(crate) fn count(&mut self) -> Read<()> {
        self.items += 1;
        if self.items > MAX_ITEMS { Err(Fault::TooManyItems) } else { Ok(()) }
    }

    /// Enters an object.
    #[inline]
    pub(crate) fn object(&mut self) -> Read<Inside> {
        self.blank();
        self.expect(b'{')?;
        Ok(Inside { is_first: true })
    }

    /// The key of the next member; the caller reads or skips the value. None at the end of the object.
    #[inline]
    pub(crate) fn key(&mut self, inside: &mut Inside) -> Read<Option<Cow<'a, str>>> {
        match self.compact_key(inside) {
            Some(key) => Ok(Some(Cow::Borrowed(key))),
            None => self.any_key(inside),
        }
    }

    /// The key of the next member, if it has no escapes and there is no whitespace around it, as agents write it.
    /// Otherwise the reader does not move.
    fn compact_key(&mut self, inside: &mut Inside) -> Option<&'a str> {
        let mut start = self.at;
        if !inside.is_first {
            if self.peek() != Some(b',') {
                return None;
            }
            start += 1;
        }
        let bytes = self.text.as_bytes();
        if bytes.get(start) != Some(&b'"') {
            return None;
        }
        let end = plain_until(bytes, start + 1);
        if bytes.get(end) != Some(&b'"') || bytes.get(end + 1) != Some(&b':') {
            return None;
        }
        let key = self.text.get(start + 1..end)?;
        inside.is_first = false;
        self.at = end + 2;
        self.blank();
        Some(key)
    }

    fn any_key(&mut self, inside: &mut Inside) -> Read<Option<Cow<'a, str>>> {
        self.blank();
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if !inside.is_first => {
                self.at += 1;
                self.blank();
            }
            _ if inside.is_first => {}
            _ => return self.fault(),
        }
        inside.is_first = false;
        let key = self.text()?;
        self.blank();
        self.expect(b':')?;
        self.blank();
        Ok(Some(key))
    }

    /// Enters a list.
    pub(crate) fn list(&mut self) -> Read<Inside> {
        self.blank();
        self.expect(b'[')?;
        Ok(Inside { is_first: true })
    }

    /// Whether there is another item; the caller reads or skips it.
    pub(crate) fn item(&mut self, inside: &mut Inside) -> Read<bool> {
        self.blank();
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !inside.is_first => {
                self.at += 1;
                self.blank();
                if self.peek() == Some(b']') {
                    return self.fault();
                }
            }
            _ if inside.is_first => {}
            _ => return self.fault(),
        }
        inside.is_first = false;
        Ok(true)
    }

    /// Reads a string, which borrows from the text unless it has escapes.
    #[inline]
    pub(crate) fn text(&mut self) -> Read<Cow<'a, str>> {
        match self.plain_text() {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.any_text(),
        }
    }

    /// Reads a string that has no escapes. Anything else does not move the reader.
    fn plain_text(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        if bytes.get(self.at) != Some(&b'"') {
            return None;
        }
        let start = self.at + 1;
        let end = plain_until(bytes, start);
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        let text = self.text.get(start..end)?;
        self.at = end + 1;
        Some(text)
    }

    fn any_text(&mut self) -> Read<Cow<'a, str>> {
        self.expect(b'"')?;
        let start = self.at;
        self.at = plain_until(self.text.as_bytes(), start);
        self.unescape(start).map(Cow::Owned)
    }

    /// Reads the rest of a string that has an escape where the reader stands.
    fn unescape(&mut self, start: usize) -> Read<String> {
        let mut text = String::with_capacity((self.at - start) * 2 + 16);
        let mut plain = start;
        loop {
            text.push_str(self.text.get(plain..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                }
                _ => return self.fault(),
            }
            plain = self.at;
            self.at = plain_until(self.text.as_bytes(), plain);
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self) -> Read<char> {
        let escaped = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.escaped_unit();
            }
            _ => return self.fault(),
        };
        self.at += 1;
        Ok(escaped)
    }

    /// Reads the digits of a `\u` and, where they are the first half of a character, the other half.
    fn escaped_unit(&mut self) -> Read<char> {
        let first = self.hex()?;
        if let 0xD800..0xDC00 = first
            && self.text.as_bytes().get(self.at..self.at + 2) == Some(b"\\u")
        {
            let mark = self.at;
            self.at += 2;
            let second = self.hex()?;
            if let 0xDC00..0xE000 = second {
                let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = mark;
        }
        Ok(char::from_u32(first).unwrap_or_else(|| {
            self.saw_half = true;
            char::REPLACEMENT_CHARACTER
        }))
    }

    fn hex(&mut self) -> Read<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return self.fault();
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}

/// Where the first byte at or after `from` is that ends a plain part of a string: a quote, a backslash or a control
/// character. The end of the text if there is none.
#[inline]
fn plain_until(bytes: &[u8], from: usize) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let (chunks, rest) = bytes.get(from..).unwrap_or_default().as_chunks::<8>();
    let mut at = from;
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        // Swaps the quote and the space, and otherwise only control characters with each other: what is to be found is
        // below 0x21 then.
        let swapped = word ^ (ONES * 2);
        let backslash = word ^ (ONES * b'\\' as u64);
        // Each term marks the lowest byte that matches, and perhaps bytes above it that do not.
        let hits = (swapped.wrapping_sub(ONES * 0x21) | backslash.wrapping_sub(ONES)) & !word & HIGH;
        if hits != 0 {
            return at + hits.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..0x20)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests;
