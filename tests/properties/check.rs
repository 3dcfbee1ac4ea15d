//! The argument check against an oracle that looks at one argument after the other.

use std::collections::BTreeSet;

use drawloom::command::property::{any_declaration, wrong_arguments};
use drawloom::command::{
    ArgumentKind, CommandArgument, CommandArgumentValue, CommandArguments, CommandDeclaration, CommandScalar,
};
use proptest::prelude::*;

use crate::strategies::{matching_call, near_call, value};

/// Whether a value matches, said as plainly as can be. `choices` are those that the other arguments give, if these match.
fn matches(argument: &CommandArgument, choices: Option<&[String]>, value: &CommandArgumentValue) -> bool {
    let scalars = match (value, argument.is_list()) {
        (CommandArgumentValue::Single(scalar), false) => vec![scalar.clone()],
        (CommandArgumentValue::List(scalars), true) => scalars.clone(),
        _ => return false,
    };
    let has_choices = choices.is_none_or(|choices| !choices.is_empty());
    let is_one = |scalar: &CommandScalar| match (argument.kind(), scalar) {
        (ArgumentKind::Text, CommandScalar::Text(text)) => argument.text_length().is_none_or(|length| {
            let count = u32::try_from(text.chars().count()).unwrap();
            length.min() <= count && length.max().is_none_or(|max| count <= max)
        }),
        (ArgumentKind::Choice, CommandScalar::Text(text)) => {
            choices.is_none_or(|choices| choices.contains(text))
        }
        (ArgumentKind::Boolean, CommandScalar::Boolean(_)) => true,
        (ArgumentKind::Number, CommandScalar::Number(number)) => {
            let whole = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
            let is_whole = argument
                .integer_range()
                .is_none_or(|range| whole.is_some_and(|whole| range.min <= whole && whole <= range.max));
            let value = number.as_f64();
            is_whole
                && argument.number_range().is_none_or(|range| range.min() <= value && value <= range.max())
        }
        _ => false,
    };
    scalars.iter().all(is_one) && (argument.kind() != ArgumentKind::Choice || has_choices)
}

/// The names of the arguments that are wrong: the declared ones in order, then the undeclared by name.
fn wrong(declaration: &CommandDeclaration, given: &CommandArguments) -> Vec<String> {
    let is_wrong = |argument: &CommandArgument, choices: Option<&[String]>| match given.get(argument.name()) {
        None => argument.is_required(),
        Some(value) => !matches(argument, choices, value),
    };
    let plain = |argument: &CommandArgument| {
        let choices: Option<Vec<String>> =
            argument.choices().map(|choices| choices.iter().map(ToString::to_string).collect());
        is_wrong(argument, choices.as_deref())
    };
    let mut effective = given.clone();
    declaration.complete(&mut effective);
    let mut wrong = Vec::new();
    for argument in declaration.arguments() {
        // The strategy makes no chain of dependencies: what others depend on depends on nothing.
        let depends_on_wrong = declaration
            .arguments()
            .iter()
            .any(|other| argument.depends_on().iter().any(|name| **name == *other.name()) && plain(other));
        let choices: Option<Vec<String>> = match (argument.depends_on().is_empty(), depends_on_wrong) {
            (true, _) | (false, true) => None,
            (false, false) => {
                let choices = argument.choices_given(&effective).unwrap();
                Some(choices.iter().map(ToString::to_string).collect())
            }
        };
        let is_wrong = match argument.depends_on().is_empty() {
            true => plain(argument),
            false => is_wrong(argument, choices.as_deref()),
        };
        if is_wrong {
            wrong.push(argument.name().to_owned());
        }
    }
    let known: BTreeSet<&str> = declaration.arguments().iter().map(CommandArgument::name).collect();
    let mut undeclared: Vec<_> =
        given.iter().map(|(name, _)| name).filter(|name| !known.contains(name)).collect();
    undeclared.sort_unstable();
    wrong.extend(undeclared.into_iter().map(str::to_owned));
    wrong
}

fn found(declaration: &CommandDeclaration, given: &CommandArguments) -> Vec<String> {
    match declaration.check(given) {
        Ok(()) => Vec::new(),
        Err(problems) => {
            assert!(!problems.as_slice().is_empty());
            problems.as_slice().iter().map(|problem| problem.argument().to_owned()).collect()
        }
    }
}

proptest! {
    #[test]
    fn it_finds_what_the_oracle_finds((declaration, given) in near_call()) {
        prop_assert_eq!(found(&declaration, &given), wrong(&declaration, &given));
    }

    #[test]
    fn a_matching_call_has_no_problem((command, given) in matching_call()) {
        prop_assert_eq!(found(&command.declare().unwrap(), &given), Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_in_one_way_is_one_problem_and_the_oracle_agrees(
        (declaration, wrongly) in any_declaration().prop_flat_map(|declaration| {
            let wrong = wrong_arguments(&declaration);
            (Just(declaration), wrong)
        }),
    ) {
        prop_assert_eq!(found(&declaration, &wrongly.arguments), vec![wrongly.argument.clone()]);
        prop_assert_eq!(wrong(&declaration, &wrongly.arguments), vec![wrongly.argument]);
    }

    #[test]
    fn the_order_of_keys_changes_nothing(
        declaration in any_declaration(),
        members in prop::collection::btree_map("[a-h]", value(), 0..6)
            .prop_map(|members| members.into_iter().collect::<Vec<_>>())
            .prop_flat_map(|members| (Just(members.clone()), Just(members).prop_shuffle())),
    ) {
        let text = |members: &[(String, CommandArgumentValue)]| {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}:{}", serde_json::json!(name), serde_json::to_string(value).unwrap()))
                .collect();
            format!("{{{}}}", members.join(","))
        };
        let check = |text: &str| {
            let given = CommandArguments::from_json(text).unwrap();
            declaration.check(&given).map_err(|problems| problems.to_string())
        };
        prop_assert_eq!(check(&text(&members.0)), check(&text(&members.1)));
    }

    #[test]
    fn any_json_is_read_or_refused_and_never_panics(declaration in any_declaration(), text in json()) {
        if let Ok(given) = CommandArguments::from_json(&text) {
            let _ = declaration.check(&given);
        }
    }
}

/// JSON of any shape, some of it cut off.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        any::<f64>().prop_map(|value| value.to_string()),
        any::<i128>().prop_map(|value| value.to_string()),
        any::<String>().prop_map(|text| serde_json::json!(text).to_string()),
        any::<String>(),
    ];
    let nested = leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(("[a-e]{1,2}", inner), 0..6).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    });
    (nested, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(text, at, cut)| {
        let at = at.index(text.chars().count() + 1);
        if cut { text.chars().take(at).collect() } else { text }
    })
}
