//! The values of a call: scalars, values of arguments, and all arguments together. Reading them from JSON is in `read`.

mod from_value;
mod into_value;
mod read;
mod secret;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;

use crate::number::{Number, NumberError};

pub use from_value::ArgumentsMismatch;
pub use read::{NullArguments, ReadArgumentsError};
pub(crate) use secret::SecretNames;

/// A single value: text, a number or a boolean. No value is coerced to another kind. The enum is exhaustive, like the kinds of argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum CommandScalar {
    /// Text; a choice arrives as text too.
    Text(String),
    /// A number.
    Number(Number),
    /// True or false.
    Boolean(bool),
}

/// The value of one argument: a single value or a list. The enum is exhaustive, like the kinds of argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum CommandArgumentValue {
    /// One value.
    Single(CommandScalar),
    /// A list of values, possibly empty.
    List(Vec<CommandScalar>),
}

/// The arguments of one call: names and their values, in the order of the names.
///
/// ```
/// use drawloom_command::CommandArguments;
///
/// let arguments = CommandArguments::new().with("path", "inbox").with("tags", vec!["a", "b"]);
/// assert_eq!(serde_json::to_string(&arguments)?, r#"{"path":"inbox","tags":["a","b"]}"#);
/// assert_eq!(CommandArguments::from_json(r#"{"tags":["a","b"],"path":"inbox"}"#)?, arguments);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The arguments of a call to a command with a secret argument know which one it is. They do not show its value: it is
/// left out when they are serialized, and `Debug` does not print it. [`CommandArguments::get`] and
/// [`CommandArguments::deserialize`] read it. Whether two lists of arguments are equal depends on names and values only.
#[derive(Clone, Default)]
pub struct CommandArguments {
    values: BTreeMap<String, CommandArgumentValue>,
    secret: SecretNames,
}

impl CommandArguments {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// These arguments and one more; a value the name already had is replaced.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<CommandArgumentValue>) -> Self {
        self.values.insert(name.into(), value.into());
        self
    }

    /// The value given for `name`.
    pub fn get(&self, name: &str) -> Option<&CommandArgumentValue> {
        self.values.get(name)
    }

    /// The text given for `name`, if it is a single text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(CommandArgumentValue::Single(CommandScalar::Text(text))) => Some(text),
            _ => None,
        }
    }

    /// The number given for `name`, if it is a single number.
    pub fn number(&self, name: &str) -> Option<Number> {
        match self.get(name) {
            Some(CommandArgumentValue::Single(CommandScalar::Number(number))) => Some(*number),
            _ => None,
        }
    }

    /// The number given for `name`, if it is a single whole number that fits an `i64`.
    ///
    /// ```
    /// use drawloom_command::CommandArguments;
    ///
    /// let arguments = CommandArguments::from_json(r#"{"line":12.0,"share":0.5}"#)?;
    /// assert_eq!((arguments.integer("line"), arguments.integer("share")), (Some(12), None));
    /// # Ok::<(), drawloom_command::ReadArgumentsError>(())
    /// ```
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.number(name)?.as_i64()
    }

    /// The boolean given for `name`, if it is a single boolean.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        match self.get(name) {
            Some(CommandArgumentValue::Single(CommandScalar::Boolean(value))) => Some(*value),
            _ => None,
        }
    }

    /// The list given for `name`, if it is a list.
    pub fn list(&self, name: &str) -> Option<&[CommandScalar]> {
        match self.get(name) {
            Some(CommandArgumentValue::List(values)) => Some(values),
            _ => None,
        }
    }

    /// The text given for `name`, or `other`.
    ///
    /// ```
    /// use drawloom_command::CommandArguments;
    ///
    /// let arguments = CommandArguments::new().with("path", "inbox");
    /// assert_eq!((arguments.text_or("path", "today"), arguments.text_or("mode", "preview")), ("inbox", "preview"));
    /// ```
    pub fn text_or<'a>(&'a self, name: &str, other: &'a str) -> &'a str {
        self.text(name).unwrap_or(other)
    }

    /// The number given for `name`, or `other`.
    pub fn number_or(&self, name: &str, other: impl Into<Number>) -> Number {
        self.number(name).unwrap_or_else(|| other.into())
    }

    /// The whole number given for `name`, or `other`.
    pub fn integer_or(&self, name: &str, other: i64) -> i64 {
        self.integer(name).unwrap_or(other)
    }

    /// The boolean given for `name`, or `other`.
    pub fn boolean_or(&self, name: &str, other: bool) -> bool {
        self.boolean(name).unwrap_or(other)
    }

    /// Removes and returns the value given for `name`.
    pub fn remove(&mut self, name: &str) -> Option<CommandArgumentValue> {
        self.values.remove(name)
    }

    /// Passes each name and value to `take`, in the order of the names. A value that `take` returns stays.
    ///
    /// ```
    /// use drawloom_command::CommandArguments;
    ///
    /// let mut arguments = CommandArguments::new().with("path", "inbox").with("line", 7);
    /// let mut path = None;
    /// arguments.take_each(|name, value| match name {
    ///     "path" => {
    ///         path = Some(value);
    ///         None
    ///     }
    ///     _ => Some(value),
    /// });
    /// assert_eq!((path, arguments), (Some("inbox".into()), CommandArguments::new().with("line", 7)));
    /// ```
    pub fn take_each(
        &mut self,
        mut take: impl FnMut(&str, CommandArgumentValue) -> Option<CommandArgumentValue>,
    ) {
        // One walk costs less than removing the values one by one, and usually nothing is left.
        for (name, value) in std::mem::take(&mut self.values) {
            if let Some(value) = take(&name, value) {
                self.values.insert(name, value);
            }
        }
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &CommandArgumentValue)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many arguments are given.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no argument is given.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds an argument. Returns the name as an error if it is already present.
    pub(crate) fn add(&mut self, name: String, value: CommandArgumentValue) -> Result<(), String> {
        match self.values.entry(name) {
            Entry::Vacant(slot) => {
                slot.insert(value);
                Ok(())
            }
            Entry::Occupied(taken) => Err(taken.key().clone()),
        }
    }
}

impl<N: Into<String>, V: Into<CommandArgumentValue>> FromIterator<(N, V)> for CommandArguments {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(items: I) -> Self {
        let values = items.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { values, secret: SecretNames::default() }
    }
}

impl PartialEq for CommandArguments {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Eq for CommandArguments {}

macro_rules! scalar_from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(
            impl From<$from> for CommandScalar {
                fn from(value: $from) -> Self {
                    Self::$variant(value.into())
                }
            }
            impl From<$from> for CommandArgumentValue {
                fn from(value: $from) -> Self {
                    Self::Single(value.into())
                }
            }
        )*
    };
}

scalar_from! {
    &str => Text, String => Text, bool => Boolean, Number => Number,
    u8 => Number, u16 => Number, u32 => Number, u64 => Number,
    i8 => Number, i16 => Number, i32 => Number, i64 => Number,
}

impl TryFrom<f64> for CommandScalar {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Self, NumberError> {
        Number::try_from(value).map(Self::Number)
    }
}

impl From<CommandScalar> for CommandArgumentValue {
    fn from(value: CommandScalar) -> Self {
        Self::Single(value)
    }
}

impl<T: Into<CommandScalar>> From<Vec<T>> for CommandArgumentValue {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}
