//! AG-UI for commands: an agent's streamed calls assembled, run through the seam, and answered.

mod answerer;
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
mod tools;
mod wire;

pub use assembler::{AssembledCall, IncompleteCall, LimitExceeded, RunBoundary, ToolCallAssembler};
pub use definition::{tool_for, tools_for};
pub use drawloom_tools::{ErrorPlacement, plain_command_id, read_arguments, read_arguments_with, tool_name};
pub use event::{Event, EventError, RunOutcome};
pub use limits::AssemblerLimits;
pub use result::result_for;
pub use running::RunningCall;
pub use tools::{CommandTools, ReadyCall, UnofferedCalls};
pub use wire::{Tool, ToolCallId, ToolMessage};
