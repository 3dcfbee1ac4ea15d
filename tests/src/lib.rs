//! What the tests of several crates share: an HTTP server that acts as an agent, and events as an agent sends them.
//!
//! This library depends on no crate of the workspace, so that the tests of each of them can use it without compiling
//! anything twice.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and this is part of the tests"
)]
#![allow(missing_docs, reason = "this library is not published")]

pub mod events;
pub mod server;
