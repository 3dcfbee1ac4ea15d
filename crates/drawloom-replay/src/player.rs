//! Playing a recorded run: the events of an agent go in, the lines of the transcript come out.

use std::fmt;
use std::sync::Arc;

use drawloom::ag_ui::{CommandTools, Event, EventKind, Report, Tool, ToolMessage};

use crate::transcript::{TranscriptLine, TranscriptSink};

/// Plays the events of an agent on the workbench of a file, as one connection. The transcript goes to the sink that the
/// file was loaded with.
pub struct Player {
    tools: CommandTools,
    sink: Arc<dyn TranscriptSink>,
}

impl Player {
    pub(crate) fn new(tools: CommandTools, sink: Arc<dyn TranscriptSink>) -> Self {
        Self { tools, sink }
    }

    /// The tools that the agent is offered at this moment.
    pub fn tools(&self) -> Vec<Tool> {
        self.tools.list()
    }

    /// Plays one event. If the event ends a run, every call of the run that is left is answered.
    pub async fn play(&mut self, event: &Event<'_>) {
        if let Some(message) = self.tools.receive(event).await {
            self.write(message);
        }
        if matches!(event.kind, EventKind::RunFinished(_) | EventKind::RunError(_)) {
            self.answer_the_rest().await;
        }
    }

    /// Takes note that a line could not be read. The calls that are open do not run.
    pub fn frame_lost(&mut self, problem: impl Into<String>) {
        self.tools.frame_lost(problem);
    }

    /// The next loss that the caller was not told of.
    pub fn next_report(&mut self) -> Option<Report> {
        self.tools.next_report()
    }

    /// Ends the input: every call that is left is answered.
    pub async fn finish(&mut self) {
        self.tools.end_of_stream();
        self.answer_the_rest().await;
    }

    async fn answer_the_rest(&mut self) {
        while let Some(message) = self.tools.flush().await {
            self.write(message);
        }
    }

    fn write(&self, message: ToolMessage) {
        self.sink.write(&TranscriptLine::Answered(message));
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("tools", &self.tools).finish_non_exhaustive()
    }
}
