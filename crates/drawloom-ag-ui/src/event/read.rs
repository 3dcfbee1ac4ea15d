//! Reading an event member by member, in one pass and whatever the order.
//!
//! A member is read only where the event's type, if it is already known, calls for it; everything else is skipped
//! without being built. Skipping is serde_json's `IgnoredAny`, which does not recurse, so depth costs no stack.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};

use super::lenient::{Key, Lenient, item, skip_value, value};
use super::{Event, RunOutcome};

/// The types of events that are read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    RunStarted,
    RunFinished,
    RunError,
    Start,
    Args,
    End,
    Chunk,
    Result,
    Snapshot,
    #[default]
    Other,
}

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        match name {
            "TOOL_CALL_ARGS" => Self::Args,
            "TOOL_CALL_START" => Self::Start,
            "TOOL_CALL_END" => Self::End,
            "TOOL_CALL_CHUNK" => Self::Chunk,
            "TOOL_CALL_RESULT" => Self::Result,
            "RUN_STARTED" => Self::RunStarted,
            "RUN_FINISHED" => Self::RunFinished,
            "RUN_ERROR" => Self::RunError,
            "MESSAGES_SNAPSHOT" => Self::Snapshot,
            _ => Self::Other,
        }
    }

    /// Whether this member of an event of this type is read.
    fn reads(self, member: Member) -> bool {
        match member {
            Member::Type => true,
            Member::Id => matches!(self, Self::Start | Self::Args | Self::End | Self::Chunk | Self::Result),
            Member::Name => matches!(self, Self::Start | Self::Chunk),
            Member::Delta => matches!(self, Self::Args | Self::Chunk),
            Member::ThreadId | Member::RunId => self == Self::RunStarted,
            Member::Outcome => self == Self::RunFinished,
            Member::Messages => self == Self::Snapshot,
            Member::Unknown => false,
        }
    }
}

impl<'de> Lenient<'de> for Kind {
    fn from_text(text: Cow<'de, str>) -> Self {
        Self::of(&text)
    }
}

/// The members of an event that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    Type,
    Id,
    Name,
    Delta,
    ThreadId,
    RunId,
    Outcome,
    Messages,
    Unknown,
}

impl Member {
    pub(super) fn of(key: &str) -> Self {
        match key {
            "type" => Self::Type,
            "toolCallId" => Self::Id,
            "delta" => Self::Delta,
            "toolCallName" => Self::Name,
            "threadId" => Self::ThreadId,
            "runId" => Self::RunId,
            "outcome" => Self::Outcome,
            "messages" => Self::Messages,
            _ => Self::Unknown,
        }
    }
}

/// What has been read of an event so far.
#[derive(Default)]
pub(super) struct Members<'a> {
    kind: Option<Kind>,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) name: Option<Cow<'a, str>>,
    pub(super) delta: Option<Cow<'a, str>>,
    pub(super) thread_id: Option<Cow<'a, str>>,
    pub(super) run_id: Option<Cow<'a, str>>,
    pub(super) outcome: Outcome<'a>,
    pub(super) answered: Answered<'a>,
}

impl<'a> Members<'a> {
    /// Whether this member may still matter.
    fn want(&self, member: Member) -> bool {
        match self.kind {
            Some(kind) => kind.reads(member),
            None => member != Member::Unknown,
        }
    }

    /// Takes the event's type. Two that differ make it an event of no known type.
    pub(super) fn set_kind(&mut self, kind: Kind) {
        let agrees = self.kind.is_none_or(|known| known == kind);
        self.kind = Some(if agrees { kind } else { Kind::Other });
    }

    pub(super) fn into_event(self) -> Event<'a> {
        let id = given(self.id);
        let name = given(self.name);
        match (self.kind.unwrap_or_default(), id) {
            (Kind::Args, Some(id)) => Event::ToolCallArgs { id, delta: self.delta.unwrap_or_default() },
            (Kind::Start, Some(id)) => match name {
                Some(name) => Event::ToolCallStart { id, name },
                None => Event::Other,
            },
            (Kind::End, Some(id)) => Event::ToolCallEnd { id },
            (Kind::Result, Some(id)) => Event::ToolCallResult { id },
            (Kind::Args | Kind::Start | Kind::End | Kind::Result, None) => Event::Other,
            (Kind::Chunk, id) => Event::ToolCallChunk { id, name, delta: self.delta },
            (Kind::RunStarted, _) => Event::RunStarted {
                thread_id: self.thread_id.unwrap_or_default(),
                run_id: self.run_id.unwrap_or_default(),
            },
            (Kind::RunFinished, _) => Event::RunFinished { outcome: self.outcome.into_run_outcome() },
            (Kind::RunError, _) => Event::RunError,
            (Kind::Snapshot, _) => Event::MessagesSnapshot { answered: self.answered.0 },
            (Kind::Other, _) => Event::Other,
        }
    }
}

