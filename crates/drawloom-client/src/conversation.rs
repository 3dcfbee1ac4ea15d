//! The conversation: what was said, called and answered, folded from an agent's events, and what of it is sent.

mod fold;
mod messages;

use std::borrow::Cow;
use std::collections::HashSet;

use drawloom_ag_ui::{ErrorPlacement, ToolCallId, ToolMessage, result_for};
use drawloom_command::CommandOutcome;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::wire::{Interrupt, Message, RunAgentInput, ToolCall, object};
use messages::Messages;

/// A conversation with an agent. It is data: keep it as JSON, and take it up again with
/// [`Client::with_conversation`](crate::Client::with_conversation).
///
/// ```
/// use drawloom_client::Conversation;
///
/// let mut conversation = Conversation::new();
/// conversation.send_text("Open my inbox, please.");
/// let kept = serde_json::to_string(&conversation)?;
/// assert_eq!(serde_json::from_str::<Conversation>(&kept)?, conversation);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    thread_id: String,
    messages: Messages,
    /// What product and agent share. It is sent as it is; events about it are shown to the product, which decides.
    #[serde(default = "object")]
    pub state: Value,
    /// What the product tells the agent besides.
    #[serde(default)]
    pub context: Vec<Value>,
    /// What the product hands through to the agent.
    #[serde(default = "object")]
    pub forwarded_props: Value,
    /// What the agent asked and nobody has answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    interrupts: Vec<Interrupt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_run: Option<String>,
}

impl Default for Conversation {
    fn default() -> Self {
        Self::new()
    }
}

impl Conversation {
    /// A conversation in which nothing was said, under an id of its own.
    pub fn new() -> Self {
        Self::in_thread(fresh("thread"))
    }

    /// A conversation under this id.
    pub fn in_thread(id: impl Into<String>) -> Self {
        Self {
            thread_id: id.into(),
            messages: Messages::default(),
            state: object(),
            context: Vec::new(),
            forwarded_props: object(),
            interrupts: Vec::new(),
            last_run: None,
        }
    }

    /// The person says something.
    pub fn send_text(&mut self, text: impl Into<String>) {
        self.push(Message::user(fresh("message"), text));
    }

    /// Adds a message of any kind.
    pub fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The id agents know it by.
    pub fn thread_id(&self) -> &str {
        &self.thread_id
    }

    /// What was said, in order. While a turn goes on, an answer stands where it came; once it is over, behind the
    /// message that calls, as it is sent.
    pub fn messages(&self) -> &[Message] {
        self.messages.list()
    }

    /// The message with this id: of one that is still coming, what has come so far.
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.messages.get(self.messages.place_of(id)?)
    }

    /// The call with this id: of one that is still coming, what has come so far.
    pub fn call(&self, id: &str) -> Option<&ToolCall> {
        self.messages.call(id)
    }

    /// The answer to the call with this id.
    pub fn answer_to(&self, id: &str) -> Option<&Message> {
        self.messages.answer_to(id)
    }

    /// The calls nobody has answered, in order.
    pub fn unanswered(&self) -> impl Iterator<Item = &ToolCall> {
        self.unanswered_in_place().into_iter().map(|(_, call)| call)
    }

    /// The calls nobody has answered, in order, each with the place of the message that makes it.
    fn unanswered_in_place(&self) -> Vec<(usize, &ToolCall)> {
        // From behind, so that an id made use of again is answered by what came after it. Within one message an id is
        // one call's, however often it stands there: it could not have two answers.
        let mut answered = HashSet::new();
        let mut unanswered = Vec::new();
        for (place, message) in self.messages().iter().enumerate().rev() {
            answered.extend(message.answers());
            let calls = message.tool_calls.iter().rev();
            unanswered.extend(calls.filter(|call| answered.insert(&call.id)).map(|call| (place, call)));
            for call in &message.tool_calls {
                answered.remove(&call.id);
            }
        }
        unanswered.reverse();
        unanswered
    }

    /// Answers calls that nobody answers any more, each behind the message that makes it. Whether they ran is not known.
    pub(crate) fn answer_what_was_lost(&mut self, is_lost: impl Fn(&ToolCall) -> bool) -> Vec<ToolMessage> {
        let lost = self.unanswered_in_place().into_iter().filter(|(_, call)| is_lost(call));
        let answers: Vec<_> = lost
            .map(|(place, call)| {
                let message = "the conversation was broken off, and it may have done a part of its work";
                (place, answer_to(call.id.clone(), &CommandOutcome::Failed { message: message.to_owned() }))
            })
            .collect();
        self.messages.insert_behind(&answers);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    /// What the agent asked and nobody has answered.
    pub fn interrupts(&self) -> &[Interrupt] {
        &self.interrupts
    }

    /// How many messages and calls there are: what it takes to go through all of it.
    pub(crate) fn size(&self) -> usize {
        self.messages.size()
    }

    pub(crate) fn set_interrupts(&mut self, interrupts: Vec<Interrupt>) {
        self.interrupts = interrupts;
    }

    pub(crate) fn ran(&mut self, run: String) {
        self.last_run = Some(run);
    }

    /// The input of the next run, in which everything said so far is.
    pub(crate) fn input(&self, run: &str) -> RunAgentInput {
        let mut input = RunAgentInput::new(&*self.thread_id, run);
        input.parent_run_id.clone_from(&self.last_run);
        input.state = self.state.clone();
        input.context.clone_from(&self.context);
        input.forwarded_props = self.forwarded_props.clone();
        input.messages =
            self.messages().iter().filter(|message| says_something(message)).map(sendable).collect();
        input
    }

    /// Puts each answer behind the message that calls.
    pub(crate) fn tidy(&mut self) {
        self.messages.tidy();
    }
}

/// An assistant's message may come out empty, as the one that merely announces calls does, and model APIs reject it.
fn says_something(message: &Message) -> bool {
    message.role != "assistant" || !message.tool_calls.is_empty() || !is_blank(message)
}

fn is_blank(message: &Message) -> bool {
    message.content.as_ref().is_none_or(|content| content == "")
}

/// Backends read the arguments of past calls as JSON, and fall over what is none: a call that was cut off, or carried
/// nothing. What was wrong with it, its answer says.
fn sendable(message: &Message) -> Message {
    let mut message = message.clone();
    if message.role == "assistant" && !message.tool_calls.is_empty() && is_blank(&message) {
        message.content = None;
    }
    for call in &mut message.tool_calls {
        let arguments = &mut call.function.arguments;
        if serde_json::from_str::<IgnoredAny>(arguments).is_err() {
            "{}".clone_into(arguments);
        }
    }
    message
}

/// An id nobody has used.
pub(crate) fn fresh(what: &str) -> String {
    format!("{what}-{}", Uuid::new_v4())
}

/// An answer given here to a call. Its id is its own even where the call's is made use of again: backends take a message
/// under an id they know for the one they know.
pub(crate) fn answer_to(call: ToolCallId, outcome: &CommandOutcome) -> ToolMessage {
    let mut message = result_for(call, outcome, ErrorPlacement::ErrorAndContent);
    message.id = fresh("result");
    message
}

/// A call's id as the adapter's events have it.
pub(crate) fn borrowed(id: &ToolCallId) -> Cow<'_, str> {
    Cow::Borrowed(id.as_str())
}
