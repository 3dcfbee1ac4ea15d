//! One declared argument: its name, what it takes, and where its choices come from. The values of arguments are in
//! `value`, and the comparison of both is in `check`.

mod builder;
mod choices;
mod range;
mod scalar;
mod typed;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use builder::Argument;
pub(crate) use choices::Choices;
pub use range::{IntegerRange, NumberRange};
pub use scalar::{ArgumentScalar, ArgumentValue, Choice};
pub use typed::{ArgumentField, TypedArguments};

/// The four kinds of argument.
///
/// The set is closed and the enum is exhaustive: a caller that has never seen the command must understand each of its
/// arguments, so a further kind would be a change of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArgumentKind {
    /// Any text, including the empty one.
    Text,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// One of a set of texts.
    Choice,
}

/// One declared argument of a [`CommandDeclaration`](crate::CommandDeclaration). [`Argument`] builds it.
#[derive(Clone, Debug)]
pub struct CommandArgument {
    pub(crate) name: Arc<str>,
    pub(crate) description: Option<Arc<str>>,
    pub(crate) required: bool,
    pub(crate) list: bool,
    pub(crate) domain: Domain,
}

/// The kind of an argument together with its limits.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    Text,
    Number,
    Within(NumberRange),
    Integer(IntegerRange),
    Boolean,
    Choice(Choices),
}

impl CommandArgument {
    /// The argument's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The argument's description as declared: a translation key or a literal text.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The argument's kind.
    pub fn kind(&self) -> ArgumentKind {
        self.domain.kind()
    }

    /// Whether a call must give the argument.
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// Whether the argument takes a list.
    pub fn is_list(&self) -> bool {
        self.list
    }

    /// The choices at this moment. `None` if the argument is not a choice.
    pub fn choices(&self) -> Option<Arc<[Arc<str>]>> {
        match &self.domain {
            Domain::Choice(choices) => Some(choices.read()),
            _ => None,
        }
    }

    /// The range of whole numbers that the argument takes. `None` if it is not limited to whole numbers.
    pub fn integer_range(&self) -> Option<IntegerRange> {
        match self.domain {
            Domain::Integer(range) => Some(range),
            _ => None,
        }
    }

    /// The range of numbers that the argument takes. `None` if the argument is limited to whole numbers or has no range.
    pub fn number_range(&self) -> Option<NumberRange> {
        match self.domain {
            Domain::Within(range) => Some(range),
            _ => None,
        }
    }
}

impl Domain {
    pub(crate) fn kind(&self) -> ArgumentKind {
        match self {
            Self::Text => ArgumentKind::Text,
            Self::Number | Self::Within(_) | Self::Integer(_) => ArgumentKind::Number,
            Self::Boolean => ArgumentKind::Boolean,
            Self::Choice(_) => ArgumentKind::Choice,
        }
    }
}
