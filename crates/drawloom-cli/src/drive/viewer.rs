//! Shows each event of the agent to the output, which decides how much of it is shown.

use std::sync::Arc;
use std::time::Instant;

use drawloom::ag_ui::Event;
use drawloom::client::Frame;

use super::observed::Observer;
use crate::terminal::ConversationOutput;

pub(super) struct EventViewer<O> {
    output: Arc<O>,
    start: Instant,
}

impl<O> EventViewer<O> {
    pub(super) fn new(output: Arc<O>) -> Self {
        Self { output, start: Instant::now() }
    }
}

impl<O: ConversationOutput> Observer for EventViewer<O> {
    fn frame(&self, frame: &Frame) {
        if let Frame::Event(text) = frame
            && let Ok(event) = Event::parse(text)
        {
            self.output.event(&event, text, self.start.elapsed());
        }
    }
}
