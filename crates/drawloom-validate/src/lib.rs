#![doc = include_str!("../README.md")]
//!
//! # How it is read
//!
//! [`Validation`] walks through the directory, reads each source into facts, looks constants and types up across files, and
//! builds the declaration of each command anew, with the builder of `drawloom-command`: what registration refuses is asked
//! of the code that registers. What an agent is shown is the definition that `drawloom-tools` gives.

mod finding;
mod judge;
mod limits;
mod live;
mod report;
mod resolve;
mod rule;
mod source;
mod translations;
mod validate;
mod walk;
#[cfg(feature = "workbench-files")]
mod workbench_file;

pub use finding::{Finding, FindingStatus, Location, Offer, Problem};
pub use limits::ValidationLimits;
pub use live::validate_access;
pub use report::{BrokenRules, NOT_JUDGED, Report, TextStyle, Totals};
pub use rule::{Rule, Severity, UnknownRule};
pub use validate::{ValidateError, Validation};
