//! Messages in order, with an index of the messages, calls and answers, so that an event finds what it continues in
//! constant time.

use std::collections::{HashMap, HashSet};
use std::fmt;

use drawloom_ag_ui::ToolCallId;
use drawloom_ag_ui::protocol::{Content, Role};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Message, ToolCall};

/// The messages of a conversation. It is serialised, compared and printed as a list.
#[derive(Clone, Default)]
pub(super) struct Messages {
    // INVARIANT: messages are only added at the end, and ids, roles and the order of calls never change in place. Any
    // other change rebuilds the whole list.
    list: Vec<Message>,
    /// For each message of role `tool`, the message with the call that it answers.
    answered: HashMap<usize, usize>,
    /// The last message with each id.
    ids: HashMap<String, usize>,
    /// The last call with each id.
    calls: HashMap<ToolCallId, CallPlace>,
    /// The answer to each call, by the id of the call and the message with the call.
    answers: HashMap<ToolCallId, (usize, usize)>,
    /// The last message that is not of role `tool`.
    last_spoken: Option<usize>,
    /// The call that was looked up last: the events about a call follow each other.
    recent: Option<(ToolCallId, CallPlace)>,
    /// How many calls all messages contain.
    call_count: usize,
    run: RunNumber,
    /// The first run of the current request.
    request: RunNumber,
    /// How often the list was rebuilt, which invalidates positions.
    generation: u32,
}

/// A run of this process. A request may get several of them in one stream.
pub(super) type RunNumber = u32;

/// The position of a call, and its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallPlace {
    pub(super) message: usize,
    place: usize,
    /// The run in which the call occurred first.
    pub(super) run: RunNumber,
    /// Whether events announced it, rather than a snapshot.
    pub(super) is_streamed: bool,
}

/// Identifies a call in the conversation for its later answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSlot {
    message: usize,
    generation: u32,
}

/// The index of a list that is being replaced.
pub(super) struct OldIndex {
    calls: HashMap<ToolCallId, CallPlace>,
    answers: HashMap<ToolCallId, (usize, usize)>,
    request: RunNumber,
}

impl OldIndex {
    /// Whether this message contains the last call with this id, and the call belongs to the current request.
    pub(super) fn is_last_of_request(&self, call: &str, message: usize) -> bool {
        self.calls.get(call).is_some_and(|at| at.message == message && at.run >= self.request)
    }

    /// Whether this message answers the last call with this id.
    pub(super) fn is_last_answer(&self, call: &str, message: usize) -> bool {
        self.answers.get(call).is_some_and(|(made, answer)| {
            *answer == message && self.calls.get(call).is_none_or(|at| at.message == *made)
        })
    }

    pub(super) fn origins(self) -> HashMap<ToolCallId, CallPlace> {
        self.calls
    }
}

impl Messages {
    pub(super) fn list(&self) -> &[Message] {
        &self.list
    }

    /// The number of messages and calls.
    pub(super) fn size(&self) -> usize {
        self.list.len().saturating_add(self.call_count)
    }

    pub(super) fn get(&self, place: usize) -> Option<&Message> {
        self.list.get(place)
    }

    /// The position of the message with this id.
    pub(super) fn place_of(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    pub(super) fn last_spoken(&self) -> Option<usize> {
        self.last_spoken
    }

    pub(super) fn content_mut(&mut self, place: usize) -> Option<&mut Option<Content<'static>>> {
        self.list.get_mut(place).map(|message| &mut message.content)
    }

    pub(super) fn call_place(&self, id: &str) -> Option<&CallPlace> {
        self.calls.get(id)
    }

    /// The last call with this id, and its id, which is cheap to clone.
    pub(super) fn call_id(&self, id: &str) -> Option<&ToolCallId> {
        self.calls.get_key_value(id).map(|(id, _)| id)
    }

    pub(super) fn call(&self, id: &str) -> Option<&ToolCall> {
        let at = self.calls.get(id)?;
        self.list.get(at.message)?.tool_calls.get(at.place)
    }

