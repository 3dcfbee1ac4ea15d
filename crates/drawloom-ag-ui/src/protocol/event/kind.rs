//! The types of events, and reading an event as its type.

use std::borrow::Cow;

use serde::ser::SerializeMap;

use super::damage::{self, Damage, Deciding};
use super::{
    ActivityDelta, ActivitySnapshot, Common, CustomEvent, Event, MessagesSnapshot, RawEvent,
    ReasoningEncryptedValue, ReasoningEnd, ReasoningMessageChunk, ReasoningMessageContent,
    ReasoningMessageEnd, ReasoningMessageStart, ReasoningStart, RunError, RunFinished, RunStarted,
    StateDelta, StateSnapshot, StepFinished, StepStarted, SubagentError, SubagentFinished, SubagentStarted,
    TextMessageChunk, TextMessageContent, TextMessageEnd, TextMessageStart, ToolCallArgs, ToolCallChunk,
    ToolCallEnd, ToolCallResult, ToolCallStart,
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

        /// Reads the members of an event of this type. None if the event is damaged.
        fn read_as<'a>(
            kind: Cow<'a, str>,
            reader: &mut Reader<'a>,
            inside: Inside,
            has_type: bool,
        ) -> Read<Option<Event<'a>>> {
            match &*kind {
                $( $name => read_payload(EventKind::$kind, Deciding::of(kind.as_ref()), reader, inside, has_type), )*
                _ => {
                    let unknown = |Nothing| EventKind::Unknown { kind };
                    read_payload(unknown, Deciding::TYPE, reader, inside, has_type)
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

/// Reads a whole event.
pub(super) fn read(text: &str) -> Read<Event<'_>> {
    let mut reader = Reader::new(text);
    let mut inside = reader.object()?;
    if let Some(key) = reader.key(&mut inside)?
        && key == "type"
        && reader.next() == Next::Text
    {
        let kind = reader.text()?;
        if !kind.is_empty() {
            let event = read_as(kind, &mut reader, inside, true)?;
            return event.map_or_else(|| damage::read(text), Ok);
        }
    }
    let Some(kind) = find_type(text)? else { return damage::read(text) };
    let mut reader = Reader::new(text);
    let inside = reader.object()?;
    let event = read_as(kind, &mut reader, inside, false)?;
    event.map_or_else(|| damage::read(text), Ok)
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

/// Reads the members of an event whose type is known. None if one that decides about a call is damaged.
fn read_payload<'a, T: Members<'a>>(
    kind: impl FnOnce(T) -> EventKind<'a>,
    deciding: Deciding,
    reader: &mut Reader<'a>,
    mut inside: Inside,
    has_type: bool,
) -> Read<Option<Event<'a>>> {
    let mut payload = T::default();
    let mut common = Common::default();
    let mut watch = deciding.watch(has_type);
    while let Some(name) = reader.key(&mut inside)? {
        if !watch.accepts(&name, reader.next()) {
            return Ok(None);
        }
        match &*name {
            "type" => reader.skip()?,
            "timestamp" => common.timestamp = Member::read(reader)?,
            "subagentRunId" => common.subagent_run_id = read_lane(reader)?,
            "rawEvent" => common.raw_event = Member::read(reader)?,
            "metadata" => common.metadata = Member::read(reader)?,
            name_text => {
                if !payload.read_member(name_text, reader)? {
                    reader.count()?;
                    let json = reader.raw()?;
                    common.extra.push((name, json));
                    reader.take_half();
                    continue;
                }
            }
        }
        // The other half is in another event, so this one is not whole.
        if reader.take_half() && watch.reads(&name) {
            return Ok(None);
        }
    }
    reader.end()?;
    let event = common.into_event(kind(payload));
    Ok(is_complete(event))
}

/// A subagent's id; a blank one counts as absent.
fn read_lane<'a>(reader: &mut Reader<'a>) -> Read<Option<Cow<'a, str>>> {
    Ok(read_text(reader)?.filter(|id| !is_blank(id)))
}

pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The event, unless it lacks the id of its call.
fn is_complete(mut event: Event<'_>) -> Option<Event<'_>> {
    let id = match &mut event.kind {
        EventKind::ToolCallStart(start) => &start.id,
        EventKind::ToolCallArgs(args) => &args.id,
        EventKind::ToolCallEnd(end) => &end.id,
        EventKind::ToolCallResult(result) => &result.id,
        EventKind::ToolCallChunk(chunk) => {
            if chunk.id.as_deref().is_some_and(is_blank) {
                chunk.id = None;
            }
            return Some(event);
        }
        _ => return Some(event),
    };
    if is_blank(id) { None } else { Some(event) }
}
