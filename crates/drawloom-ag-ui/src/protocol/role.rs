//! Who a message is from.

use std::borrow::Cow;
use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::decode::{Read, Reader};
use super::member::{IntoOwned, Member, read_text};

/// Who a message is from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role<'a> {
    /// The developer of the application, as instructions.
    Developer,
    /// The system, as instructions.
    System,
    /// The agent.
    Assistant,
    /// The person who uses the application.
    User,
    /// A tool, as the answer to a call.
    Tool,
    /// A structured activity that the application shows, for example a plan.
    Activity,
    /// The agent's reasoning.
    Reasoning,
    /// A role that this version does not know; empty where it is missing.
    Other(Cow<'a, str>),
}

impl<'a> Role<'a> {
    /// The role as the protocol spells it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Developer => "developer",
            Self::System => "system",
            Self::Assistant => "assistant",
            Self::User => "user",
            Self::Tool => "tool",
            Self::Activity => "activity",
            Self::Reasoning => "reasoning",
            Self::Other(role) => role,
        }
    }

    /// The role that is spelled this way.
    pub fn new(role: impl Into<Cow<'a, str>>) -> Self {
        let role = role.into();
        match &*role {
            "developer" => Self::Developer,
            "system" => Self::System,
            "assistant" => Self::Assistant,
            "user" => Self::User,
            "tool" => Self::Tool,
            "activity" => Self::Activity,
            "reasoning" => Self::Reasoning,
            _ => Self::Other(role),
        }
    }

    /// The role on its own, which borrows nothing.
    pub fn into_owned(self) -> Role<'static> {
        IntoOwned::into_owned(self)
    }
}

/// A missing role, which is an empty one.
impl Default for Role<'_> {
    fn default() -> Self {
        Self::Other(Cow::Borrowed(""))
    }
}

impl fmt::Display for Role<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Role<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl IntoOwned for Role<'_> {
    type Owned = Role<'static>;
    fn into_owned(self) -> Role<'static> {
        match self {
            Self::Developer => Role::Developer,
            Self::System => Role::System,
            Self::Assistant => Role::Assistant,
            Self::User => Role::User,
            Self::Tool => Role::Tool,
            Self::Activity => Role::Activity,
            Self::Reasoning => Role::Reasoning,
            Self::Other(role) => Role::Other(IntoOwned::into_owned(role)),
        }
    }
}

impl<'a> Member<'a> for Role<'a> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(read_text(reader)?.map(Self::new).unwrap_or_default())
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

impl<'a> Member<'a> for Option<Role<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(read_text(reader)?.filter(|role| !role.is_empty()).map(Role::new))
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        self.as_ref().map_or(Ok(()), |role| map.serialize_entry(name, role))
    }
}
