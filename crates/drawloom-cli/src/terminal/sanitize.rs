//! Makes text from outside safe to show on a terminal, and the type of text that may be written there.
//!
//! What a terminal obeys instead of showing it is decided by `printable_chars` of `drawloom-command`.

use std::fmt::Write;

use drawloom::command::{printable, printable_chars};

/// Text that can be written to a terminal: nothing in it is obeyed there but its line feeds and tabs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sanitized(String);

impl Sanitized {
    /// Text whose line feeds and tabs are the layout of this program. Text from outside is made a [`line`](line()) before it becomes
    /// a part of it.
    pub(crate) fn text(text: &str) -> Self {
        let mut safe = String::with_capacity(text.len());
        for piece in text.split_inclusive(['\n', '\t']) {
            let (content, layout) = match piece.strip_suffix(['\n', '\t']) {
                Some(content) => (content, piece.get(content.len()..).unwrap_or_default()),
                None => (piece, ""),
            };
            safe.push_str(&printable(content));
            safe.push_str(layout);
        }
        Self(safe)
    }

    /// One line, which may be from outside as a whole. A long one is cut.
    pub(crate) fn line(line: &str) -> Self {
        Self(self::line(line))
    }

    /// One line for an error, which may name a path and all that is wrong with a file.
    pub(crate) fn long_line(line: &str) -> Self {
        const MAX_CHARS: usize = 16_000;
        Self(cut_line(line, MAX_CHARS))
    }

    /// JSON whose line feeds are layout. Its value stays the same.
    pub(crate) fn json(json: &str) -> Self {
        Self(json.split('\n').map(self::json).collect::<Vec<_>>().join("\n"))
    }

    /// Text in which the colours and styles of this program stay. What is from outside in it was made printable before.
    pub(crate) fn styled(text: &str) -> Self {
        let mut parts = text.split('\u{1b}');
        let mut safe = Self::text(parts.next().unwrap_or_default());
        for part in parts {
            let style = part.split_once('m').filter(|(style, _)| is_style(style));
            let (style, rest) =
                style.map_or(("\\u{1b}".to_owned(), part), |(style, rest)| (format!("\u{1b}{style}m"), rest));
            safe.0.push_str(&style);
            safe.0.push_str(&Self::text(rest).0);
        }
        safe
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, more: &Self) {
        self.0.push_str(&more.0);
    }
}

/// Whether this is what comes between an escape character and an `m`: styles and colours, all of which leave the text legible.
fn is_style(style: &str) -> bool {
    let is_legible = |number: &str| {
        matches!(number.parse(), Ok(0_u8..=4 | 22..=24 | 30..=37 | 39 | 90..=97)) && number.len() <= 2
    };
    style.strip_prefix('[').is_some_and(|numbers| numbers.split(';').all(is_legible))
}

/// A text that comes in pieces. A joiner at the end of a piece is withheld until it is known what follows.
#[derive(Debug, Default)]
pub(crate) struct TextStream {
    /// The last character that was passed on, which decides about the one after it.
    before: Option<char>,
    withheld: Option<char>,
}

impl TextStream {
    /// The next piece. Its end may be withheld until the next one.
    pub(crate) fn push(&mut self, piece: &str) -> Sanitized {
        let passed_on = usize::from(self.before.is_some());
        let text: String = self.before.into_iter().chain(self.withheld.take()).chain(piece.chars()).collect();
        let known = match text.strip_suffix(is_joiner) {
            Some(known) => {
                self.withheld = text.chars().next_back();
                known
            }
            None => &text,
        };
        self.before = known.chars().next_back();
        let mut safe = Sanitized::default();
        for (character, is_shown) in printable_chars(known).skip(passed_on) {
            if is_shown || matches!(character, '\n' | '\t') {
                safe.0.push(character);
            } else {
                safe.0.extend(character.escape_default());
            }
        }
        safe
    }

    /// What was withheld, at the end of the text.
    pub(crate) fn finish(&mut self) -> Sanitized {
        let Self { withheld, .. } = std::mem::take(self);
        Sanitized(withheld.into_iter().flat_map(char::escape_default).collect())
    }
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}

/// The text in one line. If it is long, its end is left out and the number of characters left out is given.
pub(crate) fn line(line: &str) -> String {
    const MAX_CHARS: usize = 2_000;
    cut_line(line, MAX_CHARS)
}

