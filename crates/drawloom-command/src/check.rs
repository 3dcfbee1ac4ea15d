//! The argument check: do the arguments of a call match the declaration of its command?
//!
//! It finds all problems at once, in a stable order: the declared arguments as declared, then the undeclared ones by name,
//! at most one problem for each. It serves discovery, so that a caller learns what to send; a handler has to validate its
//! inputs as if there were no check.

mod dependencies;
mod expected;
mod problem;

use std::collections::HashSet;
use std::sync::Arc;

use crate::argument::{CommandArgument, Domain};
use crate::value::{CommandArgumentValue, CommandArguments, CommandScalar};

pub(crate) use dependencies::{Dependencies, DependencyError};
pub use expected::ExpectedValue;
pub use problem::{ArgumentProblem, ArgumentProblems};

/// The choices of an argument, as far as they are known.
pub(crate) type ReadChoices = Option<Arc<[Arc<str>]>>;

/// Checks `given` against the declared arguments.
pub(crate) fn check(
    declared: &[CommandArgument],
    dependencies: Option<&Dependencies>,
    given: &CommandArguments,
) -> Result<(), ArgumentProblems> {
    let known = declared.iter().filter(|argument| given.get(&argument.name).is_some()).count();
    let mut problems: Vec<ArgumentProblem> = match dependencies {
        None => declared
            .iter()
            .filter_map(|argument| problem_in(argument, given, || argument.choices()))
            .collect(),
        Some(dependencies) => dependencies.problems(declared, given),
    };
    if given.len() > known {
        let declared: HashSet<&str> = declared.iter().map(CommandArgument::name).collect();
        problems.extend(
            given
                .iter()
                .filter(|(name, _)| !declared.contains(name))
                .map(|(name, _)| ArgumentProblem::Undeclared(name.into())),
        );
    }
    ArgumentProblems::from_found(problems)
}

/// The problem with one declared argument of a call. `choices` reads the choices, if they are known.
fn problem_in(
    argument: &CommandArgument,
    given: &CommandArguments,
    choices: impl FnOnce() -> ReadChoices,
) -> Option<ArgumentProblem> {
    match given.get(&argument.name) {
        Some(value) => problem_with(argument, value, choices),
        None => argument.required.then(|| ArgumentProblem::missing(argument, choices())),
    }
}

/// The problem with the value of an argument, if there is one. `choices` reads the choices, if they are known.
pub(crate) fn problem_with(
    argument: &CommandArgument,
    value: &CommandArgumentValue,
    choices: impl FnOnce() -> ReadChoices,
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
        Domain::Choice(_) => {
            let choices = choices()?;
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
        Domain::Text(length) => {
            let fits = |value: &CommandScalar| match value {
                CommandScalar::Text(text) => length.contains(text),
                _ => false,
            };
            (!values.iter().all(fits))
                .then(|| ArgumentProblem::OutsideLength { argument: argument.name.clone(), length: *length })
        }
        Domain::Number | Domain::Boolean => None,
    }
}

fn is_of_kind(domain: &Domain, value: &CommandScalar) -> bool {
    matches!(
        (domain, value),
        (Domain::Text(_) | Domain::Choice(_), CommandScalar::Text(_))
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
