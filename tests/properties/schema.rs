//! The published schema and the check are of one mind, undeclared arguments aside: a schema without
//! `additionalProperties` cannot forbid those. The judge is the `jsonschema` crate.

use drawloom::command::{CommandArguments, RegistrationId};
use proptest::prelude::*;

use crate::strategies::{Declared, command, matching_call, near_call};

fn accepts(declared: &[Declared], given: &CommandArguments) -> (bool, bool) {
    let declaration = command(declared).declare().unwrap();
    let described = declaration.describe(RegistrationId::unique(), |text| text.clone()).unwrap();
    let validator = jsonschema::validator_for(&described.parameters()).unwrap();
    let instance = serde_json::to_value(given).unwrap();
    (validator.is_valid(&instance), declaration.check(given).is_ok())
}

proptest! {
    #[test]
    fn the_schema_accepts_what_the_check_accepts((declared, given) in matching_call()) {
        prop_assert_eq!(accepts(&declared, &given), (true, true));
    }

    #[test]
    fn and_nothing_else((declared, given) in near_call()) {
        let mut given = given;
        given.remove("undeclared");
        let (by_schema, by_check) = accepts(&declared, &given);
        prop_assert_eq!(by_schema, by_check);
    }
}
