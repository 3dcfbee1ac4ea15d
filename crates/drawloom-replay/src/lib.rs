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
//! // {"answered":{"role":"tool","id":"result-c1","toolCallId":"c1","content":"{\"path\":\"inbox\"}"}}
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # The file
//!
//! Everything is optional but what is named as required, and whatever is left out has the closed default. A field,
//! kind or capability that the format does not know is an error which names the place.
//!
//! ```json
//! {
//!   "plugins": [
//!     { "id": "notes", "declares": ["contributions"],
//!       "commands": [
//!         { "id": "notes.open", "title": "Open note", "description": "Opens a note in the editor.",
//!           "arguments": [
//!             { "name": "path", "kind": "text", "description": "Where the note is", "required": true },
//!             { "name": "mode", "kind": "choice", "choices": ["preview", "permanent"] },
//!             { "name": "tags", "kind": "text", "list": true },
//!             { "name": "line", "kind": "number", "integer": true, "minimum": 1 } ],
//!           "answers": "What was opened", "callable": true, "agentConsent": "ask",
//!           "access": { "anyRole": ["editor"] }, "popout": true, "contextOnly": false,
//!           "behaviour": { "echo": true } } ],
//!       "menuItems": [ { "id": "notes.menu.open", "title": "Open", "command": "notes.open" } ] },
//!     { "id": "copilot", "declares": ["automation"] } ],
//!   "grants":  { "notes": ["contributions"], "copilot": ["automation"] },
//!   "revoked": { "copilot": [] },
//!   "session": { "authenticated": true, "roles": ["editor"] },
//!   "window": "main",
//!   "agent": "copilot",
//!   "consent": { "answers": { "notes.open": true, "*": false }, "wording": { "refused": "Ada said no" } },
//!   "options": { "unoffered": "refuse", "errorsInContent": false, "nullArguments": "refuse",
//!                "limits": { "argumentBytes": 1048576, "openCalls": 128, "callsPerRun": 10000 } },
//!   "language": "de",
//!   "messages": { "de": { "notes.open.title": "Notiz öffnen" } }
//! }
//! ```
//!
//! - Required are `id` of a plugin, `id` and `title` of a command, `name` and `kind` of an argument, and all of a menu
//!   item. Kinds are `text`, `number`, `boolean` and `choice`; capabilities `contributions`, `automation`, `session`
//!   and `ui`.
//! - A number may have a `minimum` and a `maximum`, both among the numbers it takes, and takes whole ones only where
//!   `integer` is true.
//! - `access` is one of `{"authenticated": true}`, `{"authenticated": false}` (for nobody who is signed in),
//!   `{"anyRole": […]}` and `{"allRoles": […]}`.
//! - `behaviour` is one of `{"answer": …}`, `{"echo": true}` (answers the arguments), `{"fail": "why"}`,
//!   `{"panic": "why"}`, `{"invoke": {"id": …, "args": {…}}}` (as its own plugin; answers the outcome),
//!   `{"revoke": {"plugin": …, "capability": …}}`, `{"unregister": "id"}` and `{"nan": true}` (answers what no answer
//!   can be). Each may have `"delayMs"` besides, which may also stand alone. Without one a command runs and answers
//!   nothing.
//! - `consent` puts the consent policy before the agent's calls. `answers` stand in for the person, by command or for
//!   all others under `*`: true, false, `{"no": "why"}`, `{"edit": {…}}` (yes, with these arguments),
//!   `{"during": behaviour}` (it happens while the person is asked, who then says yes; where it fails or panics, so
//!   does the asking, which is a no). What has no answer is answered no.
//! - Numbers stay what they are, as in a call: one that cannot be carried is an error.
//!
//! A delay blocks no executor: a thread of its own waits for each that is under way.

mod agent;
mod case;
mod delay;
mod error;
mod events;
mod file;
mod person;
mod place;
mod player;
mod stage;
mod transcript;
mod workbench;

pub use agent::Agent;
pub use case::{Case, CaseError, Expected, Mismatch, compare};
pub use error::{FileError, FileFault};
pub use events::{EventReader, Recorded, SkipReason, SkippedLine};
pub use place::Place;
pub use player::Player;
pub use transcript::{Lines, Recorder, Step, Transcript, TranscriptWriter};
pub use workbench::FileWorkbench;
