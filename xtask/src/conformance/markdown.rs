//! The little markdown a spec and a doc comment share: fences, headings and the bullets of a scenario. Not a
//! markdown parser; what a scenario's text is, is decided here once, so that a spec and a doc comment cannot
//! disagree about it.

/// The lines of a text, numbered from one, with every fenced block blanked.
pub(crate) struct Unfenced<'a> {
    pub(crate) lines: Vec<(usize, &'a str)>,
    /// The line of a fence nothing closes: it swallows the rest of the text.
    pub(crate) unclosed: Option<usize>,
}

impl<'a> Unfenced<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut open: Option<(usize, Fence)> = None;
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            let visible = match (&open, Fence::opened_by(text)) {
                (Some((_, fence)), _) => {
                    if fence.is_closed_by(text) {
                        open = None;
                    }
                    ""
                }
                (None, Some(fence)) => {
                    open = Some((line, fence));
                    ""
                }
                (None, None) => text,
            };
            lines.push((line, visible));
        }
        Self { lines, unclosed: open.map(|(line, _)| line) }
    }
}

struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let line = line.trim_start();
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let length = line.chars().count() - info.chars().count();
        // A backtick after the opening ones makes it a code span in a paragraph.
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Self { mark, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.chars().all(|mark| mark == self.mark) && line.chars().count() >= self.length
    }
}

/// The level and the title of a heading, where the line is one.
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches(' ');
    if line.len() - title.len() > 3 {
        return None;
    }
    let title_after = title.trim_start_matches('#');
    let level = title.len() - title_after.len();
    if !(1..=6).contains(&level) || !title_after.starts_with([' ', '\t']) {
        return None;
    }
    Some((level, title_after.trim().trim_end_matches('#').trim_end()))
}

/// One step of a scenario, its white space normalised: `**WHEN** the command is called`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bullet {
    pub(crate) line: usize,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    Given,
    When,
    Then,
    And,
}

impl Bullet {
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        keyword(&self.text)
    }
}

fn keyword(text: &str) -> Option<Keyword> {
    let (bold, _) = text.strip_prefix("**")?.split_once("**")?;
    match bold.to_ascii_uppercase().as_str() {
        "GIVEN" => Some(Keyword::Given),
        "WHEN" => Some(Keyword::When),
        "THEN" => Some(Keyword::Then),
        "AND" => Some(Keyword::And),
        _ => None,
    }
}

/// Gathers the bullets of a scenario, line by line. Prose beside the bullets is passed over.
#[derive(Debug, Default)]
pub(crate) struct BulletReader {
    bullets: Vec<Bullet>,
    /// Whether the next line can still belong to the last bullet.
    open: bool,
    after_blank: bool,
}

impl BulletReader {
    pub(crate) fn take(&mut self, line: usize, text: &str) {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            self.after_blank = true;
            return;
        }
        let nested = text.starts_with("  ") || text.starts_with('\t');
        let item =
            trimmed.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim);
        // A keyword starts a step wherever it stands: a step written without its dash must not be lost, and
        // not be taken for the end of the one above.
        let starts = keyword(item.unwrap_or(trimmed)).is_some() || (item.is_some() && !nested);
        if starts {
            self.bullets.push(Bullet { line, text: normalised(item.unwrap_or(trimmed)) });
            self.open = true;
        } else if self.open && (nested || !self.after_blank) {
            if let Some(bullet) = self.bullets.last_mut() {
                bullet.text.push(' ');
                bullet.text.push_str(&normalised(trimmed));
            }
        } else {
            self.open = false;
        }
        self.after_blank = false;
    }

    pub(crate) fn bullets(self) -> Vec<Bullet> {
        self.bullets
    }
}

/// The bullets of a whole text, such as a doc comment.
pub(crate) fn bullets(text: &str) -> Vec<Bullet> {
    let mut reader = BulletReader::default();
    for (line, text) in Unfenced::of(text).lines {
        reader.take(line, text);
    }
    reader.bullets()
}

fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        bullets(text).into_iter().map(|bullet| bullet.text).collect()
    }

    #[test]
    fn fenced_lines_are_blanked_by_the_fence_that_opened_them() {
        let text = "a\n````md\n```\n~~~~\n````\nb\n~~~ `x`\n```\n~~~\nc";
        let unfenced = Unfenced::of(text);
        let visible: Vec<_> = unfenced.lines.iter().filter(|(_, text)| !text.is_empty()).collect();
        assert_eq!(visible, [&(1, "a"), &(6, "b"), &(10, "c")]);
        assert_eq!(unfenced.unclosed, None);
    }

    #[test]
    fn a_code_span_opens_no_fence() {
        assert_eq!(Unfenced::of("```x``` is code\nb").lines, [(1, "```x``` is code"), (2, "b")]);
    }

    #[test]
    fn a_fence_nothing_closes_is_known() {
        assert_eq!(Unfenced::of("a\n  ~~~\n```\n~~").unclosed, Some(2));
    }

    #[test]
    fn headings_have_one_to_six_marks_and_a_space() {
        assert_eq!(heading("### Requirement: x ##"), Some((3, "Requirement: x")));
        assert_eq!(heading("   # x"), Some((1, "x")));
        assert_eq!(heading("    # x"), None);
        assert_eq!(heading("#x"), None);
        assert_eq!(heading("####### x"), None);
    }

    #[test]
    fn a_bullet_goes_on_over_wrapped_indented_and_nested_lines() {
        let text = "- **WHEN** a\n  b   c\nd\n\n  e\n  - f\n- **THEN** g";
        assert_eq!(texts(text), ["**WHEN** a b c d e - f", "**THEN** g"]);
    }

    #[test]
    fn prose_around_bullets_is_passed_over() {
        assert_eq!(
            texts("Before.\n\n- **WHEN** a\n\nAfter,\n  indented.\n- **THEN** b"),
            ["**WHEN** a", "**THEN** b"]
        );
    }

    #[test]
    fn a_keyword_starts_a_step_without_its_dash_or_nested_in_another() {
        let text = "- **WHEN** a\n**AND** b\n  * **and** c\n- **THEN** d";
        assert_eq!(texts(text), ["**WHEN** a", "**AND** b", "**and** c", "**THEN** d"]);
    }

    #[test]
    fn a_bullet_knows_its_keyword_and_its_line() {
        let bullets = bullets("\n- **given** a\n- plain\n- **WHENEVER** b");
        let known: Vec<_> = bullets.iter().map(|bullet| (bullet.line, bullet.keyword())).collect();
        assert_eq!(known, [(2, Some(Keyword::Given)), (3, None), (4, None)]);
    }

    #[test]
    fn a_fence_inside_a_bullet_adds_nothing_to_it() {
        assert_eq!(texts("- **WHEN** a\n  ```json\n  - **THEN** b\n  ```\n  c"), ["**WHEN** a c"]);
    }
}
