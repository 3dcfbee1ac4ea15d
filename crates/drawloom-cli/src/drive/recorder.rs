//! `--record`: the file that receives every event of the agent.

use std::fs::{self, File};
use std::io::{self, LineWriter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use drawloom::ag_ui::recording::RecordingWriter;
use drawloom::client::Frame;

use crate::error::CliError;

pub(super) struct EventRecorder {
    path: PathBuf,
    state: Mutex<(RecordingWriter<LineWriter<File>>, Option<io::Error>)>,
}

impl EventRecorder {
    /// Creates the file, unless it is the workbench file itself.
    pub(super) fn create(path: &Path, workbench: &Path) -> Result<Self, CliError> {
        let failed = |source| CliError::Record { path: path.to_owned(), source };
        let existing = fs::canonicalize(path).ok();
        if existing.is_some() && existing == fs::canonicalize(workbench).ok() {
            return Err(failed(io::Error::other("it is the workbench file")));
        }
        let file = File::create(path).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            state: Mutex::new((RecordingWriter::new(LineWriter::new(file)), None)),
        })
    }

    /// Writes one event, or a mark for one that was lost. An error is reported at the end, so that it does not stop the conversation.
    pub(super) fn write(&self, frame: &Frame) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, error) = &mut *state;
        if error.is_none() {
            *error = file.write(frame).err();
        }
    }

    /// Returns the error because of which an event could not be written.
    pub(super) fn finish(&self) -> Result<(), CliError> {
        let error = self.state.lock().unwrap_or_else(PoisonError::into_inner).1.take();
        error.map_or(Ok(()), |source| Err(CliError::Record { path: self.path.clone(), source }))
    }
}
