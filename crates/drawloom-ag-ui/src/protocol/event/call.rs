//! The events of a tool call.

use std::borrow::Cow;

use crate::protocol::Content;
use crate::protocol::member::members;

members! {
    /// A call begins; its arguments follow.
    pub struct ToolCallStart<'a> {
        /// The call.
        id: Cow<'a, str> = "toolCallId",
        /// The tool that it calls. None where the agent names none: absent, null or empty.
        name: Option<Cow<'a, str>> = "toolCallName",
        /// The message that the call belongs to.
        parent_message_id: Option<Cow<'a, str>> = "parentMessageId",
    }
}

members! {
    /// The next piece of a call's arguments.
    pub struct ToolCallArgs<'a> {
        /// The call.
        id: Cow<'a, str> = "toolCallId",
        /// The piece; empty where the agent sent none.
        delta: Cow<'a, str> = "delta",
    }
}

members! {
    /// The arguments of a call are complete.
    pub struct ToolCallEnd<'a> {
        /// The call.
        id: Cow<'a, str> = "toolCallId",
    }
}

members! {
    /// A call or a part of one, in the form that needs no end.
    pub struct ToolCallChunk<'a> {
        /// The call. None in a chunk that continues the one before: absent, null, empty or blank.
        id: Option<Cow<'a, str>> = "toolCallId",
        /// The tool that it calls.
        name: Option<Cow<'a, str>> = "toolCallName",
        /// The next piece of the arguments.
        delta: Option<Cow<'a, str>> = "delta",
        /// The message that the call belongs to.
        parent_message_id: Option<Cow<'a, str>> = "parentMessageId",
    }
}

members! {
    /// The agent's own backend answered a call.
    pub struct ToolCallResult<'a> {
        /// The message that the answer is.
        message_id: Cow<'a, str> = "messageId",
        /// The call.
        id: Cow<'a, str> = "toolCallId",
        /// The answer.
        content: Content<'a> = "content",
        /// Why the tool gave no answer. The protocol does not provide for it; some agents send it.
        error: Option<Cow<'a, str>> = "error",
        /// The role of the message, which is `tool`.
        role: Option<Cow<'a, str>> = "role",
    }
}
