//! A report as text for a person: aligned, and coloured where that is asked for.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use drawloom_command::printable;

use super::{NOT_JUDGED, Report, place_of};
use crate::finding::{Finding, FindingStatus, Problem};
use crate::rule::Severity;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextStyle {
    /// Without escape sequences.
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

/// The widest column that is aligned; longer entries push their line to the right.
const WIDEST: usize = 44;

impl Report {
    /// The report as text, one line for each command, followed by what is wrong with it.
    pub fn to_text(&self, style: TextStyle) -> String {
        let mut text = String::new();
        let places: Vec<String> = self.findings.iter().map(|finding| visible(&line_of(finding))).collect();
        let names: Vec<String> = self.findings.iter().map(name_of).collect();
        let (places_width, names_width) = (width(&places), width(&names));
        for ((finding, place), name) in self.findings.iter().zip(&places).zip(&names) {
            let status = style.painted(style_of(&finding.status), &visible(&finding.status.to_string()));
            let place = style.painted(Style::new().dimmed(), &padded(place, places_width));
            let _ = writeln!(text, "{place}  {}  {status}", padded(name, names_width));
            // The reason already stands in the line of a command that could not be read.
            let is_unread = matches!(finding.status, FindingStatus::Unreadable { .. });
            for problem in finding.problems.iter().filter(|_| !is_unread) {
                style.problem(&mut text, problem, finding.location.as_ref() != problem.location.as_ref());
            }
            for note in &finding.notes {
                let _ = writeln!(
                    text,
                    "    {}",
                    style.painted(Style::new().dimmed(), &visible(&format!("note: {note}")))
                );
            }
        }
        if !self.problems.is_empty() {
            let gap = if self.findings.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}Beside the commands:");
            for problem in &self.problems {
                style.problem(&mut text, problem, true);
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", self.summary());
        let _ = writeln!(text, "{NOT_JUDGED}");
        text
    }

    /// How many commands there are of each status, and what was left out.
    fn summary(&self) -> String {
        let totals = self.totals();
        let counted =
            |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let mut summary = format!(
            "{} in {}: {} offered, {} offered but an agent has to guess, {} not offered, {} could not be read.",
            counted(totals.commands, "command", "commands"),
            counted(self.files, "file", "files"),
            totals.offered,
            totals.agent_guesses,
            totals.not_offered,
            totals.unreadable,
        );
        if self.directory.is_none() {
            summary = summary.replacen(" in 0 files", "", 1);
        }
        if self.commands_in_tests > 0 {
            let _ = write!(
                summary,
                " {} in test code not judged.",
                counted(self.commands_in_tests, "command", "commands")
            );
        }
        if !self.directories_passed_over.is_empty() {
            let names: Vec<String> =
                self.directories_passed_over.iter().take(8).map(|name| visible(name)).collect();
            let more = self.directories_passed_over.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = write!(summary, " Not entered: {}{more}.", names.join(", "));
        }
        summary
    }
}

impl TextStyle {
    fn painted(self, style: Style, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("{style}{text}{style:#}"),
        }
    }

    fn problem(self, text: &mut String, problem: &Problem, shows_place: bool) {
        let colour = match problem.rule.severity() {
            Severity::Error => AnsiColor::Red.on_default(),
            Severity::Warning => AnsiColor::Yellow.on_default(),
            Severity::Note => AnsiColor::Cyan.on_default(),
        };
        let rule = self.painted(colour, problem.rule.id());
        let place = match shows_place {
            true if problem.location.is_some() => {
                format!(" ({})", visible(&place_of(problem.location.as_ref())))
            }
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "    {rule}: {}{}",
            visible(&problem.message),
            self.painted(Style::new().dimmed(), &place)
        );
    }
}

fn style_of(status: &FindingStatus) -> Style {
    match status {
        FindingStatus::Offered(_) => AnsiColor::Green.on_default(),
        FindingStatus::AgentGuesses(_) => AnsiColor::Yellow.on_default(),
        FindingStatus::NotOffered { .. } => Style::new().dimmed(),
        FindingStatus::Unreadable { .. } => AnsiColor::Magenta.on_default(),
    }
}

/// The file and the line.
fn line_of(finding: &Finding) -> String {
    finding
        .location
        .as_ref()
        .map(|location| format!("{}:{}", location.path, location.line))
        .unwrap_or_default()
}

fn name_of(finding: &Finding) -> String {
    match finding.command.as_deref() {
        None => "(unknown id)".to_owned(),
        Some("") => "(empty id)".to_owned(),
        Some(id) => visible(id),
    }
}

fn width(texts: &[String]) -> usize {
    texts.iter().map(|text| text.chars().count()).filter(|width| *width <= WIDEST).max().unwrap_or_default()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text:width$}")
}

/// The text on one line, with nothing in it that a terminal would obey or that reorders what is shown.
pub(crate) fn visible(text: &str) -> String {
    printable(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        assert_eq!(visible("a\u{1b}[31m\n\u{202e}b"), "a\\u{1b}[31m\\n\\u{202e}b");
        assert_eq!(visible("Notiz öffnen …"), "Notiz öffnen …");
    }

    #[test]
    fn colours_change_nothing_but_the_colours() {
        let location = crate::finding::Location::new("a.rs", 1, 1);
        let status = FindingStatus::Unreadable { reason: "a macro".to_owned() };
        let problem = Problem::new(crate::rule::Rule::NotJudged, None, "too large");
        let finding = Finding {
            command: None,
            location: Some(location),
            status,
            problems: Vec::new(),
            notes: vec!["n".to_owned()],
        };
        let report = Report::new(Some("src".to_owned()), vec![finding], vec![problem], 1, 0, Vec::new());
        let (plain, coloured) = (report.to_text(TextStyle::Plain), report.to_text(TextStyle::Coloured));
        assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}["), "{coloured:?}");
        // Without what stands between ESC and `m`, both are the same.
        let mut parts = coloured.split('\u{1b}');
        let mut stripped = parts.next().unwrap().to_owned();
        stripped.extend(parts.map(|part| part.split_once('m').unwrap().1));
        assert_eq!(stripped, plain);
    }
}
