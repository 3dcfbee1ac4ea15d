//! One event of a stream.
//!
//! The members that every event may have are here; those of each type are in the files below. An event is read in one
//! pass: its type is known first, because agents send it first, and where they do not it is looked for.

mod call;
mod content;
mod damage;
mod kind;
mod run;

use std::borrow::Cow;
use std::fmt;

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

pub use call::{ToolCallArgs, ToolCallChunk, ToolCallEnd, ToolCallResult, ToolCallStart};
pub use content::{
    ActivityDelta, ActivitySnapshot, CustomEvent, MessagesSnapshot, RawEvent, ReasoningEncryptedValue,
    ReasoningEnd, ReasoningMessageChunk, ReasoningMessageContent, ReasoningMessageEnd, ReasoningMessageStart,
    ReasoningStart, StateDelta, StateSnapshot, TextMessageChunk, TextMessageContent, TextMessageEnd,
    TextMessageStart,
};
pub use damage::{CallEventType, Damage, DamageCause, DamagedLane, DamagedMember, DecidingMember};
pub use kind::EventKind;
pub use run::{
    RunError, RunFinished, RunStarted, StepFinished, StepStarted, SubagentError, SubagentFinished,
    SubagentStarted,
};

use super::Json;
use super::decode::{Fault, MAX_ITEMS};
use super::member::{IntoOwned, Member, write_extra};

/// One event of an AG-UI stream. It borrows from the text that it was read from.
///
/// ```
/// use drawloom_ag_ui::protocol::{Event, EventKind};
///
/// let text = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"{\"path\":","seq":7}"#;
/// let event = Event::parse(text)?;
/// let EventKind::ToolCallArgs(args) = &event.kind else { panic!("not arguments") };
/// assert_eq!((&*args.id, &*args.delta), ("call_1", "{\"path\":"));
/// assert_eq!(serde_json::to_string(&event)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// What the event says.
    pub kind: EventKind<'a>,
    /// The subagent that the event comes from, or, in the events about a subagent, the subagent. None is the agent
    /// itself: the member is absent, null, empty or blank.
    pub subagent_run_id: Option<Cow<'a, str>>,
    /// When it was sent, as the agent wrote it: in milliseconds by the protocol, in seconds by some agents.
    pub timestamp: Option<Json<'a>>,
    /// The event of the agent's framework that this one was made from.
    pub raw_event: Option<Json<'a>>,
    /// Further information.
    pub metadata: Option<Json<'a>>,
    /// Members that this version does not know, in order. Of a damaged event, all members.
    pub extra: Vec<(Cow<'a, str>, Json<'a>)>,
}

/// A text is not an event.
///
/// ```
/// let error = drawloom_ag_ui::protocol::Event::parse("[1]").unwrap_err();
/// assert_eq!(error.to_string(), "the text is not one JSON object (line 1, column 1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The text is not one JSON object.
    #[error("the text is not one JSON object (line {line}, column {column})")]
    NotAnObject {
        /// The line of the first error, from 1.
        line: usize,
        /// The column of the first error in bytes, from 1.
        column: usize,
    },
    /// The event has too many members and items to be read.
    #[error("the event has more than {MAX_ITEMS} members and list items")]
    TooManyItems,
}

impl EventError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAnObject { .. } => "not-an-object",
            Self::TooManyItems => "too-many-items",
        }
    }

    fn of(fault: Fault, text: &str) -> Self {
        let Fault::At(at) = fault else { return Self::TooManyItems };
        let before = text.as_bytes().get(..at).unwrap_or_default();
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Self::NotAnObject { line, column: at - line_start + 1 }
    }
}

impl<'a> Event<'a> {
    /// Reads one event, in one pass over its text.
    ///
    /// # Errors
    /// [`EventError`] if the text is not one JSON object, or has more than 250,000 members and list items to be taken
    /// apart. Any other object is an event, if only a damaged or an unknown one.
    pub fn parse(text: &'a str) -> Result<Self, EventError> {
        let mut event = Self::default();
        match kind::read(text, &mut event) {
            Ok(()) => Ok(event),
            Err(fault) => Err(EventError::of(fault, text)),
        }
    }

    /// An event of the agent itself that says this.
    pub fn new(kind: EventKind<'a>) -> Self {
        Self { kind, ..Self::default() }
    }

    /// The event on its own, which borrows nothing.
    pub fn into_owned(self) -> Event<'static> {
        Event {
            kind: self.kind.into_owned(),
            subagent_run_id: IntoOwned::into_owned(self.subagent_run_id),
            timestamp: IntoOwned::into_owned(self.timestamp),
            raw_event: IntoOwned::into_owned(self.raw_event),
            metadata: IntoOwned::into_owned(self.metadata),
            extra: IntoOwned::into_owned(self.extra),
        }
    }
}

/// Writes the event: its type first, then the members of its type, then the others. Null is written only where it is a
/// value. An event that was damaged is written with the members that it had.
impl Serialize for Event<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !matches!(self.kind, EventKind::Damaged(_)) {
            if !self.kind.type_name().is_empty() {
                map.serialize_entry("type", self.kind.type_name())?;
            }
            Member::write(&self.timestamp, "timestamp", &mut map)?;
            Member::write(&self.subagent_run_id, "subagentRunId", &mut map)?;
            self.kind.write_members(&mut map)?;
            Member::write(&self.raw_event, "rawEvent", &mut map)?;
            Member::write(&self.metadata, "metadata", &mut map)?;
        }
        write_extra(&self.extra, &mut map)?;
        map.end()
    }
}

// Through the raw text, which shows whether a member is repeated. serde's own buffers do not, so an event cannot be read
// from inside a flattened or tagged type.
impl<'de> Deserialize<'de> for Event<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        Event::parse(json.get()).map(Event::into_owned).map_err(serde::de::Error::custom)
    }
}

/// For a text that says which event it is, in messages.
impl fmt::Display for EventKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.type_name())
    }
}

#[cfg(test)]
mod damaged;
#[cfg(test)]
pub(crate) mod examples;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
