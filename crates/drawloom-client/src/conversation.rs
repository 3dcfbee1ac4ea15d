//! The conversation: what was said, called and answered, built from an agent's events, and what of it is sent.

mod fold;
mod messages;

use std::collections::HashSet;

use drawloom_ag_ui::protocol::{self, Context, Json, Role};
use drawloom_ag_ui::{ErrorPlacement, ToolCallId, ToolMessage, result_for};
use drawloom_command::CommandOutcome;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

pub(crate) use fold::OpenedCall;
pub(crate) use messages::CallSlot;
use messages::Messages;

/// A message of a conversation.
pub type Message = protocol::Message<'static>;
/// A call that an assistant's message contains.
pub type ToolCall = protocol::ToolCall<'static>;
/// What an agent asks before it continues.
pub type Interrupt = protocol::Interrupt<'static>;

/// What is sent as the name of a call that has none, which model APIs reject.
const NAMELESS: &str = "unknown";

/// A conversation with an agent. It is data: keep it as JSON, and continue it with
/// [`ClientBuilder::conversation`](crate::ClientBuilder::conversation).
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
    /// What the product and the agent share. It is sent as it is; events about it are shown to the product, which decides.
    #[serde(default = "empty_object")]
    pub state: Value,
    /// Further information for the agent.
    #[serde(default)]
    pub context: Vec<Context>,
    /// What the product passes through to the agent's framework.
    #[serde(default = "empty_object")]
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
    /// An empty conversation under an id of its own.
    pub fn new() -> Self {
        Self::in_thread(fresh_id("thread"))
    }

    /// An empty conversation under this id.
    pub fn in_thread(id: impl Into<String>) -> Self {
        Self {
            thread_id: id.into(),
            messages: Messages::default(),
            state: empty_object(),
            context: Vec::new(),
            forwarded_props: empty_object(),
            interrupts: Vec::new(),
            last_run: None,
        }
    }

    /// Adds what the person says.
    pub fn send_text(&mut self, text: impl Into<String>) {
        self.push(Message::user(fresh_id("message"), text.into()));
    }

    /// Adds a message of any kind.
    pub fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The id that the agent knows it by.
    pub fn thread_id(&self) -> &str {
        &self.thread_id
    }

    /// What was said, in order. While a turn goes on, an answer is where it came; once the turn is over, behind the message
    /// with the call, as it is sent.
    pub fn messages(&self) -> &[Message] {
        self.messages.list()
    }

    /// The message with this id; of one that still arrives, what has come so far.
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.messages.get(self.messages.place_of(id)?)
    }

    /// The last call with this id; of one that still arrives, what has come so far.
    pub fn call(&self, id: &str) -> Option<&ToolCall> {
        self.messages.call(id)
    }

    /// The answer to the last call with this id.
    pub fn answer_to(&self, id: &str) -> Option<&Message> {
        self.messages.answer_to(id)
    }

    /// The calls that nobody has answered, in order.
    pub fn unanswered(&self) -> impl Iterator<Item = &ToolCall> {
        self.messages.unanswered().into_iter().map(|(_, call)| call)
    }

    /// Answers calls that nobody answers any more, each behind its message. Whether they ran is not known.
    pub(crate) fn answer_abandoned(&mut self, is_abandoned: impl Fn(&ToolCall) -> bool) -> Vec<ToolMessage> {
        let abandoned = self.messages.unanswered().into_iter().filter(|(_, call)| is_abandoned(call));
        let answers: Vec<_> = abandoned
            .map(|(slot, call)| {
                let message =
                    "the conversation was broken off, and the command may have done a part of its work";
                let outcome = CommandOutcome::Failed { message: message.to_owned() };
                let id = ToolCallId::from(&*call.id);
                let mut answer = result_for(id, &outcome, ErrorPlacement::ErrorAndContent);
                // Backends take a message with an id that they know for the one that they know.
                answer.id = fresh_id("result");
                (slot, answer)
            })
            .collect();
        for (slot, answer) in &answers {
            self.messages.push_answer(answer.clone().into(), *slot);
        }
        self.messages.tidy();
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

    pub(crate) fn set_last_run(&mut self, run: String) {
        self.last_run = Some(run);
    }

    /// A request is made: what happened before belongs to the history.
    pub(crate) fn begin_request(&mut self) {
        self.messages.begin_request();
    }

    /// Another run begins in the same stream.
    pub(crate) fn begin_run(&mut self) {
        self.messages.begin_run();
    }

    /// The last call with this id, for whoever is going to answer it.
    pub(crate) fn slot(&self, id: &str) -> Option<CallSlot> {
        self.messages.slot(id)
    }

    /// The id of a call in the conversation, to be cloned instead of made.
    pub(crate) fn call_id(&self, id: &str) -> ToolCallId {
        self.messages.call_id(id).cloned().unwrap_or_else(|| ToolCallId::from(id))
    }

    /// Whether events announced the last call with this id, rather than a snapshot.
    pub(crate) fn is_streamed(&self, id: &str) -> bool {
        self.messages.call_place(id).is_some_and(|at| at.is_streamed)
    }

    pub(crate) fn set_streamed(&mut self, id: &str) {
        if let Some(run) = self.messages.call_place(id).map(|at| at.run) {
            self.messages.set_origin(id, run, true);
        }
    }

    /// The unanswered calls of the request that is going on.
    pub(crate) fn unanswered_of_request(&self) -> impl Iterator<Item = &ToolCall> {
        let is_of_request = |call: &&ToolCall| {
            self.messages.call_place(&call.id).is_some_and(|at| self.messages.is_of_request(at.run))
        };
        self.unanswered().filter(is_of_request)
    }

    /// Takes back the answers with these ids.
    pub(crate) fn withdraw(&mut self, answers: HashSet<String>) {
        if !answers.is_empty() {
            self.messages.remove(&answers);
        }
    }

    /// The input of the next run, with everything that was said so far.
    pub(crate) fn input(&self, run: &str) -> protocol::RunAgentInput {
        let mut input = protocol::RunAgentInput::new(&*self.thread_id, run);
        input.parent_run_id.clone_from(&self.last_run);
        input.state = self.state.clone();
        input.context.clone_from(&self.context);
        input.forwarded_props = self.forwarded_props.clone();
        input.messages =
            self.messages().iter().filter(|message| says_something(message)).map(sendable).collect();
        input
    }

    /// Moves each answer behind the message with its call.
    pub(crate) fn tidy(&mut self) {
        self.messages.tidy();
    }
}

fn empty_object() -> Value {
    Value::Object(Map::new())
}

/// An assistant's message may be empty, as the one that only announces calls is, and model APIs reject it.
fn says_something(message: &Message) -> bool {
    message.role != Role::Assistant || !message.tool_calls.is_empty() || !is_blank(message)
}

fn is_blank(message: &Message) -> bool {
    message.content.as_ref().is_none_or(protocol::Content::is_empty)
}

/// Backends read the arguments of past calls as JSON, and fail at what is not: a call that was cut off, or had none. What
/// was wrong with it, its answer says.
fn sendable(message: &Message) -> Message {
    let mut message = message.clone();
    if message.role == Role::Assistant && !message.tool_calls.is_empty() && is_blank(&message) {
        message.content = None;
    }
    for call in &mut message.tool_calls {
        if Json::new(&call.arguments).is_err() {
            call.arguments = "{}".into();
        }
        if call.name.is_empty() {
            call.name = NAMELESS.into();
        }
    }
    message
}

/// An id that nobody has used.
pub(crate) fn fresh_id(what: &str) -> String {
    format!("{what}-{}", Uuid::new_v4())
}
