//! The scenarios of the capability `workbench`, a module for each requirement.
//!
//! The workbench is the only place that decides whether a command may run, called *the seam*. It knows the plugins,
//! their capabilities, the session and the window. *The person* is the user of the application, *the developer*
//! builds it. Unless a scenario says otherwise: `notes` declares and is granted `contributions` and registers
//! callable commands whose id starts with `notes.`; `copilot` declares and is granted `automation`; there is one main
//! window; no session is supplied; and *invoking* is what `copilot` does through its own context.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod access_by_session;
mod availability;
mod cancelling_a_command;
mod closed_until_opened;
mod controls_naming_commands;
mod deactivated_plugins;
mod decisions_of_hooks_in_the_records;
mod developer_reports;
mod freedom_inside_callbacks;
mod list_of_invocable_commands;
mod nesting_limit;
mod never_more_than_the_person;
mod nothing_by_probing;
mod notices_in_a_queue;
mod one_unavailable_answer;
mod order_of_decisions;
mod own_commands;
mod permission_store;
mod permissions_account;
mod ports_that_panic;
mod reaching_other_plugins;
mod records_of_decisions;
mod refusals_are_answers;
mod registrations_are_handles;
mod shared_registry;
mod taking_grants_back;
mod toggles;
mod triggers_of_the_person;
mod undoing;
mod watching_the_list;
mod what_a_plugin_holds;
mod what_can_be_triggered;
mod what_runs_now;
mod whom_a_call_serves;
mod windows_for_one_piece;
