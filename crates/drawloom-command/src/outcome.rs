//! The outcome of an invocation: answered, refused or failed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::answer::CommandAnswer;
use crate::check::{ArgumentProblem, ArgumentProblems};
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

/// Why a command did not run.
///
/// A product that says it in its own words uses the [`code`](Self::code) and the parts: the [`problems`](Self::problems) of
/// arguments that do not match, the [`nesting_limit`](Self::nesting_limit) that was exceeded, and the
/// [`stated_reason`](Self::stated_reason) of a command that is not available.
///
/// ```
/// use drawloom_command::{Argument, ArgumentProblem, Command, CommandArguments, Refusal};
///
/// let open = Command::new("notes.open", "Open note").argument(Argument::text("path").required()).declare()?;
/// let refusal = Refusal::from(open.check(&CommandArguments::new()).unwrap_err());
/// assert_eq!(refusal.to_string(), "argument \"path\" is missing; it takes text");
///
/// let auf_deutsch = |problem: &ArgumentProblem| match problem.code() {
///     "missing" => format!("„{}“ fehlt", problem.argument()),
///     _ => problem.to_string(),
/// };
/// assert_eq!(refusal.code(), "invalid-arguments");
/// assert_eq!(refusal.problems().iter().map(auf_deutsch).collect::<Vec<_>>(), ["„path“ fehlt"]);
/// # Ok::<(), drawloom_command::DeclarationError>(())
/// ```
///
/// Two refusals are equal if they have the same reason and message. The parts are not a part of the serialized form.
#[derive(Clone, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The reason, for a program.
    pub reason: RefusalReason,
    /// The reason as a text for a person or a model.
    pub message: String,
    #[serde(skip)]
    parts: RefusalParts,
}

/// What the message of a refusal was made of.
#[derive(Clone, Debug, Default)]
enum RefusalParts {
    /// Only of the reason, or of something that is not kept.
    #[default]
    None,
    /// Of the reason that the command states.
    StatedReason,
    Problems(ArgumentProblems),
    NestingLimit(u32),
}

impl PartialEq for Refusal {
    fn eq(&self, other: &Self) -> bool {
        self.reason == other.reason && self.message == other.message
    }
}

impl Eq for Refusal {}

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
    /// A refusal for this reason, in these words.
    pub fn new(reason: RefusalReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), parts: RefusalParts::None }
    }

    /// The refusal of everything that a caller cannot reach.
    pub fn unavailable() -> Self {
        Self::new(RefusalReason::Unavailable, "no such command is available")
    }

    /// The refusal that the person gets of a command that is not available now: for the reason that the command states. Every
    /// other caller gets [`Refusal::unavailable`].
    pub fn unavailable_because(reason: &str) -> Self {
        Self { parts: RefusalParts::StatedReason, ..Self::new(RefusalReason::Unavailable, reason) }
    }

    /// A refusal of the arguments, with the problem in words. Convert from [`ArgumentProblems`] to keep the problems as data.
    pub fn invalid_arguments(problem: &impl fmt::Display) -> Self {
        Self::new(RefusalReason::InvalidArguments, problem.to_string())
    }

    /// The refusal of an invocation nested deeper than `limit`.
    pub fn too_deep(limit: u32) -> Self {
        let message = format!("commands invoked each other more than {limit} deep");
        Self { parts: RefusalParts::NestingLimit(limit), ..Self::new(RefusalReason::TooDeep, message) }
    }

    /// The stable name of the message: that of the reason.
    pub fn code(&self) -> &'static str {
        self.reason.as_str()
    }

    /// The reason that a command states for not being available, translated. Only the person is told it.
    pub fn stated_reason(&self) -> Option<&str> {
        matches!(self.parts, RefusalParts::StatedReason).then_some(self.message.as_str())
    }

    /// The problems of the arguments, in the order of the message. Empty if the refusal has another reason, or was read from
    /// its serialized form.
    pub fn problems(&self) -> &[ArgumentProblem] {
        match &self.parts {
            RefusalParts::Problems(problems) => problems.as_slice(),
            _ => &[],
        }
    }

    /// The nesting limit that was exceeded, if that is the reason and the refusal was not read from its serialized form.
    pub fn nesting_limit(&self) -> Option<u32> {
        match self.parts {
            RefusalParts::NestingLimit(limit) => Some(limit),
            _ => None,
        }
    }
}

impl From<ArgumentProblems> for Refusal {
    fn from(problems: ArgumentProblems) -> Self {
        let refusal = Self::invalid_arguments(&problems);
        Self { parts: RefusalParts::Problems(problems), ..refusal }
    }
}

/// One English sentence without a full stop, for a log or a person who is told about the command in the same place. An answer is
/// shown as JSON, or as it is if it is a text.
///
/// ```
/// use drawloom_command::{CommandOutcome, Refusal};
///
/// assert_eq!(CommandOutcome::Answered { value: None }.to_string(), "the command ran");
/// let refused = CommandOutcome::from(Refusal::unavailable());
/// assert_eq!(refused.to_string(), "the command did not run: no such command is available");
/// ```
impl fmt::Display for CommandOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered { value: None } => f.write_str("the command ran"),
            Self::Answered { value: Some(value) } => match value.as_text() {
                Some(text) => write!(f, "the command answered: {text}"),
                None => write!(f, "the command answered: {value}"),
            },
            Self::Refused(refusal) => write!(f, "the command did not run: {refusal}"),
            // The message says by itself that the command was cancelled.
            Self::Failed(failure) if failure.is_cancelled() => write!(f, "{failure}"),
            Self::Failed(failure) => write!(f, "the command ran and failed: {failure}"),
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
    fn an_outcome_is_one_sentence() {
        let answered = |value: &str| CommandOutcome::Answered { value: Some(value.into()) };
        assert_eq!(answered("inbox").to_string(), "the command answered: inbox");
        let null = CommandOutcome::Answered { value: Some(CommandAnswer::Null) };
        assert_eq!(null.to_string(), "the command answered: null");
        assert_eq!(
            CommandOutcome::failed("the disk is full").to_string(),
            "the command ran and failed: the disk is full"
        );
        assert_eq!(
            CommandOutcome::from(Failure::cancelled()).to_string(),
            "the command was cancelled and may have done a part of its work"
        );
    }

    #[test]
    fn the_parts_of_a_refusal_are_kept_and_are_not_written() {
        let refusal = Refusal::too_deep(16);
        assert_eq!((refusal.code(), refusal.nesting_limit()), ("too-deep", Some(16)));
        let read: Refusal = serde_json::from_str(&serde_json::to_string(&refusal).unwrap()).unwrap();
        assert_eq!((&read, read.nesting_limit(), read.problems()), (&refusal, None, &[][..]));
        assert_ne!(refusal, Refusal::too_deep(17));
    }

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
