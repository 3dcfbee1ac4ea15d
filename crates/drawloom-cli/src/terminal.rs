//! The terminal: what is shown on it, the questions that are asked on it, and the one way to write to it, which makes text
//! safe.

mod keyboard;
mod lines;
pub(crate) mod output;
mod progress;
mod prompt;
pub(crate) mod sanitize;
mod screen;

use drawloom::client::{Client, Update};
use drawloom_replay::TranscriptSink;

use crate::error::CliError;
pub(crate) use keyboard::{SingleKeyMode, TerminalSettings};
pub(crate) use lines::LinesOutput;
pub(crate) use progress::Progress;
pub(crate) use prompt::{Withdrawal, ask_for_input, confirm};
pub(crate) use screen::ScreenOutput;

/// Shows a live conversation.
pub(crate) trait ConversationOutput: TranscriptSink {
    /// Shows an update of the client.
    fn update(&self, update: &Update, client: &Client);
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
