//! The scenarios of the capability `client`, a module for each requirement.
//!
//! The client lets a live AG-UI agent use a workbench: it connects to the agent, runs the agent's calls while the
//! agent still sends, and returns the answers until the turn is completed. *The person* is the user of the
//! application. A *turn* begins when the person sends a message, and ends with the last update of the client. Unless
//! a scenario says otherwise, the client offers the commands that `copilot`, which holds `automation`, can reach, and
//! has no dialog; the commands are `notes.open` (states nothing) and `notes.delete` (states `ask`), both with an
//! optional `id`; the agent is in the same process; and a run that the scenario does not describe ends at once.

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
