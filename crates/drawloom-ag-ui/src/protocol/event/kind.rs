//! The types of events, and reading an event as its type.

use std::borrow::Cow;

use serde::ser::SerializeMap;

use super::damage::{self, Damage, Deciding, DecidingMember, Watch};
use super::{
    ActivityDelta, ActivitySnapshot, CustomEvent, Event, MessagesSnapshot, RawEvent, ReasoningEncryptedValue,
    ReasoningEnd, ReasoningMessageChunk, ReasoningMessageContent, ReasoningMessageEnd, ReasoningMessageStart,
    ReasoningStart, RunError, RunFinished, RunStarted, StateDelta, StateSnapshot, StepFinished, StepStarted,
    SubagentError, SubagentFinished, SubagentStarted, TextMessageChunk, TextMessageContent, TextMessageEnd,
    TextMessageStart, ToolCallArgs, ToolCallChunk, ToolCallEnd, ToolCallResult, ToolCallStart,
};
use crate::protocol::decode::{Inside, Next, Read, Reader};
use crate::protocol::member::{IntoOwned, Member, Members, read_text};

macro_rules! kinds {
    ($( $(#[$meta:meta])* $kind:ident($payload:ident) = $name:literal, )*) => {
        /// What an event says.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum EventKind<'a> {
            $( $(#[$meta])* $kind($payload<'a>), )*
            /// An event of a type that this version does not know. Its members are in the event's `extra`.
            Unknown {
                /// The type; empty where the event has none.
                kind: Cow<'a, str>,
            },
            /// An event that may belong to a call and could not be read completely.
            Damaged(Damage<'a>),
        }

        impl EventKind<'_> {
            /// The type as the protocol spells it. Empty where the event has none, or none that can be read.
            pub fn type_name(&self) -> &str {
                match self {
                    $( Self::$kind(_) => $name, )*
                    Self::Unknown { kind } => kind,
                    Self::Damaged(damage) => damage.event_type.map_or("", |kind| kind.as_str()),
                }
            }

            /// What the event says on its own, which borrows nothing.
            pub fn into_owned(self) -> EventKind<'static> {
                match self {
                    $( Self::$kind(payload) => EventKind::$kind(payload.into_owned()), )*
                    Self::Unknown { kind } => EventKind::Unknown { kind: IntoOwned::into_owned(kind) },
                    Self::Damaged(damage) => EventKind::Damaged(damage.into_owned()),
                }
            }

            pub(super) fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                match self {
                    $( Self::$kind(payload) => payload.write_members(map), )*
                    Self::Unknown { .. } | Self::Damaged(_) => Ok(()),
                }
            }
        }

        /// Reads the members of an event of this type. Says whether the event is whole.
        fn read_as<'a>(
            event: &mut Event<'a>,
            kind: Cow<'a, str>,
            reader: &mut Reader<'a>,
            inside: Inside,
            has_type: bool,
        ) -> Read<bool> {
            match &*kind {
                $( $name => {
                    read_payload(event, EventKind::$kind, Deciding::of($name).watch(has_type), reader, inside)
                } )*
                _ => {
                    let unknown = |Nothing| EventKind::Unknown { kind };
                    read_payload(event, unknown, Deciding::TYPE.watch(has_type), reader, inside)
                }
            }
        }
    };
}

