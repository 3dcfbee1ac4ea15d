//! What an argument takes, in the words of a message.

use std::fmt;
use std::sync::Arc;

use super::ReadChoices;
use crate::argument::{ArgumentKind, Domain, IntegerRange, NumberRange, TextLength};
use crate::text::{Quoted, enumerate};

/// What an argument takes, in words: `text`, `a whole number from 0 to 100`, `one of "preview", "permanent"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedValue {
    list: bool,
    value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(TextLength),
    Number,
    Within(NumberRange),
    Integer(IntegerRange),
    Boolean,
    /// `None` if the choices depend on other arguments that are not known.
    Choice(ReadChoices),
}

impl ExpectedValue {
    pub(super) fn new(list: bool, domain: Domain, choices: ReadChoices) -> Self {
        let value = match domain {
            Domain::Text(length) => Value::Text(length),
            Domain::Number => Value::Number,
            Domain::Within(range) => Value::Within(range),
            Domain::Integer(range) => Value::Integer(range),
            Domain::Boolean => Value::Boolean,
            Domain::Choice(_) => Value::Choice(choices),
        };
        Self { list, value }
    }
}

impl fmt::Display for ExpectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.list {
            f.write_str("a list in which each entry is ")?;
        }
        match &self.value {
            Value::Text(length) => Length(*length).fmt(f),
            Value::Number => f.write_str("a number"),
            Value::Within(range) => write!(f, "a number from {:?} to {:?}", range.min(), range.max()),
            Value::Integer(range) => write!(f, "a whole number from {} to {}", range.min, range.max),
            Value::Boolean => f.write_str("true or false"),
            Value::Choice(None) => f.write_str("one of the choices that its other arguments give"),
            Value::Choice(Some(choices)) if choices.is_empty() => {
                f.write_str("a choice, and there are no choices at the moment")
            }
            Value::Choice(Some(choices)) => write!(f, "one of {}", Choose(choices)),
        }
    }
}

/// Text of a length, as a message names it.
pub(super) struct Length(pub(super) TextLength);

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = |count| if count == 1 { "character" } else { "characters" };
        match (self.0.min(), self.0.max()) {
            (0, None) => f.write_str("text"),
            (min, None) => write!(f, "text of at least {min} {}", unit(min)),
            (0, Some(max)) => write!(f, "text of at most {max} {}", unit(max)),
            (min, Some(max)) if min == max => write!(f, "text of {min} {}", unit(min)),
            (min, Some(max)) => write!(f, "text of {min} to {max} characters"),
        }
    }
}

/// A kind with its article, as a message names it.
pub(super) struct Noun(pub(super) ArgumentKind);

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
pub(super) struct Choose<'a>(pub(super) &'a [Arc<str>]);

impl fmt::Display for Choose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enumerate(f, self.0, ", ", |f, choice| Quoted(choice).fmt(f))
    }
}
