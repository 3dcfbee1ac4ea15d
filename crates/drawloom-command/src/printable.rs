//! Text of a caller, a file or a person, made safe to show on a terminal or to write to a log.
//!
//! A terminal executes control characters that are written to it. Text that could move the cursor, hide a part of itself
//! or change the reading direction could make one line look like another.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// The text on one line, with each character that [`printable_chars`] does not show as a visible escape. Text without such
/// a character is borrowed.
///
/// ```
/// use drawloom_command::printable;
///
/// assert_eq!(printable("a\u{1b}[2J\n\u{202e}b"), "a\\u{1b}[2J\\n\\u{202e}b");
/// assert_eq!(printable("نامه‌ها 👩‍🚀 日本 öffnen"), "نامه‌ها 👩‍🚀 日本 öffnen");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if printable_chars(text).all(|(_, is_shown)| is_shown) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for (character, is_shown) in printable_chars(text) {
        if is_shown {
            safe.push(character);
        } else {
            safe.extend(escaped(character));
        }
    }
    Cow::Owned(safe)
}

/// Each character of a text, and whether it can be shown as it is.
///
/// Not shown are: control characters (of both blocks, line feeds and tabs included), line and paragraph separators,
/// characters that change the reading direction, and characters that show nothing, in which text could be hidden.
///
/// Joiners (U+200C, U+200D) and variation selectors show nothing by themselves, but Persian, Indian scripts and emoji are
/// not legible without them. One of them is shown between two characters that it can belong to, such as the parts of an
/// emoji; in an ASCII word, or in a row of them, it is not.
///
/// ```
/// use drawloom_command::printable_chars;
///
/// let hidden: Vec<char> =
///     printable_chars("a\u{9b}b\u{200d}c").filter(|(_, is_shown)| !is_shown).map(|(character, _)| character).collect();
/// assert_eq!(hidden, ['\u{9b}', '\u{200d}']);
/// ```
pub fn printable_chars(text: &str) -> impl Iterator<Item = (char, bool)> {
    PrintableChars { before: None, rest: text.chars().peekable() }
}

struct PrintableChars<'a> {
    before: Option<char>,
    rest: Peekable<Chars<'a>>,
}

impl Iterator for PrintableChars<'_> {
    type Item = (char, bool);

    fn next(&mut self) -> Option<(char, bool)> {
        let character = self.rest.next()?;
        let before = self.before.replace(character);
        let is_shown = match character {
            '\u{200c}' | '\u{200d}' => is_between(before, self.rest.peek().copied()),
            '\u{fe00}'..='\u{fe0f}' => before.is_some_and(is_base),
            _ => !is_unsafe(character),
        };
        Some((character, is_shown))
    }
}

/// How a character that is not shown is written.
pub(crate) fn escaped(character: char) -> impl Iterator<Item = char> {
    character.escape_default()
}

/// Whether a joiner between these characters changes how they are written.
fn is_between(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let is_visible = |character| is_base(character) || is_selector(character);
    is_visible(before) && is_base(after) && (is_joined(before) || is_joined(after))
}

/// Whether something is shown for the character, so that another one can belong to it.
fn is_base(character: char) -> bool {
    !is_unsafe(character) && !character.is_whitespace() && !is_joiner(character) && !is_selector(character)
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}

fn is_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}')
}

/// Whether the character is of a script that is written with joiners, or a part of an emoji.
fn is_joined(character: char) -> bool {
    matches!(
        character,
        // Hebrew to Mongolian, with the scripts of India and South-East Asia.
        '\u{590}'..='\u{1cff}'
            // Symbols, some of which are emoji.
            | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}'
            | '\u{a800}'..='\u{abff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe0f}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10a00}'..='\u{11fff}' | '\u{1e900}'..='\u{1eeff}' | '\u{1f000}'..='\u{1faff}'
    )
}

/// Whether a terminal executes a character instead of showing it, or shows nothing for it. Joiners and variation selectors
/// are decided by what is around them.
fn is_unsafe(character: char) -> bool {
    let changes_direction = matches!(
        character,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    let is_invisible = matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    character.is_control() || changes_direction || is_invisible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_a_terminal_obeys_is_escaped() {
        let control = ('\0'..='\u{1f}').chain('\u{7f}'..='\u{9f}');
        let direction =
            ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}').chain(['\u{200e}', '\u{200f}']);
        let separators = ['\u{2028}', '\u{2029}', '\u{feff}'].into_iter();
        let tags = '\u{e0000}'..='\u{e007f}';
        for character in control.chain(direction).chain(separators).chain(tags) {
            for text in [format!("a{character}b"), format!("م{character}ی"), format!("👩{character}🚀")]
            {
                let shown = printable(&text);
                assert!(!shown.contains(character), "{text:?} is shown as {shown:?}");
                assert!(shown.contains('\\'), "{shown:?}");
                assert_eq!(printable(&shown), shown, "a second time changes nothing");
            }
        }
    }

    #[test]
    fn text_that_needs_joiners_stays_as_it_is() {
        for text in [
            "می‌خواهم",           // Persian: U+200C inside a word
            "PDF‌ها",             // Persian: a Latin abbreviation and its plural
            "क्‍ष",                // Hindi: U+200D after a virama
            "👨‍👩‍👧",                // a family
            "❤️‍🔥",                // a symbol with U+FE0F before its joiner
            "👩🏽‍🚀",                // a skin tone before the joiner
            "1\u{fe0f}\u{20e3}", // a keycap
            "e\u{301} kyïv 日本 🙂",
        ] {
            assert!(matches!(printable(text), Cow::Borrowed(_)), "{text}: {}", printable(text));
        }
    }

    #[test]
    fn a_joiner_that_joins_nothing_is_escaped() {
        assert_eq!(printable("notes.\u{200c}open"), "notes.\\u{200c}open");
        assert_eq!(printable("\u{200d}م"), "\\u{200d}م");
        assert_eq!(printable("م\u{200c}"), "م\\u{200c}");
        assert_eq!(printable("م\u{200c} ی"), "م\\u{200c} ی");
        // Text could be hidden in a row of them.
        assert_eq!(printable("م\u{200c}\u{200d}ی"), "م\\u{200c}\\u{200d}ی");
        assert_eq!(printable("🙂\u{fe0f}\u{fe01}\u{fe0f}"), "🙂\u{fe0f}\\u{fe01}\\u{fe0f}");
        assert_eq!(printable("\u{fe0f}"), "\\u{fe0f}");
    }
}
