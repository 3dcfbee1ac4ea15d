//! Property tests of commands: strategies for declarations and arguments, and checks that use them.
//!
//! With the feature `proptest`, the author of commands tests a handler on many calls in one line:
//!
//! ```
//! use drawloom_command::property::check_handler;
//! use drawloom_command::{Argument, Command, CommandArguments};
//!
//! /// The part of the handler that computes.
//! fn repeat(arguments: &CommandArguments) -> Result<String, String> {
//!     let count = arguments.integer("count").ok_or("there is no count")?;
//!     Ok(arguments.text_or("text", "").repeat(usize::try_from(count).map_err(|error| error.to_string())?))
//! }
//!
//! let declaration = Command::new("text.repeat", "Repeat")
//!     .argument(Argument::text("text").length(..=100).required())
//!     .argument(Argument::integer("count", 0..=10).default(1))
//!     .answers("The text, repeated")
//!     .declare()?;
//! check_handler(&declaration, |arguments| repeat(&arguments));
//! # Ok::<(), drawloom_command::DeclarationError>(())
//! ```
//!
//! The strategies of `proptest` that this module returns can be used like any other, and shrink to simple values.

mod checks;
mod declaration;
mod matching;
mod wrong;

pub use checks::{assert_same_declaration, check_handler, check_refusals};
pub use declaration::{any_argument, any_command, any_declaration};
pub use matching::{any_number, matching_arguments};
pub use wrong::{WrongArguments, wrong_arguments};
