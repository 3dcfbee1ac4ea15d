//! Who is signed in.

use std::fmt;
use std::sync::Arc;

use drawloom_command::PersonId;
use serde::Serialize;

/// The person whom a session serves: an id, and a name for display.
///
/// Records and logs contain both, so use an id that may be written there, such as a key of the product's own table of users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Person {
    /// The id, which the product chooses. The workbench compares it and reads nothing from it.
    pub id: PersonId,
    /// The name for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Arc<str>>,
}

impl Person {
    /// A person with this id and without a name.
    pub fn new(id: impl Into<PersonId>) -> Self {
        Self { id: id.into(), name: None }
    }

    /// Sets the name for display.
    #[must_use]
    pub fn name(mut self, name: impl Into<Arc<str>>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// The name; the id of a person without a name.
impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_deref().unwrap_or(self.id.as_str()))
    }
}
