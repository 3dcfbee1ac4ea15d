//! The problems that the check finds, and their texts. A text never contains the value of an argument.

use std::fmt;
use std::sync::Arc;

use super::expected::{Choose, Length, Noun};
use super::{ExpectedValue, ReadChoices};
use crate::argument::{ArgumentKind, CommandArgument, IntegerRange, NumberRange, TextLength};
use crate::text::{Quoted, enumerate};

/// A problem with one argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentProblem {
    /// A required argument is missing.
    #[error("argument {} is missing; it takes {expected}", Quoted(.argument))]
    Missing {
        /// The argument.
        argument: Arc<str>,
        /// What the argument takes.
        expected: ExpectedValue,
    },
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
    /// The text is too short or too long.
    #[error("argument {} takes {}", Quoted(.argument), Length(*.length))]
    OutsideLength {
        /// The argument.
        argument: Arc<str>,
        /// The declared length.
        length: TextLength,
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
    /// The argument that has the problem.
    pub fn argument(&self) -> &str {
        match self {
            Self::NoChoices(argument)
            | Self::SingleForList(argument)
            | Self::ListForSingle(argument)
            | Self::Undeclared(argument)
            | Self::Missing { argument, .. }
            | Self::WrongKind { argument, .. }
            | Self::OutsideRange { argument, .. }
            | Self::OutsideNumberRange { argument, .. }
            | Self::OutsideLength { argument, .. }
            | Self::OutsideChoices { argument, .. } => argument,
        }
    }

    /// A stable name for the kind of problem. With the argument and the other fields, a product can say it in its own words.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::WrongKind { .. } => "wrong-kind",
            Self::OutsideRange { .. } => "outside-range",
            Self::OutsideNumberRange { .. } => "outside-number-range",
            Self::OutsideLength { .. } => "outside-length",
            Self::OutsideChoices { .. } => "outside-choices",
            Self::NoChoices(_) => "no-choices",
            Self::SingleForList(_) => "single-for-list",
            Self::ListForSingle(_) => "list-for-single",
            Self::Undeclared(_) => "undeclared",
        }
    }

    /// A required argument that is missing.
    #[cold]
    pub(crate) fn missing(argument: &CommandArgument, choices: ReadChoices) -> Self {
        Self::Missing {
            argument: argument.name.clone(),
            expected: ExpectedValue::new(argument.list, argument.domain.clone(), choices),
        }
    }
}

/// All problems with the arguments of a call; at least one. As text, it shows the first sixteen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentProblems(Vec<ArgumentProblem>);

impl ArgumentProblems {
    /// An error if any problem was found.
    pub(super) fn from_found(problems: Vec<ArgumentProblem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self(problems)) }
    }

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
