//! The command model: what a command declares, and what a call to it is.
//!
//! A command is an action an application declares once, so that a button, a keystroke, another plugin, a script and
//! an agent all reach the same thing. This crate holds what they share: the [`Command`] an author writes, the
//! [`CommandArguments`] a call carries, the check of the one against the other, the [`CommandOutcome`] a call ends
//! with, and the two seams an adapter stands between: [`CommandAccess`], what it reaches, and [`BeforeCall`], what a
//! product decides before a call runs. It holds no registry, no protocol and no executor.
//!
//! The check is for discovery, not for safety: it tells a caller what to send, and a handler guards itself exactly as
//! it would without it.
//!
//! ```
//! use drawloom_command::{Command, Argument, CommandArguments};
//!
//! let open = Command::new("notes.open", "Open note")
//!     .description("Opens a note in the editor.")
//!     .argument(Argument::text("path").description("Where the note is").required())
//!     .argument(Argument::number("line"))
//!     .declare()?;
//!
//! let call = CommandArguments::from_json(r#"{"path": "inbox/today", "line": "12"}"#)?;
//! let problems = open.check(&call).unwrap_err();
//! assert_eq!(problems.to_string(), r#"argument "line" takes a number, not text"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod answer;
mod argument;
mod check;
mod declaration;
mod hook;
mod id;
mod invocable;
mod number;
mod origin;
mod outcome;
mod panic;
mod schema;
mod text;
mod tool_name;
mod value;

pub use access::{CommandAccess, CommandOffer};
pub use answer::{AnswerError, CommandAnswer};
pub use argument::{
    Argument, ArgumentField, ArgumentKind, ArgumentScalar, ArgumentValue, Choice, CommandArgument,
    IntegerRange, NumberRange, TypedArguments,
};
pub use check::{ArgumentProblem, ArgumentProblems};
pub use declaration::{AccessRequirement, AgentConsent, Command, CommandDeclaration, DeclarationError};
pub use hook::{
    Approval, BeforeCall, BoxFuture, Decision, DecisionBasis, DecisionSource, HookResponse, PendingCall,
};
pub use id::{CommandId, PluginId, RegistrationId, Role};
pub use invocable::{InvocableArgument, InvocableCommand};
pub use number::{Number, NumberError};
pub use origin::CallOrigin;
pub use outcome::{CommandOutcome, Refusal, RefusalReason};
pub use panic::{Contained, Panicked, contained, contained_with};
pub use schema::{SchemaError, SchemaProblem};
pub use tool_name::{plain_command_id, tool_name};
pub use value::{CommandArgumentValue, CommandArguments, CommandScalar, NullArguments, ReadArgumentsError};
