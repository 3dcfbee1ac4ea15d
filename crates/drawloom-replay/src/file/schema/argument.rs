//! One argument of a command, as it is written in the file.

use drawloom::command::{Argument, ArgumentKind, Number};
use serde::Deserialize;

use super::exact::ExactNumber;
use super::objects::objects_only;
use super::words::Word;

#[derive(Debug, Deserialize)]
#[serde(try_from = "ArgumentFields")]
pub(crate) struct FileArgument(pub(crate) Argument);

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
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
}

objects_only!(ArgumentFields);

impl TryFrom<ArgumentFields> for FileArgument {
    type Error = &'static str;

    fn try_from(fields: ArgumentFields) -> Result<Self, Self::Error> {
        let kind = fields.kind.0;
        if kind != ArgumentKind::Choice && fields.choices.is_some() {
            return Err("only an argument of the kind \"choice\" can have choices");
        }
        if kind != ArgumentKind::Number
            && (fields.integer || fields.minimum.is_some() || fields.maximum.is_some())
        {
            return Err("only an argument of the kind \"number\" can be an integer or have bounds");
        }
        let (minimum, maximum) = (fields.minimum.map(|bound| bound.0), fields.maximum.map(|bound| bound.0));
        let mut argument = match kind {
            ArgumentKind::Text => Argument::text(fields.name),
            ArgumentKind::Boolean => Argument::boolean(fields.name),
            ArgumentKind::Choice => Argument::choice(fields.name, fields.choices.unwrap_or_default()),
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
