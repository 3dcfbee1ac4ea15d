//! The words that the file uses for closed sets: kinds, capabilities, consent statements, options.

use std::fmt;
use std::marker::PhantomData;

use drawloom::ag_ui::UnofferedCalls;
use drawloom::command::{AgentConsent, ArgumentKind, EffectKind, NullArguments};
use drawloom::workbench::{Capability, Window};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A value that the file writes as a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word<T>(pub(crate) T);

/// A closed set of values, each with a word in the file.
pub(crate) trait Words: Copy + 'static {
    /// The name of the set in error messages.
    const WHAT: &'static str;
    /// Every value of the set, with its word.
    const WORDS: &'static [(&'static str, Self)];
}

impl Words for ArgumentKind {
    const WHAT: &'static str = "kind";
    const WORDS: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
        ("choice", Self::Choice),
    ];
}

impl Words for Capability {
    const WHAT: &'static str = "capability";
    const WORDS: &'static [(&'static str, Self)] = &[
        ("contributions", Self::Contributions),
        ("automation", Self::Automation),
        ("session", Self::Session),
        ("ui", Self::Ui),
    ];
}

impl Words for AgentConsent {
    const WHAT: &'static str = "consent statement";
    const WORDS: &'static [(&'static str, Self)] = &[
        ("allow", Self::Allow),
        ("ask", Self::Ask),
        ("ask-always", Self::AskAlways),
        ("never", Self::Never),
    ];
}

impl Words for EffectKind {
    const WHAT: &'static str = "kind of effect";
    const WORDS: &'static [(&'static str, Self)] =
        &[("reads", Self::Reads), ("changes", Self::Changes), ("destroys", Self::Destroys)];
}

impl Words for Window {
    const WHAT: &'static str = "window";
    const WORDS: &'static [(&'static str, Self)] = &[("main", Self::Main), ("popout", Self::Popout)];
}

impl Words for UnofferedCalls {
    const WHAT: &'static str = "option for unoffered tools";
    const WORDS: &'static [(&'static str, Self)] =
        &[("refuse", Self::Refuse), ("leaveToBackend", Self::LeaveToBackend)];
}

impl Words for NullArguments {
    const WHAT: &'static str = "option for null arguments";
    const WORDS: &'static [(&'static str, Self)] = &[("refuse", Self::Refuse), ("omit", Self::TreatAsAbsent)];
}

/// The word for a value.
pub(crate) fn word<T: Words + PartialEq>(value: T) -> &'static str {
    T::WORDS.iter().find(|(_, other)| *other == value).map_or("", |(word, _)| word)
}

impl<'de, T: Words> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor(PhantomData)).map(Self)
    }
}

struct WordVisitor<T>(PhantomData<T>);

impl<T: Words> Visitor<'_> for WordVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {}: one of ", T::WHAT)?;
        for (index, (word, _)) in T::WORDS.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{word:?}")?;
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, given: &str) -> Result<T, E> {
        T::WORDS.iter().find(|(word, _)| *word == given).map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<String> = T::WORDS.iter().map(|(word, _)| format!("{word:?}")).collect();
            E::custom(format_args!("unknown {} {given:?}, expected one of {}", T::WHAT, words.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value has one word, which is the same as in the layers below.
    #[test]
    fn the_words_are_those_of_the_layers() {
        for (word, kind) in ArgumentKind::WORDS {
            assert_eq!(serde_json::to_value(kind).unwrap(), *word);
        }
        for (word, capability) in Capability::WORDS {
            assert_eq!(capability.as_str(), *word);
        }
        assert_eq!(Capability::WORDS.len(), Capability::ALL.len());
        for (word, consent) in AgentConsent::WORDS {
            assert_eq!(consent.as_str(), *word);
        }
        for (word, kind) in EffectKind::WORDS {
            assert_eq!(kind.as_str(), *word);
        }
    }

    #[test]
    fn an_unknown_word_is_named_with_the_known_ones() {
        let error = serde_json::from_str::<Word<Window>>("\"side\"").unwrap_err();
        assert!(error.to_string().starts_with(r#"unknown window "side", expected one of "main", "popout""#));
        let error = serde_json::from_str::<Word<Window>>("1").unwrap_err();
        assert!(error.to_string().contains(r#"expected a window: one of "main", "popout""#), "{error}");
    }
}
