//! Why a command that ran did not end with an answer: it failed, or it was cancelled.

use serde::{Deserialize, Serialize};

/// The end of a command that ran and has no answer.
///
/// Its serialized form is `{"message":…}`: the wire has one form for both kinds (see
/// [`CommandOutcome`](crate::CommandOutcome)), so a failure that is read from the wire is of the kind
/// [`FailureKind::Error`]. Two failures are equal if their kind and their message are.
///
/// ```
/// use drawloom_command::{CommandOutcome, Failure, FailureKind};
///
/// let failed = Failure::new("the disk is full");
/// assert_eq!((failed.kind, failed.message.as_str()), (FailureKind::Error, "the disk is full"));
///
/// let cancelled = CommandOutcome::from(Failure::cancelled());
/// assert_eq!(cancelled.name(), "cancelled");
/// assert_eq!(
///     serde_json::to_string(&cancelled)?,
///     r#"{"outcome":"failed","message":"the command was cancelled and may have done a part of its work"}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Failure {
    /// What went wrong, as a text for a person or a model.
    pub message: String,
    /// Whether the command failed or was cancelled.
    #[serde(skip)]
    pub kind: FailureKind,
}

/// Why a command that ran has no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The handler returned an error or panicked, or its answer is not plain data.
    #[default]
    Error,
    /// Somebody cancelled the command, or the future of its call was dropped.
    Cancelled,
}

/// What is said about each command that was cancelled.
const CANCELLED: &str = "the command was cancelled and may have done a part of its work";

impl FailureKind {
    /// A stable name for the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Failure {
    /// A stable name for what happened: that of the kind.
    pub fn code(&self) -> &'static str {
        self.kind.as_str()
    }

    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: FailureKind::Error }
    }

    /// A command that was cancelled. The message says so, and that it may have done a part of its work.
    pub fn cancelled() -> Self {
        Self { message: CANCELLED.to_owned(), kind: FailureKind::Cancelled }
    }

    /// A command that was cancelled, with what its handler says about it, such as how far it came.
    pub fn cancelled_with(details: impl AsRef<str>) -> Self {
        match details.as_ref() {
            "" => Self::cancelled(),
            details => Self { message: format!("{CANCELLED}: {details}"), kind: FailureKind::Cancelled },
        }
    }

    /// Whether the command was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.kind == FailureKind::Cancelled
    }
}
