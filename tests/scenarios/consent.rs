//! The scenarios of the spec `consent`, a file for each requirement.
//!
//! A command may state whether an agent may run it without asking the user. The workbench publishes the statement;
//! the consent policy is the hook that a product puts before an agent's calls to act on it. *The person* is the user
//! of the application. Unless a scenario states otherwise, one agent calls through one policy, *asking* means that
//! the policy calls the confirmation that the product supplied, a *decline* reaches the agent as a call that did not
//! run, and the commands are `notes.delete` (states `ask`), `notes.wipe` (`ask-always`), `notes.reset` (`never`),
//! `notes.open` (`allow`) and `notes.ping` (nothing).

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod approval_of_a_declaration;
mod confirmations_that_fail;
mod one_policy_per_connection;
mod policy_by_statement;
mod remembered_approvals;
mod rule_of_the_product;
mod statements_without_force;
mod support;
mod waiting_on_one_question;
mod wording_by_the_product;
