//! One test for each scenario of the specs under `openspec/specs`, in a module for each requirement.
//!
//! A test's doc comment repeats its scenario, and `cargo xtask conformance` holds the two together.

mod ag_ui_tools;
mod client;
mod commands;
mod consent;
mod mcp;
mod support;
mod validate_commands;
mod workbench;
