//! What the assembler hands out: a call, and why it may not run.

use crate::wire::ToolCallId;

/// A call that is complete, or that never will be. Either way it is owed one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssembledCall {
    /// The id to answer under.
    pub id: ToolCallId,
    /// The tool it calls, as the agent spelled it. One of more than 1,024 bytes is cut there: no tool is named so.
    pub name: String,
    /// The text of the arguments, or why the call may not run. The text is whatever the agent sent, and may be empty.
    pub arguments: Result<String, IncompleteCall>,
}

/// Why a call may not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IncompleteCall {
    /// The run finished and the call had no end.
    #[error("the run finished before the call was closed")]
    NeverClosed,
    /// The run ended in an error and the call was open.
    #[error("the run failed before the call was closed")]
    RunFailed,
    /// The run was cancelled and the call was open.
    #[error("the run was cancelled before the call was closed")]
    RunCancelled,
    /// Another run began and the call was open.
    #[error("a new run began before the call was closed")]
    NewRunBegan,
    /// The events ended, without the run having ended, and the call was open.
    #[error("the stream of events ended before the call was closed")]
    StreamEnded,
    /// The call is over a limit.
    #[error(transparent)]
    LimitExceeded(#[from] LimitExceeded),
}

impl IncompleteCall {
    /// A stable name for this reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NeverClosed => "never-closed",
            Self::RunFailed => "run-failed",
            Self::RunCancelled => "run-cancelled",
            Self::NewRunBegan => "new-run-began",
            Self::StreamEnded => "stream-ended",
            Self::LimitExceeded(limit) => limit.code(),
        }
    }
}

/// Which of the [`AssemblerLimits`](crate::AssemblerLimits) a call is over, and what the limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitExceeded {
    /// The arguments are longer than this many bytes.
    #[error("the arguments are longer than {0} bytes; send less in one call")]
    ArgumentBytes(usize),
    /// This many calls were open already.
    #[error("{0} calls are open already; close some before opening more")]
    OpenCalls(usize),
    /// The run had made this many calls already.
    #[error("the run has made {0} calls already; go on in another run")]
    CallsPerRun(usize),
    /// The id is longer than this many bytes.
    #[error("the call's id is longer than {0} bytes; use a shorter one")]
    IdBytes(usize),
}

impl LimitExceeded {
    /// A stable name for this limit.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ArgumentBytes(_) => "too-many-argument-bytes",
            Self::OpenCalls(_) => "too-many-open-calls",
            Self::CallsPerRun(_) => "too-many-calls",
            Self::IdBytes(_) => "id-too-long",
        }
    }
}
