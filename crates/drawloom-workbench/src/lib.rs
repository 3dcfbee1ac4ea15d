//! The seam: one registry of commands, and the one decision whether a caller may run them.
//!
//! A [`Workbench`] holds an application's actions. Plugins register them; a button, a key or a palette entry
//! triggers them; another plugin, a script or an agent invokes them; and each time the workbench decides alone, from
//! the session, the window, what was opened and what was granted. *A caller never reaches an action the person at
//! the keyboard could not have triggered themselves.*
//!
//! ```
//! use drawloom_command::{Command, Argument, CommandArguments, CommandOutcome};
//! use drawloom_workbench::{Call, Capability, Plugin, Workbench};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let workbench = Workbench::builder()
//!     .grant("notes", [Capability::Contributions])
//!     .grant("copilot", [Capability::Automation])
//!     .build();
//!
//! let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions]))?;
//! let _open = notes.register(
//!     Command::new("notes.open", "Open note")
//!         .description("Opens a note in the editor.")
//!         .argument(Argument::text("path").required())
//!         .answers("The note that was opened")
//!         .callable(),
//!     |call: Call| async move { Ok(format!("opened {}", call.text("path")?)) },
//! )?;
//!
//! let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation]))?;
//! let outcome = copilot.invoke("notes.open", CommandArguments::new().with("path", "inbox"));
//! let outcome = futures::executor::block_on(outcome);
//! assert_eq!(outcome, CommandOutcome::Answered { value: Some("opened inbox".into()) });
//!
//! workbench.revoke(copilot.plugin(), Capability::Automation)?;
//! assert!(copilot.invocable_commands().is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! The workbench has no executor, no clock and no user interface. What it needs of a product it asks through ports,
//! each with a default: [`Notifier`], [`Translator`], [`PermissionStore`], [`AuditSink`], [`Clock`]. No lock of the
//! workbench is held while a handler or a port runs, so any of them may use the workbench as it likes.

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
