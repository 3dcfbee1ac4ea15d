//! The builder of one argument. Whether the argument makes sense is checked when its command is declared.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::choices::Source;
use super::{
    ArgumentDefault, ChoiceDomain, ChoiceSet, Choices, CommandArgument, Domain, IntegerRange, NumberBounds,
    NumberRange, TextLength,
};
use crate::value::CommandArguments;

/// Builder for one argument of a command. Each constructor creates one kind. A limit that belongs to another kind is an
/// error when the command is declared.
///
/// ```
/// use drawloom_command::Argument;
///
/// let path = Argument::text("path").description("Where the note is").length(1..=200).required();
/// let mode = Argument::choice("mode", ["preview", "permanent"])
///     .label("preview", "Only look")
///     .default("preview");
/// let line = Argument::integer("line", 1..=1_000_000).default(1);
/// let tags = Argument::text("tags").list();
/// let open = Argument::choice_from("note", || vec!["inbox".to_owned(), "today".to_owned()]);
/// let password = Argument::text("password").secret();
/// # let _ = (path, mode, line, tags, open, password);
/// ```
#[derive(Clone, Debug)]
#[must_use = "an argument does nothing until it is added to a command"]
pub struct Argument(CommandArgument);

/// A setting that only some arguments can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Length,
    Range,
    Label,
    Choices,
    /// A default that no call can carry.
    Default(crate::number::NumberError),
}

impl Argument {
    fn new(name: impl Into<Arc<str>>, domain: Domain) -> Self {
        Self(CommandArgument {
            name: name.into(),
            description: None,
            required: false,
            list: false,
            secret: false,
            default: None,
            domain,
            misplaced: None,
        })
    }

    fn of_choices(name: impl Into<Arc<str>>, choices: Choices) -> Self {
        Self::new(name, Domain::Choice(ChoiceDomain::from(choices)))
    }

    /// An argument that takes text.
    pub fn text(name: impl Into<Arc<str>>) -> Self {
        Self::new(name, Domain::Text(TextLength::default()))
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
        Self::new(name, within(NumberRange::new(*range.start(), *range.end())))
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
        Self::of_choices(name, Choices::Fixed(choices.into_iter().map(Into::into).collect()))
    }

    /// An argument whose choices are read each time the command is described or checked.
    ///
    /// Empty and repeated texts are removed. A source that panics has no choices.
    pub fn choice_from(
        name: impl Into<Arc<str>>,
        source: impl Fn() -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        Self::of_choices(name, Choices::from_source(source))
    }

    /// An argument whose choices the application sets from outside, whenever it has loaded them: see [`ChoiceSet`].
    pub fn choice_in(name: impl Into<Arc<str>>, set: &ChoiceSet) -> Self {
        Self::of_choices(name, Choices::Set(set.clone()))
    }

    /// An argument whose choices depend on the values of the arguments `others` of the same call.
    ///
    /// `source` gets those of `others` that the call gives, or their defaults; each of them matches its own declaration. No
    /// choices are published. A call with another text is refused, and the refusal lists the choices. Empty and repeated
    /// texts are removed. A source that panics has no choices.
    ///
    /// Declaring the command fails if one of `others` is not declared, is this argument, or depends on this argument.
    ///
    /// ```
    /// use drawloom_command::{Argument, Command, CommandArguments};
    ///
    /// let sections = |others: &CommandArguments| match others.text("notebook") {
    ///     Some("work") => vec!["meetings".to_owned(), "plans".to_owned()],
    ///     _ => vec!["diary".to_owned()],
    /// };
    /// let open = Command::new("notes.open", "Open note")
    ///     .argument(Argument::choice("notebook", ["work", "home"]).required())
    ///     .argument(Argument::choice_given("section", ["notebook"], sections).required())
    ///     .declare()?;
    ///
    /// let call = |section| CommandArguments::new().with("notebook", "work").with("section", section);
    /// assert!(open.check(&call("plans")).is_ok());
    /// assert_eq!(
    ///     open.check(&call("diary")).unwrap_err().to_string(),
    ///     r#"argument "section" takes one of "meetings", "plans""#,
    /// );
    /// # Ok::<(), drawloom_command::DeclarationError>(())
    /// ```
    pub fn choice_given<N: Into<Arc<str>>>(
        name: impl Into<Arc<str>>,
        others: impl IntoIterator<Item = N>,
        source: impl Fn(&CommandArguments) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        let others = others.into_iter().map(Into::into).collect();
        Self::of_choices(name, Choices::Given { others, source: Source::new(source) })
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

    /// Sets the value that the handler gets if a call omits the argument. It is published, and a form shows it.
    ///
    /// Declaring the command fails if the value does not match the argument, if the argument is required or secret, or if
    /// its choices are read while the program runs.
    pub fn default<D: ArgumentDefault>(mut self, value: D) -> Self {
        match value.into_value() {
            Ok(value) => self.0.default = Some(value),
            Err(error) => self.misplace(Setting::Default(error)),
        }
        self
    }

    /// Sets what a person reads in place of a choice: a translation key or a literal text. A call carries the choice, never
    /// its label.
    ///
    /// Declaring the command fails if a fixed list of choices does not contain `choice`, or if it has a label already.
    pub fn label(mut self, choice: impl Into<Arc<str>>, label: impl Into<Arc<str>>) -> Self {
        match &mut self.0.domain {
            Domain::Choice(domain) => domain.labels.add(choice.into(), label.into()),
            _ => self.misplace(Setting::Label),
        }
        self
    }

    /// Limits the length of a text, in characters: `1..=200`, `1..`, `..=200`.
    ///
    /// Declaring the command fails if the argument does not take text.
    pub fn length(mut self, length: impl Into<TextLength>) -> Self {
        match &mut self.0.domain {
            Domain::Text(current) => *current = length.into(),
            _ => self.misplace(Setting::Length),
        }
        self
    }

    /// Limits a number further: `1..=100`, `0.5..`, `..=-1`. What the argument took before is narrowed to these bounds.
    ///
    /// Declaring the command fails if the argument does not take a number.
    pub fn range(mut self, bounds: impl Into<NumberBounds>) -> Self {
        let bounds = bounds.into();
        match &mut self.0.domain {
            Domain::Number => self.0.domain = within(NumberRange::ALL.narrowed(bounds)),
            Domain::Within(range) => *range = range.narrowed(bounds),
            Domain::Integer(range) => *range = range.narrowed(bounds),
            Domain::Text(_) | Domain::Boolean | Domain::Choice(_) => self.misplace(Setting::Range),
        }
        self
    }

    /// Makes the argument secret: its value is given to the handler and to the hook of the product, and drawloom never
    /// writes or shows it. The audit says only that it was given.
    pub fn secret(mut self) -> Self {
        self.0.secret = true;
        self
    }

    /// Takes the choices of `choices` in place of any text. The derive writes this for a field whose choices are not an
    /// enum.
    #[doc(hidden)]
    pub fn choosing(mut self, choices: Self) -> Self {
        match (&self.0.domain, choices.0.domain) {
            (Domain::Text(length), domain @ Domain::Choice(_)) if length.is_any() => self.0.domain = domain,
            _ => self.misplace(Setting::Choices),
        }
        self
    }

    /// The first one is reported.
    fn misplace(&mut self, setting: Setting) {
        self.0.misplaced.get_or_insert(setting);
    }
}

/// A range of all numbers is no limit.
fn within(range: NumberRange) -> Domain {
    if range.is_every_number() { Domain::Number } else { Domain::Within(range) }
}

impl From<Argument> for CommandArgument {
    fn from(argument: Argument) -> Self {
        argument.0
    }
}
