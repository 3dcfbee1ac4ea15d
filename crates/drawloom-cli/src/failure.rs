//! Why the input was not played.

use std::io;
use std::path::PathBuf;

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
}

impl Failure {
    /// Whoever reads along may have seen enough, which is no failure.
    pub(crate) fn of_output(error: io::Error) -> Result<(), Self> {
        if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(Self::Output(error)) }
    }
}
