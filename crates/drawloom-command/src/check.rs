//! The argument check: do the arguments of a call match the declaration of its command?
//!
//! It finds all problems at once, in a stable order: the declared arguments as declared, then the undeclared ones by name,
//! at most one problem for each. It serves discovery, so that a caller learns what to send; a handler has to validate its
//! inputs as if there were no check.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use crate::argument::{ArgumentKind, CommandArgument, Domain, IntegerRange, NumberRange};
use crate::text::{Quoted, enumerate};
use crate::value::{CommandArgumentValue, CommandArguments, CommandScalar};

/// A problem with one argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentProblem {
    /// A required argument is missing.
    #[error("argument {} is missing", Quoted(.0))]
    Missing(Arc<str>),
    /// The value, or an entry of the list, is of another kind.
    #[error("argument {} takes {}, not {found}", Quoted(.argument), Noun(*.expected))]
    WrongKind {
        /// The argument.
        argument: Arc<str>,
        /// The declared kind.
        expected: ArgumentKind,
        /// The kind of the value, in words.
        found: &'static str,
    },
    /// The number is not whole, or outside the declared range.
    #[error("argument {} takes a whole number from {} to {}", Quoted(.argument), .range.min, .range.max)]
    OutsideRange {
        /// The argument.
        argument: Arc<str>,
        /// The declared range.
        range: IntegerRange,
    },
    /// The number is outside the declared range.
    #[error("argument {} takes a number from {:?} to {:?}", Quoted(.argument), .range.min(), .range.max())]
    OutsideNumberRange {
        /// The argument.
        argument: Arc<str>,
        /// The declared range.
        range: NumberRange,
    },
    /// The text is not one of the choices.
    #[error("argument {} takes one of {}", Quoted(.argument), Choose(.choices))]
    OutsideChoices {
        /// The argument.
        argument: Arc<str>,
        /// The choices at the moment of the check.
        choices: Arc<[Arc<str>]>,
    },
    /// The argument is a choice that has no choices at the moment.
    #[error("argument {} has no choices at the moment", Quoted(.0))]
    NoChoices(Arc<str>),
    /// A single value is given where a list is declared.
    #[error("argument {} takes a list, not a single value", Quoted(.0))]
    SingleForList(Arc<str>),
    /// A list is given where a single value is declared.
    #[error("argument {} takes a single value, not a list", Quoted(.0))]
    ListForSingle(Arc<str>),
    /// The command declares no such argument.
    #[error("argument {} is not declared; omit it", Quoted(.0))]
    Undeclared(Arc<str>),
}

impl ArgumentProblem {
    /// A stable name for the kind of problem. With the argument and the other fields, a product can say it in its own words.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "missing",
            Self::WrongKind { .. } => "wrong-kind",
            Self::OutsideRange { .. } => "outside-range",
            Self::OutsideNumberRange { .. } => "outside-number-range",
            Self::OutsideChoices { .. } => "outside-choices",
            Self::NoChoices(_) => "no-choices",
            Self::SingleForList(_) => "single-for-list",
            Self::ListForSingle(_) => "list-for-single",
            Self::Undeclared(_) => "undeclared",
        }
    }

    /// The argument that has the problem.
    pub fn argument(&self) -> &str {
        match self {
            Self::Missing(argument)
            | Self::NoChoices(argument)
            | Self::SingleForList(argument)
            | Self::ListForSingle(argument)
            | Self::Undeclared(argument)
            | Self::WrongKind { argument, .. }
            | Self::OutsideRange { argument, .. }
            | Self::OutsideNumberRange { argument, .. }
            | Self::OutsideChoices { argument, .. } => argument,
        }
    }
}

/// All problems with the arguments of a call; at least one. As text, it shows the first sixteen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentProblems(Vec<ArgumentProblem>);

impl ArgumentProblems {
    /// The problems: declared arguments first, in declared order, then undeclared ones by name.
    pub fn as_slice(&self) -> &[ArgumentProblem] {
        &self.0
    }

    /// Iterates over the problems, in the order of [`ArgumentProblems::as_slice`].
    pub fn iter(&self) -> std::slice::Iter<'_, ArgumentProblem> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a ArgumentProblems {
    type Item = &'a ArgumentProblem;
    type IntoIter = std::slice::Iter<'a, ArgumentProblem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for ArgumentProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enumerate(f, &self.0, "; ", |f, problem| problem.fmt(f))
    }
}

impl std::error::Error for ArgumentProblems {}

