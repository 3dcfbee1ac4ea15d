//! Messages in order, and where each of them, each call and each answer stands, so that an event finds what it goes on
//! with in one step, however long the conversation is.

use std::collections::HashMap;
use std::fmt;

use drawloom_ag_ui::{ToolCallId, ToolMessage};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::wire::{Message, ToolCall};

/// The messages of a conversation. Kept, compared and shown it is a list and nothing else.
#[derive(Clone, Default)]
pub(super) struct Messages {
    // INVARIANT: messages are only added at the end, and ids, roles and the order of calls never change in place: where
    // something else is wanted, everything is made anew.
    list: Vec<Message>,
    /// The last message under each id.
    ids: HashMap<String, usize>,
    /// The last message that makes each call, and the call's place in it.
    calls: HashMap<ToolCallId, (usize, usize)>,
    /// The first message that answers each call after it was last made.
    answers: HashMap<ToolCallId, usize>,
    /// The last message that is no tool's.
    last_spoken: Option<usize>,
    /// How many calls all messages make together.
    made: usize,
}

impl Messages {
    pub(super) fn list(&self) -> &[Message] {
        &self.list
    }

    pub(super) fn size(&self) -> usize {
        self.list.len().saturating_add(self.made)
    }

    pub(super) fn into_list(self) -> Vec<Message> {
        self.list
    }

    pub(super) fn get(&self, place: usize) -> Option<&Message> {
        self.list.get(place)
    }

    /// Where the message with this id stands.
    pub(super) fn place_of(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    pub(super) fn last_spoken(&self) -> Option<usize> {
        self.last_spoken
    }

    pub(super) fn content_mut(&mut self, place: usize) -> Option<&mut Option<Value>> {
        self.list.get_mut(place).map(|message| &mut message.content)
    }

    pub(super) fn call(&self, id: &str) -> Option<&ToolCall> {
        let (message, place) = *self.calls.get(id)?;
        self.list.get(message)?.tool_calls.get(place)
    }

    pub(super) fn call_mut(&mut self, id: &str) -> Option<&mut ToolCall> {
        let (message, place) = *self.calls.get(id)?;
        self.list.get_mut(message)?.tool_calls.get_mut(place)
    }

    /// The answer to the call that was last made under this id, or to one that nobody made.
    pub(super) fn answer_to(&self, call: &str) -> Option<&Message> {
        let place = *self.answers.get(call)?;
        let is_late_enough = self.calls.get(call).is_none_or(|(made, _)| place > *made);
        if is_late_enough { self.list.get(place) } else { None }
    }

    /// The last message that has to do with this call: that makes it, or answers it.
    pub(super) fn last_about(&self, call: &str) -> Option<usize> {
        let made = self.calls.get(call).map(|(message, _)| *message);
        made.max(self.answers.get(call).copied())
    }

    pub(super) fn push(&mut self, message: Message) {
        let place = self.list.len();
        self.ids.insert(message.id.clone(), place);
        for (nth, call) in message.tool_calls.iter().enumerate() {
            self.calls.insert(call.id.clone(), (place, nth));
        }
        if let Some(call) = message.answers()
            && self.answer_to(call.as_str()).is_none()
        {
            self.answers.insert(call.clone(), place);
        }
        if message.role != "tool" {
            self.last_spoken = Some(place);
        }
        self.made += message.tool_calls.len();
        self.list.push(message);
    }

    /// Adds a call to a message. Nothing behind that may be about the same call.
    pub(super) fn add_call(&mut self, place: usize, call: ToolCall) {
        let Some(message) = self.list.get_mut(place) else { return };
        self.calls.insert(call.id.clone(), (place, message.tool_calls.len()));
        message.tool_calls.push(call);
        self.made += 1;
    }

    /// Puts answers, in the order of their places, behind the messages at these.
    pub(super) fn insert_behind(&mut self, answers: &[(usize, ToolMessage)]) {
        let mut answers = answers.iter().peekable();
        if answers.peek().is_none() {
            return;
        }
        let list = std::mem::take(self).into_list();
        for (place, message) in list.into_iter().enumerate() {
            self.push(message);
            while let Some((_, answer)) = answers.next_if(|(behind, _)| *behind == place) {
                self.push(answer.clone().into());
            }
        }
    }

    /// Moves each answer up behind the message that makes the call, where backends want it. They stand where they came
    /// until then, since moving each when it comes would move all that was said meanwhile, again and again.
    pub(super) fn tidy(&mut self) {
        let mut made_in: HashMap<&ToolCallId, usize> = HashMap::new();
        let mut belongs_to = Vec::with_capacity(self.list.len());
        for (place, message) in self.list.iter().enumerate() {
            let made = message.answers().and_then(|call| made_in.get(call));
            belongs_to.push(made.copied().unwrap_or(place));
            made_in.extend(message.tool_calls.iter().map(|call| (&call.id, place)));
        }
        if belongs_to.is_sorted() {
            return;
        }
        let list = std::mem::take(&mut self.list);
        let mut placed: Vec<_> = belongs_to.into_iter().zip(list).collect();
        placed.sort_by_key(|(place, _)| *place);
        *self = placed.into_iter().map(|(_, message)| message).collect();
    }
}

impl FromIterator<Message> for Messages {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        let mut all = Self::default();
        messages.into_iter().for_each(|message| all.push(message));
        all
    }
}

impl PartialEq for Messages {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.fmt(f)
    }
}

impl Serialize for Messages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Messages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}
