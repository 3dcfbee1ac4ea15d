//! What goes to an agent and what it may ask: the input of a run, its messages, interrupts and their answers.
//!
//! Messages and interrupts are taken as they come: a role or a field that this version does not know is kept and sent
//! back as it was. Nulls are taken as absent, as everywhere, and never sent.

mod input;
mod interrupt;
mod message;

pub use input::RunAgentInput;
pub(crate) use input::object;
pub(crate) use interrupt::Channel;
pub use interrupt::{Interrupt, Resume, ResumeStatus};
pub use message::{FunctionCall, Message, ToolCall};
