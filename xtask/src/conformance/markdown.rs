//! The Markdown that a spec and a doc comment share: headings, text and the steps of a scenario. What is a heading, a list
//! or a fence is for the crate pulldown-cmark to say. What a scenario's text is, is decided here once, so that a spec and a
//! doc comment cannot disagree about it.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// One block of a text, and the line that it starts in.
#[derive(Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Kind {
    Heading {
        level: usize,
        title: String,
    },
    /// Anything else, as it is written, and the steps in it.
    Text {
        text: String,
        steps: Vec<Step>,
        form: Form,
    },
    /// Something that a reader or this check would not see.
    Lost(Lost),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A list, all of whose text belongs to its items.
    List,
    Prose,
}

/// Why text is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// A fence that nothing closes hides the rest of its block.
    UnclosedFence,
    /// Code belongs to no step, whether it is fenced or indented.
    Code,
    /// A comment is not shown, and neither is most other HTML.
    Html,
    /// A line that looks like a heading and is not one: it is nested, or has no space after its marks.
    Heading,
    /// Nothing is made of it: a rule, or the definition of a link.
    Nothing,
}

impl Lost {
    /// What it is and what to do.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Self::UnclosedFence => "this fence is never closed and hides the rest of the spec; close it",
            Self::Code => "this is code, which is bound to no test; write it within the text",
            Self::Html => "this is HTML, which can hide text; write plain text",
            Self::Heading => {
                "this is not read as a heading; start the line with its marks and put a space after them"
            }
            Self::Nothing => "this line is not read; remove it",
        }
    }
}

/// One step of a scenario, its white space normalised: `**WHEN** the command is called`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) text: String,
    /// Whether it is an item of a list that is not within another.
    pub(crate) bullet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    Given,
    When,
    Then,
    And,
}

impl Step {
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        keyword(&self.text).map(|(keyword, _)| keyword)
    }

    /// Whether it says nothing after its keyword.
    pub(crate) fn is_empty(&self) -> bool {
        keyword(&self.text).is_some_and(|(_, rest)| !rest.contains(char::is_alphanumeric))
    }
}

/// The keyword that a text starts with, and what follows it.
fn keyword(text: &str) -> Option<(Keyword, &str)> {
    let (bold, rest) = text.strip_prefix("**")?.split_once("**")?;
    let keyword = match bold.to_ascii_uppercase().as_str() {
        "GIVEN" => Keyword::Given,
        "WHEN" => Keyword::When,
        "THEN" => Keyword::Then,
        "AND" => Keyword::And,
        _ => return None,
    };
    Some((keyword, rest))
}

/// The steps of a whole text, such as a doc comment, and whether it holds anything else.
pub(crate) fn steps(text: &str) -> (Vec<Step>, bool) {
    let mut all = Vec::new();
    let mut more = false;
    for block in blocks(text) {
        match block.kind {
            Kind::Text { steps, form, .. } => {
                more |= form == Form::Prose;
                all.extend(steps);
            }
            Kind::Heading { .. } | Kind::Lost(_) => more = true,
        }
    }
    (all, more)
}

