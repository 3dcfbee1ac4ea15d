//! The events that show what the agent says, knows and does, apart from its calls.

use std::borrow::Cow;

use crate::protocol::member::members;
use crate::protocol::{Json, Message, Role};

members! {
    /// A text message begins.
    pub struct TextMessageStart<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
        /// Who it is from; the assistant where the agent does not say.
        role: Option<Role<'a>> = "role",
        /// The name of its author.
        name: Option<Cow<'a, str>> = "name",
    }
}

members! {
    /// The next piece of a text message.
    pub struct TextMessageContent<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
        /// The piece.
        delta: Cow<'a, str> = "delta",
    }
}

members! {
    /// A text message is complete.
    pub struct TextMessageEnd<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
    }
}

members! {
    /// A text message or a part of one, in the form that needs no end.
    pub struct TextMessageChunk<'a> {
        /// The message. None in a chunk that continues the one before.
        message_id: Option<Cow<'a, str>> = "messageId",
        /// Who it is from.
        role: Option<Role<'a>> = "role",
        /// The next piece of it.
        delta: Option<Cow<'a, str>> = "delta",
        /// The name of its author.
        name: Option<Cow<'a, str>> = "name",
    }
}

members! {
    /// A span of reasoning begins; it may have several messages.
    pub struct ReasoningStart<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
    }
}

members! {
    /// A message of reasoning begins.
    pub struct ReasoningMessageStart<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
        /// The role, which is `reasoning`.
        role: Option<Role<'a>> = "role",
    }
}

members! {
    /// The next piece of a message of reasoning.
    pub struct ReasoningMessageContent<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
        /// The piece.
        delta: Cow<'a, str> = "delta",
    }
}

members! {
    /// A message of reasoning is complete.
    pub struct ReasoningMessageEnd<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
    }
}

members! {
    /// A message of reasoning or a part of one, in the form that needs no end.
    pub struct ReasoningMessageChunk<'a> {
        /// The message. None in a chunk that continues the one before.
        message_id: Option<Cow<'a, str>> = "messageId",
        /// The next piece of it.
        delta: Option<Cow<'a, str>> = "delta",
    }
}

members! {
    /// A span of reasoning ended.
    pub struct ReasoningEnd<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
    }
}

members! {
    /// Reasoning that only the provider can read, to be sent back as it is.
    pub struct ReasoningEncryptedValue<'a> {
        /// What it belongs to: `message` or `tool-call`.
        subtype: Cow<'a, str> = "subtype",
        /// The message or the call.
        entity_id: Cow<'a, str> = "entityId",
        /// The value.
        encrypted_value: Cow<'a, str> = "encryptedValue",
    }
}

members! {
    /// The conversation as the agent sees it.
    pub struct MessagesSnapshot<'a> {
        /// The messages. What is not an object with a role is left out.
        messages: Vec<Message<'a>> = "messages",
    }
}

members! {
    /// The whole state that the application and the agent share.
    pub struct StateSnapshot<'a> {
        /// The state.
        snapshot: Json<'a> = "snapshot",
    }
}

members! {
    /// A change of the shared state.
    pub struct StateDelta<'a> {
        /// A JSON Patch (RFC 6902).
        delta: Json<'a> = "delta",
    }
}

members! {
    /// The whole content of an activity message.
    pub struct ActivitySnapshot<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
        /// The kind of activity.
        activity_type: Cow<'a, str> = "activityType",
        /// The content, an object.
        content: Option<Json<'a>> = "content",
        /// Whether it replaces an existing message; it does where the agent does not say.
        replace: Option<bool> = "replace",
    }
}

members! {
    /// A change of the content of an activity message.
    pub struct ActivityDelta<'a> {
        /// The message.
        message_id: Cow<'a, str> = "messageId",
        /// The kind of activity.
        activity_type: Cow<'a, str> = "activityType",
        /// A JSON Patch (RFC 6902).
        patch: Json<'a> = "patch",
    }
}

members! {
    /// An event of the agent's framework, as it is.
    pub struct RawEvent<'a> {
        /// The event.
        event: Json<'a> = "event",
        /// Where it comes from.
        source: Option<Cow<'a, str>> = "source",
    }
}

members! {
    /// An event outside the protocol.
    pub struct CustomEvent<'a> {
        /// What it is.
        name: Cow<'a, str> = "name",
        /// What it says.
        value: Json<'a> = "value",
    }
}
