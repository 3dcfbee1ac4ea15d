//! The scenarios of the capability `replay`, in a module for each requirement.

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
