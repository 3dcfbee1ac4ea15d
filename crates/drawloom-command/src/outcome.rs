//! The outcome of an invocation: answered, refused or failed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::answer::CommandAnswer;
use crate::failure::Failure;

/// The outcome of an invocation. The enum is exhaustive: a further outcome would be a change of the contract.
///
/// Its serialized form is `{"outcome":"answered","value":…}`, `{"outcome":"refused","reason":…,"message":…}` or
/// `{"outcome":"failed","message":…}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum CommandOutcome {
    /// The command ran to its end.
    Answered {
        /// The answer. `None` if the command declares no answer.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        value: Option<CommandAnswer>,
    },
    /// The command did not run.
    Refused(Refusal),
    /// The command ran and failed, or was cancelled; see [`Failure::kind`].
    Failed(Failure),
}

impl CommandOutcome {
    /// A command that failed with this message. For a command that was cancelled, see [`Failure::cancelled`].
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(Failure::new(message))
    }

    /// The name of the outcome for logs and records: `answered`, `refused`, `failed` or `cancelled`. The wire has no
    /// form of its own for a cancelled command: there it is `failed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Refused(_) => "refused",
            Self::Failed(failure) if failure.is_cancelled() => "cancelled",
            Self::Failed(_) => "failed",
        }
    }
}

/// Why a command did not run. The fields are exhaustive, because implementations of
/// [`CommandAccess`](crate::CommandAccess) construct it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The reason, for a program.
    pub reason: RefusalReason,
    /// The reason as a text for a person or a model.
    pub message: String,
}

/// The reasons for a refusal. The enum is exhaustive: a further reason would be a change of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalReason {
    /// The caller cannot reach such a command at this moment. The cause is not disclosed: an unknown command, a closed one,
    /// the session, the window and a missing grant give the same refusal. Only the person is told why a command is not
    /// available at the moment, if the command states a reason.
    Unavailable,
    /// The arguments do not match what the command declares.
    InvalidArguments,
    /// Commands invoked each other beyond the limit, which is usually a loop.
    TooDeep,
}

impl RefusalReason {
    /// The name of the reason in serialized form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::InvalidArguments => "invalid-arguments",
            Self::TooDeep => "too-deep",
        }
    }
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Refusal {
    /// The refusal of everything that a caller cannot reach.
    pub fn unavailable() -> Self {
        Self { reason: RefusalReason::Unavailable, message: "no such command is available".to_owned() }
    }

    /// The refusal that the person gets of a command that is not available now: for the reason that the command states. Every
    /// other caller gets [`Refusal::unavailable`].
    pub fn unavailable_because(reason: &str) -> Self {
        Self { reason: RefusalReason::Unavailable, message: reason.to_owned() }
    }

    /// A refusal of the arguments, with their problems.
    pub fn invalid_arguments(problem: &impl fmt::Display) -> Self {
        Self { reason: RefusalReason::InvalidArguments, message: problem.to_string() }
    }

    /// The refusal of an invocation nested deeper than `limit`.
    pub fn too_deep(limit: u32) -> Self {
        Self {
            reason: RefusalReason::TooDeep,
            message: format!("commands invoked each other more than {limit} deep"),
        }
    }
}

impl From<Refusal> for CommandOutcome {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Failure> for CommandOutcome {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A `value` that is present is an answer, even if it is null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<CommandAnswer>, D::Error> {
    CommandAnswer::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_has_its_wire_form_and_reads_back() {
        let refused = CommandOutcome::from(Refusal::too_deep(16));
        let forms = [
            (CommandOutcome::Answered { value: None }, r#"{"outcome":"answered"}"#),
            (
                CommandOutcome::Answered { value: Some(CommandAnswer::Null) },
                r#"{"outcome":"answered","value":null}"#,
            ),
            (
                refused,
                r#"{"outcome":"refused","reason":"too-deep","message":"commands invoked each other more than 16 deep"}"#,
            ),
            (CommandOutcome::failed("broke"), r#"{"outcome":"failed","message":"broke"}"#),
        ];
        for (outcome, form) in forms {
            assert_eq!(serde_json::to_string(&outcome).unwrap(), form);
            assert_eq!(serde_json::from_str::<CommandOutcome>(form).unwrap(), outcome);
        }
    }

    #[test]
    fn a_cancelled_command_is_named_so_and_is_failed_on_the_wire() {
        let cancelled = CommandOutcome::from(Failure::cancelled_with("12 of 30 were exported"));
        let form = serde_json::to_string(&cancelled).unwrap();
        assert_eq!(
            form,
            r#"{"outcome":"failed","message":"the command was cancelled and may have done a part of its work: 12 of 30 were exported"}"#
        );
        assert_eq!(cancelled.name(), "cancelled");
        let read: CommandOutcome = serde_json::from_str(&form).unwrap();
        assert_eq!(read.name(), "failed", "the wire does not say which");
        assert_ne!(read, cancelled);
        assert_eq!(Failure::cancelled_with(""), Failure::cancelled());
    }
}
