//! How a conversation grows by an agent's events. A call is known by its id, wherever its message went.

use std::collections::HashSet;
use std::mem;

use drawloom_ag_ui::ToolCallId;
use serde_json::Value;

use super::{Conversation, fresh};
use crate::wire::{Message, ToolCall};

impl Conversation {
    /// A text begins, or goes on. Whether it may: an answer that was given is whole, and no agent's to go on with.
    pub(crate) fn text(&mut self, id: &str, role: &str, delta: &str) -> bool {
        let Some(place) = self.messages.place_of(id) else {
            self.messages.push(Message::new(id, role).with_text(delta));
            return true;
        };
        if self.messages.get(place).is_some_and(|message| message.answers().is_some()) {
            return false;
        }
        match self.messages.content_mut(place) {
            Some(Some(Value::String(text))) => text.push_str(delta),
            Some(none @ None) => *none = Some(delta.into()),
            // Parts are whole, and nothing is said to go on with them.
            _ => {}
        }
        true
    }

    /// A call of the run that is going on begins, or begins again.
    pub(crate) fn call_opened(
        &mut self,
        id: &ToolCallId,
        tool: &str,
        parent: Option<&str>,
        is_of_run: impl Fn(&ToolCallId) -> bool,
    ) {
        if self.answer_to(id.as_str()).is_none()
            && let Some(call) = self.messages.call_mut(id.as_str())
        {
            tool.clone_into(&mut call.function.name);
            call.function.arguments.clear();
            return;
        }
        let message = match parent {
            Some(parent) => self.messages.place_of(parent),
            // Without a parent, calls that a run makes side by side belong together: what was answered meanwhile
            // stands between. Their message was made by the run, so one of them tells.
            None => self.messages.last_spoken().filter(|place| {
                let calls = self.messages.get(*place).and_then(|message| message.tool_calls.first());
                calls.is_some_and(|call| is_of_run(&call.id))
            }),
        };
        // A call made again stands behind the one before and its answer, or that would pass for its own.
        let before = self.messages.last_about(id.as_str());
        let message = message.filter(|place| {
            let is_assistants = self.messages.get(*place).is_some_and(|it| it.role == "assistant");
            is_assistants && before.is_none_or(|before| before < *place)
        });
        let call = ToolCall::new(id.clone(), tool, "");
        if let Some(place) = message {
            return self.messages.add_call(place, call);
        }
        let wanted = parent.unwrap_or(id.as_str());
        let is_taken = self.messages.place_of(wanted).is_some();
        let own = if is_taken { fresh("message") } else { wanted.to_owned() };
        let mut message = Message::new(own, "assistant");
        message.tool_calls.push(call);
        self.messages.push(message);
    }

    /// A piece of a call's arguments. All that a run may add is bounded, so what is kept is kept whole: arguments with a
    /// piece missing could still be JSON, of something nobody said.
    pub(crate) fn call_arguments(&mut self, id: &ToolCallId, delta: &str) {
        if let Some(call) = self.messages.call_mut(id.as_str()) {
            call.function.arguments.push_str(delta);
        }
    }

    /// A call is answered. [`Conversation::tidy`] moves the answer to its call.
    pub(crate) fn answered(&mut self, answer: Message) {
        if answer.answers().is_some_and(|call| self.answer_to(call.as_str()).is_none()) {
            self.messages.push(answer);
        }
    }

    /// The agent tells the whole conversation. What it left out of what happened here is kept: answers that were given
    /// to calls it does tell, and calls of the run that is going on.
    pub(crate) fn replaced(&mut self, told: Vec<Message>, is_of_run: impl Fn(&ToolCallId) -> bool) {
        let old = mem::take(&mut self.messages);
        for mut message in told {
            if message.id.is_empty() {
                message.id = fresh("message");
            }
            if message.answers().is_some_and(|call| self.answer_to(call.as_str()).is_some()) {
                continue;
            }
            // A call told again before it was answered is the same one, and gets one answer.
            let mut ids = HashSet::new();
            message.tool_calls.retain(|call| {
                let is_open =
                    self.call(call.id.as_str()).is_some() && self.answer_to(call.id.as_str()).is_none();
                !is_open && ids.insert(call.id.clone())
            });
            self.messages.push(message);
        }
        for mut message in old.into_list() {
            if let Some(call) = message.answers() {
                if self.call(call.as_str()).is_some() {
                    self.answered(message);
                }
                continue;
            }
            message
                .tool_calls
                .retain(|call| is_of_run(&call.id) && self.messages.last_about(call.id.as_str()).is_none());
            if message.tool_calls.is_empty() {
                continue;
            }
            let same = self.messages.place_of(&message.id);
            if let Some(place) = same
                && self.messages.get(place).is_some_and(|same| same.role == message.role)
            {
                message.tool_calls.into_iter().for_each(|call| self.messages.add_call(place, call));
                continue;
            }
            if same.is_some() {
                message.id = fresh("message");
            }
            self.messages.push(message);
        }
        self.messages.tidy();
    }
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

    fn all(_: &ToolCallId) -> bool {
        true
    }

    fn ids(conversation: &Conversation) -> Vec<&str> {
        conversation.messages().iter().map(|message| &*message.id).collect()
    }

