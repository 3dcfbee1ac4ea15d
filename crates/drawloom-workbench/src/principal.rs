//! Who asks for a command: as the audit names them, and as the workbench identifies them.

use std::fmt;

use drawloom_command::PluginId;
use serde::{Serialize, Serializer};

use crate::plugin::Activation;

/// Who triggers or invokes a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Caller {
    /// The person, by a control, a key or a palette entry.
    Person,
    /// A plugin, or a script or an agent that acts through the plugin.
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

/// Who asks, with the activation through which a plugin asks.
#[derive(Clone)]
pub(crate) enum Principal {
    Person,
    Plugin(PluginId, Activation),
}

impl Principal {
    pub(crate) fn caller(&self) -> Caller {
        match self {
            Self::Person => Caller::Person,
            Self::Plugin(plugin, _) => Caller::Plugin(plugin.clone()),
        }
    }
}
