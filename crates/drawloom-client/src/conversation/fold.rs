//! Applies an agent's events to a conversation. A call is found by its id, in whichever message it is.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::mem;

use drawloom_ag_ui::ToolCallId;
use drawloom_ag_ui::protocol::{self, Content, Role};

use super::messages::{CallSlot, Messages};
use super::{Conversation, Message, ToolCall, fresh_id};

/// What an event says about a call that begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenedCall<'a> {
    pub(crate) id: &'a str,
    /// Empty if the event does not name it.
    pub(crate) tool: &'a str,
    /// The message that it belongs to.
    pub(crate) parent: Option<&'a str>,
    pub(crate) subagent: Option<&'a str>,
}

impl Conversation {
    /// Begins or continues a text. Returns false if the text may not change, because an answer is complete.
    pub(crate) fn text(&mut self, id: &str, role: &Role<'_>, delta: &str, subagent: Option<&str>) -> bool {
        let Some(place) = self.messages.place_of(id) else {
            let mut message =
                Message::new(id.to_owned(), role.clone().into_owned()).with_text(delta.to_owned());
            message.subagent_run_id = subagent.map(|id| Cow::Owned(id.to_owned()));
            self.messages.push(message);
            return true;
        };
        if self.messages.get(place).is_some_and(|message| message.answered_call().is_some()) {
            return false;
        }
        match self.messages.content_mut(place) {
            Some(Some(Content::Text(text))) => text.to_mut().push_str(delta),
            Some(none @ None) => *none = Some(Content::Text(Cow::Owned(delta.to_owned()))),
            // Content in parts is complete and cannot be continued.
            _ => {}
        }
        true
    }

    /// A call begins again: only the following events count.
    pub(crate) fn call_restarted(&mut self, opened: OpenedCall<'_>) -> bool {
        let Some((_, call)) = self.messages.call_mut(opened.id) else { return false };
        call.name = Cow::Owned(opened.tool.to_owned());
        call.arguments = Cow::Borrowed("");
        true
    }

    /// Begins a call of the current run.
    pub(crate) fn call_opened(&mut self, opened: OpenedCall<'_>) {
        let OpenedCall { id, tool, parent, subagent } = opened;
        let run = self.messages.current_run();
        let message = match parent {
            Some(parent) => self.messages.place_of(parent),
            // Calls of a run without a parent message belong to one message, even if answers arrived between them. One
            // of the calls shows that the run created the message.
            None => self.messages.last_spoken().filter(|place| {
                let message = self.messages.get(*place);
                let first = message.and_then(|message| message.tool_calls.first());
                let at = first.and_then(|call| self.messages.call_place(&call.id));
                at.is_some_and(|at| at.run == run)
                    && message.is_some_and(|message| message.subagent_run_id.as_deref() == subagent)
            }),
        };
        // A repeated call goes behind the previous call and its answer. Otherwise that answer would count as its own.
        let before = self.messages.last_about(id);
        let message = message.filter(|place| {
            let is_assistants = self.messages.get(*place).is_some_and(|it| it.role == Role::Assistant);
            is_assistants && before.is_none_or(|before| before < *place)
        });
        let call = ToolCall::new(id.to_owned(), tool.to_owned(), "");
        if let Some(place) = message {
            return self.messages.add_call(place, call, run, true);
        }
        let wanted = parent.unwrap_or(id);
        let is_taken = self.messages.place_of(wanted).is_some();
        let own = if is_taken { fresh_id("message") } else { wanted.to_owned() };
        let mut message = Message::new(own, Role::Assistant);
        message.subagent_run_id = subagent.map(|id| Cow::Owned(id.to_owned()));
        message.tool_calls.push(call);
        self.messages.push(message);
        self.messages.set_origin(id, run, true);
    }

    /// Adds a part of a call's arguments. The size of a run is limited elsewhere, so nothing is cut off here:
    /// incomplete arguments could still be valid JSON that nobody sent.
    pub(crate) fn call_arguments(&mut self, id: &str, delta: &str) -> Option<ToolCallId> {
        let (id, call) = self.messages.call_mut(id)?;
        call.arguments.to_mut().push_str(delta);
        Some(id.clone())
    }

