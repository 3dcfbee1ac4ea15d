//! What the check says about one command, and about what lies beside the commands.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::rule::Rule;

/// Where something stands in the directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Location {
    /// The file, relative to the directory, with `/` between its parts.
    pub path: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The column, from 1; 0 for the line as a whole.
    pub column: usize,
}

/// What the check says about one command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The command's id, if it could be read.
    pub command: Option<String>,
    /// Where the command is declared. `None` for a command of a live workbench.
    pub location: Option<Location>,
    /// What an agent is shown of it.
    pub status: FindingStatus,
    /// The rules that it breaks.
    pub problems: Vec<Problem>,
    /// What the source does not show, in words.
    pub notes: Vec<String>,
}

/// What an agent is shown of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FindingStatus {
    /// It is offered, with all that an agent needs.
    Offered(Offer),
    /// It is offered, but an agent has to guess. The problems say what.
    AgentGuesses(Offer),
    /// It is not offered.
    NotOffered {
        /// What closes it.
        reason: String,
    },
    /// Its declaration could not be read.
    Unreadable {
        /// Why not.
        reason: String,
    },
}

/// What an agent is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Offer {
    /// The name of the tool.
    pub tool_name: String,
    /// The description of the tool.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
    /// How many arguments the command declares.
    pub arguments: usize,
    /// How many of them have a description.
    pub described_arguments: usize,
    /// What the command answers; `None` if it declares no answer.
    pub answers: Option<String>,
}

/// One rule that is broken, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The rule.
    pub rule: Rule,
    /// What is wrong and what follows.
    pub message: String,
    /// Where it is, if there is a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

impl Location {
    pub(crate) fn new(path: impl Into<String>, line: usize, column: usize) -> Self {
        Self { path: path.into(), line, column }
    }

    pub(crate) fn of_file(path: impl Into<String>) -> Self {
        Self::new(path, 0, 0)
    }
}

/// `notes.rs:3:5`, or as much of it as is known.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for part in [self.line, self.column].into_iter().take_while(|part| *part > 0) {
            write!(f, ":{part}")?;
        }
        Ok(())
    }
}

impl Finding {
    /// The problems with this rule.
    pub fn breaking(&self, rule: Rule) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(move |problem| problem.rule == rule)
    }
}

impl Problem {
    pub(crate) fn new(rule: Rule, location: Option<Location>, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), location }
    }
}

impl fmt::Display for FindingStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offered(offer) => write!(f, "offered: {offer}"),
            Self::AgentGuesses(offer) => write!(f, "offered, but an agent has to guess: {offer}"),
            Self::NotOffered { reason } => write!(f, "not offered: {reason}"),
            Self::Unreadable { reason } => write!(f, "could not be read: {reason}"),
        }
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.arguments {
            0 => f.write_str("it takes no arguments")?,
            all => write!(f, "{} of {all} arguments described", self.described_arguments)?,
        }
        match &self.answers {
            Some(answers) => write!(f, ", answers \"{answers}\""),
            None => f.write_str(", answers nothing"),
        }
    }
}
