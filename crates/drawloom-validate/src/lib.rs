//! What an agent will see of the commands in a directory, read from their source without building it.
//!
//! [`Validation`] reads the Rust sources of a directory: the calls of the builder, the derives, and the constants that are
//! used as ids and texts. With the feature `workbench-files` it reads workbench files too. There is one [`Finding`] for
//! each command: it is offered, or it is offered and an agent has to guess, or it is not offered, or it could not be read.
//! What is wrong is a [`Problem`] with a [`Rule`] that has a stable id.
//!
//! ```no_run
//! use drawloom_validate::{Rule, TextStyle, Validation};
//!
//! let report = Validation::of_directory("src").run()?;
//! print!("{}", report.to_text(TextStyle::Plain));
//! report.require(&[Rule::MissingDescription])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A build script prints [`Report::cargo_directives`], and a test judges a live workbench with [`validate_access`].
//!
//! Grants, access, availability and the window are decided at run time, and are not judged.

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