    pub(super) fn call_mut(&mut self, id: &str) -> Option<(&ToolCallId, &mut ToolCall)> {
        if self.recent.as_ref().is_none_or(|(recent, _)| recent.as_str() != id) {
            let (id, at) = self.calls.get_key_value(id)?;
            self.recent = Some((id.clone(), *at));
        }
        let (id, at) = self.recent.as_ref()?;
        Some((id, self.list.get_mut(at.message)?.tool_calls.get_mut(at.place)?))
    }

    pub(super) fn slot(&self, id: &str) -> Option<CallSlot> {
        let message = self.calls.get(id)?.message;
        Some(CallSlot { message, generation: self.generation })
    }

    /// The answer to the last call with this id, or to one that is not in the conversation.
    pub(super) fn answer_to(&self, call: &str) -> Option<&Message> {
        let (made, answer) = *self.answers.get(call)?;
        let is_last = self.calls.get(call).is_none_or(|at| at.message == made);
        if is_last { self.list.get(answer) } else { None }
    }

    /// The last message that contains or answers this call.
    pub(super) fn last_about(&self, call: &str) -> Option<usize> {
        let made = self.calls.get(call).map(|at| at.message);
        made.max(self.answers.get(call).map(|(_, answer)| *answer))
    }

    pub(super) fn current_run(&self) -> RunNumber {
        self.run
    }

    pub(super) fn is_of_request(&self, run: RunNumber) -> bool {
        run >= self.request
    }

    /// A request begins: the calls before it belong to the history.
    pub(super) fn begin_request(&mut self) {
        self.run += 1;
        self.request = self.run;
    }

    /// Another run begins in the same stream.
    pub(super) fn begin_run(&mut self) {
        self.run += 1;
    }

    pub(super) fn push(&mut self, message: Message) {
        self.push_answering(message, None);
    }

    /// Adds an answer to the call in this slot, unless the call has an answer already.
    pub(super) fn push_answer(&mut self, answer: Message, slot: CallSlot) {
        let Some(call) = answer.answered_call() else { return };
        let Some(last) = self.calls.get(call).map(|at| at.message) else { return };
        let made = if slot.generation == self.generation { slot.message } else { last };
        let is_answered = if made == last {
            self.answer_to(call).is_some()
        } else {
            // A later call has this id too, which is rare.
            let answers = |(answer, answered): (&usize, &usize)| {
                *answered == made && self.list.get(*answer).and_then(Message::answered_call) == Some(call)
            };
            self.answered.iter().any(answers)
        };
        if !is_answered {
            self.push_answering(answer, Some(made));
        }
    }

    fn push_answering(&mut self, message: Message, made: Option<usize>) {
        let place = self.list.len();
        self.recent = None;
        self.ids.insert(message.id.as_ref().to_owned(), place);
        for (nth, call) in message.tool_calls.iter().enumerate() {
            let at = CallPlace { message: place, place: nth, run: self.run, is_streamed: false };
            self.calls.insert(ToolCallId::from(&*call.id), at);
        }
        if let Some(call) = message.answered_call() {
            let made = made.or_else(|| {
                let is_unanswered = self.answer_to(call).is_none();
                self.calls.get(call).filter(|_| is_unanswered).map(|at| at.message)
            });
            match made {
                Some(made) => {
                    self.answered.insert(place, made);
                    // A later call with this id keeps its own answer.
                    let is_newest = self.answers.get(call).is_none_or(|(other, _)| *other <= made);
                    if is_newest {
                        self.answers.insert(ToolCallId::from(call), (made, place));
                    }
                }
                None if !self.calls.contains_key(call) => {
                    self.answers.insert(ToolCallId::from(call), (place, place));
                }
                None => {}
            }
        }
        if message.role != Role::Tool {
            self.last_spoken = Some(place);
        }
        self.call_count += message.tool_calls.len();
        self.list.push(message);
    }

    /// Adds a call to a message. No message behind that may be about the same call.
    pub(super) fn add_call(&mut self, place: usize, call: ToolCall, run: RunNumber, is_streamed: bool) {
        let Some(message) = self.list.get_mut(place) else { return };
        self.recent = None;
        let at = CallPlace { message: place, place: message.tool_calls.len(), run, is_streamed };
        self.calls.insert(ToolCallId::from(&*call.id), at);
        message.tool_calls.push(call);
        self.call_count += 1;
    }

