//! The workbench file: its schema, the errors and warnings about it, and their locations.
//!
//! What the file describes is built and run in `runtime`, not here.

mod declared;
mod error;
mod lints;
mod location;
mod schema;

pub use declared::{DeclaredCommand, DeclaredCommands};
pub use error::{FileError, FileErrorKind};
pub(crate) use lints::lint;
pub use lints::{FileWarning, FileWarningKind, MissingAutomation};
pub use location::FileLocation;
pub(crate) use location::Segment;
pub(crate) use schema::{
    ANY_COMMAND, Action, Behaviour, Consent, FileOptions, FilePlugin, ScriptedAnswer, WorkbenchFile,
    objects_only,
};