/// Checks `given` against the declared arguments.
pub(crate) fn check(declared: &[CommandArgument], given: &CommandArguments) -> Result<(), ArgumentProblems> {
    let mut known = 0;
    let mut problems: Vec<ArgumentProblem> = declared
        .iter()
        .filter_map(|argument| match given.get(&argument.name) {
            Some(value) => {
                known += 1;
                problem_with(argument, value)
            }
            None => argument.required.then(|| ArgumentProblem::Missing(argument.name.clone())),
        })
        .collect();
    if given.len() > known {
        let declared: HashSet<&str> = declared.iter().map(CommandArgument::name).collect();
        problems.extend(
            given
                .iter()
                .filter(|(name, _)| !declared.contains(name))
                .map(|(name, _)| ArgumentProblem::Undeclared(name.into())),
        );
    }
    if problems.is_empty() { Ok(()) } else { Err(ArgumentProblems(problems)) }
}

/// The problem with the value of an argument, if there is one.
pub(crate) fn problem_with(
    argument: &CommandArgument,
    value: &CommandArgumentValue,
) -> Option<ArgumentProblem> {
    let values = match value {
        CommandArgumentValue::Single(_) if argument.list => {
            return Some(ArgumentProblem::SingleForList(argument.name.clone()));
        }
        CommandArgumentValue::List(_) if !argument.list => {
            return Some(ArgumentProblem::ListForSingle(argument.name.clone()));
        }
        CommandArgumentValue::Single(value) => std::slice::from_ref(value),
        CommandArgumentValue::List(values) => values,
    };
    if let Some(found) = values.iter().find(|value| !is_of_kind(&argument.domain, value)) {
        return Some(ArgumentProblem::WrongKind {
            argument: argument.name.clone(),
            expected: argument.kind(),
            found: in_words(found),
        });
    }
    match &argument.domain {
        Domain::Choice(choices) => {
            let choices = choices.read();
            if choices.is_empty() {
                return Some(ArgumentProblem::NoChoices(argument.name.clone()));
            }
            let all_known = match values {
                [CommandScalar::Text(text)] => choices.iter().any(|choice| **choice == **text),
                // The cost must not be the product of the numbers of values and choices.
                _ => {
                    let known: HashSet<&str> = choices.iter().map(|choice| &**choice).collect();
                    values.iter().all(
                        |value| matches!(value, CommandScalar::Text(text) if known.contains(text.as_str())),
                    )
                }
            };
            (!all_known).then(|| ArgumentProblem::OutsideChoices { argument: argument.name.clone(), choices })
        }
        Domain::Integer(range) => {
            let within = |value: &CommandScalar| match value {
                CommandScalar::Number(number) => number.whole().is_some_and(|whole| range.contains(whole)),
                _ => false,
            };
            (!values.iter().all(within))
                .then(|| ArgumentProblem::OutsideRange { argument: argument.name.clone(), range: *range })
        }
        Domain::Within(range) => {
            let within = |value: &CommandScalar| match value {
                CommandScalar::Number(number) => range.contains(*number),
                _ => false,
            };
            (!values.iter().all(within)).then(|| ArgumentProblem::OutsideNumberRange {
                argument: argument.name.clone(),
                range: *range,
            })
        }
        Domain::Text | Domain::Number | Domain::Boolean => None,
    }
}

fn is_of_kind(domain: &Domain, value: &CommandScalar) -> bool {
    matches!(
        (domain, value),
        (Domain::Text | Domain::Choice(_), CommandScalar::Text(_))
            | (Domain::Number | Domain::Within(_) | Domain::Integer(_), CommandScalar::Number(_))
            | (Domain::Boolean, CommandScalar::Boolean(_))
    )
}

fn in_words(value: &CommandScalar) -> &'static str {
    match value {
        CommandScalar::Text(_) => "text",
        CommandScalar::Number(_) => "a number",
        CommandScalar::Boolean(_) => "a boolean",
    }
}

/// A kind with its article, as a message names it.
struct Noun(ArgumentKind);

impl fmt::Display for Noun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            ArgumentKind::Text => "text",
            ArgumentKind::Number => "a number",
            ArgumentKind::Boolean => "a boolean",
            ArgumentKind::Choice => "one of its choices as text",
        })
    }
}

/// The choices of an argument, as a message names them.
struct Choose<'a>(&'a [Arc<str>]);

impl fmt::Display for Choose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enumerate(f, self.0, ", ", |f, choice| Quoted(choice).fmt(f))
    }
}
