//! What happens while a run is played or an agent is driven: the steps, and who writes them down.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use drawloom::ag_ui::ToolMessage;
use drawloom::command::{CommandArguments, CommandId, PendingCall, PluginId};
use drawloom::workbench::Capability;
use serde::Serialize;

/// One step of a run. Serialised, it is one line of a transcript.
///
/// ```
/// use drawloom::command::CommandArguments;
/// use drawloom_replay::Step;
///
/// let step = Step::Ran {
///     command_id: "notes.open".into(),
///     arguments: CommandArguments::new().with("path", "inbox"),
/// };
/// assert_eq!(
///     serde_json::to_string(&step)?,
///     r#"{"ran":{"commandId":"notes.open","arguments":{"path":"inbox"}}}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Step {
    /// The person was asked about a call.
    Asked(PendingCall),
    /// A command began to run.
    Ran {
        /// The command.
        command_id: CommandId,
        /// What it was given.
        arguments: CommandArguments,
    },
    /// The person was told that a plugin lacks a grant.
    Notified {
        /// The plugin.
        plugin: PluginId,
        /// What it lacks.
        capability: Capability,
    },
    /// A call was answered.
    Answered(ToolMessage),
    /// A run of a live agent is over.
    Run {
        /// The run.
        run_id: String,
        /// How it ended, in a word: `success`, `interrupt`, `cancelled`, `error`, `unknown`.
        outcome: String,
    },
    /// A live agent said this: the whole text of a message.
    Text(String),
}

/// Writes down what happens, as it happens. A closure that takes a [`Step`] is one.
///
/// It is called where the step is taken, within a command that runs among others, so it is quick and does not panic.
pub trait Recorder: Send + Sync {
    /// Takes the next step.
    fn record(&self, step: &Step);
}

impl<F: Fn(&Step) + Send + Sync> Recorder for F {
    fn record(&self, step: &Step) {
        self(step);
    }
}

impl<R: Recorder + ?Sized> Recorder for Arc<R> {
    fn record(&self, step: &Step) {
        (**self).record(step);
    }
}

/// A recorder that keeps the steps. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Arc<Mutex<Vec<Step>>>);

impl Transcript {
    /// A transcript without steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes out the steps so far, in order.
    pub fn take(&self) -> Vec<Step> {
        std::mem::take(&mut *lock(&self.0))
    }
}

impl Recorder for Transcript {
    fn record(&self, step: &Step) {
        lock(&self.0).push(step.clone());
    }
}

/// Which steps a [`TranscriptWriter`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Every step: `{"ran":{…}}`.
    Steps,
    /// The messages that answer calls, as they are: `{"role":"tool",…}`.
    Messages,
}

/// A recorder that writes one JSON line for each step, and flushes it: whoever reads along is never behind.
///
/// The first line that cannot be written is the last that is tried. Nothing else is disturbed by it; ask
/// [`TranscriptWriter::is_broken`] whether to go on.
pub struct TranscriptWriter<W> {
    lines: Lines,
    output: Mutex<Output<W>>,
}

struct Output<W> {
    writer: W,
    error: Option<io::Error>,
}

impl<W: Write + Send> TranscriptWriter<W> {
    /// A recorder that writes these steps to `writer`.
    pub fn new(writer: W, lines: Lines) -> Self {
        Self { lines, output: Mutex::new(Output { writer, error: None }) }
    }

    /// Whether a line could not be written.
    pub fn is_broken(&self) -> bool {
        lock(&self.output).error.is_some()
    }

    /// Takes out why a line could not be written.
    pub fn take_error(&self) -> Option<io::Error> {
        lock(&self.output).error.take()
    }
}

impl<W: Write + Send> Recorder for TranscriptWriter<W> {
    fn record(&self, step: &Step) {
        let line = match (self.lines, step) {
            (Lines::Steps, step) => serde_json::to_vec(step),
            (Lines::Messages, Step::Answered(message)) => serde_json::to_vec(message),
            (Lines::Messages, _) => return,
        };
        let mut output = lock(&self.output);
        if output.error.is_none() {
            output.error = line.map_err(io::Error::from).and_then(|line| output.write(line)).err();
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
        f.debug_struct("TranscriptWriter").field("lines", &self.lines).finish_non_exhaustive()
    }
}

/// What a panic left behind is whole: a line is added, or is not.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawloom::command::{AgentConsent, CommandOffer, RegistrationId};

    /// A writer that takes a number of lines and then no more.
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

    fn steps() -> Vec<Step> {
        let offer = CommandOffer::new("a.b".into(), RegistrationId::unique(), Some(AgentConsent::AskAlways));
        let arguments = CommandArguments::new().with("n", 1);
        vec![
            Step::Asked(PendingCall::new("c", &offer, arguments.clone())),
            Step::Ran { command_id: "a.b".into(), arguments },
            Step::Notified { plugin: "p".into(), capability: Capability::Automation },
            Step::Answered(ToolMessage::new("m", "c", "done")),
            Step::Run { run_id: "r".into(), outcome: "success".into() },
            Step::Text("Done.".into()),
        ]
    }

    fn written(lines: Lines, left: usize) -> (String, bool) {
        let text = Arc::default();
        let writer = TranscriptWriter::new(Pipe { left, written: Arc::clone(&text) }, lines);
        steps().iter().for_each(|step| writer.record(step));
        let bytes = lock(&text).clone();
        (String::from_utf8(bytes).unwrap(), writer.is_broken())
    }

    #[test]
    fn each_step_is_one_line() {
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
        assert_eq!(written(Lines::Steps, 9), (expected.to_owned(), false));
    }

    #[test]
    fn messages_alone_are_written_as_they_are() {
        let expected = "{\"role\":\"tool\",\"id\":\"m\",\"toolCallId\":\"c\",\"content\":\"done\"}\n";
        assert_eq!(written(Lines::Messages, 9), (expected.to_owned(), false));
    }

    #[test]
    fn a_broken_pipe_is_kept_and_disturbs_nothing() {
        let (text, broken) = written(Lines::Steps, 1);
        assert_eq!(text.lines().count(), 1);
        assert!(broken);
        let writer = TranscriptWriter::new(Pipe { left: 0, written: Arc::default() }, Lines::Steps);
        steps().iter().for_each(|step| writer.record(step));
        assert_eq!(writer.take_error().unwrap().kind(), io::ErrorKind::BrokenPipe);
        assert!(!writer.is_broken());
    }

    #[test]
    fn a_transcript_keeps_the_steps_in_order() {
        let transcript = Transcript::new();
        let steps = steps();
        steps.iter().for_each(|step| transcript.clone().record(step));
        assert_eq!(transcript.take(), steps);
        assert_eq!(transcript.take(), []);
    }
}
