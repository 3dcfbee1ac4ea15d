//! Why a declaration is refused.

use std::sync::Arc;

use crate::id::CommandId;
use crate::schema::SchemaError;

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
            Self::Schema { .. } => "outside-schema",
            Self::NoRoles { .. } => "no-roles",
            Self::EmptyPart { .. } => "empty-part",
            Self::AnswerSchema { .. } => "answer-schema",
            Self::UndescribedAnswer { .. } => "undescribed-answer",
            Self::ContradictoryEffects { .. } => "contradictory-effects",
        }
    }
}
