//! One declared argument: its name, what it takes, and where its choices come from. The values of arguments are in
//! `value`, and the comparison of both is in `check`.

mod builder;
mod choice_set;
mod choices;
mod default;
mod label;
mod length;
mod range;
mod scalar;
mod typed;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::value::{CommandArgumentValue, CommandArguments};

pub use builder::Argument;
pub(crate) use builder::Setting;
pub use choice_set::{ChoiceSet, ChoiceSubscription};
pub(crate) use choices::{ChoiceDomain, Choices};
pub use default::ArgumentDefault;
pub use label::ChoiceLabels;
pub use length::TextLength;
pub use range::{IntegerRange, NumberBounds, NumberRange};
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
    pub(crate) secret: bool,
    pub(crate) default: Option<CommandArgumentValue>,
    pub(crate) domain: Domain,
    /// What the author set and the argument cannot have. Reported when the command is declared.
    pub(crate) misplaced: Option<Setting>,
}

/// The kind of an argument together with its limits.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    Text(TextLength),
    Number,
    Within(NumberRange),
    Integer(IntegerRange),
    Boolean,
    Choice(ChoiceDomain),
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

    /// Whether the argument is secret: its value is given to the handler and to the hook of the product, and drawloom
    /// never writes or shows it.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// The value that the handler gets if a call omits the argument. `None` if the argument declares none.
    pub fn default(&self) -> Option<&CommandArgumentValue> {
        self.default.as_ref()
    }

    /// The choices at this moment. `None` if the argument is not a choice, or if its choices depend on other arguments:
    /// see [`CommandArgument::choices_given`].
    pub fn choices(&self) -> Option<Arc<[Arc<str>]>> {
        self.choice_domain()?.choices.read()
    }

    /// The choices at this moment for a call with these other arguments. `None` if the argument is not a choice.
    ///
    /// A source that depends on other arguments gets only those that it names, as far as they are given.
    pub fn choices_given(&self, others: &CommandArguments) -> Option<Arc<[Arc<str>]>> {
        Some(self.choice_domain()?.choices.read_given(others))
    }

    /// The other arguments on which the choices depend, as declared. Empty if they depend on none.
    pub fn depends_on(&self) -> &[Arc<str>] {
        match self.choice_domain() {
            Some(ChoiceDomain { choices: Choices::Given { others, .. }, .. }) => others,
            _ => &[],
        }
    }

    /// The labels of the choices, as declared: translation keys or literal texts.
    pub fn labels(&self) -> Option<&ChoiceLabels> {
        self.choice_domain().map(|domain| &domain.labels).filter(|labels| !labels.is_empty())
    }

    pub(crate) fn choice_domain(&self) -> Option<&ChoiceDomain> {
        match &self.domain {
            Domain::Choice(domain) => Some(domain),
            _ => None,
        }
    }

    /// The limits of the text's length. `None` if the argument takes no text or text of any length.
    pub fn text_length(&self) -> Option<TextLength> {
        match self.domain {
            Domain::Text(length) => Some(length).filter(|length| !length.is_any()),
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
            Self::Text(_) => ArgumentKind::Text,
            Self::Number | Self::Within(_) | Self::Integer(_) => ArgumentKind::Number,
            Self::Boolean => ArgumentKind::Boolean,
            Self::Choice(_) => ArgumentKind::Choice,
        }
    }
}