    /// Sets the origin of the last call with this id.
    pub(super) fn set_origin(&mut self, call: &str, run: RunNumber, is_streamed: bool) {
        if let Some(at) = self.calls.get_mut(call) {
            at.run = run;
            at.is_streamed = is_streamed;
        }
    }

    /// The calls without an answer, in order, each with its message.
    pub(super) fn unanswered(&self) -> Vec<(CallSlot, &ToolCall)> {
        let answered: HashSet<(usize, &str)> = self
            .answered
            .iter()
            .filter_map(|(answer, made)| Some((*made, self.list.get(*answer)?.answered_call()?)))
            .collect();
        let mut unanswered = Vec::new();
        for (place, message) in self.list.iter().enumerate() {
            // Within one message, equal ids mean one call, because only one answer is possible.
            let mut seen = HashSet::new();
            for call in &message.tool_calls {
                if !answered.contains(&(place, &*call.id)) && seen.insert(&*call.id) {
                    unanswered.push((CallSlot { message: place, generation: self.generation }, call));
                }
            }
        }
        unanswered
    }

    /// How often each of these calls is in the conversation.
    pub(super) fn counts(&self, counted: impl Fn(&str) -> bool) -> HashMap<&str, usize> {
        let mut counts = HashMap::new();
        for call in self.list.iter().flat_map(|message| &message.tool_calls) {
            if counted(&call.id) {
                *counts.entry(&*call.id).or_default() += 1;
            }
        }
        counts
    }

    /// Takes the list apart into the messages and their index.
    pub(super) fn into_parts(self) -> (Vec<Message>, OldIndex) {
        let Self { list, calls, answers, request, .. } = self;
        (list, OldIndex { calls, answers, request })
    }

    /// Removes the messages with these ids.
    pub(super) fn remove(&mut self, ids: &HashSet<String>) {
        let old = std::mem::take(self);
        self.copy_counters(&old);
        let mut moved: HashMap<usize, usize> = HashMap::new();
        for (place, message) in old.list.into_iter().enumerate() {
            if ids.contains(&*message.id) {
                continue;
            }
            moved.insert(place, self.list.len());
            let made = old.answered.get(&place).and_then(|made| moved.get(made)).copied();
            self.push_answering(message, made);
        }
        self.restore_origins(old.calls);
    }

    /// Moves each answer behind the message with its call, where backends expect it. This is done once for all answers,
    /// because moving each answer when it arrives would be quadratic.
    pub(super) fn tidy(&mut self) {
        let belongs_to = |place: usize| self.answered.get(&place).copied().unwrap_or(place);
        if (0..self.list.len()).map(belongs_to).is_sorted() {
            return;
        }
        let mut order: Vec<_> = (0..self.list.len()).map(|place| (belongs_to(place), place)).collect();
        order.sort_by_key(|(belongs, _)| *belongs);
        let old = std::mem::take(self);
        self.copy_counters(&old);
        let mut moved: HashMap<usize, usize> = HashMap::new();
        let mut list: Vec<_> = old.list.into_iter().map(Some).collect();
        for (_, place) in order {
            let Some(message) = list.get_mut(place).and_then(Option::take) else { continue };
            moved.insert(place, self.list.len());
            let made = old.answered.get(&place).and_then(|made| moved.get(made)).copied();
            self.push_answering(message, made);
        }
        self.restore_origins(old.calls);
    }

    /// Restores the origins of calls after the list was rebuilt.
    pub(super) fn restore_origins(&mut self, origins: impl IntoIterator<Item = (ToolCallId, CallPlace)>) {
        for (id, at) in origins {
            self.set_origin(id.as_str(), at.run, at.is_streamed);
        }
    }

    /// Begins a list that replaces another one.
    pub(super) fn copy_counters(&mut self, old: &Self) {
        self.run = old.run;
        self.request = old.request;
        self.generation = old.generation.wrapping_add(1);
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
