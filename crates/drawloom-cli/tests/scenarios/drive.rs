//! The scenarios of the capability `drive`, in a module for each requirement.

mod answering_for_the_person;
mod asking_on_a_terminal;
mod driving_an_agent;
mod keeping_the_events;
mod lines_of_a_live_transcript;
mod support;
mod terminal;
mod where_a_drive_ends;
