//! How a conversation grows by an agent's events. A call is known by its id, wherever its message went.

use std::collections::HashSet;
use std::mem;

use drawloom_ag_ui::{AssemblerLimits, ToolCallId};

use super::{Conversation, fresh};
use crate::wire::{Message, ToolCall};

impl Conversation {
    /// A text begins, or goes on.
    pub(crate) fn text(&mut self, id: &str, role: &str, delta: &str) {
        let place = self.messages.iter().rposition(|message| message.id == id);
        let place = place.unwrap_or_else(|| {
            self.messages.push(Message::new(id, role).with_text(""));
            self.messages.len() - 1
        });
        let Some(message) = self.messages.get_mut(place) else { return };
        match &mut message.content {
            Some(serde_json::Value::String(text)) => text.push_str(delta),
            None => message.content = Some(delta.into()),
            // Parts are whole, and nothing is said to go on with them.
            Some(_) => {}
        }
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
            && let Some(call) = self.call_mut(id)
        {
            tool.clone_into(&mut call.function.name);
            call.function.arguments.clear();
            return;
        }
        let is_in = |message: &Message| message.tool_calls.iter().any(|call| call.id == *id);
        let message = match parent {
            Some(parent) => {
                let mut messages = self.messages.iter_mut().rev();
                messages.find(|it| it.id == parent && it.role == "assistant" && !is_in(it))
            }
            // Without a parent, calls that a run makes side by side belong together: what was answered meanwhile
            // stands between.
            None => self.messages.iter_mut().rev().find(|it| it.role != "tool").filter(|it| {
                let calls = &it.tool_calls;
                !calls.is_empty() && !is_in(it) && calls.iter().all(|call| is_of_run(&call.id))
            }),
        };
        let call = ToolCall::new(id.clone(), tool, "");
        if let Some(message) = message {
            message.tool_calls.push(call);
            return;
        }
        let wanted = parent.unwrap_or(id.as_str());
        let is_taken = self.messages.iter().any(|message| message.id == wanted);
        let own = if is_taken { fresh("message") } else { wanted.to_owned() };
        let mut message = Message::new(own, "assistant");
        message.tool_calls.push(call);
        self.messages.push(message);
    }

    /// A piece of a call's arguments. No more is kept than a call may carry.
    pub(crate) fn call_arguments(&mut self, id: &ToolCallId, delta: &str) {
        let limit = AssemblerLimits::default().argument_bytes;
        if let Some(call) = self.call_mut(id)
            && call.function.arguments.len().saturating_add(delta.len()) <= limit
        {
            call.function.arguments.push_str(delta);
        }
    }

    /// A call is answered: the answer stands behind the message that calls, before whatever was said since.
    pub(crate) fn answered(&mut self, answer: Message) {
        let Some(id) = answer.answers() else { return };
        if self.answer_to(id.as_str()).is_some() {
            return;
        }
        let after_call = self.place_of_call(id.as_str()).map_or(self.messages.len(), |place| place + 1);
        let answers = self.messages.iter().skip(after_call).take_while(|it| it.answers().is_some()).count();
        self.messages.insert(after_call + answers, answer);
    }

    /// The agent tells the whole conversation. What it left out of what happened here is kept: answers that were given
    /// to calls it does tell, and calls of the run that is going on.
    pub(crate) fn replaced(&mut self, told: Vec<Message>, is_of_run: impl Fn(&ToolCallId) -> bool) {
        let old = mem::replace(&mut self.messages, told);
        for message in &mut self.messages {
            if message.id.is_empty() {
                message.id = fresh("message");
            }
        }
        let mut known: HashSet<ToolCallId> = HashSet::new();
        let mut answered: HashSet<ToolCallId> = HashSet::new();
        for message in &self.messages {
            known.extend(message.tool_calls.iter().map(|call| call.id.clone()));
            answered.extend(message.answers().cloned());
        }
        for mut message in old {
            if let Some(call) = message.answers() {
                if known.contains(call) && answered.insert(call.clone()) {
                    self.answered(message);
                }
                continue;
            }
            message.tool_calls.retain(|call| is_of_run(&call.id) && !known.contains(&call.id));
            if message.tool_calls.is_empty() {
                continue;
            }
            known.extend(message.tool_calls.iter().map(|call| call.id.clone()));
            match self.messages.iter_mut().find(|it| it.id == message.id) {
                Some(same) => same.tool_calls.append(&mut message.tool_calls),
                None => self.messages.push(message),
            }
        }
    }

    fn call_mut(&mut self, id: &ToolCallId) -> Option<&mut ToolCall> {
        let place = self.place_of_call(id.as_str())?;
        self.messages.get_mut(place)?.tool_calls.iter_mut().find(|call| call.id == *id)
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
        assert_eq!(ids(&conversation), ["c1", "r-c1", "r-c2", "m2"]);
        assert_eq!(conversation.call("c1").unwrap().function.arguments, "{\"x\":1}");
        assert_eq!(conversation.message("m2").unwrap().text(), Some("And so on."));
        assert_eq!(conversation.unanswered().count(), 0);
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
