//! A case: a workbench, the events of a run, and the expected transcript.

mod expected;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use drawloom::ag_ui::recording::{RecordingError, RecordingReader};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;
use serde_json::value::RawValue;

pub use expected::{ExpectedLine, TranscriptMismatch, compare};

use crate::file::{FileError, FileLocation, Segment, objects_only};
use crate::runtime::FileWorkbench;
use crate::transcript::Transcript;

/// How many bytes of one file of a case are read.
const MAX_BYTES: u64 = 64 << 20;

/// A case: a workbench, the events of a run, and the expected transcript.
///
/// A case is a JSON file with `name`, `workbench`, `events`, `expect` and optionally `why`, or a folder with `workbench.json`,
/// `events.jsonl` or `events.sse`, and `expect.jsonl`. In a file, `events` is either a list, or the path of a recorded
/// run relative to the folder of the file. At most 64 MiB of a file are read. An item of the list is an event, or a string: the text of a line that is
/// played as it is, for lines that are not JSON.
///
/// ```
/// use drawloom_replay::Case;
///
/// let case = Case::from_json(r#"{
///     "name": "no agent",
///     "workbench": {},
///     "events": [
///         { "type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "notes__open" },
///         { "type": "TOOL_CALL_END", "toolCallId": "c1" }
///     ],
///     "expect": [ { "answered": { "toolCallId": "c1", "content": "", "error": "~did not run" } } ]
/// }"#)?;
/// let transcript = futures_executor::block_on(case.play())?;
/// case.check(&transcript)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    workbench: String,
    /// The location of the workbench in the file of the case.
    start: FileLocation,
    events: Vec<u8>,
    expected: Vec<ExpectedLine>,
}

/// Why a case cannot be read or played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// A file cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// The case does not match the format.
    #[error("{0}")]
    Format(FileError),
    /// The workbench of the case does not match the format.
    #[error("{0}")]
    Workbench(FileError),
    /// The events cannot be read, or there are none.
    #[error("{0}")]
    Events(RecordingError),
    /// An expected line is not JSON, or cannot occur in a transcript.
    #[error("line {line} of the expected transcript: {problem}")]
    Expected {
        /// The number of the line, counted from 1.
        line: usize,
        /// What is wrong with the line.
        problem: String,
    },
}

#[derive(Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct CaseFile {
    name: String,
    /// Why the case exists, for those who read it.
    #[serde(rename = "why")]
    _why: Option<String>,
    workbench: Box<RawValue>,
    events: CaseEvents,
    expect: Vec<ExpectedLine>,
}

objects_only!(CaseFile);

enum CaseEvents {
    Path(PathBuf),
    List(Vec<Box<RawValue>>),
}

impl<'de> Deserialize<'de> for CaseEvents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let read = match raw.as_bytes().first() {
            Some(b'[') => serde_json::from_str(raw).map(Self::List),
            Some(b'"') => serde_json::from_str(raw).map(Self::Path),
            _ => return Err(D::Error::custom("\"events\" is a list, or the path of a recorded run")),
        };
        read.map_err(D::Error::custom)
    }
}

impl Case {
    /// Reads a case from its file or its folder.
    ///
    /// # Errors
    /// [`CaseError`], with the file or the location.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, CaseError> {
        let path = path.as_ref();
        if path.is_dir() { Self::read_folder(path) } else { Self::from_text(&text_of(path)?, path.parent()) }
    }

    /// Reads a case from the text of its file. A path in it is relative to the current folder.
    ///
    /// # Errors
    /// [`CaseError`], with the location.
    pub fn from_json(text: &str) -> Result<Self, CaseError> {
        Self::from_text(text, None)
    }

    fn from_text(text: &str, folder: Option<&Path>) -> Result<Self, CaseError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut json = serde_json::Deserializer::from_str(text);
        let case: CaseFile = serde_path_to_error::deserialize(&mut json)
            .map_err(|error| CaseError::Format(FileError::at_field(&error)))?;
        json.end().map_err(|error| CaseError::Format(FileError::format("", &error)))?;
        let events = match case.events {
            CaseEvents::Path(path) => bytes_of(&folder.unwrap_or(Path::new("")).join(path))?,
            CaseEvents::List(items) => items.iter().flat_map(|item| line_of(item)).collect(),
        };
        Ok(Self {
            name: case.name,
            workbench: case.workbench.get().to_owned(),
            start: FileLocation::of(&[Segment::Field("workbench")], text),
            events,
            expected: case.expect,
        })
    }

    fn read_folder(folder: &Path) -> Result<Self, CaseError> {
        let events = ["events.jsonl", "events.sse"].map(|name| folder.join(name));
        let [json_lines, server_sent_events] = &events;
        let expected = text_of(&folder.join("expect.jsonl"))?;
        let lines = expected.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        Ok(Self {
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            workbench: text_of(&folder.join("workbench.json"))?,
            start: FileLocation::of(&[], ""),
            events: bytes_of(if json_lines.exists() { json_lines } else { server_sent_events })?,
            expected: lines
                .map(|(index, line)| {
                    serde_json::from_str(line)
                        .map_err(|error| CaseError::Expected { line: index + 1, problem: error.to_string() })
                })
                .collect::<Result<_, _>>()?,
        })
    }

    /// The name of the case.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of the workbench file.
    pub fn workbench(&self) -> &str {
        &self.workbench
    }

    /// The recorded run, as JSON lines, server-sent events, or one JSON array of events.
    pub fn events(&self) -> &[u8] {
        &self.events
    }

    /// The expected transcript.
    pub fn expected(&self) -> &[ExpectedLine] {
        &self.expected
    }

    /// Plays the run on the workbench, and returns the lines of the transcript.
    ///
    /// # Errors
    /// [`CaseError::Workbench`] if the workbench file is invalid, and [`CaseError::Events`] if there is no event.
    pub async fn play(&self) -> Result<Vec<Value>, CaseError> {
        let transcript = Transcript::new();
        let file = FileWorkbench::load(&self.workbench, transcript.clone())
            .map_err(|error| CaseError::Workbench(error.within(&self.start)))?;
        let mut player = file.player();
        let mut recording = RecordingReader::new(&*self.events);
        while let Some(item) = recording.read().map_err(CaseError::Events)? {
            player.play_item(&item).await;
        }
        player.finish().await;
        // A line is plain data, so this does not fail.
        Ok(transcript.take().iter().map(|line| serde_json::to_value(line).unwrap_or_default()).collect())
    }

    /// Compares the lines of a transcript with the expected ones.
    ///
    /// # Errors
    /// [`TranscriptMismatch`], for the first line that differs.
    pub fn check(&self, transcript: &[Value]) -> Result<(), TranscriptMismatch> {
        compare(&self.expected, transcript)
    }
}

/// An item of the list of events as a line. A line break in JSON is white space, because in a string it is escaped.
fn line_of(item: &RawValue) -> Vec<u8> {
    if let Ok(text) = serde_json::from_str::<String>(item.get()) {
        return (text + "\n").into_bytes();
    }
    let bytes = item.get().bytes();
    bytes.map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).chain([b'\n']).collect()
}

fn text_of(path: &Path) -> Result<String, CaseError> {
    let text = String::from_utf8(bytes_of(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("it is not UTF-8 from byte {at} on"))
    });
    text.map_err(|source| CaseError::Read { path: path.to_owned(), source })
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, CaseError> {
    let read = || {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            let message = format!("it has more than {MAX_BYTES} bytes, the most that is read");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    };
    read().map_err(|source| CaseError::Read { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests;