/// An id or a name that is empty is none.
fn given(text: Option<Cow<'_, str>>) -> Option<Cow<'_, str>> {
    text.filter(|text| !text.is_empty())
}

/// The visitor of a whole event: an object, and nothing else will do.
pub(super) struct EventVisitor;

impl<'de> Visitor<'de> for EventVisitor {
    type Value = Event<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an AG-UI event, which is a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::default();
        while let Some(member) = map.next_key_seed(Key(Member::of))? {
            match member {
                _ if !members.want(member) => skip_value(&mut map)?,
                Member::Type => members.set_kind(value(&mut map)?),
                Member::Id => members.id = value(&mut map)?,
                Member::Name => members.name = value(&mut map)?,
                Member::Delta => members.delta = value(&mut map)?,
                Member::ThreadId => members.thread_id = value(&mut map)?,
                Member::RunId => members.run_id = value(&mut map)?,
                Member::Outcome => members.outcome = value(&mut map)?,
                Member::Messages => members.answered = value(&mut map)?,
                Member::Unknown => skip_value(&mut map)?,
            }
        }
        Ok(members.into_event())
    }
}

/// `RUN_FINISHED.outcome`, or its type alone, as earlier drafts of the protocol had it.
#[derive(Default)]
pub(super) struct Outcome<'a> {
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) interrupts: Bound<'a>,
}

impl<'a> Outcome<'a> {
    fn into_run_outcome(self) -> RunOutcome<'a> {
        let Bound(calls) = self.interrupts;
        match self.kind.as_deref() {
            None if calls.is_empty() => RunOutcome::Success,
            None | Some("interrupt") => RunOutcome::Interrupted(calls),
            Some("success") => RunOutcome::Success,
            Some("cancelled") => RunOutcome::Cancelled,
            Some(_) => RunOutcome::Unknown,
        }
    }
}

impl<'de> Lenient<'de> for Outcome<'de> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Self { kind: Some(text), interrupts: Bound::default() }
    }

    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        let mut outcome = Self::default();
        while let Some(key) = object.next_key_seed(Key(OutcomeKey::of))? {
            match key {
                OutcomeKey::Type => outcome.kind = value(&mut object)?,
                OutcomeKey::Interrupts => outcome.interrupts = value(&mut object)?,
                OutcomeKey::Unknown => skip_value(&mut object)?,
            }
        }
        Ok(outcome)
    }
}

/// The members of an outcome that are read.
pub(super) enum OutcomeKey {
    Type,
    Interrupts,
    Unknown,
}

impl OutcomeKey {
    pub(super) fn of(key: &str) -> Self {
        match key {
            "type" => Self::Type,
            "interrupts" => Self::Interrupts,
            _ => Self::Unknown,
        }
    }
}

/// The calls that tool messages answer.
#[derive(Default)]
pub(super) struct Answered<'a>(pub(super) Vec<Cow<'a, str>>);

impl<'de> Lenient<'de> for Answered<'de> {
    fn from_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        calls(list, Entry::answered).map(Self)
    }
}

/// The calls that interrupts are about.
#[derive(Default)]
pub(super) struct Bound<'a>(pub(super) Vec<Cow<'a, str>>);

impl<'de> Lenient<'de> for Bound<'de> {
    fn from_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        calls(list, Entry::bound).map(Self)
    }
}

fn calls<'de, A: SeqAccess<'de>>(
    mut list: A,
    of: fn(Entry<'de>) -> Option<Cow<'de, str>>,
) -> Result<Vec<Cow<'de, str>>, A::Error> {
    let mut calls = Vec::new();
    while let Some(entry) = item(&mut list)? {
        calls.extend(of(entry));
    }
    Ok(calls)
}

/// A message of a snapshot or an interrupt of an outcome: of both a call's id is read, of a message its role too.
#[derive(Default)]
pub(super) struct Entry<'a> {
    pub(super) role: Option<Cow<'a, str>>,
    pub(super) call: Option<Cow<'a, str>>,
}

impl<'a> Entry<'a> {
    /// The call that a tool message answers.
    pub(super) fn answered(self) -> Option<Cow<'a, str>> {
        given(self.call).filter(|_call| self.role.as_deref() == Some("tool"))
    }

    /// The call that an interrupt is about.
    pub(super) fn bound(self) -> Option<Cow<'a, str>> {
        given(self.call)
    }
}

impl<'de> Lenient<'de> for Entry<'de> {
    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        let mut entry = Self::default();
        while let Some(key) = object.next_key_seed(Key(EntryKey::of))? {
            match key {
                EntryKey::Role => entry.role = value(&mut object)?,
                EntryKey::Call => entry.call = value(&mut object)?,
                EntryKey::Unknown => skip_value(&mut object)?,
            }
        }
        Ok(entry)
    }
}

/// The members of an entry that are read.
pub(super) enum EntryKey {
    Role,
    Call,
    Unknown,
}

impl EntryKey {
    pub(super) fn of(key: &str) -> Self {
        match key {
            "role" => Self::Role,
            "toolCallId" => Self::Call,
            _ => Self::Unknown,
        }
    }
}
