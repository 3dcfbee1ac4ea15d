//! Events that may belong to a call and could not be read completely.
//!
//! Whether an event is damaged is found out while it is read ([`Watch`]). Only then is its text read again, to say what
//! was damaged and what can be read of it nevertheless.

use std::borrow::Cow;
use std::fmt;

use super::kind::is_blank;
use super::{Event, EventKind};
use crate::protocol::decode::{Next, Read, Reader};
use crate::protocol::member::IntoOwned;

/// An event that may belong to a call and could not be read completely: a member that decides about a call has the wrong
/// type, is repeated or has half of a character in it, or an event of a call lacks the call's id. Null counts as absent, and only the members that
/// matter for the event's type count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage<'a> {
    /// Each damaged member, in the order of [`DecidingMember`].
    pub what: Vec<DamagedMember>,
    /// The type. None if it cannot be read.
    pub event_type: Option<CallEventType>,
    /// The call, if its id can be read.
    pub call_id: Option<Cow<'a, str>>,
    /// The tool, if its name can be read.
    pub name: Option<Cow<'a, str>>,
    /// Whom the event comes from.
    pub lane: DamagedLane<'a>,
}

/// Whom a damaged event comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamagedLane<'a> {
    /// The agent itself.
    Agent,
    /// This subagent.
    Subagent(Cow<'a, str>),
    /// It cannot be read.
    Unreadable,
}

/// The types of events that change a call or a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallEventType {
    /// TOOL_CALL_START.
    Start,
    /// TOOL_CALL_ARGS.
    Args,
    /// TOOL_CALL_END.
    End,
    /// TOOL_CALL_CHUNK.
    Chunk,
    /// TOOL_CALL_RESULT.
    Result,
    /// SUBAGENT_FINISHED, which closes the chunk call of its lane.
    SubagentFinished,
    /// SUBAGENT_ERROR, after which the chunk call of its lane is not closed.
    SubagentError,
}

/// A member of an event that was damaged, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DamagedMember {
    /// The member.
    pub member: DecidingMember,
    /// How it was damaged.
    pub cause: DamageCause,
}

/// A member that decides about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DecidingMember {
    /// `type`.
    Type,
    /// `toolCallId`.
    ToolCallId,
    /// `toolCallName`.
    ToolCallName,
    /// `delta`.
    Delta,
    /// `subagentRunId`.
    SubagentRunId,
}

/// How a member was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DamageCause {
    /// It is not text.
    WrongType {
        /// What it is: `a number`, `a list`, `an object`, `true` or `false`.
        found: &'static str,
    },
    /// It occurs more than once.
    Repeated,
    /// Its text begins or ends within a character, of which the other half is missing.
    HalfCharacter,
    /// It is required, and absent, null, empty or blank.
    Missing,
}

impl CallEventType {
    /// The type as the protocol spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "TOOL_CALL_START",
            Self::Args => "TOOL_CALL_ARGS",
            Self::End => "TOOL_CALL_END",
            Self::Chunk => "TOOL_CALL_CHUNK",
            Self::Result => "TOOL_CALL_RESULT",
            Self::SubagentFinished => "SUBAGENT_FINISHED",
            Self::SubagentError => "SUBAGENT_ERROR",
        }
    }

    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "TOOL_CALL_ARGS" => Self::Args,
            "TOOL_CALL_START" => Self::Start,
            "TOOL_CALL_END" => Self::End,
            "TOOL_CALL_CHUNK" => Self::Chunk,
            "TOOL_CALL_RESULT" => Self::Result,
            "SUBAGENT_FINISHED" => Self::SubagentFinished,
            "SUBAGENT_ERROR" => Self::SubagentError,
            _ => return None,
        })
    }
}

impl DecidingMember {
    const ALL: [Self; 5] =
        [Self::Type, Self::ToolCallId, Self::ToolCallName, Self::Delta, Self::SubagentRunId];

