//! The builder of one argument. Whether the argument makes sense is checked when its command is declared.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::choices::Source;
use super::{Choices, CommandArgument, Domain, IntegerRange, NumberRange};

/// Builder for one argument of a command. Each constructor creates one kind, so a kind cannot get the limits of another.
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
        Self::new(name, if range.is_every_number() { Domain::Number } else { Domain::Within(range) })
    }

    /// An argument that takes a whole number within `range`. Its kind is [`ArgumentKind::Number`](crate::ArgumentKind).
    ///
    /// A call cannot carry a whole number below −2⁶³ or above 2⁶⁴−1, so a wider range is narrowed to that.
    ///
    /// ```
    /// # use drawloom_command::Argument;
    /// let volume = Argument::integer("volume", 0..=100);
    /// # let _ = volume;
    /// ```
    pub fn integer(name: impl Into<Arc<str>>, range: RangeInclusive<i128>) -> Self {
        Self::new(name, Domain::Integer(IntegerRange::new(*range.start(), *range.end())))
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
    /// Empty and repeated texts are removed. A source that panics has no choices.
    pub fn choice_from(
        name: impl Into<Arc<str>>,
        source: impl Fn() -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Domain::Choice(Choices::Source(Source::new(source))))
    }

    /// Sets the description: what the argument is for, as a translation key or a literal text.
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
