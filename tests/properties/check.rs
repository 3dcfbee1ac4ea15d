//! The argument check against an oracle that looks at one argument after the other.

use std::collections::BTreeSet;

use drawloom::command::{ArgumentKind, CommandArgumentValue, CommandArguments, CommandScalar};
use proptest::prelude::*;

use crate::strategies::{Declared, command, declared, matching_call, near_call, value};

/// Whether a value matches, said as plainly as can be.
fn matches(declared: &Declared, value: &CommandArgumentValue) -> bool {
    let scalars = match (value, declared.list) {
        (CommandArgumentValue::Single(scalar), false) => vec![scalar.clone()],
        (CommandArgumentValue::List(scalars), true) => scalars.clone(),
        _ => return false,
    };
    scalars.iter().all(|scalar| match (declared.kind, scalar) {
        (ArgumentKind::Text, CommandScalar::Text(_)) => true,
        (ArgumentKind::Choice, CommandScalar::Text(text)) => declared.choices.contains(text),
        (ArgumentKind::Boolean, CommandScalar::Boolean(_)) => true,
        (ArgumentKind::Number, CommandScalar::Number(number)) => match declared.range {
            None => true,
            Some((min, max)) => number.as_i64().is_some_and(|whole| min <= whole && whole <= max),
        },
        _ => false,
    })
}

/// The names of the arguments that are wrong: the declared ones in order, then the undeclared by name.
fn wrong(declared: &[Declared], given: &CommandArguments) -> Vec<String> {
    let mut wrong = Vec::new();
    for one in declared {
        match given.get(&one.name) {
            None if one.required => wrong.push(one.name.clone()),
            Some(value) if !matches(one, value) => wrong.push(one.name.clone()),
            _ => {}
        }
    }
    let known: BTreeSet<&str> = declared.iter().map(|one| one.name.as_str()).collect();
    let mut undeclared: Vec<_> =
        given.iter().map(|(name, _)| name).filter(|name| !known.contains(name)).collect();
    undeclared.sort_unstable();
    wrong.extend(undeclared.into_iter().map(str::to_owned));
    wrong
}

fn found(declared: &[Declared], given: &CommandArguments) -> Vec<String> {
    match command(declared).declare().unwrap().check(given) {
        Ok(()) => Vec::new(),
        Err(problems) => {
            assert!(!problems.as_slice().is_empty());
            problems.as_slice().iter().map(|problem| problem.argument().to_owned()).collect()
        }
    }
}

/// One way to spoil a matching call.
#[derive(Clone, Debug)]
enum Mutation {
    Remove,
    WrongShape,
    WrongKind,
    Undeclared,
}

proptest! {
    #[test]
    fn it_finds_what_the_oracle_finds((declared, given) in near_call()) {
        prop_assert_eq!(found(&declared, &given), wrong(&declared, &given));
    }

    #[test]
    fn a_matching_call_has_no_problem((declared, given) in matching_call()) {
        prop_assert_eq!(found(&declared, &given), Vec::<String>::new());
    }

    #[test]
    fn one_mutation_is_one_problem(
        (declared, given) in matching_call(),
        mutation in prop::sample::select(
            vec![Mutation::Remove, Mutation::WrongShape, Mutation::WrongKind, Mutation::Undeclared]
        ),
        at in any::<prop::sample::Index>(),
    ) {
        let mut given = given;
        let one = (!declared.is_empty()).then(|| at.get(&declared).clone());
        let spoiled = match (mutation, one) {
            (Mutation::Remove, Some(one)) if one.required => {
                given.remove(&one.name);
                one.name
            }
            (Mutation::WrongShape, Some(one)) => {
                let value = if one.list {
                    CommandArgumentValue::Single("a".into())
                } else {
                    CommandArgumentValue::List(Vec::new())
                };
                given = given.with(one.name.clone(), value);
                one.name
            }
            (Mutation::WrongKind, Some(one)) => {
                let wrong: CommandScalar = match one.kind {
                    ArgumentKind::Boolean | ArgumentKind::Number => "true".into(),
                    ArgumentKind::Text | ArgumentKind::Choice => 1.into(),
                };
                let value = if one.list {
                    CommandArgumentValue::List(vec![wrong])
                } else {
                    CommandArgumentValue::Single(wrong)
                };
                given = given.with(one.name.clone(), value);
                one.name
            }
            // Every declared name has one letter.
            _ => {
                given = given.with("zzz", 1);
                "zzz".to_owned()
            }
        };
        prop_assert_eq!(found(&declared, &given), vec![spoiled]);
    }

    #[test]
    fn the_order_of_keys_changes_nothing(
        declared in declared(),
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
            command(&declared).declare().unwrap().check(&given).map_err(|problems| problems.to_string())
        };
        prop_assert_eq!(check(&text(&members.0)), check(&text(&members.1)));
    }

    #[test]
    fn any_json_is_read_or_refused_and_never_panics(declared in declared(), text in json()) {
        if let Ok(given) = CommandArguments::from_json(&text) {
            let _ = command(&declared).declare().unwrap().check(&given);
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
