//! Who asks the seam.

use std::fmt;

use drawloom_command::PluginId;
use serde::{Serialize, Serializer};

/// Who triggers or invokes a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The person, by a control, a key or a palette entry.
    Person,
    /// A plugin, and through it a script or an agent.
    Plugin(PluginId),
}

/// `person`, or `plugin:` and the plugin's id.
impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => f.write_str("person"),
            Self::Plugin(plugin) => write!(f, "plugin:{plugin}"),
        }
    }
}

impl Serialize for Caller {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
