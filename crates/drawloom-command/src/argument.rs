//! One declared argument: its name, what it takes, and where its choices come from.

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::contain::contained;

/// The four kinds of argument there are. A caller that has never seen the command must be able to understand it, so
/// the set is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArgumentKind {
    /// Any text, the empty one too.
    Text,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// One of a set of texts.
    Choice,
}

/// Builder for one argument of a command. Each constructor creates one kind, so no kind can be combined wrongly with
/// another.
///
/// ```
/// use drawloom_command::Argument;
///
/// let path = Argument::text("path").description("Where the note is").required();
/// let mode = Argument::choice("mode", ["preview", "permanent"]);
/// let tags = Argument::text("tags").list();
/// let open = Argument::choice_from("note", || vec!["inbox".to_owned(), "today".to_owned()]);
/// # let _ = (path, mode, tags, open);
/// ```
#[derive(Clone, Debug)]
#[must_use = "an argument does nothing until it is added to a command"]
pub struct Argument(CommandArgument);

/// One declared argument of a [`CommandDeclaration`](crate::CommandDeclaration). [`Argument`] builds it.
#[derive(Clone, Debug)]
pub struct CommandArgument {
    pub(crate) name: Arc<str>,
    pub(crate) description: Option<Arc<str>>,
    pub(crate) required: bool,
    pub(crate) list: bool,
    pub(crate) domain: Domain,
}

/// What an argument takes, with whatever narrows it further.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    Text,
    Number,
    Within(NumberRange),
    Integer(IntegerRange),
    Boolean,
    Choice(Choices),
}

/// The whole numbers an argument takes, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IntegerRange {
    /// The least, not below −2⁶³.
    pub min: i128,
    /// The greatest, not above 2⁶⁴−1.
    pub max: i128,
}

/// The numbers an argument takes, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    // INVARIANT: neither is a NaN or an infinity.
    min: f64,
    max: f64,
}

// No NaN is ever inside, so equality is total.
impl Eq for NumberRange {}

/// Where the choices of an argument come from.
#[derive(Clone)]
pub(crate) enum Choices {
    Fixed(Arc<[Arc<str>]>),
    Source(Arc<dyn Fn() -> Vec<String> + Send + Sync>),
}

impl Argument {
    fn new(name: impl Into<Arc<str>>, domain: Domain) -> Self {
        Self(CommandArgument { name: name.into(), description: None, required: false, list: false, domain })
    }

    /// An argument that takes text.
    pub fn text(name: impl Into<Arc<str>>) -> Self {
        Self::new(name, Domain::Text)
    }

    /// An argument that takes any number.
    pub fn number(name: impl Into<Arc<str>>) -> Self {
        Self::new(name, Domain::Number)
    }

    /// An argument that takes a number within `range`, compared as doubles.
    ///
    /// ```
    /// # use drawloom_command::Argument;
    /// let opacity = Argument::number_within("opacity", 0.0..=1.0);
    /// let width = Argument::number_within("width", 0.0..=f64::INFINITY);
    /// # let _ = (opacity, width);
    /// ```
    pub fn number_within(name: impl Into<Arc<str>>, range: RangeInclusive<f64>) -> Self {
        let range = NumberRange::new(*range.start(), *range.end());
        let is_every_number = range.min == f64::MIN && range.max == f64::MAX;
        Self::new(name, if is_every_number { Domain::Number } else { Domain::Within(range) })
    }

    /// An argument that takes a whole number within `range`; its kind is [`ArgumentKind::Number`]. No call can
    /// carry a whole number below −2⁶³ or above 2⁶⁴−1, so a wider range is narrowed to that.
    ///
    /// ```
    /// # use drawloom_command::Argument;
    /// let volume = Argument::integer("volume", 0..=100);
    /// # let _ = volume;
    /// ```
    pub fn integer(name: impl Into<Arc<str>>, range: RangeInclusive<i128>) -> Self {
        let range = IntegerRange {
            min: (*range.start()).max(i64::MIN.into()),
            max: (*range.end()).min(u64::MAX.into()),
        };
        Self::new(name, Domain::Integer(range))
    }

    /// An argument that takes true or false.
    pub fn boolean(name: impl Into<Arc<str>>) -> Self {
        Self::new(name, Domain::Boolean)
    }

