//! The scenarios of the capability `validate-commands` that concern the command line. Those of the library are in
//! `drawloom-tests`.

mod the_command_validate_commands;
mod the_development_server;