    /// The name of the member.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::ToolCallId => "toolCallId",
            Self::ToolCallName => "toolCallName",
            Self::Delta => "delta",
            Self::SubagentRunId => "subagentRunId",
        }
    }

    #[inline]
    pub(super) fn of(name: &str) -> Option<Self> {
        // Every member of every event is looked up here, so the length alone excludes most.
        Some(match name.len() {
            4 if name == "type" => Self::Type,
            5 if name == "delta" => Self::Delta,
            10 if name == "toolCallId" => Self::ToolCallId,
            12 if name == "toolCallName" => Self::ToolCallName,
            13 if name == "subagentRunId" => Self::SubagentRunId,
            _ => return None,
        })
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl DamageCause {
    /// A stable name for this kind of damage.
    pub fn code(self) -> &'static str {
        match self {
            Self::WrongType { .. } => "wrong-type",
            Self::Repeated => "repeated",
            Self::HalfCharacter => "half-character",
            Self::Missing => "missing",
        }
    }
}

impl fmt::Display for DecidingMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for DamagedMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            DamageCause::WrongType { found } => write!(f, "\"{}\" is {found} instead of text", self.member),
            DamageCause::Repeated => write!(f, "\"{}\" occurs more than once", self.member),
            DamageCause::HalfCharacter => write!(f, "\"{}\" has half of a character in it", self.member),
            DamageCause::Missing => write!(f, "\"{}\" is missing", self.member),
        }
    }
}

/// What was damaged, to follow the words "the event cannot be read:".
impl fmt::Display for Damage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, member) in self.what.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            member.fmt(f)?;
        }
        Ok(())
    }
}

impl Damage<'_> {
    /// The damage on its own, which borrows nothing.
    pub fn into_owned(self) -> Damage<'static> {
        Damage {
            what: self.what,
            event_type: self.event_type,
            call_id: IntoOwned::into_owned(self.call_id),
            name: IntoOwned::into_owned(self.name),
            lane: match self.lane {
                DamagedLane::Agent => DamagedLane::Agent,
                DamagedLane::Subagent(id) => DamagedLane::Subagent(IntoOwned::into_owned(id)),
                DamagedLane::Unreadable => DamagedLane::Unreadable,
            },
        }
    }
}

/// The members that decide about a call in an event of one type, a bit for each.
#[derive(Clone, Copy)]
pub(super) struct Deciding(u8);

impl Deciding {
    /// In an event that is not about a call, only the type decides.
    pub(super) const TYPE: Self = Self(DecidingMember::Type.bit());

    #[inline]
    pub(super) fn of(event_type: &str) -> Self {
        use DecidingMember::{Delta, SubagentRunId, ToolCallId, ToolCallName};
        const fn with(members: &[DecidingMember]) -> Deciding {
            let mut bits = Deciding::TYPE.0;
            let mut rest = members;
            while let [first, others @ ..] = rest {
                bits |= first.bit();
                rest = others;
            }
            Deciding(bits)
        }
        match CallEventType::of(event_type) {
            Some(CallEventType::Args) => const { with(&[ToolCallId, Delta, SubagentRunId]) },
            Some(CallEventType::Start) => const { with(&[ToolCallId, ToolCallName, SubagentRunId]) },
            Some(CallEventType::End) => const { with(&[ToolCallId, SubagentRunId]) },
            Some(CallEventType::Chunk) => const { with(&[ToolCallId, ToolCallName, Delta, SubagentRunId]) },
            // A result belongs to no lane.
            Some(CallEventType::Result) => const { with(&[ToolCallId]) },
            Some(CallEventType::SubagentFinished | CallEventType::SubagentError) => {
                const { with(&[SubagentRunId]) }
            }
            None => Self::TYPE,
        }
    }

    pub(super) fn watch(self, has_type: bool) -> Watch {
        Watch { deciding: self.0, seen: if has_type { DecidingMember::Type.bit() } else { 0 } }
    }
}

/// Watches the members that decide about a call while an event is read.
pub(super) struct Watch {
    deciding: u8,
    seen: u8,
}

