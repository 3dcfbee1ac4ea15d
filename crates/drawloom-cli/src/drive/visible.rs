//! Text of others as it may stand on a terminal: what it says, and nothing that it does.
//!
//! A terminal obeys what is written to it. An agent that could move the cursor, or turn the direction of reading, could
//! make a question look like another.

use std::fmt::Write;

/// The text with every character that acts instead of showing made visible. Line feeds and tabs stay.
pub(crate) fn text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => shown.push(character),
            _ if acts(character) => {
                let _ = write!(shown, "{}", character.escape_unicode());
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// The text in one line, of which a part may be left out at the end, where it says so.
pub(crate) fn line(line: &str) -> String {
    const MOST: usize = 2_000;
    let shown: String = line.chars().take(MOST).collect();
    let left_out = line.chars().count().saturating_sub(MOST);
    let shown = text(&shown).replace('\n', "\\n").replace('\t', "\\t");
    if left_out == 0 { shown } else { format!("{shown}… ({left_out} more characters)") }
}

fn acts(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    let is_tag = matches!(character, '\u{e0000}'..='\u{e007f}');
    character.is_control() || turns || is_tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown_and_the_rest_is_as_it_is() {
        assert_eq!(text("a\n\tb\u{1b}[2Jc\r\u{9b}d"), "a\n\tb\\u{1b}[2Jc\\u{d}\\u{9b}d");
        assert_eq!(text("kyïv 日本 🙂 e\u{301}"), "kyïv 日本 🙂 e\u{301}");
        assert_eq!(text("\u{202e}txt\u{2066}\u{200b}\u{e0041}"), "\\u{202e}txt\\u{2066}\\u{200b}\\u{e0041}");
    }

    #[test]
    fn a_line_is_one_and_says_what_it_leaves_out() {
        assert_eq!(line("a\nb"), "a\\nb");
        let long = line(&"x".repeat(2_007));
        assert!(long.ends_with("x… (7 more characters)"), "{long}");
    }
}
