//! AG-UI for commands: an agent's streamed calls assembled, run through the seam, and answered.

mod assembler;
mod event;
mod limits;
mod tool_name;
mod wire;

pub use assembler::{AssembledCall, LimitExceeded, RunBoundary, ToolCallAssembler, Unfinished};
pub use event::{Event, EventError, RunOutcome};
pub use limits::AssemblerLimits;
pub use tool_name::{is_digest_name, plain_command_id, tool_name};
pub use wire::{Tool, ToolCallId, ToolMessage};