kinds! {
    /// The next piece of a call's arguments.
    ToolCallArgs(ToolCallArgs) = "TOOL_CALL_ARGS",
    /// A call begins.
    ToolCallStart(ToolCallStart) = "TOOL_CALL_START",
    /// The arguments of a call are complete.
    ToolCallEnd(ToolCallEnd) = "TOOL_CALL_END",
    /// A call or a part of one, in the form that needs no end.
    ToolCallChunk(ToolCallChunk) = "TOOL_CALL_CHUNK",
    /// The agent's own backend answered a call.
    ToolCallResult(ToolCallResult) = "TOOL_CALL_RESULT",
    /// The next piece of a text message.
    TextMessageContent(TextMessageContent) = "TEXT_MESSAGE_CONTENT",
    /// A text message begins.
    TextMessageStart(TextMessageStart) = "TEXT_MESSAGE_START",
    /// A text message is complete.
    TextMessageEnd(TextMessageEnd) = "TEXT_MESSAGE_END",
    /// A text message or a part of one, in the form that needs no end.
    TextMessageChunk(TextMessageChunk) = "TEXT_MESSAGE_CHUNK",
    /// A run begins.
    RunStarted(RunStarted) = "RUN_STARTED",
    /// A run ended, and not in an error.
    RunFinished(RunFinished) = "RUN_FINISHED",
    /// A run failed.
    RunError(RunError) = "RUN_ERROR",
    /// A step begins.
    StepStarted(StepStarted) = "STEP_STARTED",
    /// A step ended.
    StepFinished(StepFinished) = "STEP_FINISHED",
    /// The conversation as the agent sees it.
    MessagesSnapshot(MessagesSnapshot) = "MESSAGES_SNAPSHOT",
    /// The whole shared state.
    StateSnapshot(StateSnapshot) = "STATE_SNAPSHOT",
    /// A change of the shared state.
    StateDelta(StateDelta) = "STATE_DELTA",
    /// The whole content of an activity.
    ActivitySnapshot(ActivitySnapshot) = "ACTIVITY_SNAPSHOT",
    /// A change of an activity.
    ActivityDelta(ActivityDelta) = "ACTIVITY_DELTA",
    /// A span of reasoning begins.
    ReasoningStart(ReasoningStart) = "REASONING_START",
    /// A message of reasoning begins.
    ReasoningMessageStart(ReasoningMessageStart) = "REASONING_MESSAGE_START",
    /// The next piece of a message of reasoning.
    ReasoningMessageContent(ReasoningMessageContent) = "REASONING_MESSAGE_CONTENT",
    /// A message of reasoning is complete.
    ReasoningMessageEnd(ReasoningMessageEnd) = "REASONING_MESSAGE_END",
    /// A message of reasoning or a part of one, in the form that needs no end.
    ReasoningMessageChunk(ReasoningMessageChunk) = "REASONING_MESSAGE_CHUNK",
    /// A span of reasoning ended.
    ReasoningEnd(ReasoningEnd) = "REASONING_END",
    /// Reasoning that only the provider can read.
    ReasoningEncryptedValue(ReasoningEncryptedValue) = "REASONING_ENCRYPTED_VALUE",
    /// A subagent begins.
    SubagentStarted(SubagentStarted) = "SUBAGENT_STARTED",
    /// A subagent's part of the run ended.
    SubagentFinished(SubagentFinished) = "SUBAGENT_FINISHED",
    /// A subagent failed.
    SubagentError(SubagentError) = "SUBAGENT_ERROR",
    /// An event of the agent's framework.
    Raw(RawEvent) = "RAW",
    /// An event outside the protocol.
    Custom(CustomEvent) = "CUSTOM",
}

/// An event without a type.
impl Default for EventKind<'_> {
    fn default() -> Self {
        Self::Unknown { kind: Cow::Borrowed("") }
    }
}

/// An unknown event has no members of its own.
#[derive(Default)]
struct Nothing;

impl<'a> Members<'a> for Nothing {
    fn read_member(&mut self, _name: &str, _reader: &mut Reader<'a>) -> Read<bool> {
        Ok(false)
    }

