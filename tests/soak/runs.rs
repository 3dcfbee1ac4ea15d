//! Runs of an agent, all through one [`CommandTools`] and without a turn ever declared.

use drawloom::ag_ui::{CommandTools, Event};
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::Stage;

pub(crate) struct Runs {
    tools: CommandTools,
    run: u64,
    /// How many events were read.
    pub(crate) events: u64,
    /// How many calls were answered.
    pub(crate) answered: u64,
}

impl Runs {
    pub(crate) fn new(stage: &Stage) -> Self {
        Self { tools: CommandTools::builder(stage.copilot.clone()).build(), run: 0, events: 0, answered: 0 }
    }

    /// Plays so many runs of four calls: one that runs, one that is never closed, one to a tool that is not offered, and
    /// one that an interrupt asks about. Every tenth run loses a frame, and every hundredth is never ended.
    pub(crate) fn round(&mut self, runs: u64) {
        for _ in 0..runs {
            self.run += 1;
            let run = self.run;
            let id = |call: &str| format!("{call}-{run}");
            self.event(json!({"type": "RUN_STARTED", "threadId": "t", "runId": run.to_string()}));
            for (call, tool) in
                [("a", "notes__open"), ("b", "notes__open"), ("c", "nothing"), ("d", "notes__delete")]
            {
                self.event(json!({"type": "TOOL_CALL_START", "toolCallId": id(call), "toolCallName": tool}));
                self.event(
                    json!({"type": "TOOL_CALL_ARGS", "toolCallId": id(call), "delta": r#"{"path":"a"}"#}),
                );
            }
            self.event(json!({"type": "TOOL_CALL_END", "toolCallId": id("a")}));
            self.event(json!({"type": "TOOL_CALL_END", "toolCallId": id("c")}));
            self.event(
                json!({"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": id("x"), "content": "x"}),
            );
            if run.is_multiple_of(10) {
                self.tools.frame_lost("cut off");
            }
            self.event(json!({"type": "MESSAGES_SNAPSHOT", "messages": [
                {"id": "m", "role": "tool", "toolCallId": id("a"), "content": "x"}]}));
            if !run.is_multiple_of(100) {
                self.event(json!({"type": "RUN_FINISHED", "threadId": "t", "runId": run.to_string(), "outcome":
                    {"type": "interrupt", "interrupts": [{"id": id("i"), "reason": "x", "toolCallId": id("d")}]}}));
            }
            while block_on(self.tools.flush()).is_some() {
                self.answered += 1;
            }
            while self.tools.next_report().is_some() {}
            while self.tools.next_withdrawn().is_some() {}
        }
    }

    fn event(&mut self, event: Value) {
        let text = event.to_string();
        self.events += 1;
        self.answered += u64::from(block_on(self.tools.receive(&Event::parse(&text).unwrap())).is_some());
    }
}
