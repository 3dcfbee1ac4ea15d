//! The scenarios of the capability `replay`, in a module for each requirement.
//!
//! A JSON file can describe a workbench. From the command line, its tools can be listed, its commands can be invoked,
//! and a recorded AG-UI run can be played on it. Authors of agent backends use it as a front end; authors of products
//! use it to examine a run that went wrong. Unless a scenario says otherwise, the *usual file* has the plugin `notes`
//! with the callable commands `notes.open` (required text `path`, optional choice `mode` of `preview` and
//! `permanent`, answers, behaviour echo) and `notes.ping` (nothing more), the plugin `copilot` as the agent, and the
//! grants that both need.

mod cases_as_files;
mod closed_defaults;
mod errors_in_the_file;
mod exit_codes;
mod invoking_one_command;
mod limits_of_files;
mod lines_of_the_transcript;
mod losses_in_a_recording;
mod options_of_the_file;
mod playing_a_run;
mod printing_the_tools;
mod scripted_consent;
pub(crate) mod support;
mod text_on_a_terminal;
mod what_commands_do;
mod workbench_file;
