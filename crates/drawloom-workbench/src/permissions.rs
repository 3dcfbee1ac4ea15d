//! What plugins are allowed to do: what they declare, what the application grants, and what the person revoked.
//!
//! The report of all three is in this file. Nothing here decides about a command; see `authorize`.

pub(crate) mod by_plugin;
pub(crate) mod capability;
pub(crate) mod file_store;
pub(crate) mod revocations;
pub(crate) mod store;

use drawloom_command::PluginId;

use crate::permissions::capability::{Capability, CapabilitySet};
use crate::plugin::Activation;

/// What one plugin declares, and the state of each of these capabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginPermissions {
    /// The plugin.
    pub plugin: PluginId,
    /// Every capability that it declares, in order.
    pub capabilities: Vec<PermissionState>,
}

/// The state of one capability that a plugin declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PermissionState {
    /// The capability.
    pub capability: Capability,
    /// Whether the application grants it.
    pub granted: bool,
    /// Whether the person revoked it.
    pub revoked: bool,
    /// Whether the person can revoke it.
    pub revocable: bool,
}

impl PermissionState {
    /// Whether the plugin holds it now.
    pub fn is_held(&self) -> bool {
        self.granted && !self.revoked
    }
}

/// What a plugin holds: what it declares, is granted (or has by itself), and was not deprived of.
pub(crate) fn held(activation: Activation, granted: CapabilitySet, revoked: CapabilitySet) -> CapabilitySet {
    activation.declares.intersection(granted.union(activation.inherent)).difference(revoked)
}

/// The entry of one plugin in the permissions report.
pub(crate) fn report(
    plugin: PluginId,
    activation: Activation,
    granted: CapabilitySet,
    revoked: CapabilitySet,
) -> PluginPermissions {
    let granted = granted.union(activation.inherent);
    let state = |capability: Capability| PermissionState {
        capability,
        granted: granted.contains(capability),
        revoked: revoked.contains(capability),
        revocable: capability.is_revocable(),
    };
    PluginPermissions { plugin, capabilities: activation.declares.iter().map(state).collect() }
}
