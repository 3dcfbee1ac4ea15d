//! Turns of a conversation with a live agent.
//!
//! A conversation belongs to the product and keeps every message, so a new one begins after [`TURNS`] turns.

use drawloom::client::{Client, InProcessAgent, RunAgentInput, TurnEnd, Update};
use drawloom::prelude::*;
use futures::executor::block_on;
use futures::stream;

use crate::Stage;

/// The turns of one conversation.
const TURNS: u64 = 50;

pub(crate) struct Turns {
    copilot: PluginContext,
    client: Client,
    turn: u64,
    /// How many calls were answered.
    pub(crate) answered: u64,
}

impl Turns {
    pub(crate) fn new(stage: &Stage) -> Self {
        let copilot = stage.copilot.clone();
        Self { client: client(&copilot), copilot, turn: 0, answered: 0 }
    }

    pub(crate) fn round(&mut self, turns: u64) {
        for _ in 0..turns {
            self.turn += 1;
            if self.turn.is_multiple_of(TURNS) {
                self.client = client(&self.copilot);
            }
            self.client.send_text("Please.");
            while let Some(update) = block_on(self.client.next()) {
                match update {
                    Update::Answered { message } => {
                        assert_eq!(message.error, None);
                        self.answered += 1;
                    }
                    Update::TurnEnded { end } => assert_eq!(end, TurnEnd::Completed),
                    _ => {}
                }
            }
        }
    }
}

/// A conversation with an agent that calls two tools in each turn, one of which waits for a yes.
fn client(copilot: &PluginContext) -> Client {
    let agent = InProcessAgent::new(|input: RunAgentInput| {
        let is_new = input.messages.last().is_some_and(|message| message.role.as_str() == "user");
        let at = input.messages.len();
        let chunk = |call: &str, tool: &str, delta: &str| {
            format!(
                r#"{{"type":"TOOL_CALL_CHUNK","toolCallId":"{call}{at}","toolCallName":"{tool}","delta":{delta}}}"#
            )
        };
        let calls =
            [chunk("a", "notes__open", r#""{\"path\":\"inbox\"}""#), chunk("b", "notes__delete", r#""""#)];
        let calls = calls.into_iter().filter(move |_| is_new);
        let said = format!(r#"{{"type":"TEXT_MESSAGE_CHUNK","messageId":"m{at}","delta":"Well."}}"#);
        let finished = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned();
        stream::iter(calls.chain([said, finished]).collect::<Vec<_>>())
    });
    Client::builder(agent, copilot.clone()).confirm(|_: PendingCall| async { true }).build()
}
