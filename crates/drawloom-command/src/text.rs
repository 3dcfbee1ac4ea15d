//! Text of bounded length for messages, whatever names a caller sends.

use std::fmt;

/// How many characters of a name a message shows.
const SHOWN_CHARACTERS: usize = 64;
/// How many items of a list a message shows.
const SHOWN_ITEMS: usize = 16;

/// Shows a user-supplied name in quotes, escaped, and cut if it is long.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(SHOWN_CHARACTERS).and_then(|(end, _)| self.0.get(..end)) {
            Some(start) => write!(f, "{start:?}…"),
            None => write!(f, "{:?}", self.0),
        }
    }
}

/// Writes the first sixteen items, and how many more there are.
pub(crate) fn enumerate<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    separator: &str,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().take(SHOWN_ITEMS).enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        write(f, item)?;
    }
    match items.len().saturating_sub(SHOWN_ITEMS) {
        0 => Ok(()),
        more => write!(f, "{separator}and {more} more"),
    }
}
