//! Why a call may not run, before anybody looks at the tool that it names.

/// Why a call may not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IncompleteCall {
    /// An event about the call was lost or could not be read completely.
    #[error("an event about the call was lost or damaged; send the call again")]
    Torn,
    /// The event that began the call did not name a tool.
    #[error("the call does not say which tool it calls; send the tool's name with its first event")]
    Nameless,
    /// The call began after the end of its run.
    #[error("the run had ended before the call began")]
    Late,
    /// The run finished and the call had no end.
    #[error("the run finished before the call was closed")]
    NeverClosed,
    /// The run ended in an error and the call was open.
    #[error("the run failed before the call was closed")]
    RunFailed,
    /// The run was cancelled and the call was open.
    #[error("the run was cancelled before the call was closed")]
    RunCancelled,
    /// The subagent failed that was sending the call.
    #[error("the subagent failed before the call was closed")]
    SubagentFailed,
    /// Another run began and the call was open.
    #[error("a new run began before the call was closed")]
    NewRunBegan,
    /// The stream of events ended within the run and the call was open.
    #[error("the stream of events ended before the call was closed")]
    StreamEnded,
    /// The call was left to the agent's backend, and the run ended without its result.
    #[error("nobody here offers this tool, and the agent did not report a result for the call")]
    NoResultReported,
    /// The call is over a limit.
    #[error(transparent)]
    LimitExceeded(#[from] LimitExceeded),
}

impl IncompleteCall {
    /// A stable name for this reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Torn => "torn",
            Self::Nameless => "nameless",
            Self::Late => "late",
            Self::NeverClosed => "never-closed",
            Self::RunFailed => "run-failed",
            Self::RunCancelled => "run-cancelled",
            Self::SubagentFailed => "subagent-failed",
            Self::NewRunBegan => "new-run-began",
            Self::StreamEnded => "stream-ended",
            Self::NoResultReported => "no-result-reported",
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
    #[error("the run has made {0} calls already; continue in another run")]
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
