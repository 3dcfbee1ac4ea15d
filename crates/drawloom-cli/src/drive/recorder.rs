//! `--record`: the file that receives every event of the agent, and notes about what happened here.

use std::fs::{self, File};
use std::io::{self, LineWriter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use drawloom::ag_ui::recording::{RecordedEnd, RecordedNote, RecordingWriter};
use drawloom::client::{Frame, RunAgentInput};

use super::observed::{Observer, ResponseEnd};
use crate::error::CliError;

pub(super) struct EventRecorder {
    path: PathBuf,
    state: Mutex<(RecordingWriter<LineWriter<File>>, Option<io::Error>)>,
}

impl EventRecorder {
    /// Creates the file, unless it is a file that is read.
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

    /// Writes what happened here. An error is reported at the end, so that it does not stop the conversation.
    pub(super) fn note(&self, note: &RecordedNote) {
        self.write(|file| file.note(note));
    }

    /// Returns the error because of which something could not be written.
    pub(super) fn finish(&self) -> Result<(), CliError> {
        let error = self.state.lock().unwrap_or_else(PoisonError::into_inner).1.take();
        error.map_or(Ok(()), |source| Err(CliError::Record { path: self.path.clone(), source }))
    }

    fn write(&self, write: impl FnOnce(&mut RecordingWriter<LineWriter<File>>) -> io::Result<()>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, error) = &mut *state;
        if error.is_none() {
            *error = write(file).err();
        }
    }
}

impl Observer for EventRecorder {
    fn request(&self, input: &RunAgentInput) {
        let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
        self.note(&RecordedNote::Request { thread_id, run_id });
    }

    /// Writes one event, or a mark for one that was lost.
    fn frame(&self, frame: &Frame) {
        self.write(|file| file.write(frame));
    }

    fn response_ended(&self, end: ResponseEnd<'_>) {
        self.note(&RecordedNote::Response(match end {
            ResponseEnd::Complete => RecordedEnd::Complete,
            ResponseEnd::Abandoned => RecordedEnd::Abandoned,
            ResponseEnd::Broken(error) => RecordedEnd::Broken(error.to_string()),
        }));
    }
}
