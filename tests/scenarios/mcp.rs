//! The scenarios of the capability `mcp`, a module for each requirement.
//!
//! The commands of a workbench as tools of the Model Context Protocol, for the assistants that speak it. The
//! protocol adds no way around the workbench: a call goes through the same check, hook, policy and seam as a call
//! of any other caller. Unless a scenario says otherwise, the plugin `notes` registers the commands, the server
//! offers what the plugin `copilot` may reach, and the client speaks revision 2025-11-25 over a pair of streams
//! and can ask the person. A *returning client* speaks revision 2026-07-28: it has no connection, and returns with
//! the answer of the person. *Not run* means a result that is marked as an error and says that the command did not
//! run.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod calling_a_command;
mod consent_through_the_connection;
mod consent_with_a_returning_client;
mod http_for_this_machine;
mod listing_commands_as_tools;
mod reporting_changes_of_the_list;
mod support;