fn cut_line(line: &str, max_chars: usize) -> String {
    let (safe, left_out) = truncate(line, max_chars);
    let safe = printable(safe);
    if left_out == 0 { safe.into_owned() } else { format!("{safe}… ({left_out} more characters)") }
}

/// JSON with each unsafe character, and each unusual blank, as a JSON escape. The value stays the same, because JSON has
/// such characters only inside its strings.
pub(crate) fn json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for (character, is_shown) in printable_chars(json) {
        if is_shown && !is_unusual_blank(character) {
            safe.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
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

/// Whether a character looks like a space but is another character.
fn is_unusual_blank(character: char) -> bool {
    character == '\u{2800}' || character.is_whitespace() && character != ' '
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        Sanitized::text(text).0
    }

    #[test]
    fn unsafe_characters_are_escaped_and_the_others_stay() {
        assert_eq!(text("a\n\tb\u{1b}[2Jc\r\u{9b}d\n"), "a\n\tb\\u{1b}[2Jc\\r\\u{9b}d\n");
        assert_eq!(text("kyïv 日本 🙂 e\u{301} می‌خواهم"), "kyïv 日本 🙂 e\u{301} می‌خواهم");
        assert_eq!(text("\u{202e}txt\u{2066}\u{200b}\u{e0041}"), "\\u{202e}txt\\u{2066}\\u{200b}\\u{e0041}");
    }

    #[test]
    fn a_long_line_says_how_much_is_left_out() {
        assert_eq!(line("a\nb"), "a\\nb");
        let long = line(&"x".repeat(2_007));
        assert!(long.ends_with("x… (7 more characters)"), "{long}");
        let error = Sanitized::long_line(&"\n".repeat(16_002));
        assert!(error.as_str().ends_with("\\n… (2 more characters)"), "{error:?}");
    }

    #[test]
    fn sanitized_json_has_the_same_value() {
        let value =
            serde_json::json!({ "a\u{9b}2J": "\u{202e}b\u{a0}\u{2800}\u{ad}\u{e0100} 日本 \\ می‌خواهم" });
        let safe = json(&value.to_string());
        assert_eq!(safe, r#"{"a\u009b2J":"\u202eb\u00a0\u2800\u00ad\udb40\udd00 日本 \\ می‌خواهم"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
        assert_eq!(Sanitized::json("[\n\"\u{85}\"\n]\n").0, "[\n\"\\u0085\"\n]\n");
    }

    #[test]
    fn an_unusual_name_is_in_quotes() {
        assert_eq!(name("notes.open"), "notes.open");
        assert_eq!(name("notes.ping with {} "), r#""notes.ping with {} ""#);
        assert_eq!(name("a\"\u{1b}\u{ad}"), r#""a\"\u001b\u00ad""#);
        assert_eq!(name(""), r#""""#);
        assert_eq!(name(&"ä".repeat(103)), format!("\"{}\"… (3 more characters)", "ä".repeat(100)));
    }

    #[test]
    fn of_a_style_only_what_leaves_text_legible_stays() {
        let styled = |text: &str| Sanitized::styled(text).0;
        assert_eq!(styled("\u{1b}[1m\u{1b}[31mred\u{1b}[0m\n"), "\u{1b}[1m\u{1b}[31mred\u{1b}[0m\n");
        for unsafe_style in ["[8m", "[2J", "]0;m", "[;m", "[38;5;1m", "[m", "c"] {
            assert_eq!(styled(&format!("\u{1b}{unsafe_style}x")), format!("\\u{{1b}}{unsafe_style}x"));
        }
        assert_eq!(styled("a\u{9b}31m\u{1b}[31m\u{202e}"), "a\\u{9b}31m\u{1b}[31m\\u{202e}");
    }

    #[test]
    fn a_text_in_pieces_is_the_text_in_one_piece() {
        let whole = "می‌خواهم 👩‍🚀 ❤️‍🔥 a\u{200d}b\n\u{1b}[2J\u{200c}\u{200c}";
        let characters: Vec<char> = whole.chars().collect();
        for size in 1..characters.len() {
            let mut stream = TextStream::default();
            let mut shown = Sanitized::default();
            for piece in characters.chunks(size) {
                shown.push(&stream.push(&piece.iter().collect::<String>()));
            }
            shown.push(&stream.finish());
            assert_eq!(shown.0, text(whole), "pieces of {size}");
        }
    }
}
