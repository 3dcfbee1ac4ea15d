//! One breach of a rule.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::ProtocolRule;

/// An event of an agent, or the absence of one, breaks a rule of the protocol.
///
/// Its serialised form also says what the protocol says:
/// `{"rule":…,"problem":…,"protocol":…,"number":…,"type":…,"since":…}`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProtocolBreach {
    /// The rule.
    pub rule: ProtocolRule,
    /// What is wrong, as a sentence without its full stop. Long ids are shortened.
    pub problem: String,
    /// The number of the event, from 1. A frame that cannot be read counts as an event. At the end of a response it is the
    /// number of the last event.
    pub number: u64,
    /// The type of the event. Empty if it has none, or at the end of a response.
    pub event_type: String,
    /// The number of the event in which the thing began that the breach is about.
    pub since: Option<u64>,
}

impl Serialize for ProtocolBreach {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut breach = serializer.serialize_struct("ProtocolBreach", 6)?;
        breach.serialize_field("rule", self.rule.code())?;
        breach.serialize_field("problem", &self.problem)?;
        breach.serialize_field("protocol", self.rule.statement())?;
        breach.serialize_field("number", &self.number)?;
        breach.serialize_field("type", &self.event_type)?;
        match &self.since {
            Some(since) => breach.serialize_field("since", since)?,
            None => breach.skip_field("since")?,
        }
        breach.end()
    }
}

impl fmt::Display for ProtocolBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (the protocol: {})", self.rule, self.problem, self.rule.statement())
    }
}
