#![doc = include_str!("../README.md")]
//!
//! # Ports
//!
//! The workbench has no executor, no clock and no user interface. What it needs from a product it gets through ports, and
//! each has a default: [`Notifier`], [`Translator`], [`PermissionStore`], [`AuditSink`], [`Clock`]. The workbench holds no
//! lock while a handler or a port runs, so each of them may use the workbench.

mod activity_changes;
mod audit;
mod authorize;
mod builder;
mod clock;
mod contain;
mod context;
mod controls;
mod dispatch;
mod invocation;
mod lints;
mod lock;
mod lookups;
mod notice_queue;
mod oversight;
mod permissions;
mod plugin;
mod ports;
mod principal;
mod register;
mod registry;
mod running;
mod session;
mod state;
mod trigger;
mod undo;
mod watch;
mod workbench;

pub use activity_changes::ActivityChanges;
pub use audit::event::{AuditEvent, AuditRecord, AuditSink, DecisionSubject};
pub use authorize::Cause;
pub use builder::{WithStore, WithoutStore, WorkbenchBuilder};
pub use clock::{Clock, SystemClock};
pub use context::{MissingCapability, PluginContext};
pub use controls::{
    ControlId, ControlState, ForeignControls, MenuItem, OfferedMenuItem, OfferedShortcut, Shortcut,
    TriggerableCommand,
};
pub use invocation::call::{ArgumentAbsent, Call};
pub use invocation::handler::HandlerError;
pub use lints::CompositionIssue;
pub use notice_queue::{NoticeQueue, Notices, QueuedNotice};
pub use permissions::capability::{Capability, CapabilitySet};
pub use permissions::file_store::FilePermissionStore;
pub use permissions::revocations::{RevocationChange, RevocationChanges, Revocations};
pub use permissions::store::{PermissionError, PermissionStore, StoreError};
pub use permissions::{PermissionState, PluginPermissions};
pub use plugin::{ActivateError, Plugin};
pub use ports::{Notice, Notifier, Translator};
pub use principal::Caller;
pub use registry::registration::{RegisterError, Registration};
pub use running::control::{CancelSignal, RunningId};
pub use running::list::RunningCommand;
pub use session::{Person, Session, SessionDataAbsent, Window};
pub use undo::history::UndoId;
pub use undo::{UndoAvailability, UndoEntry, UndoError, UndoFailure, UndoTurn, UndoUnavailable};
pub use watch::Changes;
pub use workbench::{Registry, Workbench};
