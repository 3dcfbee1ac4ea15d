#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! A [`FileWorkbench`] is the workbench that a file describes, a [`Player`] plays the events of an agent on it, and
//! each [`TranscriptLine`] goes to a [`TranscriptSink`] as soon as it occurs:
//!
//! ```
//! use drawloom::ag_ui::recording::RecordingReader;
//! use drawloom_replay::{FileWorkbench, TranscriptContent, TranscriptWriter};
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
//! let writer = TranscriptWriter::new(std::io::stdout(), TranscriptContent::AllLines);
//! let file = FileWorkbench::load(workbench, writer)?;
//! let mut player = file.player();
//! let mut recording = RecordingReader::new(run.as_bytes());
//! while let Some(item) = recording.read()? {
//!     player.play_item(&item).await;
//! }
//! player.finish().await;
//! while let Some(report) = player.next_report() {
//!     eprintln!("{report}");
//! }
//! // {"ran":{"commandId":"notes.open","arguments":{"path":"inbox"}}}
//! // {"answered":{"role":"tool","id":"result-…-c1","toolCallId":"c1","content":"{\"path\":\"inbox\"}"}}
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! Any executor can run a player: delays use their own timers.
//!
#![doc = include_str!("../guides/workbench-file.md")]

mod case;
mod file;
mod player;
mod runtime;
mod transcript;

pub use case::{Case, CaseError, ExpectedLine, TranscriptMismatch, compare};
pub use file::{
    DeclaredCommand, DeclaredCommands, FileError, FileErrorKind, FileLocation, FileWarning, FileWarningKind,
    MissingAutomation,
};
pub use player::Player;
pub use runtime::{AgentAccess, FileWorkbench, ScriptedConsent};
pub use transcript::{Transcript, TranscriptContent, TranscriptLine, TranscriptSink, TranscriptWriter};
