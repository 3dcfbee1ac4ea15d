//! Values arrive unchanged: arguments through JSON, answers through any serialiser.

use drawloom::command::{CommandAnswer, CommandArguments, Number};
use proptest::prelude::*;

use crate::strategies::value;

proptest! {
    #[test]
    fn arguments_survive_the_way_through_json(members in prop::collection::btree_map(any::<String>(), value(), 0..8)) {
        let given: CommandArguments = members.into_iter().collect();
        let text = serde_json::to_string(&given).unwrap();
        prop_assert_eq!(CommandArguments::from_json(&text), Ok(given));
    }

    #[test]
    fn every_integer_is_exact_or_refused(value in any::<i128>(), near in any::<i64>()) {
        for value in [value, near.into(), i128::from(near) + i128::from(i64::MAX)] {
            match Number::parse(&value.to_string()) {
                Ok(number) => prop_assert_eq!(number.to_string(), value.to_string()),
                Err(_) => prop_assert!(value > u64::MAX.into() || value < i64::MIN.into()),
            }
        }
    }

    #[test]
    fn every_double_is_exact(value in any::<f64>()) {
        match Number::try_from(value) {
            Ok(number) => {
                let text = serde_json::to_string(&number).unwrap();
                prop_assert_eq!(Number::parse(&text).map(|read| read.as_f64().to_bits()), Ok(value.to_bits()));
            }
            Err(_) => prop_assert!(!value.is_finite()),
        }
    }

    #[test]
    fn an_answer_is_what_serde_json_makes_of_it(value in plain()) {
        let answer = CommandAnswer::from_value(&value).unwrap();
        prop_assert_eq!(serde_json::to_value(&answer).unwrap(), value.clone());
        prop_assert_eq!(serde_json::from_str::<CommandAnswer>(&value.to_string()).unwrap(), answer);
    }
}

/// Plain data as `serde_json` holds it; its own way through text is exact only with a feature that is not ours.
fn plain() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<i32>().prop_map(|halves| (f64::from(halves) / 2.0).into()),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}