    /// Answers the call in this slot. [`Conversation::tidy`] moves the answer to its call.
    pub(crate) fn answer_slot(&mut self, answer: Message, slot: CallSlot) {
        self.messages.push_answer(answer, slot);
    }

    /// Answers the last call with this id, unless it has an answer.
    pub(crate) fn answered(&mut self, answer: Message) {
        if answer.answered_call().is_some_and(|call| self.answer_to(call).is_none()) {
            self.messages.push(answer);
        }
    }

    /// Replaces the conversation by a snapshot of the agent. Two things that the snapshot may lack are kept: answers of
    /// this client to calls in the snapshot, and calls of the current request.
    ///
    /// `ours` are calls that this client answers and to which the snapshot contains an answer: that answer is ignored.
    pub(crate) fn replaced(&mut self, told: &[protocol::Message<'_>], ours: &HashSet<&str>) {
        let old = mem::take(&mut self.messages);
        self.messages.copy_counters(&old);
        let run = self.messages.current_run();
        let answered_here = calls_answered_here(told, &old, ours);
        for (place, message) in told.iter().enumerate() {
            let call = message.answered_call();
            if call.and_then(|call| answered_here.get(call)).is_some_and(|made| *made < place) {
                continue;
            }
            let mut message = message.clone().into_owned();
            if message.id.is_empty() {
                message.id = fresh_id("message").into();
            }
            if message.answered_call().is_some_and(|call| {
                self.messages.call_place(call).is_some() && self.answer_to(call).is_some()
            }) {
                continue;
            }
            // A call that the snapshot repeats before it was answered is the same call, and gets one answer.
            let mut ids = HashSet::new();
            message.tool_calls.retain(|call| {
                let is_unanswered =
                    self.messages.call_place(&call.id).is_some() && self.answer_to(&call.id).is_none();
                !is_unanswered && ids.insert(call.id.clone())
            });
            self.messages.push(message);
        }
        // The last call with an id is missing if the snapshot contains fewer calls with this id than before.
        let told_counts = self.messages.counts(|_| true);
        let old_counts = old.counts(|id| told_counts.contains_key(id));
        let old_counts: HashMap<String, usize> =
            old_counts.into_iter().map(|(id, count)| (id.to_owned(), count)).collect();
        let left_out: HashSet<String> = old_counts
            .iter()
            .filter(|(id, count)| told_counts.get(id.as_str()).is_some_and(|told| told < count))
            .map(|(id, _)| id.clone())
            .collect();
        let (list, index) = old.into_parts();
        let mut carried = Vec::new();
        for (place, mut message) in list.into_iter().enumerate() {
            if let Some(call) = message.answered_call() {
                // Only the answer to the last call with this id: earlier answers are in the snapshot.
                if index.is_last_answer(call, place) {
                    carried.push(message);
                }
                continue;
            }
            if message.tool_calls.is_empty() {
                continue;
            }
            message.tool_calls.retain(|call| {
                let is_of_request = index.is_last_of_request(&call.id, place);
                is_of_request && (left_out.contains(&*call.id) || !old_counts.contains_key(&*call.id))
            });
            if message.tool_calls.is_empty() {
                continue;
            }
            let same = self.messages.place_of(&message.id).filter(|place| {
                let is_behind =
                    |call: &ToolCall| self.messages.last_about(&call.id).is_none_or(|last| last < *place);
                self.messages.get(*place).is_some_and(|same| same.role == message.role)
                    && message.tool_calls.iter().all(is_behind)
            });
            if let Some(place) = same {
                for call in message.tool_calls {
                    self.messages.add_call(place, call, run, true);
                }
                continue;
            }
            if self.messages.place_of(&message.id).is_some() {
                message.id = fresh_id("message").into();
            }
            self.messages.push(message);
        }
        for answer in carried {
            let Some(call) = answer.answered_call() else { continue };
            let is_told = self.messages.call_place(call).is_some();
            if is_told && self.answer_to(call).is_none() {
                self.messages.push(answer);
            }
        }
        self.messages.restore_origins(index.origins());
        self.messages.tidy();
    }
}

/// The calls that this client answers and whose last message is in the snapshot, with the position of that message.
fn calls_answered_here<'a>(
    told: &'a [protocol::Message<'_>],
    old: &Messages,
    ours: &HashSet<&str>,
) -> HashMap<&'a str, usize> {
    if ours.is_empty() {
        return HashMap::new();
    }
    let mut calls: HashMap<&str, (usize, usize)> = HashMap::new();
    for (place, message) in told.iter().enumerate() {
        for call in message.tool_calls.iter().filter(|call| ours.contains(&*call.id)) {
            let (count, last) = calls.entry(&call.id).or_default();
            *count += 1;
            *last = place;
        }
    }
    let before = old.counts(|id| calls.contains_key(id));
    let is_told = |id: &str, count: usize| before.get(id).is_none_or(|before| count >= *before);
    calls.iter().filter(|(id, (count, _))| is_told(id, *count)).map(|(id, (_, last))| (*id, *last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn messages(value: serde_json::Value) -> Vec<Message> {
        serde_json::from_value(value).unwrap()
    }

    fn answer(call: &str) -> Message {
        drawloom_ag_ui::ToolMessage::new(format!("r-{call}"), call, "done").into()
    }

    fn open(conversation: &mut Conversation, id: &str, parent: Option<&str>) {
        conversation.call_opened(OpenedCall { id, tool: "a", parent, subagent: None });
    }

    fn says(conversation: &mut Conversation, id: &str, delta: &str) -> bool {
        conversation.text(id, &Role::Assistant, delta, None)
    }

    fn ids(conversation: &Conversation) -> Vec<&str> {
        conversation.messages().iter().map(|message| &*message.id).collect()
    }

    fn unanswered(conversation: &Conversation) -> Vec<&str> {
        conversation.unanswered().map(|call| &*call.id).collect()
    }

    #[test]
    fn calls_side_by_side_share_a_message_and_their_answers_follow() {
        let mut conversation = Conversation::new();
        open(&mut conversation, "c1", None);
        conversation.call_arguments("c1", "{\"x\":");
        conversation.call_arguments("c1", "1}");
        conversation.answered(answer("c1"));
        open(&mut conversation, "c2", None);
        says(&mut conversation, "m2", "And ");
        says(&mut conversation, "m2", "so on.");
        conversation.answered(answer("c2"));
        conversation.answered(answer("c2"));
        conversation.tidy();
        assert_eq!(ids(&conversation), ["c1", "r-c1", "r-c2", "m2"]);
        assert_eq!(conversation.call("c1").unwrap().arguments, "{\"x\":1}");
        assert_eq!(conversation.message("m2").unwrap().text(), Some("And so on."));
        assert!(unanswered(&conversation).is_empty());
    }

    #[test]
    fn a_text_never_continues_an_answer() {
        let mut conversation = Conversation::new();
        open(&mut conversation, "c", None);
        conversation.answered(answer("c"));
        assert!(!says(&mut conversation, "r-c", " it was not"));
        assert_eq!(conversation.answer_to("c").unwrap().text(), Some("done"));
    }

    #[test]
    fn what_is_compared_and_kept_is_the_list_alone() {
        let mut conversation = Conversation::new();
        open(&mut conversation, "c", None);
        says(&mut conversation, "m", "x");
        conversation.answered(answer("c"));
        let kept = serde_json::to_value(&conversation).unwrap();
        let mut read: Conversation = serde_json::from_value(kept.clone()).unwrap();
        assert_eq!(
            kept.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["context", "forwardedProps", "messages", "state", "threadId"]
        );
        assert_eq!(read, conversation);
        // A loaded conversation is continued like one that was built from events.
        assert!(says(&mut read, "m", "y"));
        assert_eq!(read.message("m").unwrap().text(), Some("xy"));
        assert_eq!(read.answer_to("c").unwrap().id, "r-c");
        assert_ne!(read, conversation);
    }

    #[test]
    fn a_snapshot_takes_no_answer_and_no_call_of_the_request_away() {
        let mut conversation = Conversation::new();
        open(&mut conversation, "c3", Some("m3"));
        conversation.begin_request();
        for (call, parent) in [("c1", "m1"), ("c2", "m2")] {
            open(&mut conversation, call, Some(parent));
        }
        conversation.answered(answer("c1"));
        let told = messages(json!([
            {"id": "u", "role": "user", "content": "go"},
            // The same call in a message with a new id.
            {"id": "other", "role": "assistant", "toolCalls":
                [{"id": "c1", "type": "function", "function": {"name": "a", "arguments": "{}"}}]},
        ]));
        conversation.replaced(&told, &HashSet::new());
        assert_eq!(ids(&conversation), ["u", "other", "r-c1", "m2"]);
        assert_eq!(unanswered(&conversation), ["c2"]);
    }

    #[test]
    fn a_snapshot_that_leaves_out_a_call_with_an_old_id_takes_neither_call_for_the_other() {
        let mut conversation = Conversation::new();
        conversation.begin_request();
        open(&mut conversation, "c", Some("m1"));
        conversation.answered(answer("c"));
        conversation.begin_request();
        open(&mut conversation, "c", Some("m2"));
        let told = messages(json!([
            {"id": "m1", "role": "assistant", "toolCalls":
                [{"id": "c", "type": "function", "function": {"name": "a", "arguments": "{}"}}]},
            {"id": "r-c", "role": "tool", "toolCallId": "c", "content": "done"},
        ]));
        conversation.replaced(&told, &HashSet::new());
        assert_eq!(ids(&conversation), ["m1", "r-c", "m2"]);
        assert_eq!(unanswered(&conversation), ["c"]);
        let slot = conversation.slot("c").unwrap();
        conversation.answer_slot(drawloom_ag_ui::ToolMessage::new("r2", "c", "again").into(), slot);
        assert_eq!(ids(&conversation), ["m1", "r-c", "m2", "r2"]);
        assert!(unanswered(&conversation).is_empty());
    }

    #[test]
    fn each_of_two_calls_with_one_id_gets_its_own_answer() {
        let mut conversation = Conversation::new();
        conversation.begin_request();
        open(&mut conversation, "c", Some("m1"));
        let first = conversation.slot("c").unwrap();
        conversation.begin_run();
        open(&mut conversation, "c", Some("m2"));
        let second = conversation.slot("c").unwrap();
        let answer = |id: &str| -> Message { drawloom_ag_ui::ToolMessage::new(id, "c", id).into() };
        conversation.answer_slot(answer("to the second"), second);
        conversation.answer_slot(answer("to the first"), first);
        conversation.answer_slot(answer("once more"), first);
        conversation.tidy();
        assert_eq!(ids(&conversation), ["m1", "to the first", "m2", "to the second"]);
        assert_eq!(conversation.answer_to("c").unwrap().id, "to the second");
        assert!(unanswered(&conversation).is_empty());
    }

    #[test]
    fn a_call_of_another_run_has_a_message_of_its_own() {
        let mut conversation = Conversation::new();
        open(&mut conversation, "c1", None);
        conversation.answered(answer("c1"));
        conversation.begin_run();
        open(&mut conversation, "c2", None);
        assert_eq!(ids(&conversation), ["c1", "r-c1", "c2"]);
        conversation.answered(answer("c2"));
        conversation.begin_run();
        open(&mut conversation, "c1", None);
        assert_eq!(unanswered(&conversation), ["c1"]);
        conversation.answered(answer("c1"));
        assert!(unanswered(&conversation).is_empty());
    }

    #[test]
    fn an_answer_can_be_taken_back() {
        let mut conversation = Conversation::new();
        open(&mut conversation, "c1", Some("m1"));
        open(&mut conversation, "c2", Some("m1"));
        conversation.answered(answer("c1"));
        conversation.answered(answer("c2"));
        conversation.withdraw(HashSet::from(["r-c1".to_owned()]));
        assert_eq!(ids(&conversation), ["m1", "r-c2"]);
        assert_eq!(unanswered(&conversation), ["c1"]);
        assert_eq!(conversation.answer_to("c2").unwrap().id, "r-c2");
    }

    #[test]
    fn what_is_sent_can_be_read_by_those_who_read_it() {
        let mut conversation = Conversation::new();
        says(&mut conversation, "empty", "");
        says(&mut conversation, "m1", "");
        open(&mut conversation, "c", Some("m1"));
        conversation.call_arguments("c", "{\"cut");
        let sent = serde_json::to_value(conversation.input("r").messages).unwrap();
        assert_eq!(
            sent,
            json!([{"id": "m1", "role": "assistant", "toolCalls":
                [{"id": "c", "type": "function", "function": {"name": "a", "arguments": "{}"}}]}])
        );
    }
}
