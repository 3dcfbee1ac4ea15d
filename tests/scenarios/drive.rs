//! The scenarios of the capability `drive`, a module for each requirement.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what cannot be set up, or is not what it should be, fails its scenario"
)]

mod answering_for_the_person;
mod asking_on_a_terminal;
mod driving_an_agent;
mod keeping_the_events;
mod lines_of_a_live_transcript;
mod support;
mod terminal;
mod where_a_drive_ends;
