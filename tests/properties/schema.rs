//! The published schema and the check are of one mind, undeclared arguments aside: a schema without
//! `additionalProperties` cannot forbid those. The judge is the `jsonschema` crate.

use drawloom::command::{CommandArguments, RegistrationId};
use proptest::prelude::*;

use crate::strategies::{Declared, command, declared, matching_call, value};

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
    fn and_nothing_else(
        declared in declared(),
        values in prop::collection::vec(prop::option::of(value()), 6),
    ) {
        let given: CommandArguments = declared
            .iter()
            .zip(values)
            .filter_map(|(one, value)| value.map(|value| (one.name.clone(), value)))
            .collect();
        let (by_schema, by_check) = accepts(&declared, &given);
        prop_assert_eq!(by_schema, by_check);
    }
}
