//! Text of bounded length for messages, whatever names a caller sends.

use std::fmt::{self, Write};

use crate::printable::{escaped, printable_chars};

/// How many characters of a name a message shows.
const SHOWN_CHARACTERS: usize = 64;
/// How many items of a list a message shows.
const SHOWN_ITEMS: usize = 16;

/// Shows a user-supplied name in quotes, escaped, and cut if it is long.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.char_indices().nth(SHOWN_CHARACTERS).and_then(|(end, _)| self.0.get(..end));
        f.write_char('"')?;
        for (character, is_shown) in printable_chars(shown.unwrap_or(self.0)) {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                _ if is_shown => f.write_char(character)?,
                _ => escaped(character).try_for_each(|escape| f.write_char(escape))?,
            }
        }
        f.write_str(if shown.is_some() { "\"…" } else { "\"" })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_quoted_escaped_and_cut() {
        assert_eq!(Quoted("a\"b\\\u{1b}\n").to_string(), r#""a\"b\\\u{1b}\n""#);
        assert_eq!(Quoted("نام‌کاربر").to_string(), "\"نام‌کاربر\"");
        assert_eq!(Quoted(&"ä".repeat(65)).to_string(), format!("\"{}\"…", "ä".repeat(64)));
    }
}
