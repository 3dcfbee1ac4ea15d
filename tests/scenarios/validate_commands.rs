//! The scenarios of the capability `validate-commands` that concern the library, a module for each requirement. Those of
//! the command line are among the tests of the binary.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod beyond_the_command_line;
mod directories_that_nobody_vouches_for;
mod findings;
mod reading_rust_sources;
mod reading_workbench_files;
mod support;
mod translations;
mod what_model_apis_refuse;
mod what_registration_refuses;
