//! Real agents, driven by the binary `drawloom`: pydantic-ai, LangGraph, and one on the protocol's own JavaScript
//! packages.
//!
//! `cargo xtask interop` installs what they need and runs this; nothing else does. The agents are in `agents/` and
//! `node/`, with scripted models in the place of real ones. Each test starts its agent on loopback, drives it through one
//! conversation, and looks at both ends: what the workbench did, and what the agent's model was shown. Whatever a test is
//! about, every request of it goes before `@ag-ui/core`, and every recorded event before `@ag-ui/client`.
//!
//! What is expected is what drawloom guarantees and the protocol says. Where agents differ, a test says in what.
#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its own files, and these lints are for the binary"
)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod accepted;
mod agent;
#[path = "../support/binary.rs"]
mod binary;
mod drive;
mod environment;
mod interrupts;
mod mcp;
mod mcp_commands;
mod packages;
mod runs;
mod workbench;
