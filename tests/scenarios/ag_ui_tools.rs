//! The scenarios of the spec `ag-ui-tools`, a file for each requirement.
//!
//! The adapter offers a workbench's commands to an AG-UI agent as tools, and runs the agent's calls through the same
//! seam as every other caller's. Unless a scenario says otherwise: the adapter acts as the plugin `copilot`, which
//! holds `automation`; `notes` registers the callable commands `notes.open` (required text `path`, optional choice
//! `mode`; it answers its arguments) and `notes.ping` (no arguments, no answer); calls belong to the run `r1`, which
//! RUN_STARTED began; a *call* is START, its arguments and END; and there is no hook. *Refused* means an answer with
//! empty `content` and an `error` that starts with `The command did not run: `. A call is *left to the backend* by
//! the option for calls to tools that are not offered.

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
mod effects_in_metadata;
mod events_without_a_call;
mod headless_adapter;
mod hook_before_each_call;
mod interrupted_runs;
mod limits_on_calls;
mod one_answer_for_each;
mod only_offered_tools;
mod order_of_review;
mod origin_of_a_call;
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
