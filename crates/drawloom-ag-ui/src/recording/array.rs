//! A recording that is one JSON array of events.

use crate::protocol::decode::{Inside, Next, Reader};

/// The items of a JSON array, one at a time.
#[derive(Debug)]
pub(super) struct ArrayItems {
    text: String,
    inside: Inside,
    at: usize,
    /// Where the lines were counted up to, and how many line feeds there are before.
    counted: usize,
    feeds: u64,
}

/// One item: its first line from 1, and where its text is.
pub(super) struct ArrayItem {
    pub(super) line: u64,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl ArrayItems {
    /// The items of the text, if all of it is one array and at least one of its items is an object.
    ///
    /// # Errors
    /// The text, if it is not.
    pub(super) fn new(text: String) -> Result<Self, String> {
        match first_item(&text) {
            Some((inside, at)) => Ok(Self { text, inside, at, counted: 0, feeds: 0 }),
            None => Err(text),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn next(&mut self) -> Option<ArrayItem> {
        let mut reader = Reader::new(&self.text);
        reader.rewind(self.at);
        // INVARIANT: the text was checked, so nothing here fails before the last item.
        if !reader.item(&mut self.inside).ok()? {
            self.at = reader.mark();
            return None;
        }
        reader.next();
        let start = reader.mark();
        reader.skip().ok()?;
        self.at = reader.mark();
        let before = self.text.as_bytes().get(self.counted..start).unwrap_or_default();
        self.feeds += before.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.counted = start;
        Some(ArrayItem { line: 1 + self.feeds, start, end: self.at })
    }
}

/// Where the items of the array begin.
fn first_item(text: &str) -> Option<(Inside, usize)> {
    let mut reader = Reader::new(text);
    let mut inside = reader.list().ok()?;
    let first = reader.mark();
    let mut has_object = false;
    while reader.item(&mut inside).ok()? {
        has_object |= reader.next() == Next::Object;
        reader.skip().ok()?;
    }
    reader.end().ok()?;
    let mut again = Reader::new(text);
    has_object.then_some((again.list().ok()?, first))
}