impl Watch {
    /// Whether the text of a member decides, and not only which type it names.
    pub(super) fn reads(&self, member: DecidingMember) -> bool {
        member != DecidingMember::Type && member.bit() & self.deciding != 0
    }

    /// Whether a member is whole: it is text or null if it decides, and occurs once.
    #[inline]
    pub(super) fn accepts(&mut self, member: DecidingMember, next: Next) -> bool {
        let bit = member.bit() & self.deciding;
        let is_repeated = self.seen & bit != 0;
        self.seen |= bit;
        bit == 0 || (!is_repeated && matches!(next, Next::Text | Next::Null))
    }
}

/// What was found of one member.
#[derive(Default)]
struct Found<'a> {
    text: Option<Cow<'a, str>>,
    cause: Option<DamageCause>,
    is_seen: bool,
}

impl<'a> Found<'a> {
    fn see(&mut self, text: &str, reader: &mut Reader<'a>) -> Read<()> {
        let is_repeated = std::mem::replace(&mut self.is_seen, true);
        reader.take_half();
        let found = match reader.next() {
            Next::Null => None,
            Next::Text => {
                let mark = reader.mark();
                self.text = Some(reader.text()?);
                reader.rewind(mark);
                None
            }
            Next::Object => Some("an object"),
            Next::List => Some("a list"),
            Next::Other => Some(match text.as_bytes().get(reader.mark()) {
                Some(b't') => "true",
                Some(b'f') => "false",
                _ => "a number",
            }),
        };
        if is_repeated {
            self.cause = Some(DamageCause::Repeated);
        } else if let Some(found) = found {
            self.cause = Some(DamageCause::WrongType { found });
        } else if reader.take_half() {
            self.cause = Some(DamageCause::HalfCharacter);
        }
        Ok(())
    }

    /// The text, if the member is whole and not blank.
    fn whole(&self) -> Option<Cow<'a, str>> {
        self.text.clone().filter(|text| self.cause.is_none() && !is_blank(text))
    }
}

/// Reads an event that was found to be damaged, and says how.
pub(super) fn read(text: &str) -> Read<Event<'_>> {
    let mut reader = Reader::new(text);
    let mut extra = Vec::new();
    let mut members: [Found<'_>; 5] = Default::default();
    let mut inside = reader.object()?;
    while let Some(name) = reader.key(&mut inside)? {
        if let Some(found) = DecidingMember::of(&name).and_then(|member| members.get_mut(member as usize)) {
            found.see(text, &mut reader)?;
        }
        reader.count()?;
        let json = reader.raw()?;
        extra.push((name, json));
    }
    reader.end()?;
    let [event_type, call_id, name, _delta, lane] = &members;
    let event_type = event_type.whole().and_then(|name| CallEventType::of(&name));
    let deciding = event_type.map_or(u8::MAX, |event_type| Deciding::of(event_type.as_str()).0);
    let mut what = Vec::new();
    for (member, found) in DecidingMember::ALL.into_iter().zip(&members) {
        let is_missing = match member {
            DecidingMember::Type => event_type.is_none(),
            DecidingMember::ToolCallId => {
                found.cause.is_none()
                    && found.whole().is_none()
                    && matches!(
                        event_type,
                        Some(
                            CallEventType::Start
                                | CallEventType::Args
                                | CallEventType::End
                                | CallEventType::Result
                        )
                    )
            }
            _ => false,
        };
        let cause = found.cause.or(is_missing.then_some(DamageCause::Missing));
        if let Some(cause) = cause.filter(|_| member.bit() & deciding != 0) {
            what.push(DamagedMember { member, cause });
        }
    }
    let damage = Damage {
        what,
        event_type,
        call_id: call_id.whole(),
        name: name.whole(),
        lane: match (lane.cause, lane.whole()) {
            (Some(_), _) => DamagedLane::Unreadable,
            (None, Some(id)) => DamagedLane::Subagent(id),
            (None, None) => DamagedLane::Agent,
        },
    };
    Ok(Event { extra, ..Event::new(EventKind::Damaged(damage)) })
}
