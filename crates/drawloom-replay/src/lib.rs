//! A workbench described in a file, and recorded AG-UI runs played against it.
//!
//! Whoever writes an agent's backend gets a front end to try it on; whoever writes a product plays a run again that
//! went wrong. A [`FileWorkbench`] is what the file describes, a [`Player`] plays an agent's events on it, and every
//! [`Step`] that is taken goes to a [`Recorder`] as it is taken:
//!
//! ```
//! use drawloom_replay::{EventReader, FileWorkbench, Lines, Recorded, TranscriptWriter};
//!
//! let workbench = r#"{
//!     "plugins": [
//!         { "id": "notes", "declares": ["contributions"], "commands": [
//!             { "id": "notes.open", "title": "Open note", "callable": true, "answers": "What was opened",
//!               "arguments": [{ "name": "path", "kind": "text", "required": true }],
//!               "behaviour": { "echo": true } } ] },
//!         { "id": "copilot", "declares": ["automation"] } ],
//!     "grants": { "notes": ["contributions"], "copilot": ["automation"] },
//!     "agent": "copilot"
//! }"#;
//! let run = r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"notes__open","delta":"{\"path\":\"inbox\"}"}
//! {"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
//!
//! # futures_executor::block_on(async {
//! let file = FileWorkbench::load(workbench, TranscriptWriter::new(std::io::stdout(), Lines::Steps))?;
//! let mut player = file.player();
//! let mut events = EventReader::new(run.as_bytes());
//! while let Some(next) = events.read()? {
//!     match next {
//!         Recorded::Event(event) => player.play(&event).await,
//!         Recorded::Skipped(line) => eprintln!("{line}"),
//!     }
//! }
//! player.finish().await;
//! // {"ran":{"commandId":"notes.open","arguments":{"path":"inbox"}}}
//! // {"answered":{"role":"tool","id":"result-…-c1","toolCallId":"c1","content":"{\"path\":\"inbox\"}"}}
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! A delay blocks no executor: a thread of its own waits for each that is under way.
//!
#![doc = include_str!("../../../docs/guides/workbench-file.md")]

mod agent;
mod case;
mod declared;
mod delay;
mod error;
mod events;
mod file;
mod person;
mod place;
mod player;
mod stage;
mod transcript;
mod warning;
mod workbench;

pub use agent::Agent;
pub use case::{Case, CaseError, Expected, Mismatch, compare};
pub use declared::{DeclaredCommand, DeclaredCommands};
pub use error::{FileError, FileFault};
pub use events::{EventReader, Recorded, SkipReason, SkippedLine};
pub use person::ScriptedPerson;
pub use place::Place;
pub use player::Player;
pub use transcript::{Lines, Recorder, Step, Transcript, TranscriptWriter};
pub use warning::{FileConcern, FileWarning, Lack};
pub use workbench::FileWorkbench;
