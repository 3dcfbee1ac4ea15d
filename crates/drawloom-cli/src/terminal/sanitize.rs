//! Makes text of an agent safe to show on a terminal.
//!
//! A terminal executes control characters that are written to it. An agent that could move the cursor, hide text or change
//! the reading direction could make one question look like another.

use std::fmt::Write;

/// The text with each control character, and each invisible or direction-changing character, as a visible escape. Line
/// feeds and tabs stay.
pub(crate) fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => safe.push(character),
            _ if is_unsafe(character) => {
                let _ = write!(safe, "{}", character.escape_unicode());
            }
            _ => safe.push(character),
        }
    }
    safe
}

/// The text in one line. If it is long, its end is left out and the number of characters left out is given.
pub(crate) fn line(line: &str) -> String {
    const MAX_CHARS: usize = 2_000;
    let (safe, left_out) = truncate(line, MAX_CHARS);
    let safe = text(safe).replace('\n', "\\n").replace('\t', "\\t");
    if left_out == 0 { safe } else { format!("{safe}… ({left_out} more characters)") }
}

/// JSON with each unsafe character, and each unusual blank, as a JSON escape. The value stays the same, because JSON has
/// such characters only inside its strings.
pub(crate) fn json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        if is_unsafe(character) || is_unusual_blank(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
    }
    safe
}

/// A name, in quotes unless it consists of ordinary name characters: a name cannot be read as a part of the sentence
/// around it.
pub(crate) fn name(name: &str) -> String {
    const MAX_CHARS: usize = 100;
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-:/".contains(character);
    if !name.is_empty() && name.len() <= MAX_CHARS && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let (safe, left_out) = truncate(name, MAX_CHARS);
    let quoted = json(&serde_json::Value::from(safe).to_string());
    if left_out == 0 { quoted } else { format!("{quoted}… ({left_out} more characters)") }
}

/// The first `max` characters of a text, and the number of characters left out.
pub(crate) fn truncate(text: &str, max: usize) -> (&str, usize) {
    let end = text.char_indices().nth(max).map_or(text.len(), |(end, _)| end);
    let (safe, rest) = text.split_at(end);
    (safe, rest.chars().count())
}

/// Whether a terminal executes a character instead of showing it, or shows nothing for it.
fn is_unsafe(character: char) -> bool {
    let changes_direction = matches!(
        character,
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    // Text can be hidden in characters that show nothing.
    let is_invisible = matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    character.is_control() || changes_direction || is_invisible
}

/// Whether a character looks like a space but is another character.
fn is_unusual_blank(character: char) -> bool {
    character == '\u{2800}' || character.is_whitespace() && character != ' '
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_are_escaped_and_the_others_stay() {
        assert_eq!(text("a\n\tb\u{1b}[2Jc\r\u{9b}d"), "a\n\tb\\u{1b}[2Jc\\u{d}\\u{9b}d");
        assert_eq!(text("kyïv 日本 🙂 e\u{301}"), "kyïv 日本 🙂 e\u{301}");
        assert_eq!(text("\u{202e}txt\u{2066}\u{200b}\u{e0041}"), "\\u{202e}txt\\u{2066}\\u{200b}\\u{e0041}");
    }

    #[test]
    fn a_long_line_says_how_much_is_left_out() {
        assert_eq!(line("a\nb"), "a\\nb");
        let long = line(&"x".repeat(2_007));
        assert!(long.ends_with("x… (7 more characters)"), "{long}");
    }

    #[test]
    fn sanitized_json_has_the_same_value() {
        let value = serde_json::json!({ "a\u{9b}2J": "\u{202e}b\u{a0}\u{2800}\u{ad}\u{e0100} 日本 \\" });
        let safe = json(&value.to_string());
        assert_eq!(safe, r#"{"a\u009b2J":"\u202eb\u00a0\u2800\u00ad\udb40\udd00 日本 \\"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }

    #[test]
    fn an_unusual_name_is_in_quotes() {
        assert_eq!(name("notes.open"), "notes.open");
        assert_eq!(name("notes.ping with {} "), r#""notes.ping with {} ""#);
        assert_eq!(name("a\"\u{1b}\u{ad}"), r#""a\"\u001b\u00ad""#);
        assert_eq!(name(""), r#""""#);
        assert_eq!(name(&"ä".repeat(103)), format!("\"{}\"… (3 more characters)", "ä".repeat(100)));
    }
}
