//! A declaration that no caller could make sense of SHALL be refused when it is registered, with an error that names
//! the command, the argument and what is wrong.

use drawloom::command::{Argument, Command};

use super::support::bench;

fn open() -> Command {
    Command::new("notes.open", "Open note")
}

/// - **WHEN** `notes.open` is registered with the choice argument `mode` offering `preview` twice.
/// - **THEN** the error names `notes.open`, `mode` and the repeated choice `preview`.
#[test]
fn the_error_names_the_place() {
    let mode = Argument::choice("mode", ["preview", "permanent", "preview"]);

    let error = bench().try_register(open().argument(mode)).unwrap_err().to_string();

    for name in ["\"notes.open\"", "\"mode\"", "\"preview\""] {
        assert!(error.contains(name), "{name} is not named: {error}");
    }
    assert!(!error.contains("permanent"), "{error}");
}

/// - **WHEN** one command is registered with two arguments named `path` and another with an argument
///   named by the empty string.
/// - **THEN** both registrations are errors.
#[test]
fn unusable_argument_names() {
    let bench = bench();
    let twice = open().argument(Argument::text("path")).argument(Argument::number("path"));
    let nameless = open().argument(Argument::text(""));

    assert_eq!(bench.try_register(twice).unwrap_err().code(), "duplicate-argument");
    assert_eq!(bench.try_register(nameless).unwrap_err().code(), "empty-argument-name");
}

/// - **WHEN** a command with a required choice over an empty fixed list is registered, and one with an
///   optional one.
/// - **THEN** the first registration is an error and the second succeeds.
#[test]
fn a_choice_without_choices() {
    let bench = bench();
    let none = Argument::choice("mode", [""; 0]);

    let required = bench.try_register(open().argument(none.clone().required()));
    let optional = bench.try_register(open().argument(none));

    assert_eq!(required.unwrap_err().code(), "no-choices");
    assert_eq!(optional, Ok(()));
}

/// - **WHEN** a command is registered with the choices `preview` and the empty string.
/// - **THEN** the registration is an error.
#[test]
fn empty_text_as_choice() {
    let mode = Argument::choice("mode", ["preview", ""]);

    let error = bench().try_register(open().argument(mode)).unwrap_err();

    assert_eq!(error.code(), "empty-choice");
}

/// - **WHEN** a callable command with the argument `due date`, one with the argument `größe`, and a
///   command with the argument `due date` that is not callable are registered.
/// - **THEN** the first two registrations are errors that name the command and the argument, and the
///   third succeeds.
#[test]
fn names_that_model_apis_reject() {
    let bench = bench();
    for name in ["due date", "größe"] {
        let error = bench.try_register(open().argument(Argument::text(name)).callable()).unwrap_err();
        assert_eq!(error.code(), "invalid-argument-name");
        let text = error.to_string();
        assert!(text.contains("\"notes.open\"") && text.contains(&format!("{name:?}")), "{text}");
    }
    assert_eq!(bench.try_register(open().argument(Argument::text("due date"))), Ok(()));
}
