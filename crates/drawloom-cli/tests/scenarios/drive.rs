//! The scenarios of the capability `drive`, in a module for each requirement.

mod asking_on_a_terminal;
mod driving_an_agent;
mod exit_codes_of_drive;
mod lines_of_a_live_transcript;
mod recording_the_events;
mod sources_of_answers;
mod support;
mod terminal;
