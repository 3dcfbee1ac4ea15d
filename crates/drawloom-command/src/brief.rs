//! Quoting a name that somebody else chose, in a message of bounded length.

use std::fmt;

/// How many characters of a foreign name a message shows.
const SHOWN: usize = 64;

/// Shows a name in quotes, escaped, and cut where it is long.
pub(crate) struct Brief<'a>(pub(crate) &'a str);

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(SHOWN).and_then(|(end, _)| self.0.get(..end)) {
            Some(start) => write!(f, "{start:?}…"),
            None => write!(f, "{:?}", self.0),
        }
    }
}
