//! An agent that says what it said before: events from a file, a run at a time.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use drawloom_ag_ui::Event;
use drawloom_command::BoxFuture;
use futures_util::{StreamExt, stream};

use super::sse::FrameDecoder;
use super::{Frame, Frames, Transport, TransportError};
use crate::wire::RunAgentInput;

/// RecordedAgent runs, as JSON lines or server-sent events. Each run that is started takes the next recorded one, whatever
/// its input is; once none is left, a run is a [`TransportError`].
///
/// ```
/// let recorded = drawloom_client::RecordedAgent::from_text(concat!(
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
///     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#, "\n",
/// ));
/// assert_eq!(recorded.runs_left(), 1);
/// ```
#[derive(Debug)]
pub struct RecordedAgent {
    runs: Mutex<VecDeque<Vec<Frame>>>,
}

/// A recording could not be read.
#[derive(Debug, thiserror::Error)]
#[error("\"{path}\" cannot be read: {source}")]
#[non_exhaustive]
pub struct RecordingError {
    path: String,
    source: io::Error,
}

impl RecordedAgent {
    /// Reads a file.
    ///
    /// # Errors
    /// [`RecordingError`] where it cannot be read or is no text.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        let failed = |source| RecordingError { path: path.display().to_string(), source };
        fs::read_to_string(path).map(|text| Self::from_text(&text)).map_err(failed)
    }

    /// Takes the text of a recording. A line that is no event is for the reader to report, like any such frame.
    pub fn from_text(text: &str) -> Self {
        let is_lines = text.trim_start_matches(['\u{feff}', ' ', '\r', '\n', '\t']).starts_with('{');
        let frames = if is_lines { lines(text) } else { sse(text) };
        let mut runs = VecDeque::new();
        let mut run = Vec::new();
        for frame in frames {
            let ends = matches!(&frame, Frame::Event(text) if ends_a_run(text));
            run.push(frame);
            if ends {
                runs.push_back(std::mem::take(&mut run));
            }
        }
        if !run.is_empty() {
            runs.push_back(run);
        }
        Self { runs: Mutex::new(runs) }
    }

    /// How many recorded runs are left.
    pub fn runs_left(&self) -> usize {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

fn ends_a_run(text: &str) -> bool {
    matches!(Event::parse(text), Ok(Event::RunFinished { .. } | Event::RunError))
}

fn lines(text: &str) -> Vec<Frame> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| Frame::Event(line.to_owned())).collect()
}

fn sse(text: &str) -> Vec<Frame> {
    // What is in memory already needs no limit.
    let mut decoder = FrameDecoder::new(NonZeroUsize::MAX);
    decoder.feed(Bytes::copy_from_slice(text.as_bytes()));
    let mut frames: Vec<_> = std::iter::from_fn(|| decoder.next_frame()).collect();
    decoder.end();
    frames.extend(std::iter::from_fn(|| decoder.next_frame()));
    frames
}

impl Transport for RecordedAgent {
    fn start(&self, _input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let run = self.runs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move {
            let run =
                run.ok_or_else(|| TransportError::Other("the recording holds no further run".to_owned()))?;
            Ok(stream::iter(run.into_iter().map(Ok)).boxed())
        })
    }
}
