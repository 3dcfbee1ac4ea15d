//! How a run or a subagent ended that did not end in an error.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::decode::{Next, Read, Reader};
use super::member::{Extra, IntoOwned, Member, read_list, read_text, write_extra};
use super::{Interrupt, Json};

/// How a run ended that did not end in an error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunOutcome<'a> {
    /// It completed. Also where the agent does not say.
    Success {
        /// The calls that the application still has to answer, if the agent lists them.
        pending_tool_call_ids: Vec<Cow<'a, str>>,
    },
    /// It waits for answers to these questions.
    Interrupt(Vec<Interrupt<'a>>),
    /// It was cancelled.
    Cancelled,
    /// An outcome that this version does not know. It does not count as success.
    Unknown(Json<'a>),
}

impl RunOutcome<'_> {
    /// The outcome on its own, which borrows nothing.
    pub fn into_owned(self) -> RunOutcome<'static> {
        IntoOwned::into_owned(self)
    }
}

impl Default for RunOutcome<'_> {
    fn default() -> Self {
        Self::Success { pending_tool_call_ids: Vec::new() }
    }
}

/// How a subagent ended that did not fail.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum SubagentOutcome<'a> {
    /// It completed. Also where the agent does not say.
    #[default]
    Success,
    /// It waits for answers; a later run may continue it.
    Suspended {
        /// The interrupts that it waits for, if the agent lists them.
        interrupt_ids: Vec<Cow<'a, str>>,
    },
    /// An outcome that this version does not know.
    Unknown(Json<'a>),
}

/// An outcome as it is read, together with the members of it that are not known.
#[derive(Default)]
pub(crate) struct ReadOutcome<'a> {
    pub(crate) outcome: RunOutcome<'a>,
    pub(crate) extra: Extra<'a>,
}

/// An outcome as it is written, together with the members of it that are not known.
pub(crate) struct WrittenOutcome<'o> {
    pub(crate) outcome: &'o RunOutcome<'o>,
    pub(crate) extra: &'o Extra<'o>,
}

/// The members of an outcome before its type is known.
#[derive(Default)]
struct Parts<'a> {
    kind: Option<Cow<'a, str>>,
    has_other_kind: bool,
    ids: Vec<Cow<'a, str>>,
    interrupts: Vec<Interrupt<'a>>,
    extra: Extra<'a>,
}

impl<'a> Parts<'a> {
    /// Reads an outcome: an object, or its type alone, as earlier versions of the protocol had it. `ids` is the name of
    /// the list of ids in it. None if it is null.
    fn read(reader: &mut Reader<'a>, ids: &str) -> Read<Option<Self>> {
        let mut parts = Self::default();
        match reader.next() {
            Next::Object => {
                let mut inside = reader.object()?;
                while let Some(name) = reader.key(&mut inside)? {
                    match &*name {
                        "type" => {
                            parts.has_other_kind = !matches!(reader.next(), Next::Text | Next::Null);
                            parts.kind = read_text(reader)?;
                        }
                        "interrupts" => parts.interrupts = read_list(reader, Interrupt::read)?,
                        name if name == ids => parts.ids = Member::read(reader)?,
                        _ => {
                            reader.count()?;
                            parts.extra.push((name, reader.raw()?));
                        }
                    }
                }
            }
            Next::Null => {
                reader.skip()?;
                return Ok(None);
            }
            Next::Text => parts.kind = Some(reader.text()?),
            Next::List | Next::Other => {
                reader.skip()?;
                parts.has_other_kind = true;
            }
        }
        Ok(Some(parts))
    }
}

/// Reads what was read before once more, as raw text.
fn raw_from<'a>(reader: &mut Reader<'a>, mark: usize) -> Read<Json<'a>> {
    reader.rewind(mark);
    reader.raw()
}

