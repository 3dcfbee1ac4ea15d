//! The strategies and checks that an author of commands uses.
//!
//! The crate SHALL provide strategies for any declaration, for arguments that match a declaration, and for
//! arguments that are wrong in one way, and checks of a handler and of two declarations.

use drawloom::command::property::{
    any_declaration, assert_same_declaration, check_handler, check_refusals, matching_arguments,
};
use drawloom::command::{Argument, Command, CommandArguments, CommandDeclaration};
use proptest::prelude::*;

/// - **WHEN** arguments are drawn for many declarations.
/// - **THEN** those that match have no problem, and those that are wrong have the one problem that is announced for them.
#[test]
fn matching_and_wrong_arguments() {
    let matching = any_declaration().prop_flat_map(|declaration| {
        let arguments = matching_arguments(&declaration);
        (Just(declaration), arguments)
    });
    proptest!(|((declaration, arguments) in matching)| {
        prop_assert_eq!(declaration.check(&arguments).map_err(|problems| problems.to_string()), Ok(()));
    });
    let few = ProptestConfig::with_cases(32);
    proptest!(few, |(declaration in any_declaration())| check_refusals(&declaration));
}

fn declaration() -> CommandDeclaration {
    Command::new("math.halve", "Halve")
        .argument(Argument::integer("number", 0..=10_000).required())
        .answers("The half")
        .declare()
        .unwrap()
}

/// The message of a check that fails.
#[track_caller]
fn failure(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(check).expect_err("the check should fail");
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

/// - **WHEN** handlers are checked that panic for the number 7, that answer a NaN, and that do neither.
/// - **THEN** the check of the first two fails, naming the command and the simplest arguments, and the third passes.
#[test]
fn a_handler_that_does_not_hold() {
    let number = |arguments: &CommandArguments| arguments.integer("number").ok_or("there is no number");
    let from_7 = |arguments: CommandArguments| {
        let number = number(&arguments)?;
        assert!(number < 7, "seven");
        Ok::<_, &str>(number)
    };
    let panics = failure(|| check_handler(&declaration(), from_7));
    assert!(panics.contains("math.halve") && panics.contains("seven"), "{panics}");
    let arguments: String = panics.split_whitespace().collect();
    assert!(arguments.contains("Number(7"), "7 is the simplest: {panics}");

    let nan = failure(|| check_handler(&declaration(), |_| Ok::<_, String>(f64::NAN)));
    assert!(nan.contains("math.halve") && nan.contains("number that cannot be represented"), "{nan}");

    check_handler(&declaration(), |arguments| number(&arguments).map(|number| number / 2));
}

/// - **WHEN** two declarations that differ in one default are compared.
/// - **THEN** the comparison fails and names the argument and the default.
#[test]
fn two_declarations_that_differ() {
    let with = |default: u8| {
        let limit = Argument::integer("limit", 0..=255).default(default);
        Command::new("notes.list", "List").argument(limit).declare().unwrap()
    };
    assert_same_declaration(&with(20), &with(20));

    let message = failure(|| assert_same_declaration(&with(20), &with(21)));

    assert!(
        message.contains("\"limit\"") && message.contains("default") && message.contains("21"),
        "{message}"
    );
}
