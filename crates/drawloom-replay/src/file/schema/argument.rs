//! One argument of a command, as it is written in the file.

use std::collections::BTreeMap;

use drawloom::command::{Argument, ArgumentKind, CommandArguments, Number};
use serde::Deserialize;

use super::exact::{ExactNumber, ExactValue};
use super::objects::{Named, objects_only};
use super::words::Word;

#[derive(Debug, Deserialize)]
#[serde(try_from = "ArgumentFields")]
pub(crate) struct FileArgument(pub(crate) Argument);

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
struct ArgumentFields {
    name: String,
    kind: Word<ArgumentKind>,
    description: Option<String>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    list: bool,
    choices: Option<Vec<String>>,
    /// Whether only whole numbers match.
    #[serde(default)]
    integer: bool,
    minimum: Option<ExactNumber>,
    maximum: Option<ExactNumber>,
    /// The least number of characters.
    min_length: Option<u32>,
    max_length: Option<u32>,
    /// What a person reads in place of a choice, by choice.
    labels: Option<Named<String>>,
    choices_given: Option<GivenFields>,
    default: Option<ExactValue>,
    #[serde(default)]
    secret: bool,
}

/// Choices that depend on the text of another argument.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct GivenFields {
    argument: String,
    choices: Named<Vec<String>>,
}

objects_only!(ArgumentFields, GivenFields);

impl GivenFields {
    fn argument(self, name: String) -> Argument {
        let Self { argument, choices } = self;
        let other = argument.clone();
        let choices: BTreeMap<String, Vec<String>> = choices.0;
        Argument::choice_given(name, [argument], move |others: &CommandArguments| {
            others.text(&other).and_then(|text| choices.get(text)).cloned().unwrap_or_default()
        })
    }
}

impl TryFrom<ArgumentFields> for FileArgument {
    type Error = &'static str;

    fn try_from(fields: ArgumentFields) -> Result<Self, Self::Error> {
        let kind = fields.kind.0;
        let has_choices =
            fields.choices.is_some() || fields.choices_given.is_some() || fields.labels.is_some();
        if kind != ArgumentKind::Choice && has_choices {
            return Err("only an argument of the kind \"choice\" can have choices");
        }
        if fields.choices.is_some() && fields.choices_given.is_some() {
            return Err("an argument has either \"choices\" or \"choicesGiven\"");
        }
        if kind != ArgumentKind::Text && (fields.min_length.is_some() || fields.max_length.is_some()) {
            return Err("only an argument of the kind \"text\" can have a length");
        }
        if kind != ArgumentKind::Number
            && (fields.integer || fields.minimum.is_some() || fields.maximum.is_some())
        {
            return Err("only an argument of the kind \"number\" can be an integer or have bounds");
        }
        let (minimum, maximum) = (fields.minimum.map(|bound| bound.0), fields.maximum.map(|bound| bound.0));
        let mut argument = match kind {
            ArgumentKind::Text => {
                let text = Argument::text(fields.name);
                match (fields.min_length, fields.max_length) {
                    (None, None) => text,
                    (min, None) => text.length(min.unwrap_or(0)..),
                    (min, Some(max)) => text.length(min.unwrap_or(0)..=max),
                }
            }
            ArgumentKind::Boolean => Argument::boolean(fields.name),
            ArgumentKind::Choice => match fields.choices_given {
                Some(given) => given.argument(fields.name),
                None => Argument::choice(fields.name, fields.choices.unwrap_or_default()),
            },
            ArgumentKind::Number if fields.integer => {
                let minimum = minimum.map_or(Ok(i128::MIN), whole)?;
                let maximum = maximum.map_or(Ok(i128::MAX), whole)?;
                Argument::integer(fields.name, minimum..=maximum)
            }
            ArgumentKind::Number => {
                let minimum = minimum.map_or(Ok(f64::NEG_INFINITY), double)?;
                let maximum = maximum.map_or(Ok(f64::INFINITY), double)?;
                Argument::number_within(fields.name, minimum..=maximum)
            }
        };
        for (choice, label) in fields.labels.map(|labels| labels.0).into_iter().flatten() {
            argument = argument.label(choice, label);
        }
        if let Some(default) = fields.default {
            argument = argument.default(default.0);
        }
        if fields.secret {
            argument = argument.secret();
        }
        if let Some(description) = fields.description {
            argument = argument.description(description);
        }
        if fields.required {
            argument = argument.required();
        }
        if fields.list {
            argument = argument.list();
        }
        Ok(Self(argument))
    }
}

/// A bound that a double would round is an error.
fn double(bound: Number) -> Result<f64, &'static str> {
    let double = bound.as_f64();
    let is_exact = Number::try_from(double) == Ok(bound);
    is_exact.then_some(double).ok_or("the bound of a number is a double, and this integer is not one; write \"integer\": true, or another bound")
}

fn whole(bound: Number) -> Result<i128, &'static str> {
    let negative = bound.as_i64().map(i128::from);
    negative.or(bound.as_u64().map(i128::from)).ok_or("the bound of an integer must be an integer")
}
