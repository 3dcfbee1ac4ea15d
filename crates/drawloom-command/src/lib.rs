#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! An author writes a [`Command`] with its [`Argument`]s. A call carries [`CommandArguments`] and ends with a
//! [`CommandOutcome`]. An adapter stands between two interfaces: [`CommandAccess`], which it calls, and [`BeforeCall`], in which
//! a product decides before a call runs.
//!
//! The check of the arguments is for discovery, not for safety: it tells a caller what to send. A handler still validates
//! its inputs as it would without the check.

mod access;
mod answer;
mod argument;
mod check;
mod declaration;
mod failure;
mod hook;
mod id;
mod invocable;
mod number;
mod origin;
mod outcome;
mod panic;
mod printable;
mod progress;
#[cfg(feature = "proptest")]
pub mod property;
mod schema;
mod text;
mod tool_name;
mod value;

pub use access::{CommandAccess, CommandOffer, ListChanges};
pub use answer::{AnswerError, CommandAnswer};
pub use argument::{
    Argument, ArgumentDefault, ArgumentField, ArgumentKind, ArgumentScalar, ArgumentValue, Choice,
    ChoiceLabels, ChoiceSet, ChoiceSubscription, CommandArgument, IntegerRange, NumberBounds, NumberRange,
    TextLength, TypedArguments,
};
pub use check::{ArgumentProblem, ArgumentProblems, ExpectedValue};
pub use declaration::{
    AccessRequirement, AgentConsent, AnsweringCommand, Command, CommandDeclaration, DeclarationError,
    DeclaresAnswer, EffectKind, Effects,
};
pub use failure::{Failure, FailureKind};
pub use hook::{
    Approval, BeforeCall, BoxFuture, Decision, DecisionBasis, DecisionReport, DecisionSource, HookDecision,
    HookResponse, PendingCall, QuestionEnd,
};
pub use id::{CommandId, PersonId, PluginId, RegistrationId, Role};
pub use invocable::{InvocableArgument, InvocableCommand};
pub use number::{Number, NumberError};
pub use origin::CallOrigin;
pub use outcome::{CommandOutcome, Refusal, RefusalReason};
pub use panic::{Contained, Panicked, contained, contained_with};
pub use printable::{printable, printable_chars};
pub use progress::{Progress, ProgressSlot};
pub use schema::{SchemaError, SchemaProblem};
pub use tool_name::{plain_command_id, tool_name};
pub use value::{
    ArgumentsMismatch, CommandArgumentValue, CommandArguments, CommandScalar, NullArguments,
    ReadArgumentsError,
};
