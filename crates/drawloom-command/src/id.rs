//! The ids of commands, plugins, roles, people, and registrations of commands.
//!
//! Every id is an opaque string that is cheap to clone. Registration decides which ids are valid; a caller may ask for any
//! id, and gets the same refusal for every id that it cannot reach.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

macro_rules! string_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Creates the id from its text.
            pub fn new(id: impl Into<Arc<str>>) -> Self {
                Self(id.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, f)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        // INVARIANT: the derived `Eq`, `Ord` and `Hash` are those of the text, as `Borrow` requires.
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.into())
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id.into())
            }
        }

        impl From<&$name> for $name {
            fn from(id: &$name) -> Self {
                id.clone()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }
    };
}

string_id! {
    /// The id of a command, such as `notes.open`. Every trigger names a command by it.
    CommandId
}

string_id! {
    /// The id of a plugin, such as `notes`.
    PluginId
}

string_id! {
    /// A role of an authenticated user. The workbench only compares roles.
    Role
}

string_id! {
    /// The id of a person who uses the application. The workbench only compares these ids.
    PersonId
}

/// One registration of a command. Registering the command again yields a new id, unique within the process.
///
/// It detects that a command was replaced after a call to it was approved, and limits a remembered approval to the command
/// as it was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegistrationId(u64);

impl RegistrationId {
    /// A new id.
    pub fn unique() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
