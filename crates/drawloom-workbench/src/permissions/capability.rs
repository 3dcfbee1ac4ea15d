//! The capabilities that a plugin may hold, and sets of them.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A right that a plugin declares, the application grants and the person may revoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "lowercase")]
pub enum Capability {
    /// To register commands and controls. The person cannot revoke it.
    Contributions,
    /// To list and invoke commands that another plugin registered.
    Automation,
    /// To read the session.
    Session,
    /// To show the person a message.
    Ui,
}

impl Capability {
    /// Every capability, in order.
    pub const ALL: [Self; 4] = [Self::Contributions, Self::Automation, Self::Session, Self::Ui];

    /// The capability's name in files and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Contributions => "contributions",
            Self::Automation => "automation",
            Self::Session => "session",
            Self::Ui => "ui",
        }
    }

    /// Whether the person can revoke it.
    pub fn is_revocable(self) -> bool {
        self != Self::Contributions
    }

    fn bit(self) -> u8 {
        match self {
            Self::Contributions => 1,
            Self::Automation => 2,
            Self::Session => 4,
            Self::Ui => 8,
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of capabilities.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct CapabilitySet(u8);

impl CapabilitySet {
    /// Whether the capability is in the set.
    pub fn contains(self, capability: Capability) -> bool {
        self.0 & capability.bit() != 0
    }

    /// Whether nothing is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The capabilities in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL.into_iter().filter(move |capability| self.contains(*capability))
    }

    pub(crate) fn insert(&mut self, capability: Capability) {
        self.0 |= capability.bit();
    }

    pub(crate) fn remove(&mut self, capability: Capability) {
        self.0 &= !capability.bit();
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<Capability> for CapabilitySet {
    fn from_iter<I: IntoIterator<Item = Capability>>(capabilities: I) -> Self {
        let mut set = Self::default();
        for capability in capabilities {
            set.insert(capability);
        }
        set
    }
}

impl fmt::Debug for CapabilitySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for CapabilitySet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CapabilitySet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SetVisitor;

        impl<'de> Visitor<'de> for SetVisitor {
            type Value = CapabilitySet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of capabilities")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<CapabilitySet, A::Error> {
                let mut set = CapabilitySet::default();
                while let Some(capability) = items.next_element::<Capability>()? {
                    if set.contains(capability) {
                        return Err(de::Error::custom(format_args!("\"{capability}\" is repeated")));
                    }
                    set.insert(capability);
                }
                Ok(set)
            }
        }

        deserializer.deserialize_seq(SetVisitor)
    }
}
