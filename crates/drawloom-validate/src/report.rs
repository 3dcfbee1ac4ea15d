//! What a check found, as data. How it is written down is in the modules below.

mod json;
mod sarif;
mod text;

use std::fmt;

use crate::finding::{Finding, FindingStatus, Location, Problem};
use crate::rule::Rule;

pub use text::TextStyle;

/// What a check does not judge, in one sentence.
pub const NOT_JUDGED: &str =
    "Grants, access, availability and the window are decided at run time and were not judged.";

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The directory, as it was given; `None` for a live workbench.
    pub directory: Option<String>,
    /// One finding for each command, in the order of files and lines.
    pub findings: Vec<Finding>,
    /// What concerns no single command: files that were not judged, and the number of tools.
    pub problems: Vec<Problem>,
    /// How many files were read.
    pub files: usize,
    /// How many commands were found in test code, which is not judged.
    pub commands_in_tests: usize,
    /// Directories that were not entered: hidden ones and those of tools.
    pub directories_passed_over: Vec<String>,
}

/// Rules that were required and are broken.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrokenRules {
    /// Each problem, with the command that it concerns.
    pub problems: Vec<(Option<String>, Problem)>,
}

/// How many commands there are of each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Totals {
    /// All commands.
    pub commands: usize,
    /// Those that are offered with all that an agent needs.
    pub offered: usize,
    /// Those that leave an agent guessing.
    pub agent_guesses: usize,
    /// Those that are not offered.
    pub not_offered: usize,
    /// Those that could not be read.
    pub unreadable: usize,
}

impl Report {
    pub(crate) fn new(
        directory: Option<String>,
        findings: Vec<Finding>,
        problems: Vec<Problem>,
        files: usize,
        commands_in_tests: usize,
        directories_passed_over: Vec<String>,
    ) -> Self {
        Self { directory, findings, problems, files, commands_in_tests, directories_passed_over }
    }

    /// How many commands there are of each status.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals { commands: self.findings.len(), ..Totals::default() };
        for finding in &self.findings {
            match finding.status {
                FindingStatus::Offered(_) => totals.offered += 1,
                FindingStatus::AgentGuesses(_) => totals.agent_guesses += 1,
                FindingStatus::NotOffered { .. } => totals.not_offered += 1,
                FindingStatus::Unreadable { .. } => totals.unreadable += 1,
            }
        }
        totals
    }

    /// Every problem, with the command that it concerns.
    pub fn all_problems(&self) -> impl Iterator<Item = (Option<&str>, &Problem)> {
        let of_commands = self
            .findings
            .iter()
            .flat_map(|finding| finding.problems.iter().map(|problem| (finding.command.as_deref(), problem)));
        of_commands.chain(self.problems.iter().map(|problem| (None, problem)))
    }

    /// Requires that none of these rules is broken.
    ///
    /// # Errors
    /// Every problem with one of the rules.
    pub fn require(&self, rules: &[Rule]) -> Result<(), BrokenRules> {
        let broken = self.all_problems().filter(|(_, problem)| rules.contains(&problem.rule));
        let problems: Vec<_> =
            broken.map(|(command, problem)| (command.map(str::to_owned), problem.clone())).collect();
        if problems.is_empty() { Ok(()) } else { Err(BrokenRules { problems }) }
    }

    /// What a build script prints: that cargo runs it again when the directory changes, and a warning for each problem.
    ///
    /// ```no_run
    /// // build.rs
    /// fn main() -> Result<(), drawloom_validate::ValidateError> {
    ///     let report = drawloom_validate::Validation::of_directory("src").run()?;
    ///     print!("{}", report.cargo_directives());
    ///     Ok(())
    /// }
    /// ```
    pub fn cargo_directives(&self) -> String {
        use std::fmt::Write;
        let mut lines = String::new();
        if let Some(directory) = &self.directory {
            let _ = writeln!(lines, "cargo::rerun-if-changed={}", text::visible(directory));
        }
        for (command, problem) in self.all_problems() {
            let line = described(self.directory.as_deref(), command, problem);
            let _ = writeln!(lines, "cargo::warning={}", text::visible(&line));
        }
        lines
    }
}

/// `src/notes.rs:3:5: command "notes.open": it has no description … (missing-description)`
fn described(directory: Option<&str>, command: Option<&str>, problem: &Problem) -> String {
    let place = match (directory, &problem.location) {
        (Some(directory), Some(location)) => format!("{}/{location}: ", directory.trim_end_matches('/')),
        (None, Some(location)) => format!("{location}: "),
        (_, None) => String::new(),
    };
    let command = command.map(|command| format!("command \"{command}\": ")).unwrap_or_default();
    format!("{place}{command}{} ({})", problem.message, problem.rule)
}

impl fmt::Display for BrokenRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (command, problem)) in self.problems.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            write!(f, "{line}{}", text::visible(&described(None, command.as_deref(), problem)))?;
        }
        Ok(())
    }
}

/// The same as its text, which is what a failed test shows.
impl fmt::Debug for BrokenRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BrokenRules {}

/// The place of a finding, or of what concerns the directory.
pub(crate) fn place_of(location: Option<&Location>) -> String {
    location.map(ToString::to_string).unwrap_or_default()
}
