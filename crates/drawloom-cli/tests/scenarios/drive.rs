//! The scenarios of the capability `drive`, in a module for each requirement.
//!
//! `drawloom drive` lets a live AG-UI agent use the workbench of a file, from a prompt until the conversation is
//! completed. It is the main command for work in a terminal, and a front end for trying an agent's backend. Unless a
//! scenario says otherwise, the file is the *usual file* of the capability `replay` with the additional command
//! `notes.delete` (required text `path`, callable, states `ask`), without consent, and there is no terminal. The
//! *stand-in* is the built-in script in place of an agent.

mod answers_given_before;
mod asking_on_a_terminal;
mod chatting;
mod checking_a_recording;
mod driving_an_agent;
mod exit_codes_of_drive;
mod lines_of_a_live_transcript;
mod recording_the_events;
mod seeing_everything;
mod several_turns;
mod sources_of_answers;
mod support;
mod terminal;
mod what_is_sent_with_a_message;
