//! Why a command line was not carried out, and the exit code for it.

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

use drawloom::ag_ui::recording::RecordingError;
use drawloom::client::TransportError;
use drawloom::command::ReadArgumentsError;
use drawloom_replay::FileError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error("{} cannot be read: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {source}", .path.display())]
    Workbench { path: PathBuf, source: Box<FileError> },
    #[error("{}: {source}", .path.display())]
    Recording { path: PathBuf, source: RecordingError },
    #[error("--args: {0}")]
    Arguments(#[from] ReadArgumentsError),
    #[error("--as: there is no plugin \"{plugin}\" in {}", .path.display())]
    UnknownPlugin { plugin: String, path: PathBuf },
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    #[error("--agent: {0}; for the built-in script, write \"stand-in\"")]
    Agent(TransportError),
    #[error("--header: write the header as \"name: value\"")]
    HeaderForm,
    #[error("--header: {0}")]
    Header(TransportError),
    #[error("--record: cannot write {}: {source}", .path.display())]
    Record { path: PathBuf, source: io::Error },
    #[error("{option}: {problem}")]
    Option { option: &'static str, problem: String },
    #[error("--header-file: {}, line {line}: write the header as \"name: value\"", .path.to_string_lossy())]
    HeaderLine { path: PathBuf, line: usize },
    #[error("--script: {}: {problem}", .path.to_string_lossy())]
    Script { path: PathBuf, problem: String },
    #[error("--thread: {} is not a conversation: {problem}", .path.to_string_lossy())]
    Thread { path: PathBuf, problem: String },
    #[error("cannot write {}: {source}", .path.to_string_lossy())]
    Write { path: PathBuf, source: io::Error },
    #[error("{}: {problem}", .path.to_string_lossy())]
    Playback { path: PathBuf, problem: String },
    #[error("--prompt: give at least one message, or a --script, or start on a terminal to type them")]
    NoPrompt,
    #[error("the line editor cannot be used: {0}")]
    Editor(String),
    /// With --strict, a conversation that was completed.
    #[error("--strict: {0}")]
    Strict(String),
    #[error("cannot start: {0}")]
    Start(io::Error),
    #[error("the agent did not complete the conversation within the runs that --max-runs allows ({0})")]
    TooManyRuns(NonZeroU32),
    #[error("the events break the protocol; number of breaches: {0}")]
    Breaches(u64),
    #[error("--http: cannot listen on port {port}: {source}")]
    Listen { port: u16, source: io::Error },
    #[error("the server cannot serve: {0}")]
    Mcp(String),
    /// The agent or the connection failed, or the conversation was stopped.
    #[error("{0}")]
    Conversation(String),
}

impl CliError {
    pub(crate) fn option(option: &'static str, problem: impl Into<String>) -> Self {
        Self::Option { option, problem: problem.into() }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Strict(_) | Self::Breaches(_) | Self::Conversation(_) | Self::TooManyRuns(_) => 1,
            _ => 2,
        }
    }

    /// A reader may close standard output when it has read enough, which is not an error.
    pub(crate) fn from_output(error: io::Error) -> Result<(), Self> {
        if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(Self::Output(error)) }
    }
}
