#![doc = include_str!("../README.md")]

mod calls;
mod check;
mod definition;
pub mod protocol;
pub mod recording;
mod result;
mod tools;

pub use calls::{
    AssembledCall, AssemblerLimits, CallState, IncompleteCall, LimitExceeded, Report, RunState,
    ToolCallAssembler, UnofferedCalls, Withdrawn, WithdrawnCall,
};
pub use check::{ProtocolBreach, ProtocolChecker, ProtocolRule};
pub use definition::{tool_for, tools_for};
pub use drawloom_tools::{
    EditReport, ErrorPlacement, plain_command_id, read_arguments, read_arguments_with, tool_name,
};
pub use protocol::{Event, EventError, EventKind, RunOutcome, Tool, ToolCallId, ToolMessage};
pub use result::result_for;
pub use tools::{CommandTools, CommandToolsBuilder, FinishedCall, ReadyCall, RunningCall};