    #[test]
    fn calls_side_by_side_share_a_message_and_their_answers_follow() {
        let mut conversation = Conversation::new();
        let (c1, c2) = (ToolCallId::from("c1"), ToolCallId::from("c2"));
        conversation.call_opened(&c1, "a", None, all);
        conversation.call_arguments(&c1, "{\"x\":");
        conversation.call_arguments(&c1, "1}");
        conversation.answered(answer("c1"));
        conversation.call_opened(&c2, "b", None, all);
        conversation.text("m2", "assistant", "And ");
        conversation.text("m2", "assistant", "so on.");
        conversation.answered(answer("c2"));
        conversation.answered(answer("c2"));
        conversation.tidy();
        assert_eq!(ids(&conversation), ["c1", "r-c1", "r-c2", "m2"]);
        assert_eq!(conversation.call("c1").unwrap().function.arguments, "{\"x\":1}");
        assert_eq!(conversation.message("m2").unwrap().text(), Some("And so on."));
        assert_eq!(conversation.unanswered().count(), 0);
    }

    #[test]
    fn a_text_goes_on_with_no_answer() {
        let mut conversation = Conversation::new();
        conversation.call_opened(&"c".into(), "a", None, all);
        conversation.answered(answer("c"));
        assert!(!conversation.text("r-c", "assistant", " it was not"));
        assert_eq!(conversation.answer_to("c").unwrap().text(), Some("done"));
    }

    #[test]
    fn what_is_compared_and_kept_is_the_list_alone() {
        let mut conversation = Conversation::new();
        conversation.call_opened(&"c".into(), "a", None, all);
        conversation.text("m", "assistant", "x");
        conversation.answered(answer("c"));
        let kept = serde_json::to_value(&conversation).unwrap();
        let mut read: Conversation = serde_json::from_value(kept.clone()).unwrap();
        assert_eq!(
            kept.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["context", "forwardedProps", "messages", "state", "threadId"]
        );
        assert_eq!(read, conversation);
        // What was read finds what it goes on with, as what was folded does.
        assert!(read.text("m", "assistant", "y"));
        assert_eq!(read.message("m").unwrap().text(), Some("xy"));
        assert_eq!(read.answer_to("c").unwrap().id, "r-c");
        assert_ne!(read, conversation);
    }

    #[test]
    fn a_snapshot_takes_no_answer_and_no_call_of_the_run_away() {
        let mut conversation = Conversation::new();
        for (call, parent) in [("c1", "m1"), ("c2", "m2"), ("c3", "m3")] {
            conversation.call_opened(&call.into(), "a", Some(parent), all);
        }
        conversation.answered(answer("c1"));
        let told = messages(json!([
            {"id": "u", "role": "user", "content": "go"},
            // The same call in a message with a new id.
            {"id": "other", "role": "assistant", "toolCalls":
                [{"id": "c1", "type": "function", "function": {"name": "a", "arguments": "{}"}}]},
        ]));
        conversation.replaced(told, |call| call.as_str() != "c3");
        assert_eq!(ids(&conversation), ["u", "other", "r-c1", "m2"]);
        assert_eq!(conversation.unanswered().map(|call| call.id.as_str()).collect::<Vec<_>>(), ["c2"]);
    }

    #[test]
    fn a_call_of_another_run_stands_on_its_own() {
        let mut conversation = Conversation::new();
        conversation.call_opened(&"c1".into(), "a", None, all);
        conversation.answered(answer("c1"));
        conversation.call_opened(&"c2".into(), "a", None, |call| call.as_str() == "c2");
        assert_eq!(ids(&conversation), ["c1", "r-c1", "c2"]);
        conversation.answered(answer("c2"));
        conversation.call_opened(&"c1".into(), "a", None, |call| call.as_str() == "c1");
        assert_eq!(conversation.unanswered().count(), 1);
        conversation.answered(answer("c1"));
        assert_eq!(conversation.unanswered().count(), 0);
    }

    #[test]
    fn a_call_made_again_is_another_one_once_it_was_answered() {
        let mut conversation = Conversation::new();
        conversation.call_opened(&"c".into(), "a", Some("m1"), all);
        conversation.call_opened(&"c".into(), "a", Some("m2"), all);
        assert_eq!(ids(&conversation), ["m1"]);
        conversation.answered(answer("c"));
        conversation.call_opened(&"c".into(), "a", Some("m2"), all);
        assert_eq!(ids(&conversation), ["m1", "r-c", "m2"]);
        assert_eq!(conversation.answer_to("c"), None);
    }

    #[test]
    fn what_is_sent_can_be_read_by_those_who_read_it() {
        let mut conversation = Conversation::new();
        conversation.text("empty", "assistant", "");
        conversation.text("m1", "assistant", "");
        conversation.call_opened(&"c".into(), "a", Some("m1"), all);
        conversation.call_arguments(&"c".into(), "{\"cut");
        let sent = serde_json::to_value(conversation.input("r").messages).unwrap();
        assert_eq!(
            sent,
            json!([{"id": "m1", "role": "assistant", "toolCalls":
                [{"id": "c", "type": "function", "function": {"name": "a", "arguments": "{}"}}]}])
        );
    }
}
