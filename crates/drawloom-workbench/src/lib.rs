//! The single place that decides whether a command may run, and runs it.
//!
//! A [`Workbench`] holds the actions of an application. Plugins, or the application itself, register them as commands. A
//! button, a key or a palette entry triggers a command; another plugin, a script or an agent invokes it. Each time the
//! workbench alone decides, from the session, the window, what the command declares and what was granted. *A caller
//! never reaches an action the person at the keyboard could not have triggered themselves.*
//!
//! ```
//! use drawloom_command::{Argument, Command, CommandArguments, CommandOutcome};
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
//! An application without plugins registers through [`Workbench::application`] and needs no grants.
//!
//! The workbench has no executor, no clock and no user interface. What it needs from a product it gets through ports, and
//! each has a default: [`Notifier`], [`Translator`], [`PermissionStore`], [`AuditSink`], [`Clock`]. The workbench holds no
//! lock while a handler or a port runs, so each of them may use the workbench.

mod audit;
mod authorize;
mod builder;
mod contain;
mod context;
mod controls;
mod dispatch;
mod invocation;
mod lints;
mod lock;
mod permissions;
mod plugin;
mod ports;
mod principal;
mod register;
mod registry;
mod session;
mod state;
mod trigger;
mod watch;
mod workbench;

pub use authorize::Cause;
pub use builder::{WithStore, WithoutStore, WorkbenchBuilder};
pub use context::{MissingCapability, PluginContext};
pub use controls::{ControlId, MenuItem, Shortcut};
pub use invocation::call::{ArgumentAbsent, Call};
pub use invocation::handler::HandlerError;
pub use lints::CompositionIssue;
pub use permissions::capability::{Capability, CapabilitySet};
pub use permissions::file_store::FilePermissionStore;
pub use permissions::revocations::Revocations;
pub use permissions::store::{PermissionError, PermissionStore, StoreError};
pub use permissions::{PermissionState, PluginPermissions};
pub use plugin::{ActivateError, Plugin};
pub use ports::{AuditRecord, AuditSink, Clock, Notice, Notifier, Translator};
pub use principal::Caller;
pub use registry::registration::{RegisterError, Registration};
pub use session::{Session, Window};
pub use watch::Changes;
pub use workbench::{Registry, Workbench};
