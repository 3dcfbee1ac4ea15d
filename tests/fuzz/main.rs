//! What a fuzzer feeds with bytes, each with what must hold for any bytes. `cargo xtask soak` lets a fuzzer that measures
//! coverage choose them; under `cargo test` they are a few random ones.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod arguments;
mod event;
mod recording;
mod schema;
mod workbench_file;
