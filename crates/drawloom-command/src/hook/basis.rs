//! The basis of a hook's decision: who decided, how, and what this person was shown.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// The basis of a hook's decision, for the audit.
///
/// ```
/// use drawloom_command::{DecisionBasis, DecisionSource, QuestionEnd};
///
/// let basis = DecisionBasis::new(DecisionSource::Asked)
///     .answer(QuestionEnd::No)
///     .decided_by("ada")
///     .shown("Let the agent delete \"Shopping\"?")
///     .reason("not today");
/// assert_eq!(basis.decided_by.as_deref(), Some("ada"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DecisionBasis {
    /// How the decision was made.
    pub source: DecisionSource,
    /// How the question ended, if a person was asked about this call or about one with which it shared the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<QuestionEnd>,
    /// Who decided, by a name that the product chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<Arc<str>>,
    /// The text that this person was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Arc<str>>,
    /// The reason, as a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<str>>,
}

/// How a decision was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DecisionSource {
    /// By a rule of the hook, without asking anybody.
    #[default]
    Rule,
    /// By asking a user about this call.
    Asked,
    /// By an approval that was given before.
    Remembered,
    /// By the answer to a question that was open for another call.
    Shared,
    /// The hook panicked, so the call was declined.
    Panicked,
}

/// How a question to a person ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum QuestionEnd {
    /// The person approved the call.
    Yes,
    /// The person approved the call with other arguments.
    Edited,
    /// The person declined the call.
    No,
    /// Asking failed.
    Errored,
    /// The question was cancelled before anybody answered.
    Cancelled,
    /// Nobody answered in time.
    TimedOut,
    /// The code that asks panicked.
    Panicked,
}

impl DecisionSource {
    /// The source's name in logs and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Asked => "asked",
            Self::Remembered => "remembered",
            Self::Shared => "shared",
            Self::Panicked => "panicked",
        }
    }
}

impl fmt::Display for DecisionSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl QuestionEnd {
    /// The name in logs and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Edited => "edited",
            Self::No => "no",
            Self::Errored => "errored",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed-out",
            Self::Panicked => "panicked",
        }
    }
}

impl fmt::Display for QuestionEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl DecisionBasis {
    /// A basis of this kind, with nothing else known.
    pub fn new(source: DecisionSource) -> Self {
        Self { source, ..Self::default() }
    }

    /// Sets how the question ended.
    #[must_use]
    pub fn answer(mut self, answer: QuestionEnd) -> Self {
        self.answer = Some(answer);
        self
    }

    /// Sets who decided.
    #[must_use]
    pub fn decided_by(mut self, person: impl Into<Arc<str>>) -> Self {
        self.decided_by = Some(person.into());
        self
    }

    /// Sets the text that this person was shown.
    #[must_use]
    pub fn shown(mut self, words: impl Into<Arc<str>>) -> Self {
        self.shown = Some(words.into());
        self
    }

    /// Sets why.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<Arc<str>>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}
