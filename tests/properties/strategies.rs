//! Generators that several properties share, on top of those that the crate gives to authors of commands.

use drawloom::command::property::{any_command, any_number, matching_arguments};
use drawloom::command::{
    ArgumentKind, Command, CommandArgument, CommandArgumentValue, CommandArguments, CommandDeclaration,
    CommandScalar,
};
use proptest::prelude::*;

/// A value that may well match: mostly of the right kind and shape, within the limits or not.
fn near(argument: &CommandArgument) -> BoxedStrategy<CommandArgumentValue> {
    let single = match argument.kind() {
        ArgumentKind::Number => any_number().prop_map(CommandScalar::Number).boxed(),
        ArgumentKind::Choice => choice().prop_map(CommandScalar::Text).boxed(),
        ArgumentKind::Text | ArgumentKind::Boolean => scalar().boxed(),
    };
    let shaped = if argument.is_list() {
        prop::collection::vec(single, 0..3).prop_map(CommandArgumentValue::List).boxed()
    } else {
        single.prop_map(CommandArgumentValue::Single).boxed()
    };
    prop_oneof![4 => shaped, 1 => value()].boxed()
}

/// A declaration and a call that may well match it.
pub(crate) fn near_call() -> impl Strategy<Value = (CommandDeclaration, CommandArguments)> {
    any_command().prop_flat_map(|command| {
        let declaration = command.declare().unwrap();
        let given = near_arguments(&declaration);
        (Just(declaration), given)
    })
}

/// Arguments that may well match the declaration: each is given or not, and perhaps one that is not declared.
pub(crate) fn near_arguments(
    declaration: &CommandDeclaration,
) -> impl Strategy<Value = CommandArguments> + use<> {
    let names: Vec<_> = declaration.arguments().iter().map(|one| one.name().to_owned()).collect();
    let values: Vec<_> =
        declaration.arguments().iter().map(|one| prop::option::weighted(0.8, near(one))).collect();
    (values, prop::option::weighted(0.2, value())).prop_map(move |(values, undeclared)| {
        let given = names.iter().cloned().zip(values).chain([("undeclared".to_owned(), undeclared)]);
        given.filter_map(|(name, value)| value.map(|value| (name, value))).collect()
    })
}

pub(crate) fn scalar() -> impl Strategy<Value = CommandScalar> {
    prop_oneof![
        prop_oneof![any::<String>(), choice()].prop_map(CommandScalar::Text),
        any_number().prop_map(CommandScalar::Number),
        any::<bool>().prop_map(CommandScalar::Boolean),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = CommandArgumentValue> {
    prop_oneof![
        scalar().prop_map(CommandArgumentValue::Single),
        prop::collection::vec(scalar(), 0..4).prop_map(CommandArgumentValue::List),
    ]
}

/// What choices are made of: few enough for a value to be one of them by chance.
fn choice() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-e]{1,2}", 1 => Just("with".to_owned()), 1 => Just("without".to_owned())]
}

/// A command and a call that matches it.
pub(crate) fn matching_call() -> impl Strategy<Value = (Command, CommandArguments)> {
    any_command().prop_flat_map(|command| {
        let arguments = matching_arguments(&command.clone().declare().unwrap());
        (Just(command), arguments)
    })
}
