//! What an agent asks before it continues, and how it is answered.

use std::borrow::Cow;
use std::fmt;

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::Json;
use super::decode::{Next, Read, Reader};
use super::member::{Member, members, read_list, read_object};

members! {
    /// Something that an agent needs to know before it continues.
    ///
    /// The names of the members are also read in snake case (`tool_call_id`), which some Python servers send.
    pub struct Interrupt<'a> {
        /// The interrupt, to be answered under this id. Empty where the agent gave none: then it cannot be answered,
        /// but its call is still bound to it.
        id: Cow<'a, str> = "id",
        /// What kind of question it is: `tool_call`, `confirmation`, `input_required`, or a later kind.
        reason: Cow<'a, str> = "reason",
        /// The question in words.
        message: Option<Cow<'a, str>> = "message",
        /// The call that it is about.
        tool_call_id: Option<Cow<'a, str>> = "toolCallId" or "tool_call_id",
        /// JSON Schema of an answer.
        response_schema: Option<Json<'a>> = "responseSchema" or "response_schema",
        /// When the question expires, as an RFC 3339 time.
        expires_at: Option<Cow<'a, str>> = "expiresAt" or "expires_at",
        /// The subagent that asks.
        subagent_run_id: Option<Cow<'a, str>> = "subagentRunId" or "subagent_run_id",
        /// Further information.
        metadata: Option<Json<'a>> = "metadata";
        /// Members that this version does not know, in order.
        extra
    }
}

impl<'a> Interrupt<'a> {
    /// An interrupt that says nothing but what kind it is.
    pub fn new(id: impl Into<Cow<'a, str>>, reason: impl Into<Cow<'a, str>>) -> Self {
        Self { id: id.into(), reason: reason.into(), ..Self::default() }
    }

    /// Whether the schema of an answer names this member.
    pub fn accepts_member(&self, member: &str) -> bool {
        let schema: Option<Value> = self.response_schema.as_ref().and_then(|schema| schema.read().ok());
        schema.is_some_and(|schema| schema.get("properties").and_then(|all| all.get(member)).is_some())
    }

    /// Reads one interrupt; None if it is not an object.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Read<Option<Self>> {
        if reader.next() == Next::Object {
            return read_object(reader).map(Some);
        }
        reader.skip()?;
        Ok(None)
    }
}

impl<'a> Member<'a> for Vec<Interrupt<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        read_list(reader, Interrupt::read)
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

impl<'de> Deserialize<'de> for Interrupt<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let interrupt = Interrupt::read(&mut Reader::new(json.get())).ok().flatten();
        interrupt
            .filter(|interrupt| !interrupt.id.is_empty())
            .map(Interrupt::into_owned)
            .ok_or_else(|| D::Error::custom("an interrupt must be an object with an \"id\""))
    }
}

/// The answer to an interrupt, as `RunAgentInput.resume` takes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resume {
    /// The interrupt that is answered.
    pub interrupt_id: String,
    /// Whether there is an answer.
    pub status: ResumeStatus,
    /// The answer.
    #[serde(default, skip_serializing_if = "is_absent")]
    pub payload: Option<Value>,
    /// Further information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
}

/// A payload of null is no payload, and the protocol takes none.
fn is_absent(value: &Option<Value>) -> bool {
    value.as_ref().is_none_or(Value::is_null)
}

/// Whether an interrupt was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ResumeStatus {
    /// There is an answer; it may be a no.
    Resolved,
    /// Nobody answered.
    Cancelled,
}

impl Resume {
    /// An answer.
    pub fn resolved(interrupt: &Interrupt<'_>, payload: impl Into<Value>) -> Self {
        Self {
            interrupt_id: interrupt.id.as_ref().to_owned(),
            status: ResumeStatus::Resolved,
            payload: Some(payload.into()),
            metadata: None,
        }
    }

    /// States that nobody answered.
    pub fn cancelled(interrupt: &Interrupt<'_>) -> Self {
        Self {
            interrupt_id: interrupt.id.as_ref().to_owned(),
            status: ResumeStatus::Cancelled,
            payload: None,
            metadata: None,
        }
    }

    /// Adds this metadata.
    #[must_use]
    pub fn with_metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(metadata);
        self
    }
}

impl fmt::Display for ResumeStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resolved => "resolved",
            Self::Cancelled => "cancelled",
        })
    }
}

#[cfg(test)]
mod tests;
