//! The scenarios of the spec `commands`, a file for each requirement.
//!
//! A command is an action that an application declares once, under an id. This file defines what a declaration may
//! contain, how the arguments of a call are checked, and how a call can end. *The developer* builds the application
//! and reads its reports; *the person* is the user of the application. Unless a scenario says otherwise, the plugin
//! `notes` registers the commands and has the right to, the plugin `copilot` may reach them, every command is
//! callable, and *invoking* is what `copilot` does through its own context.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod answers_are_plain_data;
mod arguments_as_values;
mod builder_and_derive;
mod checking_the_arguments;
mod choices_given_by_other_arguments;
mod choices_set_from_outside;
mod commands_as_types;
mod controls_and_their_command;
mod defaults;
mod description_beside_title;
mod effects_as_hints;
mod exact_numbers;
mod faulty_declarations;
mod four_argument_kinds;
mod handlers_that_fail;
mod labels_of_choices;
mod lengths_and_bounds;
mod limits_of_number_types;
mod property_tests_for_authors;
mod repeated_keys;
mod secret_arguments;
mod support;
mod texts_in_the_language;
mod three_outcomes;
mod typed_answers;
mod what_a_declaration_holds;
mod what_is_answered;
mod what_is_shown;
mod where_choices_come_from;
