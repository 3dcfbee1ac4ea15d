//! Why a command line was not carried out, and the exit code that says so.

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

use drawloom::client::TransportError;
use drawloom::command::ReadArgumentsError;
use drawloom_replay::FileError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{} cannot be read: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {source}", .path.display())]
    Workbench { path: PathBuf, source: Box<FileError> },
    #[error("--args: {0}")]
    Arguments(#[from] ReadArgumentsError),
    #[error("--as: there is no plugin \"{plugin}\" in {}", .path.display())]
    NoPlugin { plugin: String, path: PathBuf },
    #[error("standard output cannot be written: {0}")]
    Output(io::Error),
    #[error("--agent: {0}")]
    Agent(TransportError),
    #[error("--header: a header has the form \"name: value\"")]
    HeaderForm,
    #[error("--header: {0}")]
    Header(TransportError),
    #[error("--record: {} cannot be written: {source}", .path.display())]
    Record { path: PathBuf, source: io::Error },
    #[error("nothing can be driven here: {0}")]
    Start(io::Error),
    #[error("the agent did not come to rest within the runs that --max-runs allows ({0})")]
    TooManyRuns(NonZeroU32),
    /// The agent or the connection failed, or the conversation was broken off.
    #[error("{0}")]
    Conversation(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Conversation(_) | Self::TooManyRuns(_) => 1,
            _ => 2,
        }
    }

    /// Whoever reads along may have seen enough, which is no failure.
    pub(crate) fn of_output(error: io::Error) -> Result<(), Self> {
        if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(Self::Output(error)) }
    }
}
