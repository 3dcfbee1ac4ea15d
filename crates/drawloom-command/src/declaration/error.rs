//! Why a declaration is refused.

use std::fmt;
use std::sync::Arc;

use crate::id::CommandId;
use crate::schema::SchemaError;
use crate::text::{Quoted, enumerate};

/// Why a declaration is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclarationError {
    /// The id is empty.
    #[error("a command has an empty id")]
    EmptyId,
    /// The title is empty.
    #[error("command \"{command}\" has an empty title")]
    EmptyTitle {
        /// The command.
        command: CommandId,
    },
    /// An argument has an empty name.
    #[error("command \"{command}\" has an argument with an empty name")]
    EmptyArgumentName {
        /// The command.
        command: CommandId,
    },
    /// The command is callable, and the large model APIs reject the name of an argument.
    #[error(
        "command \"{command}\" is callable, and model APIs reject the name of its argument {argument:?}; use 1 to 64 \
         of the characters A-Z, a-z, 0-9, \"_\", \".\" and \"-\""
    )]
    InvalidArgumentName {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// Two arguments have the same name.
    #[error("command \"{command}\" declares argument \"{argument}\" more than once")]
    DuplicateArgument {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// A required choice has no choices.
    #[error(
        "command \"{command}\" requires argument \"{argument}\", a choice without choices; add choices or make the argument optional"
    )]
    NoChoices {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// One of the choices is the empty text.
    #[error("command \"{command}\" has an empty choice in argument \"{argument}\"")]
    EmptyChoice {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// Two choices are equal.
    #[error("command \"{command}\" lists the choice \"{choice}\" more than once in argument \"{argument}\"")]
    DuplicateChoice {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
        /// The choice.
        choice: Arc<str>,
    },
    /// The declared range contains no number.
    #[error("the range of argument \"{argument}\" of command \"{command}\" contains no number")]
    EmptyRange {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// The declared length fits no text.
    #[error("no text has the declared length of argument \"{argument}\" of command \"{command}\"")]
    EmptyLength {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// The argument has a setting that only arguments of another kind have.
    #[error(
        "argument \"{argument}\" of command \"{command}\" has a {setting}, which only an argument that takes {takes} can have"
    )]
    MisplacedSetting {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
        /// What was set.
        setting: &'static str,
        /// What an argument takes that can have it.
        takes: &'static str,
    },
    /// The default cannot be the default of the argument.
    #[error("the default of argument \"{argument}\" of command \"{command}\" is not valid: {reason}")]
    InvalidDefault {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
        /// Why not.
        reason: String,
    },
    /// A label cannot be the label of a choice of the argument.
    #[error(
        "the label of choice \"{choice}\" in argument \"{argument}\" of command \"{command}\" is not valid: {reason}"
    )]
    InvalidLabel {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
        /// The choice.
        choice: Arc<str>,
        /// Why not.
        reason: &'static str,
    },
    /// The choices of an argument depend on one that is not declared.
    #[error(
        "the choices of argument \"{argument}\" of command \"{command}\" depend on argument \"{other}\", which the command \
         does not declare"
    )]
    UnknownDependency {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
        /// The argument that is not declared.
        other: Arc<str>,
    },
    /// The choices of arguments depend on each other.
    #[error("the choices of arguments of command \"{command}\" depend on each other: {}", Names(arguments))]
    DependencyCycle {
        /// The command.
        command: CommandId,
        /// The arguments, in declared order.
        arguments: Vec<Arc<str>>,
    },
    /// The JSON Schema of the arguments states what an argument cannot state.
    #[error("command \"{command}\": {error}")]
    Schema {
        /// The command.
        command: CommandId,
        /// The problems and their locations.
        error: SchemaError,
    },
    /// The access requirement names no role.
    #[error("command \"{command}\" requires a role but names none; name at least one")]
    NoRoles {
        /// The command.
        command: CommandId,
    },
    /// A text that the person is shown is blank.
    #[error("command \"{command}\" states a blank text in `{part}`; state a text, or leave it out")]
    EmptyPart {
        /// The command.
        command: CommandId,
        /// The builder call: `category`, `icon`, `keywords` or `available_when`.
        part: &'static str,
    },
    /// The JSON Schema of the answer cannot be published.
    #[error("command \"{command}\", schema of the answer: {error}")]
    AnswerSchema {
        /// The command.
        command: CommandId,
        /// The problems and their locations.
        error: SchemaError,
    },
    /// The answer has a schema, and nothing says what it means.
    #[error(
        "command \"{command}\" states the type of its answer and not what it means; add `.answers(…)`, or a doc comment to \
         the type"
    )]
    UndescribedAnswer {
        /// The command.
        command: CommandId,
    },
    /// The command states that it only reads, and that what it does cannot be undone.
    #[error(
        "command \"{command}\" states that it only reads and that it cannot be undone; state `changes` or `destroys`, or \
         leave out `irreversible`"
    )]
    ContradictoryEffects {
        /// The command.
        command: CommandId,
    },
}

impl DeclarationError {
    /// A stable code for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyId => "empty-id",
            Self::EmptyTitle { .. } => "empty-title",
            Self::EmptyArgumentName { .. } => "empty-argument-name",
            Self::InvalidArgumentName { .. } => "invalid-argument-name",
            Self::DuplicateArgument { .. } => "duplicate-argument",
            Self::NoChoices { .. } => "no-choices",
            Self::EmptyChoice { .. } => "empty-choice",
            Self::DuplicateChoice { .. } => "duplicate-choice",
            Self::EmptyRange { .. } => "empty-range",
            Self::EmptyLength { .. } => "empty-length",
            Self::MisplacedSetting { .. } => "misplaced-setting",
            Self::InvalidDefault { .. } => "invalid-default",
            Self::InvalidLabel { .. } => "invalid-label",
            Self::UnknownDependency { .. } => "unknown-dependency",
            Self::DependencyCycle { .. } => "dependency-cycle",
            Self::Schema { .. } => "outside-schema",
            Self::NoRoles { .. } => "no-roles",
            Self::EmptyPart { .. } => "empty-part",
            Self::AnswerSchema { .. } => "answer-schema",
            Self::UndescribedAnswer { .. } => "undescribed-answer",
            Self::ContradictoryEffects { .. } => "contradictory-effects",
        }
    }
}

struct Names<'a>(&'a [Arc<str>]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enumerate(f, self.0, ", ", |f, name| Quoted(name).fmt(f))
    }
}
