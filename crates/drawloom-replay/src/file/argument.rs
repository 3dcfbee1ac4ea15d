//! One argument of a command, as it is written.

use drawloom::command::{Argument, ArgumentKind, Number};
use serde::Deserialize;

use super::exact::ExactNumber;
use super::words::Word;

#[derive(Debug, Deserialize)]
#[serde(try_from = "Form")]
pub(crate) struct FileArgument(pub(crate) Argument);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    name: String,
    kind: Word<ArgumentKind>,
    description: Option<String>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    list: bool,
    choices: Option<Vec<String>>,
    /// Whether a number is a whole one.
    #[serde(default)]
    integer: bool,
    minimum: Option<ExactNumber>,
    maximum: Option<ExactNumber>,
}

impl TryFrom<Form> for FileArgument {
    type Error = &'static str;

    fn try_from(form: Form) -> Result<Self, Self::Error> {
        let kind = form.kind.0;
        if kind != ArgumentKind::Choice && form.choices.is_some() {
            return Err("only an argument of the kind \"choice\" has choices");
        }
        if kind != ArgumentKind::Number && (form.integer || form.minimum.is_some() || form.maximum.is_some())
        {
            return Err("only an argument of the kind \"number\" is an integer or has bounds");
        }
        let (least, greatest) = (form.minimum.map(|bound| bound.0), form.maximum.map(|bound| bound.0));
        let mut argument = match kind {
            ArgumentKind::Text => Argument::text(form.name),
            ArgumentKind::Boolean => Argument::boolean(form.name),
            ArgumentKind::Choice => Argument::choice(form.name, form.choices.unwrap_or_default()),
            ArgumentKind::Number if form.integer => {
                let least = least.map_or(Ok(i128::MIN), whole)?;
                let greatest = greatest.map_or(Ok(i128::MAX), whole)?;
                Argument::integer(form.name, least..=greatest)
            }
            ArgumentKind::Number => {
                let least = least.map_or(f64::NEG_INFINITY, |least| least.as_f64());
                let greatest = greatest.map_or(f64::INFINITY, |greatest| greatest.as_f64());
                Argument::number_within(form.name, least..=greatest)
            }
        };
        if let Some(description) = form.description {
            argument = argument.description(description);
        }
        if form.required {
            argument = argument.required();
        }
        if form.list {
            argument = argument.list();
        }
        Ok(Self(argument))
    }
}

fn whole(bound: Number) -> Result<i128, &'static str> {
    let negative = bound.as_i64().map(i128::from);
    negative.or(bound.as_u64().map(i128::from)).ok_or("the bound of an integer is one too")
}
