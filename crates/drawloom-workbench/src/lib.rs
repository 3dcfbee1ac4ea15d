#![doc = include_str!("../README.md")]
//!
//! # Ports
//!
//! What the workbench needs of a product it asks through ports, each with a default: [`Notifier`], [`Translator`],
//! [`PermissionStore`], [`AuditSink`], [`Clock`]. No lock of the workbench is held while a handler or a port runs, so any of
//! them may use the workbench.

mod call;
mod caller;
mod capability;
mod chain;
mod composition;
mod contain;
mod context;
mod controls;
mod file_store;
mod handler;
mod permissions;
mod plugin;
mod ports;
mod present;
mod record;
mod registry;
mod seam;
mod session;
mod watch;
mod workbench;

pub use call::{ArgumentAbsent, Call};
pub use caller::Caller;
pub use capability::{Capability, CapabilitySet};
pub use composition::CompositionIssue;
pub use context::{NotHeld, PluginContext};
pub use controls::{ControlId, MenuItem, Shortcut};
pub use file_store::FilePermissionStore;
pub use handler::HandlerError;
pub use permissions::{
    PermissionError, PermissionState, PermissionStore, PluginPermissions, Revocations, StoreError,
};
pub use plugin::{ActivateError, Plugin};
pub use ports::{AuditRecord, AuditSink, Cause, Clock, Notice, Notifier, Translator};
pub use registry::{RegisterError, Registration, Registry};
pub use session::{Session, Window};
pub use watch::Changes;
pub use workbench::{Workbench, WorkbenchBuilder};
