//! Playing a recorded run: the events of an agent go in, the lines of the transcript come out.

use std::fmt;
use std::sync::Arc;

use drawloom::ag_ui::recording::RecordingItem;
use drawloom::ag_ui::{CommandTools, Event, EventKind, Report, Tool, ToolMessage};

use crate::transcript::{TranscriptLine, TranscriptSink};

/// Plays the events of an agent on the workbench of a file, as one connection. The transcript goes to the sink that the
/// file was loaded with.
///
/// Calls are answered one after the other: the next event is played after the calls that the last one completed were
/// answered.
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

    /// Plays the next item of a recording: an event, or a part that cannot be read. The calls that are open when a part is
    /// lost are refused. A note changes nothing.
    pub async fn play_item(&mut self, item: &RecordingItem<'_>) {
        match item {
            RecordingItem::Event { event, .. } => self.play(event).await,
            // The player takes the answers of the person from the file.
            RecordingItem::Note { .. } => {}
            RecordingItem::Lost { problem, .. } => self.tools.frame_lost(format!("it {problem}")),
            // An item of a kind that is not known can be a lost part.
            _ => self.tools.frame_lost("it is of an unknown kind"),
        }
    }

    /// Plays one event. If the event ends a run, every call of the run that is left is answered.
    pub async fn play(&mut self, event: &Event<'_>) {
        if let Some(message) = self.tools.receive(event).await {
            self.write(message);
        }
        // The end of another run ends nothing.
        if matches!(event.kind, EventKind::RunFinished(_) | EventKind::RunError(_))
            && !self.tools.run_state().is_open
        {
            self.answer_remaining().await;
        }
    }

    /// Ends the input: every call that is left is answered.
    pub async fn finish(&mut self) {
        self.tools.end_of_stream();
        self.answer_remaining().await;
    }

    /// The next report about something in the recording that was lost or had no effect. Each is returned once.
    pub fn next_report(&mut self) -> Option<Report> {
        self.tools.next_report()
    }

    async fn answer_remaining(&mut self) {
        while let Some(message) = self.tools.flush().await {
            self.write(message);
        }
        // A call that an interrupt is bound to may have been answered before. Its line is already written.
        while self.tools.next_withdrawn().is_some() {}
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
