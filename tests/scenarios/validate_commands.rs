//! The scenarios of the capability `validate-commands` that concern the library, a module for each requirement. Those
//! of the command line are among the tests of the binary.
//!
//! The author of commands can learn what an agent will see of them before anything runs: the declarations in a
//! directory are read from their source, without building it, and the commands of a live workbench are judged by the
//! same rules. Unless a scenario says otherwise, the *directory* holds one file `notes.rs` that uses the prelude of
//! `drawloom`, each command that the scenario names has the title `Title`, and the directory is judged by the
//! library.

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
