//! The transcript of a recorded run or a live conversation: its lines, and the sinks that receive them.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use drawloom::ag_ui::protocol::{Interrupt, Json, Message, Resume};
use drawloom::ag_ui::{ProtocolBreach, ToolMessage};
use drawloom::command::{CommandArguments, CommandId, PendingCall, PersonId, PluginId};
use drawloom::workbench::Capability;
use serde::Serialize;
use serde_json::Value;

/// One line of a transcript.
///
/// ```
/// use drawloom::command::CommandArguments;
/// use drawloom_replay::TranscriptLine;
///
/// let line = TranscriptLine::Ran {
///     command_id: "notes.open".into(),
///     arguments: CommandArguments::new().with("path", "inbox"),
///     person: Some("ada".into()),
/// };
/// assert_eq!(
///     serde_json::to_string(&line)?,
///     r#"{"ran":{"commandId":"notes.open","arguments":{"path":"inbox"},"person":"ada"}}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum TranscriptLine {
    /// The person was asked about a call.
    Asked(PendingCall),
    /// A command began to run.
    Ran {
        /// The command.
        command_id: CommandId,
        /// The arguments of the command.
        arguments: CommandArguments,
        /// The person whom the call served, if the session of the file says who it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        person: Option<PersonId>,
    },
    /// The person was notified that a plugin lacks a grant.
    Notified {
        /// The plugin.
        plugin: PluginId,
        /// The capability that the plugin lacks.
        capability: Capability,
    },
    /// A call was answered.
    Answered(ToolMessage),
    /// A run of a live agent has ended.
    Run {
        /// The run.
        run_id: String,
        /// How it ended: `success`, `interrupt`, `cancelled`, `error`, `unknown`.
        outcome: String,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// The agent's code of the error.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
    /// The complete text of one message of a live agent.
    Text(String),
    /// The person sent this text to a live agent.
    Prompt(String),
    /// A question about a call was answered.
    Decided {
        /// The call, or the question if it is about no call.
        call_id: String,
        /// `true`, `false`, `{"no":"why"}`, `{"edit":{…}}`, or `{"error":"why nobody answered"}`.
        answer: Value,
    },
    /// A live agent asked a question.
    Interrupted(Interrupt<'static>),
    /// The answer to a question of a live agent, as it is sent.
    Resumed(Resume),
    /// A question of a live agent expired before it was answered.
    Expired {
        /// The question.
        interrupt_id: String,
    },
    /// The backend of a live agent answered a call to a tool of its own.
    AnsweredByAgent(Message<'static>),
    /// A live agent bound a question to a call, so that the question about the call, or its answer, no longer counts.
    Withdrawn {
        /// The call.
        call_id: String,
    },
    /// An event of a live agent, as it was sent.
    Event {
        /// The time since the start of the conversation, in milliseconds.
        at_ms: u64,
        /// The event.
        event: Json<'static>,
    },
    /// An event of a live agent breaks the protocol.
    Breach(ProtocolBreach),
}

/// Receives the lines of a transcript as they occur. Any `Fn(&TranscriptLine)` is a sink.
///
/// It is called from running commands and hooks, so it must return quickly and must not panic.
pub trait TranscriptSink: Send + Sync {
    /// Receives the next line.
    fn write(&self, line: &TranscriptLine);
}

impl<F: Fn(&TranscriptLine) + Send + Sync> TranscriptSink for F {
    fn write(&self, line: &TranscriptLine) {
        self(line);
    }
}

impl<R: TranscriptSink + ?Sized> TranscriptSink for Arc<R> {
    fn write(&self, line: &TranscriptLine) {
        (**self).write(line);
    }
}

/// A sink that keeps the lines in memory. Clones share the lines.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Arc<Mutex<Vec<TranscriptLine>>>);

impl Transcript {
    /// An empty transcript.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes and returns the lines received so far, in order.
    pub fn take(&self) -> Vec<TranscriptLine> {
        std::mem::take(&mut *lock(&self.0))
    }
}

impl TranscriptSink for Transcript {
    fn write(&self, line: &TranscriptLine) {
        lock(&self.0).push(line.clone());
    }
}

/// Which lines a [`TranscriptWriter`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranscriptContent {
    /// Every line, such as `{"ran":{…}}`.
    AllLines,
    /// Only the tool messages, such as `{"role":"tool",…}`.
    MessagesOnly,
}

/// A sink that writes each line as one line of JSON and flushes it.
///
/// After the first line that cannot be written, no further line is written. The run that is played is not affected; see
/// [`TranscriptWriter::is_broken`].
pub struct TranscriptWriter<W> {
    content: TranscriptContent,
    output: Mutex<Output<W>>,
}

struct Output<W> {
    writer: W,
    error: Option<io::Error>,
}

impl<W: Write + Send> TranscriptWriter<W> {
    /// A sink that writes to `writer`.
    pub fn new(writer: W, content: TranscriptContent) -> Self {
        Self { content, output: Mutex::new(Output { writer, error: None }) }
    }

    /// Whether a line could not be written.
    pub fn is_broken(&self) -> bool {
        lock(&self.output).error.is_some()
    }

    /// Removes and returns the error because of which a line could not be written.
    pub fn take_error(&self) -> Option<io::Error> {
        lock(&self.output).error.take()
    }
}

impl<W: Write + Send> TranscriptSink for TranscriptWriter<W> {
    fn write(&self, line: &TranscriptLine) {
        let json = match (self.content, line) {
            (TranscriptContent::AllLines, line) => serde_json::to_vec(line),
            (TranscriptContent::MessagesOnly, TranscriptLine::Answered(message)) => {
                serde_json::to_vec(message)
            }
            (TranscriptContent::MessagesOnly, _) => return,
        };
        let mut output = lock(&self.output);
        if output.error.is_none() {
            output.error = json.map_err(io::Error::from).and_then(|json| output.write(json)).err();
        }
    }
}

impl<W: Write> Output<W> {
    fn write(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        self.writer.write_all(&line)?;
        self.writer.flush()
    }
}

impl<W> fmt::Debug for TranscriptWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscriptWriter").field("content", &self.content).finish_non_exhaustive()
    }
}

