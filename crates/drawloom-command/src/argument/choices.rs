//! The texts of a choice: a fixed list, or a user-supplied source that is read each time.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use crate::panic::contained;

/// Where the choices of an argument come from.
#[derive(Clone)]
pub(crate) enum Choices {
    Fixed(Arc<[Arc<str>]>),
    Source(Source),
}

/// A user-supplied source. A panic in its drop ends here: a declaration may hold several sources, and a second panic while
/// the first one unwinds would abort the process.
#[derive(Clone)]
pub(crate) struct Source(Option<Arc<dyn Fn() -> Vec<String> + Send + Sync>>);

impl Source {
    pub(crate) fn new(source: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(source)))
    }

    /// No choices if the source panics.
    fn read(&self) -> Vec<String> {
        self.0.as_ref().and_then(|source| contained(|| source()).ok()).unwrap_or_default()
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let source = self.0.take();
        let _ = contained(|| drop(source));
    }
}

impl Choices {
    /// The choices at this moment, without empty and repeated ones.
    pub(crate) fn read(&self) -> Arc<[Arc<str>]> {
        match self {
            Self::Fixed(choices) => choices.clone(),
            // The source is user-supplied: its panic must not end the caller.
            Self::Source(source) => {
                let read = source.read();
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
    use crate::argument::{Argument, CommandArgument};

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
    }

    #[test]
    fn empty_and_repeated_choices_of_a_source_are_removed() {
        let source = || ["b", "", "a", "b"].map(str::to_owned).to_vec();
        let choices = CommandArgument::from(Argument::choice_from("a", source)).choices().unwrap();
        assert_eq!(choices.iter().map(|choice| &**choice).collect::<Vec<_>>(), ["b", "a"]);
    }
}
