//! The scenarios of the spec `consent`, a file for each requirement.

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
mod statements_without_force;
mod support;
mod waiting_on_one_question;
mod wording_by_the_product;
