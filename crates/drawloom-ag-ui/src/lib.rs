//! AG-UI for commands: an agent's streamed calls assembled, run through the seam, and answered.

mod answerer;
mod arguments;
mod assembler;
#[allow(dead_code, unused_imports, reason = "the adapter moves over next")]
pub mod calls;
mod definition;
mod event;
mod limits;
mod message_id;
mod owed;
pub mod protocol;
pub mod recording;
mod result;
mod running;
mod tool_name;
mod tools;
mod wire;

pub use arguments::{read_arguments, read_arguments_with};
pub use assembler::{AssembledCall, LimitExceeded, RunBoundary, ToolCallAssembler, Unfinished};
pub use definition::{tool_for, tools_for};
pub use event::{Event, EventError, RunOutcome};
pub use limits::AssemblerLimits;

pub use result::{ErrorWords, result_for};
pub use running::RunningCall;
pub use tool_name::{is_digest_name, plain_command_id, tool_name};
pub use tools::{CommandTools, ReadyCall, Unoffered};
pub use wire::{Tool, ToolCallId, ToolMessage};