    /// An argument that takes one of a fixed set of texts.
    pub fn choice<C: Into<Arc<str>>>(
        name: impl Into<Arc<str>>,
        choices: impl IntoIterator<Item = C>,
    ) -> Self {
        Self::new(name, Domain::Choice(Choices::Fixed(choices.into_iter().map(Into::into).collect())))
    }

    /// An argument whose choices are read each time the command is described or checked.
    ///
    /// Empty and repeated texts among them are passed over. A source that panics has no choices.
    pub fn choice_from(
        name: impl Into<Arc<str>>,
        source: impl Fn() -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Domain::Choice(Choices::Source(Arc::new(source))))
    }

    /// Sets what the argument is for: a translation key or a literal text.
    pub fn description(mut self, description: impl Into<Arc<str>>) -> Self {
        self.0.description = Some(description.into());
        self
    }

    /// Makes the argument required: a call without it is refused.
    pub fn required(mut self) -> Self {
        self.0.required = true;
        self
    }

    /// Makes the argument take a list of its kind instead of a single value.
    pub fn list(mut self) -> Self {
        self.0.list = true;
        self
    }
}

impl From<Argument> for CommandArgument {
    fn from(argument: Argument) -> Self {
        argument.0
    }
}

impl CommandArgument {
    /// The argument's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the argument is for, as declared.
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

    /// The choices right now, or none where the argument is no choice.
    pub fn choices(&self) -> Option<Arc<[Arc<str>]>> {
        match &self.domain {
            Domain::Choice(choices) => Some(choices.now()),
            _ => None,
        }
    }

    /// The whole numbers the argument is limited to, where it is.
    pub fn integer_range(&self) -> Option<IntegerRange> {
        match self.domain {
            Domain::Integer(range) => Some(range),
            _ => None,
        }
    }

    /// The numbers the argument is limited to, where it is and they need not be whole.
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

impl IntegerRange {
    pub(crate) fn contains(self, whole: i128) -> bool {
        self.min <= whole && whole <= self.max
    }

    pub(crate) fn is_empty(self) -> bool {
        self.min > self.max
    }
}

impl NumberRange {
    fn new(min: f64, max: f64) -> Self {
        // Nothing lies between bounds that are no numbers.
        if min.is_nan() || max.is_nan() {
            return Self { min: f64::MAX, max: f64::MIN };
        }
        Self { min: min.clamp(f64::MIN, f64::MAX), max: max.clamp(f64::MIN, f64::MAX) }
    }

    /// The least.
    pub fn min(self) -> f64 {
        self.min
    }

    /// The greatest.
    pub fn max(self) -> f64 {
        self.max
    }

    pub(crate) fn contains(self, value: f64) -> bool {
        self.min <= value && value <= self.max
    }

    pub(crate) fn is_empty(self) -> bool {
        self.min > self.max
    }
}

impl Choices {
    /// The choices at this moment, without empty or repeated ones.
    pub(crate) fn now(&self) -> Arc<[Arc<str>]> {
        match self {
            Self::Fixed(choices) => choices.clone(),
            // A source is the product's code: what goes wrong in it must not end the caller.
            Self::Source(source) => {
                let read = contained(|| source()).unwrap_or_default();
                let mut seen = HashSet::new();
                let choices: Vec<Arc<str>> = read.into_iter().map(Arc::from).collect();
                choices
                    .into_iter()
                    .filter(|choice: &Arc<str>| !choice.is_empty() && seen.insert(choice.clone()))
                    .collect()
            }
        }
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(choices) => f.debug_tuple("Fixed").field(choices).finish(),
            Self::Source(_) => f.write_str("Source(..)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_panics_has_no_choices_whatever_it_panics_with() {
        struct Panics;
        impl Drop for Panics {
            fn drop(&mut self) {
                panic!("again");
            }
        }
        let text = CommandArgument::from(Argument::choice_from("a", || panic!("no choices")));
        assert_eq!(text.choices().as_deref(), Some([].as_slice()));
        let twice = CommandArgument::from(Argument::choice_from("a", || std::panic::panic_any(Panics)));
        assert_eq!(twice.choices().as_deref(), Some([].as_slice()));
    }
}