/// A line is added in a single step, so a panic elsewhere leaves the data complete.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawloom::command::{AgentConsent, CommandOffer, RegistrationId};

    /// A writer that accepts a number of lines and then fails.
    struct Pipe {
        left: usize,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
            lock(&self.written).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn lines() -> Vec<TranscriptLine> {
        let offer = CommandOffer::new("a.b".into(), RegistrationId::unique(), Some(AgentConsent::AskAlways));
        let arguments = CommandArguments::new().with("n", 1);
        vec![
            TranscriptLine::Asked(PendingCall::new("c", &offer, arguments.clone())),
            TranscriptLine::Ran { command_id: "a.b".into(), arguments, person: None },
            TranscriptLine::Notified { plugin: "p".into(), capability: Capability::Automation },
            TranscriptLine::Answered(ToolMessage::new("m", "c", "done")),
            TranscriptLine::Run { run_id: "r".into(), outcome: "success".into(), message: None, code: None },
            TranscriptLine::Text("Done.".into()),
        ]
    }

    fn written(content: TranscriptContent, left: usize) -> (String, bool) {
        let text = Arc::default();
        let writer = TranscriptWriter::new(Pipe { left, written: Arc::clone(&text) }, content);
        lines().iter().for_each(|line| writer.write(line));
        let bytes = lock(&text).clone();
        (String::from_utf8(bytes).unwrap(), writer.is_broken())
    }

    #[test]
    fn each_entry_is_one_line() {
        let expected = concat!(
            r#"{"asked":{"callId":"c","commandId":"a.b","arguments":{"n":1},"agentConsent":"ask-always"}}"#,
            "\n",
            r#"{"ran":{"commandId":"a.b","arguments":{"n":1}}}"#,
            "\n",
            r#"{"notified":{"plugin":"p","capability":"automation"}}"#,
            "\n",
            r#"{"answered":{"role":"tool","id":"m","toolCallId":"c","content":"done"}}"#,
            "\n",
            r#"{"run":{"runId":"r","outcome":"success"}}"#,
            "\n",
            r#"{"text":"Done."}"#,
            "\n",
        );
        assert_eq!(written(TranscriptContent::AllLines, 9), (expected.to_owned(), false));
    }

    #[test]
    fn only_the_messages_are_written() {
        let expected = "{\"role\":\"tool\",\"id\":\"m\",\"toolCallId\":\"c\",\"content\":\"done\"}\n";
        assert_eq!(written(TranscriptContent::MessagesOnly, 9), (expected.to_owned(), false));
    }

    #[test]
    fn a_broken_pipe_is_kept_and_affects_nothing_else() {
        let (text, broken) = written(TranscriptContent::AllLines, 1);
        assert_eq!(text.lines().count(), 1);
        assert!(broken);
        let writer =
            TranscriptWriter::new(Pipe { left: 0, written: Arc::default() }, TranscriptContent::AllLines);
        lines().iter().for_each(|line| writer.write(line));
        assert_eq!(writer.take_error().unwrap().kind(), io::ErrorKind::BrokenPipe);
        assert!(!writer.is_broken());
    }

    #[test]
    fn a_transcript_keeps_the_lines_in_order() {
        let transcript = Transcript::new();
        let lines = lines();
        lines.iter().for_each(|line| transcript.clone().write(line));
        assert_eq!(transcript.take(), lines);
        assert_eq!(transcript.take(), []);
    }
}
