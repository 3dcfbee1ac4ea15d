//! The scenarios of the capability `validate-commands` that concern the command line. Those of the library are in
//! `drawloom-tests`.
//!
//! The author of commands can learn what an agent will see of them before anything runs: the declarations in a
//! directory are read from their source, without building it, and the commands of a live workbench are judged by the
//! same rules. Unless a scenario says otherwise, the *directory* holds one file `notes.rs` that uses the prelude of
//! `drawloom`, each command that the scenario names has the title `Title`, and the directory is judged by the
//! library.

mod the_command_validate_commands;
mod the_development_server;
