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
    let (shown, left_out) = cut(line, MOST);
    let shown = text(shown).replace('\n', "\\n").replace('\t', "\\t");
    if left_out == 0 { shown } else { format!("{shown}… ({left_out} more characters)") }
}

/// JSON with every character that acts, or that is blank and no space, as the escape JSON has for it: it means the same.
/// Outside of its texts JSON has no such characters.
pub(crate) fn json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for character in json.chars() {
        if acts(character) || is_odd_blank(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(character);
        }
    }
    shown
}

/// A name as it is where it looks like one, and else in quotes: no name reads on as the sentence it stands in.
pub(crate) fn name(name: &str) -> String {
    const MOST: usize = 100;
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-:/".contains(character);
    if !name.is_empty() && name.len() <= MOST && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let (shown, left_out) = cut(name, MOST);
    let quoted = json(&serde_json::Value::from(shown).to_string());
    if left_out == 0 { quoted } else { format!("{quoted}… ({left_out} more characters)") }
}

/// The beginning of a text, and how many characters are left out behind it.
pub(crate) fn cut(text: &str, most: usize) -> (&str, usize) {
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    let (shown, rest) = text.split_at(end);
    (shown, rest.chars().count())
}

fn acts(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    // Those that show nothing, or only what stands around them: text can hide in them.
    let hides = matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    character.is_control() || turns || hides
}

/// Blank as a space is, and not what it looks like.
fn is_odd_blank(character: char) -> bool {
    character == '\u{2800}' || character.is_whitespace() && character != ' '
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

    #[test]
    fn json_means_the_same_and_acts_on_nothing() {
        let value = serde_json::json!({ "a\u{9b}2J": "\u{202e}b\u{a0}\u{2800}\u{ad}\u{e0100} 日本 \\" });
        let shown = json(&value.to_string());
        assert_eq!(shown, r#"{"a\u009b2J":"\u202eb\u00a0\u2800\u00ad\udb40\udd00 日本 \\"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn a_name_that_is_none_is_in_quotes() {
        assert_eq!(name("notes.open"), "notes.open");
        assert_eq!(name("notes.ping with {} "), r#""notes.ping with {} ""#);
        assert_eq!(name("a\"\u{1b}\u{ad}"), r#""a\"\u001b\u00ad""#);
        assert_eq!(name(""), r#""""#);
        assert_eq!(name(&"ä".repeat(103)), format!("\"{}\"… (3 more characters)", "ä".repeat(100)));
    }
}
