//! An agent that plays a recording, one run at a time.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use drawloom_ag_ui::EventKind;
use drawloom_ag_ui::protocol::RunAgentInput;
use drawloom_ag_ui::recording::{Frame, RecordingError, RecordingItem, RecordingReader};
use drawloom_command::BoxFuture;
use futures_util::{StreamExt, stream};

use super::{Frames, Transport, TransportError};

/// Recorded runs, as JSON lines, server-sent events or a JSON array of events. Each run that is started plays the next
/// recorded run, whatever its input is. If no recorded run is left, starting a run fails with a [`TransportError`].
///
/// ```
/// let recorded = drawloom_client::RecordedAgent::from_text(concat!(
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
///     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#, "\n",
/// ))?;
/// assert_eq!(recorded.runs_left(), 1);
/// # Ok::<(), drawloom_ag_ui::recording::RecordingError>(())
/// ```
#[derive(Debug)]
pub struct RecordedAgent {
    runs: Mutex<VecDeque<Vec<Frame>>>,
}

/// A recording in a file cannot be played.
#[derive(Debug, thiserror::Error)]
#[error("\"{path}\": {source}")]
#[non_exhaustive]
pub struct RecordedAgentError {
    path: String,
    source: RecordingError,
}

impl RecordedAgent {
    /// Reads a file.
    ///
    /// # Errors
    /// [`RecordedAgentError`] if the file cannot be read, or contains no event.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, RecordedAgentError> {
        let path = path.as_ref();
        let failed = |source| RecordedAgentError { path: path.display().to_string(), source };
        let file = File::open(path).map_err(|error: io::Error| failed(error.into()))?;
        Self::read(BufReader::new(file)).map_err(failed)
    }

    /// Reads the text of a recording. A part that cannot be read counts as a lost frame of its run.
    ///
    /// # Errors
    /// [`RecordingError`] if the text contains no event.
    pub fn from_text(text: &str) -> Result<Self, RecordingError> {
        Self::read(text.as_bytes())
    }

    fn read(input: impl BufRead) -> Result<Self, RecordingError> {
        let mut recording = RecordingReader::new(input);
        let mut runs = VecDeque::new();
        let mut run = Vec::new();
        while let Some(item) = recording.read()? {
            let is_end = matches!(&item, RecordingItem::Event { event, .. }
                if matches!(event.kind, EventKind::RunFinished(_) | EventKind::RunError(_)));
            run.push(match item {
                RecordingItem::Event { text, .. } => Frame::Event(text.to_owned()),
                RecordingItem::Lost { line, problem } => Frame::Lost { line, problem },
                _ => continue,
            });
            if is_end {
                runs.push_back(std::mem::take(&mut run));
            }
        }
        if !run.is_empty() {
            runs.push_back(run);
        }
        Ok(Self { runs: Mutex::new(runs) })
    }

    /// How many recorded runs are left.
    pub fn runs_left(&self) -> usize {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Transport for RecordedAgent {
    fn start(&self, _input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let run = self.runs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move {
            let run =
                run.ok_or_else(|| TransportError::Other("the recording contains no further run".to_owned()))?;
            Ok(stream::iter(run.into_iter().map(Ok)).boxed())
        })
    }
}
