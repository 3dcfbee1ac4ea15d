//! The scenarios of the capability `client`, a module for each requirement.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod calls_that_questions_are_about;
mod cancelling_a_turn;
mod follow_up_runs;
mod guarding_the_connection;
mod keeping_a_conversation;
mod limits_to_a_run;
mod questions_of_an_agent;
mod running_calls;
mod speaking_to_an_agent;
pub(crate) mod support;
mod what_is_sent;
mod what_the_product_brings;
mod what_the_product_sees;
