//! The published schema and the check are of one mind, undeclared arguments aside: a schema without
//! `additionalProperties` cannot forbid those, and choices that depend on other arguments, which are not published. The judge is the `jsonschema` crate.

use drawloom::command::{CommandArguments, CommandDeclaration, RegistrationId};
use proptest::prelude::*;

use crate::strategies::{matching_call, near_call};

fn accepts(declaration: &CommandDeclaration, given: &CommandArguments) -> (bool, bool) {
    let described = declaration.describe(RegistrationId::unique(), |text| text.clone()).unwrap();
    let validator = jsonschema::validator_for(&described.parameters()).unwrap();
    let instance = serde_json::to_value(given).unwrap();
    (validator.is_valid(&instance), declaration.check(given).is_ok())
}

proptest! {
    #[test]
    fn the_schema_accepts_what_the_check_accepts((command, given) in matching_call()) {
        prop_assert_eq!(accepts(&command.declare().unwrap(), &given), (true, true));
    }

    #[test]
    fn and_nothing_else((declaration, given) in near_call()) {
        let mut given = given;
        given.remove("undeclared");
        for argument in declaration.arguments().iter().filter(|argument| !argument.depends_on().is_empty()) {
            given.remove(argument.name());
        }
        let (by_schema, by_check) = accepts(&declaration, &given);
        prop_assert_eq!(by_schema, by_check);
    }
}