impl<'a> ReadOutcome<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Read<Self> {
        let mark = reader.mark();
        let Some(parts) = Parts::read(reader, "pendingToolCallIds")? else { return Ok(Self::default()) };
        let Parts { kind, has_other_kind, ids, interrupts, extra } = parts;
        let outcome = match kind.as_deref() {
            None if has_other_kind => RunOutcome::Unknown(raw_from(reader, mark)?),
            None if interrupts.is_empty() => RunOutcome::Success { pending_tool_call_ids: ids },
            None | Some("interrupt") => RunOutcome::Interrupt(interrupts),
            Some("success") => RunOutcome::Success { pending_tool_call_ids: ids },
            Some("cancelled") => RunOutcome::Cancelled,
            Some(_) => RunOutcome::Unknown(raw_from(reader, mark)?),
        };
        let extra = if let RunOutcome::Unknown(_) = outcome { Vec::new() } else { extra };
        Ok(Self { outcome, extra })
    }
}

impl<'a> Member<'a> for SubagentOutcome<'a> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        let mark = reader.mark();
        let Some(parts) = Parts::read(reader, "interruptIds")? else { return Ok(Self::Success) };
        Ok(match parts.kind.as_deref() {
            None if parts.has_other_kind => Self::Unknown(raw_from(reader, mark)?),
            None | Some("success") if parts.extra.is_empty() => Self::Success,
            Some("suspended") if parts.extra.is_empty() => Self::Suspended { interrupt_ids: parts.ids },
            _ => Self::Unknown(raw_from(reader, mark)?),
        })
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        if *self == Self::Success { Ok(()) } else { map.serialize_entry(name, self) }
    }
}

impl WrittenOutcome<'_> {
    /// Whether it says no more than that the run completed, which is what an absent outcome says.
    pub(crate) fn is_plain(&self) -> bool {
        self.extra.is_empty() && *self.outcome == RunOutcome::default()
    }
}

impl Serialize for WrittenOutcome<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind = match self.outcome {
            RunOutcome::Unknown(json) => return json.serialize(serializer),
            RunOutcome::Success { .. } => "success",
            RunOutcome::Interrupt(_) => "interrupt",
            RunOutcome::Cancelled => "cancelled",
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", kind)?;
        match self.outcome {
            RunOutcome::Success { pending_tool_call_ids } if !pending_tool_call_ids.is_empty() => {
                map.serialize_entry("pendingToolCallIds", pending_tool_call_ids)?;
            }
            RunOutcome::Interrupt(interrupts) => map.serialize_entry("interrupts", interrupts)?,
            _ => {}
        }
        write_extra(self.extra, &mut map)?;
        map.end()
    }
}

impl Serialize for SubagentOutcome<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = match self {
            Self::Unknown(json) => return json.serialize(serializer),
            Self::Success | Self::Suspended { .. } => serializer.serialize_map(None)?,
        };
        if let Self::Suspended { interrupt_ids } = self {
            map.serialize_entry("type", "suspended")?;
            Member::write(interrupt_ids, "interruptIds", &mut map)?;
        } else {
            map.serialize_entry("type", "success")?;
        }
        map.end()
    }
}

impl IntoOwned for RunOutcome<'_> {
    type Owned = RunOutcome<'static>;
    fn into_owned(self) -> RunOutcome<'static> {
        match self {
            Self::Success { pending_tool_call_ids } => {
                RunOutcome::Success { pending_tool_call_ids: IntoOwned::into_owned(pending_tool_call_ids) }
            }
            Self::Interrupt(interrupts) => RunOutcome::Interrupt(IntoOwned::into_owned(interrupts)),
            Self::Cancelled => RunOutcome::Cancelled,
            Self::Unknown(json) => RunOutcome::Unknown(json.into_owned()),
        }
    }
}

impl IntoOwned for SubagentOutcome<'_> {
    type Owned = SubagentOutcome<'static>;
    fn into_owned(self) -> SubagentOutcome<'static> {
        match self {
            Self::Success => SubagentOutcome::Success,
            Self::Suspended { interrupt_ids } => {
                SubagentOutcome::Suspended { interrupt_ids: IntoOwned::into_owned(interrupt_ids) }
            }
            Self::Unknown(json) => SubagentOutcome::Unknown(json.into_owned()),
        }
    }
}
