//! One-line checks: of a handler, of what a command refuses, and of two declarations.

use std::fmt::Display;

use proptest::strategy::Strategy;
use proptest::test_runner::{TestCaseError, TestRunner};
use serde::Serialize;

use super::{WrongArguments, matching_arguments, wrong_arguments};
use crate::answer::CommandAnswer;
use crate::argument::CommandArgument;
use crate::declaration::CommandDeclaration;
use crate::panic::contained;
use crate::value::CommandArguments;

/// Calls `handler` with many arguments that match the declaration, with the defaults filled in, as the workbench would.
///
/// The handler may return an error. An asynchronous handler is run to its end inside the closure, by an executor of your
/// choice.
///
/// # Panics
/// If the handler panics, or if the declaration says what the command answers and the value is not plain data. The message
/// contains the simplest arguments for which that happens.
#[track_caller]
pub fn check_handler<A: Serialize, E: Display>(
    declaration: &CommandDeclaration,
    handler: impl Fn(CommandArguments) -> Result<A, E>,
) {
    let declares_answer = declaration.answers().is_some();
    run(declaration, "handler", &matching_arguments(declaration), |mut arguments: CommandArguments| {
        declaration.complete(&mut arguments);
        match contained(|| handler(arguments)) {
            Err(panicked) => Err(panicked.to_string()),
            Ok(Ok(value)) if declares_answer => {
                CommandAnswer::from_value(&value).map(drop).map_err(|error| error.to_string())
            }
            Ok(_) => Ok(()),
        }
    });
}

/// Checks that the declaration refuses arguments that are wrong in one way, and names the argument and the way.
///
/// # Panics
/// If wrong arguments pass the check, or the check reports another problem. That is an error of drawloom or of a source of
/// choices that does not give the same choices twice.
#[track_caller]
pub fn check_refusals(declaration: &CommandDeclaration) {
    run(declaration, "check", &wrong_arguments(declaration), |wrong: WrongArguments| {
        let found = match declaration.check(&wrong.arguments) {
            Ok(()) => return Err(format!("the wrong argument {:?} was accepted", wrong.argument)),
            Err(problems) => problems,
        };
        match found.as_slice() {
            [only] if only.argument() == wrong.argument && only.code() == wrong.code => Ok(()),
            _ => Err(format!("expected {:?} of argument {:?}, found: {found}", wrong.code, wrong.argument)),
        }
    });
}

#[track_caller]
fn run<S: Strategy>(
    declaration: &CommandDeclaration,
    what: &str,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), String>,
) {
    let checked = TestRunner::default().run(strategy, |value| test(value).map_err(TestCaseError::fail));
    if let Err(error) = checked {
        fail(format!("the {what} of command \"{}\" does not hold: {error}", declaration.id()));
    }
}

/// Checks that two declarations are the same: that of a builder and that of a derive, for example. Choices that are read
/// while the program runs are compared as they are now.
///
/// ```
/// use drawloom_command::property::assert_same_declaration;
/// use drawloom_command::{Argument, ArgumentField, Command};
///
/// let by_hand = Command::new("c", "C").argument(Argument::integer("line", 0..=255).required()).declare()?;
/// let by_type = Command::new("c", "C").argument(u8::declare("line")).declare()?;
/// assert_same_declaration(&by_hand, &by_type);
/// # Ok::<(), drawloom_command::DeclarationError>(())
/// ```
///
/// # Panics
/// If they differ. The message names the first part that differs.
#[track_caller]
pub fn assert_same_declaration(one: &CommandDeclaration, other: &CommandDeclaration) {
    let (one, other) = (parts(one), parts(other));
    let longest = one.len().max(other.len());
    for at in 0..longest {
        let (one, other) = (one.get(at), other.get(at));
        if one != other {
            let shown = |part: Option<&(String, String)>| match part {
                Some((name, value)) => format!("{name}: {value}"),
                None => "nothing".to_owned(),
            };
            fail(format!("the declarations differ:\n  one:   {}\n  other: {}", shown(one), shown(other)));
        }
    }
}

/// Everything that a declaration says, part by part.
fn parts(declaration: &CommandDeclaration) -> Vec<(String, String)> {
    let mut parts = declaration.parts();
    for argument in declaration.arguments() {
        let mut add = |part: &str, value: String| {
            parts.push((format!("argument {:?}, {part}", argument.name()), value))
        };
        // What `Debug` shows of a source is that it is one; its choices are compared below.
        let CommandArgument { name: _, description, required, list, secret, default, domain, misplaced: _ } =
            argument;
        add("description", format!("{description:?}"));
        add("required", required.to_string());
        add("list", list.to_string());
        add("secret", secret.to_string());
        add("default", format!("{default:?}"));
        match domain {
            crate::argument::Domain::Choice(choices) => {
                add("choices", format!("{:?}", argument.choices()));
                add("dependencies", format!("{:?}", argument.depends_on()));
                add("labels", format!("{:?}", choices.labels));
            }
            limits => add("kind", format!("{limits:?}")),
        }
    }
    parts
}

#[track_caller]
#[expect(clippy::panic, reason = "the assertion of a test")]
fn fail(message: String) -> ! {
    panic!("{message}")
}