/// The paragraphs of a text, each on one line.
pub(crate) fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in text.lines() {
        match paragraphs.last_mut() {
            Some(last) if !line.trim().is_empty() => {
                last.push(' ');
                last.push_str(line);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.iter().map(|text| normalised(text)).filter(|text| !text.is_empty()).collect()
}

/// The blocks of a text, in order. Each of its lines is in one of them, or is code and in none.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let source = Source::of(text);
    let mut blocks = Vec::new();
    let mut depth = 0_usize;
    let mut part = Part::default();
    let mut read = vec![false; source.lines.len()];
    for (event, range) in Parser::new(text).into_offset_iter() {
        match &event {
            Event::Start(tag) => {
                let lines = source.lines_of(&range);
                if depth == 0 {
                    part = Part::default();
                    read.iter_mut().take(lines.end - 1).skip(lines.start - 1).for_each(|read| *read = true);
                }
                depth += 1;
                let mut lost = |lost| blocks.push(Block { line: lines.start, kind: Kind::Lost(lost) });
                match tag {
                    Tag::CodeBlock(kind) => {
                        let unclosed = matches!(kind, CodeBlockKind::Fenced(_)) && !source.is_closed(&range);
                        lost(if unclosed { Lost::UnclosedFence } else { Lost::Code });
                        part.code.push(lines);
                    }
                    Tag::HtmlBlock => {
                        lost(Lost::Html);
                        part.code.push(lines);
                    }
                    Tag::Heading { .. } if depth > 1 => lost(Lost::Heading),
                    Tag::List(_) if depth == 1 => part.is_list = true,
                    Tag::Item if depth == 2 => part.items.push(lines),
                    _ => {}
                }
            }
            Event::InlineHtml(_) => {
                blocks.push(Block { line: source.line_of(range.start), kind: Kind::Lost(Lost::Html) });
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                match end {
                    TagEnd::Heading(level) if depth == 0 => {
                        let line = source.line_of(range.start);
                        let title = source.text(part.inner.clone().unwrap_or_default()).trim().to_owned();
                        blocks.push(Block { line, kind: Kind::Heading { level: *level as usize, title } });
                    }
                    TagEnd::CodeBlock | TagEnd::HtmlBlock => {}
                    _ if depth == 0 => blocks.push(source.block(source.lines_of(&range), &part)),
                    _ => {}
                }
            }
            _ => {}
        }
        if depth > 0 && !matches!(event, Event::Start(_)) {
            let inner = part.inner.get_or_insert(range.clone());
            *inner = inner.start.min(range.start)..inner.end.max(range.end);
        }
    }
    let looks_like_a_heading: Vec<_> = blocks.iter().flat_map(|block| source.lost_headings(block)).collect();
    blocks.extend(looks_like_a_heading);
    let unread = source.lines.iter().zip(&read).enumerate();
    let unread = unread.filter(|(_, (line, read))| !**read && !line.trim().is_empty());
    blocks.extend(unread.map(|(index, _)| Block { line: index + 1, kind: Kind::Lost(Lost::Nothing) }));
    blocks.sort_by_key(|block| block.line);
    blocks
}

/// What is known of the block that is being read. Lines are numbered from one.
#[derive(Default)]
struct Part {
    /// Where its text is: for a heading, without the marks.
    inner: Option<Range<usize>>,
    is_list: bool,
    /// The lines of each item, where it is a list.
    items: Vec<Range<usize>>,
    /// The lines that are code.
    code: Vec<Range<usize>>,
}

struct Source<'a> {
    text: &'a str,
    lines: Vec<&'a str>,
    /// The offset of each line.
    starts: Vec<usize>,
}

impl<'a> Source<'a> {
    fn of(text: &'a str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let starts = lines.iter().scan(0, |end, line| {
            let start = *end;
            *end += line.len();
            Some(start)
        });
        Self { text, starts: starts.collect(), lines }
    }

    fn text(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).max(1)
    }

    /// The lines that hold the range, less the empty ones at its end.
    fn lines_of(&self, range: &Range<usize>) -> Range<usize> {
        let text = self.text(range.clone()).trim_end();
        let last = range.start + text.len().saturating_sub(1);
        self.line_of(range.start)..self.line_of(last) + 1
    }

    fn line(&self, number: usize) -> &'a str {
        self.lines.get(number - 1).copied().unwrap_or_default()
    }

    /// Whether the last line of a fenced block is the fence that closes it.
    fn is_closed(&self, range: &Range<usize>) -> bool {
        let mut lines = self.text(range.clone()).trim().lines();
        let Some(first) = lines.next().map(str::trim) else { return false };
        let mark = first.trim_start_matches(['`', '~']);
        let fence = first.strip_suffix(mark).unwrap_or(first);
        lines.next_back().is_some_and(|last| {
            let last = last.trim();
            last.starts_with(fence) && last.chars().all(|mark| fence.contains(mark))
        })
    }

    fn block(&self, lines: Range<usize>, part: &Part) -> Block {
        let mut text = String::new();
        let mut steps = Vec::new();
        for line in lines.clone().filter(|line| !part.code.iter().any(|code| code.contains(line))) {
            let written = self.line(line).trim();
            text.push_str(written);
            text.push('\n');
            let content = written.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with([' ', '\t']));
            let content = content.unwrap_or(written).trim();
            // A keyword starts a step wherever it stands: a step written without its dash must not be lost, and
            // not be taken for the end of the one above.
            let bullet = part.items.iter().any(|item| item.start == line);
            if keyword(content).is_some() || bullet {
                steps.push(Step { line, text: normalised(content), bullet });
            } else if let Some(step) = steps.last_mut().filter(|_| !written.is_empty()) {
                step.text.push(' ');
                step.text.push_str(&normalised(written));
            }
        }
        let form = if part.is_list { Form::List } else { Form::Prose };
        Block { line: lines.start, kind: Kind::Text { text, steps, form } }
    }

    /// The lines of a text that start with the marks of a heading, in a list or a quotation too.
    fn lost_headings(&self, block: &Block) -> Vec<Block> {
        let Kind::Text { text, .. } = &block.kind else { return Vec::new() };
        let marked = |line: &str| line.trim_start_matches(['>', '-', '*', '+', ' ', '\t']).starts_with('#');
        let lines = (block.line..).zip(text.lines()).filter(|(_, line)| marked(line));
        lines.map(|(line, _)| Block { line, kind: Kind::Lost(Lost::Heading) }).collect()
    }
}

fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        steps(text).0.into_iter().map(|step| step.text).collect()
    }

    fn heading(line: usize, level: usize, title: &str) -> Block {
        Block { line, kind: Kind::Heading { level, title: title.to_owned() } }
    }

    #[test]
    fn headings_know_their_level_and_their_title() {
        let text = "### Requirement: a `b` *c* ##\n\n   # d\n    # code\n#e\n";
        let headings: Vec<_> =
            blocks(text).into_iter().filter(|block| matches!(block.kind, Kind::Heading { .. })).collect();
        assert_eq!(headings, [heading(1, 3, "Requirement: a `b` *c*"), heading(3, 1, "d")]);
    }

    #[test]
    fn a_heading_without_a_title_is_one() {
        assert_eq!(blocks("###\n"), [heading(1, 3, "")]);
    }

    #[test]
    fn code_is_left_out() {
        let text = "a\n\n````md\n```\n# b\n~~~~\n````\nc\n~~~ `x`\n```\n~~~\nd";
        let blocks = blocks(text).into_iter().map(|block| match block.kind {
            Kind::Text { text, .. } => (block.line, text),
            Kind::Lost(lost) => (block.line, format!("{lost:?}")),
            other => panic!("{other:?}"),
        });
        let expected = [(1, "a\n"), (3, "Code"), (8, "c\n"), (9, "Code"), (12, "d\n")];
        assert_eq!(blocks.collect::<Vec<_>>(), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn a_fence_that_nothing_closes_is_known() {
        let unclosed = |text| {
            let mut blocks = blocks(text).into_iter();
            blocks.find(|block| block.kind == Kind::Lost(Lost::UnclosedFence)).map(|block| block.line)
        };
        assert_eq!(unclosed("a\n  ~~~\n```\n~~"), Some(2));
        assert_eq!(unclosed("- a\n  ```\n  b"), Some(2));
        assert_eq!(unclosed("```"), Some(1));
        assert_eq!(unclosed("```x``` is code\n\n~~~~ x\n~~~\n~~~~~\n"), None);
        assert_eq!(unclosed("- a\n  ```\n  b\n  ```\n"), None);
    }

    #[test]
    fn a_step_goes_on_over_wrapped_indented_and_nested_lines() {
        let text = "- **WHEN** a\n  b   c\nd\n\n  e\n  - f\n- **THEN** g";
        assert_eq!(texts(text), ["**WHEN** a b c d e - f", "**THEN** g"]);
    }

    #[test]
    fn prose_around_steps_is_passed_over() {
        assert_eq!(
            texts("Before.\n\n- **WHEN** a\n\nAfter,\n  indented.\n- **THEN** b"),
            ["**WHEN** a", "**THEN** b"]
        );
    }

    #[test]
    fn a_keyword_starts_a_step_without_its_dash_or_nested_in_another() {
        let text = "- **WHEN** a\n**AND** b\n  * **and** c\n- **THEN** d";
        assert_eq!(texts(text), ["**WHEN** a", "**AND** b", "**and** c", "**THEN** d"]);
        assert_eq!(texts("Before\n**WHEN** a\nb\n"), ["**WHEN** a b"]);
    }

    #[test]
    fn a_step_knows_its_keyword_and_its_line() {
        let (steps, _) = steps("\n- **given** a\n- plain\n- **WHENEVER** b\n1. **THEN** c");
        let known: Vec<_> = steps.iter().map(|step| (step.line, step.keyword())).collect();
        assert_eq!(known, [(2, Some(Keyword::Given)), (3, None), (4, None), (5, None)]);
    }

    #[test]
    fn a_fence_inside_a_step_adds_nothing_to_it() {
        assert_eq!(texts("- **WHEN** a\n  ```json\n  - **THEN** b\n  ```\n  c"), ["**WHEN** a c"]);
    }
}
