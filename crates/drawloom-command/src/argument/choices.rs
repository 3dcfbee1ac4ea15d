//! The texts of a choice: a fixed list, a set from outside, or a user-supplied source that is read each time.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::{ChoiceLabels, ChoiceSet};
use crate::panic::contained;
use crate::value::CommandArguments;

/// What a choice takes, and how its choices are shown.
#[derive(Clone, Debug)]
pub(crate) struct ChoiceDomain {
    pub(crate) choices: Choices,
    pub(crate) labels: ChoiceLabels,
}

impl From<Choices> for ChoiceDomain {
    fn from(choices: Choices) -> Self {
        Self { choices, labels: ChoiceLabels::default() }
    }
}

/// Where the choices of an argument come from.
#[derive(Clone)]
pub(crate) enum Choices {
    Fixed(Arc<[Arc<str>]>),
    Set(ChoiceSet),
    /// Gets no arguments.
    Source(Source),
    /// Gets those of the arguments `others` that are given.
    Given {
        others: Arc<[Arc<str>]>,
        source: Source,
    },
}

/// A user-supplied source. A panic in its drop ends here: a declaration may hold several sources, and a second panic while
/// the first one unwinds would abort the process.
#[derive(Clone)]
pub(crate) struct Source(Option<Arc<Read>>);

type Read = dyn Fn(&CommandArguments) -> Vec<String> + Send + Sync;

impl Source {
    pub(crate) fn new(source: impl Fn(&CommandArguments) -> Vec<String> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(source)))
    }

    /// No choices if the source panics.
    fn read(&self, others: &CommandArguments) -> Arc<[Arc<str>]> {
        let read = self.0.as_ref().and_then(|source| contained(|| source(others)).ok());
        usable(read.unwrap_or_default())
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let source = self.0.take();
        let _ = contained(|| drop(source));
    }
}

/// Choices that are known only while the program runs, without empty and repeated ones.
pub(super) fn usable<C: Into<Arc<str>>>(choices: impl IntoIterator<Item = C>) -> Arc<[Arc<str>]> {
    let mut seen = HashSet::new();
    let choices = choices.into_iter().map(Into::into);
    choices.filter(|choice: &Arc<str>| !choice.is_empty() && seen.insert(choice.clone())).collect()
}

impl Choices {
    pub(crate) fn from_source(source: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Self {
        Self::Source(Source::new(move |_| source()))
    }

    /// The choices at this moment. `None` if they depend on other arguments.
    pub(crate) fn read(&self) -> Option<Arc<[Arc<str>]>> {
        match self {
            Self::Fixed(choices) => Some(choices.clone()),
            Self::Set(set) => Some(set.choices()),
            Self::Source(source) => Some(source.read(&CommandArguments::new())),
            Self::Given { .. } => None,
        }
    }

    /// The choices at this moment for a call with these other arguments.
    pub(crate) fn read_given(&self, given: &CommandArguments) -> Arc<[Arc<str>]> {
        match self {
            Self::Given { others, source } => {
                // The source sees nothing that its author did not name.
                let named = others.iter().filter_map(|name| Some((&**name, given.get(name)?.clone())));
                source.read(&named.collect())
            }
            independent => independent.read().unwrap_or_default(),
        }
    }

    /// Whether reading the choices runs user-supplied code.
    pub(crate) fn runs_code(&self) -> bool {
        matches!(self, Self::Source(_) | Self::Given { .. })
    }

    /// Whether the choices are known only while the program runs.
    pub(crate) fn are_read_later(&self) -> bool {
        !matches!(self, Self::Fixed(_))
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(choices) => f.debug_tuple("Fixed").field(choices).finish(),
            Self::Set(set) => set.fmt(f),
            Self::Source(_) => f.write_str("Source(..)"),
            Self::Given { others, .. } => {
                f.debug_struct("Given").field("others", others).finish_non_exhaustive()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::argument::{Argument, CommandArgument};
    use crate::value::CommandArguments;

    #[test]
    fn a_source_that_panics_has_no_choices_whatever_its_payload() {
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
        let given = CommandArgument::from(Argument::choice_given("a", ["b"], |_| panic!("no choices")));
        assert_eq!(given.choices_given(&CommandArguments::new()).as_deref(), Some([].as_slice()));
    }

    #[test]
    fn empty_and_repeated_choices_of_a_source_are_removed() {
        let source = || ["b", "", "a", "b"].map(str::to_owned).to_vec();
        let choices = CommandArgument::from(Argument::choice_from("a", source)).choices().unwrap();
        assert_eq!(choices.iter().map(|choice| &**choice).collect::<Vec<_>>(), ["b", "a"]);
    }

    #[test]
    fn a_source_gets_the_arguments_that_it_names_and_no_others() {
        let names = |others: &CommandArguments| others.iter().map(|(name, _)| name.to_owned()).collect();
        let argument = CommandArgument::from(Argument::choice_given("a", ["b", "c"], names));
        let given = CommandArguments::new().with("b", 1).with("d", 2);
        assert_eq!(argument.choices_given(&given).unwrap().to_vec(), ["b".into()]);
        assert_eq!(argument.choices(), None);
    }
}