    fn write_members<M: SerializeMap>(&self, _map: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

/// Reads a whole event into a default one, where it stays: an event is too large to be moved from hand to hand.
pub(super) fn read<'a>(text: &'a str, event: &mut Event<'a>) -> Read<()> {
    let mut reader = Reader::new(text);
    let mut inside = reader.object()?;
    let mut kind = None;
    if let Some(key) = reader.key(&mut inside)?
        && key == "type"
        && reader.next() == Next::Text
    {
        kind = Some(reader.text()?).filter(|kind| !kind.is_empty());
    }
    let has_type = kind.is_some();
    if !has_type {
        kind = find_type(text)?;
        reader = Reader::new(text);
        inside = reader.object()?;
    }
    let is_whole = match kind {
        Some(kind) => read_as(event, kind, &mut reader, inside, has_type)?,
        None => false,
    };
    if !is_whole {
        *event = damage::read(text)?;
    }
    Ok(())
}

/// The type of an event, wherever it is. Empty if it is absent, null or empty; None if it is not text, or if there is
/// none and a member says that the event belongs to a call.
fn find_type(text: &str) -> Read<Option<Cow<'_, str>>> {
    let mut reader = Reader::new(text);
    let mut inside = reader.object()?;
    let (mut has_id, mut has_name, mut is_about_a_call) = (false, false, false);
    while let Some(key) = reader.key(&mut inside)? {
        let seen = match &*key {
            "type" if reader.next() == Next::Null => {
                reader.skip()?;
                continue;
            }
            "type" => match read_text(&mut reader)? {
                Some(kind) if kind.is_empty() => continue,
                kind => return Ok(kind),
            },
            "toolCallId" => &mut has_id,
            "toolCallName" => &mut has_name,
            _ => {
                reader.skip()?;
                continue;
            }
        };
        let is_absent = reader.next() == Next::Null;
        let text = read_text(&mut reader)?;
        let says_nothing = is_absent || text.is_some_and(|text| is_blank(&text));
        is_about_a_call |= std::mem::replace(seen, true) || !says_nothing;
    }
    reader.end()?;
    Ok((!is_about_a_call).then_some(Cow::Borrowed("")))
}

/// Reads the members of an event whose type is known. Says whether the event is whole: no member that decides about a
/// call is damaged.
fn read_payload<'a, T: Members<'a>>(
    event: &mut Event<'a>,
    kind: impl FnOnce(T) -> EventKind<'a>,
    mut watch: Watch,
    reader: &mut Reader<'a>,
    mut inside: Inside,
) -> Read<bool> {
    let mut payload = T::default();
    while let Some(name) = reader.key(&mut inside)? {
        let member = DecidingMember::of(&name);
        let is_known = match member {
            Some(member) if !watch.accepts(member, reader.next()) => return Ok(false),
            Some(DecidingMember::Type) => reader.skip().map(|()| true)?,
            Some(DecidingMember::SubagentRunId) => {
                event.subagent_run_id = read_lane(reader)?;
                true
            }
            Some(_) => payload.read_member(&name, reader)?,
            None => payload.read_member(&name, reader)? || read_common(event, &name, reader)?,
        };
        if !is_known {
            reader.count()?;
            let json = reader.raw()?;
            event.extra.push((name, json));
            reader.take_half();
            continue;
        }
        // The other half is in another event, so this one is not whole.
        if reader.take_half() && member.is_some_and(|member| watch.reads(member)) {
            return Ok(false);
        }
    }
    reader.end()?;
    event.kind = kind(payload);
    Ok(is_complete(&mut event.kind))
}

/// Reads the value of a member that every event may have, if this is one.
fn read_common<'a>(event: &mut Event<'a>, name: &str, reader: &mut Reader<'a>) -> Read<bool> {
    match name {
        "timestamp" => event.timestamp = Member::read(reader)?,
        "rawEvent" => event.raw_event = Member::read(reader)?,
        "metadata" => event.metadata = Member::read(reader)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A subagent's id; a blank one counts as absent.
fn read_lane<'a>(reader: &mut Reader<'a>) -> Read<Option<Cow<'a, str>>> {
    Ok(read_text(reader)?.filter(|id| !is_blank(id)))
}

#[inline]
pub(super) fn is_blank(text: &str) -> bool {
    !text.as_bytes().first().is_some_and(u8::is_ascii_graphic) && text.trim().is_empty()
}

/// Whether an event does not lack the id of its call.
#[inline]
fn is_complete(kind: &mut EventKind<'_>) -> bool {
    let id = match kind {
        EventKind::ToolCallStart(start) => &start.id,
        EventKind::ToolCallArgs(args) => &args.id,
        EventKind::ToolCallEnd(end) => &end.id,
        EventKind::ToolCallResult(result) => &result.id,
        EventKind::ToolCallChunk(chunk) => {
            if chunk.id.as_deref().is_some_and(is_blank) {
                chunk.id = None;
            }
            return true;
        }
        _ => return true,
    };
    !is_blank(id)
}
