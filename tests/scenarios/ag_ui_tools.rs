//! The scenarios of the spec `ag-ui-tools`, a file for each requirement.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod answers_to_the_agent;
mod asked_is_run;
mod calls_of_the_backend;
mod changed_arguments;
mod chunked_calls;
mod consent_in_metadata;
mod damaged_events;
mod dropped_receive_futures;
mod events_without_a_call;
mod headless_adapter;
mod hook_before_each_call;
mod interrupted_runs;
mod limits_on_calls;
mod one_answer_for_each;
mod only_offered_tools;
mod order_of_review;
mod pieces_alone;
mod reading_arguments;
mod repeated_ids;
mod runs_following_runs;
mod snapshots;
mod streamed_calls;
pub(crate) mod support;
mod tool_names;
mod tool_schemas;
mod tools_of_the_moment;
