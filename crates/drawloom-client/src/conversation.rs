//! The conversation: messages, calls and answers, built from the events of an agent, and the input of the next run.

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

/// A message of a conversation: the owned form of the type in `drawloom_ag_ui::protocol`.
pub type Message = protocol::Message<'static>;
/// A call in a message of an assistant: the owned form of the type in `drawloom_ag_ui::protocol`.
pub type ToolCall = protocol::ToolCall<'static>;
/// A question that an agent asks before it continues: the owned form of the type in `drawloom_ag_ui::protocol`.
pub type Interrupt = protocol::Interrupt<'static>;

/// The name that is sent for a call without a name, because model APIs reject an empty name.
const NAMELESS: &str = "unknown";

/// A conversation with an agent. It is plain data: store it as JSON, and continue it with
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
    /// The state that the application and the agent share. It is sent unchanged. Events about it are shown as updates;
    /// the application decides what to do with them.
    #[serde(default = "empty_object")]
    pub state: Value,
    /// Further information for the agent.
    #[serde(default)]
    pub context: Vec<Context>,
    /// Properties that are passed to the framework of the agent.
    #[serde(default = "empty_object")]
    pub forwarded_props: Value,
    /// The open questions of the agent.
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
    /// An empty conversation with a new id.
    pub fn new() -> Self {
        Self::in_thread(fresh_id("thread"))
    }

    /// An empty conversation with this id.
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

    /// Adds a message of the user.
    pub fn send_text(&mut self, text: impl Into<String>) {
        self.push(Message::user(fresh_id("message"), text.into()));
    }

    /// Adds a message of any kind.
    pub fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The id that is sent to the agent.
    pub fn thread_id(&self) -> &str {
        &self.thread_id
    }

    /// The messages in order. During a turn, an answer is at the place where it arrived. After the turn, it follows the
    /// message with its call, as it is sent.
    pub fn messages(&self) -> &[Message] {
        self.messages.list()
    }

    /// The message with this id. If it is still arriving, the part that has arrived.
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.messages.get(self.messages.place_of(id)?)
    }

    /// The last call with this id. If it is still arriving, the part that has arrived.
    pub fn call(&self, id: &str) -> Option<&ToolCall> {
        self.messages.call(id)
    }

    /// The answer to the last call with this id.
    pub fn answer_to(&self, id: &str) -> Option<&Message> {
        self.messages.answer_to(id)
    }

    /// The calls without an answer, in order.
    pub fn unanswered(&self) -> impl Iterator<Item = &ToolCall> {
        self.messages.unanswered().into_iter().map(|(_, call)| call)
    }

    /// Answers calls that will get no other answer, each behind its message. It is not known whether they ran.
    pub(crate) fn answer_abandoned(&mut self, is_abandoned: impl Fn(&ToolCall) -> bool) -> Vec<ToolMessage> {
        let abandoned = self.messages.unanswered().into_iter().filter(|(_, call)| is_abandoned(call));
        let answers: Vec<_> = abandoned
            .map(|(slot, call)| {
                let message =
                    "the conversation was stopped, and the command may have done a part of its work";
                let outcome = CommandOutcome::failed(message);
                let id = ToolCallId::from(&*call.id);
                let mut answer = result_for(id, &outcome, ErrorPlacement::ErrorAndContent);
                // Backends treat a message with a known id as the message that they already have.
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

    /// The number of messages and calls: the cost of going through the whole conversation.
    pub(crate) fn size(&self) -> usize {
        self.messages.size()
    }

    pub(crate) fn set_interrupts(&mut self, interrupts: Vec<Interrupt>) {
        self.interrupts = interrupts;
    }

    pub(crate) fn set_last_run(&mut self, run: String) {
        self.last_run = Some(run);
    }

    /// A request begins: everything before it belongs to the history.
    pub(crate) fn begin_request(&mut self) {
        self.messages.begin_request();
    }

    /// Another run begins in the same stream.
    pub(crate) fn begin_run(&mut self) {
        self.messages.begin_run();
    }

    /// The slot of the last call with this id, for its answer.
    pub(crate) fn slot(&self, id: &str) -> Option<CallSlot> {
        self.messages.slot(id)
    }

    /// The id of a call in the conversation, which is cheap to clone.
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

    /// The unanswered calls of the current request.
    pub(crate) fn unanswered_of_request(&self) -> impl Iterator<Item = &ToolCall> {
        let is_of_request = |call: &&ToolCall| {
            self.messages.call_place(&call.id).is_some_and(|at| self.messages.is_of_request(at.run))
        };
        self.unanswered().filter(is_of_request)
    }

    /// Removes the answers with these ids.
    pub(crate) fn withdraw(&mut self, answers: HashSet<String>) {
        if !answers.is_empty() {
            self.messages.remove(&answers);
        }
    }

    /// The input of the next run, with the whole conversation.
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

/// Leaves empty messages of an assistant out, because model APIs reject them. A message that only announces calls is
/// empty, for example.
fn says_something(message: &Message) -> bool {
    message.role != Role::Assistant || !message.tool_calls.is_empty() || !is_blank(message)
}

fn is_blank(message: &Message) -> bool {
    message.content.as_ref().is_none_or(protocol::Content::is_empty)
}

/// Backends parse the arguments of past calls as JSON and fail if they are not JSON, as those of a call that was cut
/// off or had none. The answer to the call says what was wrong.
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

/// A new unique id.
pub(crate) fn fresh_id(what: &str) -> String {
    format!("{what}-{}", Uuid::new_v4())
}
