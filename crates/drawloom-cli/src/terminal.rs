//! The terminal: what is shown on it, the questions that are asked on it, and the one way to write to it, which makes text
//! safe.

mod events;
mod form;
mod keyboard;
mod lines;
pub(crate) mod output;
mod patch;
mod progress;
mod prompt;
pub(crate) mod sanitize;
mod screen;

use std::time::Duration;

use drawloom::ag_ui::{Event, ProtocolBreach};
use drawloom::client::{Client, Update};
use drawloom_replay::{AgentAccess, TranscriptSink};

use crate::error::CliError;
pub(crate) use keyboard::{SingleKeyMode, TerminalSettings};
pub(crate) use lines::LinesOutput;
pub(crate) use progress::Progress;
pub(crate) use prompt::{Question, Withdrawal, ask_for_input, confirm};
pub(crate) use screen::{ScreenOutput, call_line};

/// Shows a live conversation.
pub(crate) trait ConversationOutput: TranscriptSink {
    /// Shows an update of the client.
    fn update(&self, update: &Update, client: &Client);
    /// Shows a breach of the protocol.
    fn breach(&self, breach: &ProtocolBreach);
    /// Shows something that is worth knowing, in one line.
    fn notice(&self, notice: String);
    /// Shows a request or a frame as it is sent, on standard error.
    fn wire(&self, text: &str);
    /// Shows an event as it was sent, at this time since the start.
    fn event(&self, _event: &Event<'_>, _text: &str, _at: Duration) {}
    /// Shows text of this program, in a chat.
    fn say(&self, _text: &str) {}
    /// Shows each event from now on, or no longer. Returns whether they are shown.
    fn toggle_events(&self) -> bool {
        false
    }
    /// The shared state as the agent sent it, as JSON.
    fn shared_state(&self) -> String {
        String::new()
    }
    /// Says which commands there are, so that their secret arguments are not shown.
    fn hides_secrets_of(&self, _: AgentAccess) {}
    /// Shows that the conversation is waiting.
    fn show_waiting(&self) {}
    /// A question is shown on the terminal. Nothing else is shown there until [`ConversationOutput::question_closed`].
    fn question_opened(&self) {}
    /// A question was answered or withdrawn.
    fn question_closed(&self) {}
    /// Whether the output can no longer be written.
    fn is_broken(&self) -> bool;
    /// Ends the output. Returns the error because of which it could not be written.
    fn finish(&self) -> Result<(), CliError>;
}
