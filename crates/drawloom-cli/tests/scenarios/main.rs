//! One test for each scenario of the specs `replay` and `drive`, and of those of `mcp` and `validate-commands` that run the binary, in a
//! module for each requirement.
//!
//! The doc comment of a test repeats its scenario; `cargo xtask conformance` compares the two.
#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its own files, and these lints are for the binary"
)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

#[path = "../support/binary.rs"]
mod binary;
mod drive;
mod mcp;
mod replay;
mod validate_commands;
