//! A case: a workbench, the events of a run, and the transcript that is expected of them.

mod expected;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;
use serde_json::value::RawValue;

pub use expected::{Expected, Mismatch, compare};

use crate::error::FileError;
use crate::events::{EventReader, Recorded};
use crate::place::{Place, Step as To};
use crate::transcript::Transcript;
use crate::workbench::FileWorkbench;

/// A case.
///
/// It is a JSON file with `name`, `workbench`, `events` and `expect`, or a folder with `workbench.json`,
/// `events.jsonl` or `events.sse`, and `expect.jsonl`. In a file, `events` is a list of events or the path of a
/// recorded run, counted from the folder of the file.
///
/// ```
/// use drawloom_replay::Case;
///
/// let case = Case::from_json(r#"{
///     "name": "nobody to ask",
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
    /// Where the workbench stands in the file of the case.
    start: Place,
    events: Vec<u8>,
    expected: Vec<Expected>,
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
        /// What the system said.
        source: io::Error,
    },
    /// The case is not of the format.
    #[error("{0}")]
    Format(FileError),
    /// Its workbench is not.
    #[error("{0}")]
    Workbench(FileError),
    /// A line that is expected is not JSON, or none that a transcript could have.
    #[error("line {line} of what is expected: {problem}")]
    Expected {
        /// The line.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile<'a> {
    name: String,
    #[serde(borrow)]
    workbench: &'a RawValue,
    #[serde(borrow)]
    events: Events<'a>,
    expect: Vec<Expected>,
}

enum Events<'a> {
    Path(PathBuf),
    List(Vec<&'a RawValue>),
}

impl<'de: 'a, 'a> Deserialize<'de> for Events<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?.get();
        let read = match raw.as_bytes().first() {
            Some(b'[') => serde_json::from_str(raw).map(Self::List),
            Some(b'"') => serde_json::from_str(raw).map(Self::Path),
            _ => return Err(D::Error::custom("events are a list, or the path of a recorded run")),
        };
        read.map_err(D::Error::custom)
    }
}

impl Case {
    /// Reads a case from its file or its folder.
    ///
    /// # Errors
    /// [`CaseError`], naming the file or the place.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, CaseError> {
        let path = path.as_ref();
        if path.is_dir() { Self::read_folder(path) } else { Self::from_text(&text_of(path)?, path.parent()) }
    }

    /// Reads a case from the text of its file. A path in it is counted from the current folder.
    ///
    /// # Errors
    /// [`CaseError`], naming the place.
    pub fn from_json(text: &str) -> Result<Self, CaseError> {
        Self::from_text(text, None)
    }

    fn from_text(text: &str, folder: Option<&Path>) -> Result<Self, CaseError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut json = serde_json::Deserializer::from_str(text);
        let case: CaseFile<'_> = serde_path_to_error::deserialize(&mut json)
            .map_err(|error| CaseError::Format(FileError::at_field(&error)))?;
        json.end().map_err(|error| CaseError::Format(FileError::format("", &error)))?;
        let events = match case.events {
            Events::Path(path) => bytes_of(&folder.unwrap_or(Path::new("")).join(path))?,
            Events::List(events) => events.into_iter().flat_map(one_line).collect(),
        };
        Ok(Self {
            name: case.name,
            workbench: case.workbench.get().to_owned(),
            start: Place::of(&[To::Field("workbench")], text),
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
            start: Place::of(&[], ""),
            events: bytes_of(if json_lines.exists() { json_lines } else { server_sent_events })?,
            expected: lines
                .map(|(index, line)| {
                    serde_json::from_str(line)
                        .map_err(|error| CaseError::Expected { line: index + 1, problem: error.to_string() })
                })
                .collect::<Result<_, _>>()?,
        })
    }

    /// What the case is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The workbench file.
    pub fn workbench(&self) -> &str {
        &self.workbench
    }

    /// The recorded run, as JSON lines or server-sent events.
    pub fn events(&self) -> &[u8] {
        &self.events
    }

    /// The transcript that is expected.
    pub fn expected(&self) -> &[Expected] {
        &self.expected
    }

    /// Plays the run on the workbench, and returns the lines of the transcript. What is no event is passed over.
    ///
    /// # Errors
    /// [`CaseError::Workbench`] where the workbench file is faulty.
    pub async fn play(&self) -> Result<Vec<Value>, CaseError> {
        let transcript = Transcript::new();
        let file = FileWorkbench::load(&self.workbench, transcript.clone())
            .map_err(|error| CaseError::Workbench(error.within(&self.start)))?;
        let mut player = file.player();
        let mut events = EventReader::new(&*self.events);
        // Reading from memory does not fail.
        while let Ok(Some(next)) = events.read() {
            if let Recorded::Event(event) = next {
                player.play(&event).await;
            }
        }
        player.finish().await;
        // A step is plain data, so this does not fail either.
        Ok(transcript.take().iter().map(|step| serde_json::to_value(step).unwrap_or_default()).collect())
    }

    /// Compares the lines of a transcript with those that are expected.
    ///
    /// # Errors
    /// [`Mismatch`], for the first line that is another.
    pub fn check(&self, transcript: &[Value]) -> Result<(), Mismatch> {
        compare(&self.expected, transcript)
    }
}

/// An event as a line: a line feed in JSON is white space, or it would be escaped.
fn one_line(event: &RawValue) -> Vec<u8> {
    let bytes = event.get().bytes();
    bytes.map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).chain([b'\n']).collect()
}

fn text_of(path: &Path) -> Result<String, CaseError> {
    fs::read_to_string(path).map_err(|source| CaseError::Read { path: path.to_owned(), source })
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, CaseError> {
    fs::read(path).map_err(|source| CaseError::Read { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests;
