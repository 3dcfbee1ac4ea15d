//! What holds for every text an event may be read from.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// A value that may stand where an event has a field: mostly of the right kind, sometimes of any other.
fn any_value() -> impl Strategy<Value = Value> {
    let texts = prop_oneof![
        Just("tool"),
        Just("c1"),
        Just(""),
        Just("interrupt"),
        Just("cancelled"),
        Just("a\"\\\n\u{1f600}"),
        Just("TOOL_CALL_ARGS"),
        Just("TOOL_CALL_CHUNK"),
        Just("RUN_FINISHED"),
        Just("MESSAGES_SNAPSHOT"),
    ];
    let leaf = prop_oneof![
        6 => texts.prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any_key(), inner), 0..4).prop_map(|members| Value::Object(
                members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
            )),
        ]
    })
}

fn any_key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "type",
        "toolCallId",
        "toolCallName",
        "delta",
        "threadId",
        "runId",
        "outcome",
        "messages",
        "interrupts",
        "role",
        "x",
    ])
}

/// The text of an object in which a key may stand twice.
fn any_event() -> impl Strategy<Value = String> {
    prop::collection::vec((any_key(), any_value()), 0..8).prop_map(|members| {
        let members: Vec<String> =
            members.into_iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        format!("{{{}}}", members.join(","))
    })
}

proptest! {
    #[test]
    fn every_object_is_an_event_and_the_naive_reading_agrees(text in any_event()) {
        let fast: Event<'_> = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(fast, salvage::event(&text).unwrap());
    }

    #[test]
    fn an_object_is_an_event_and_nothing_else_is(text in any_event(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(text.len());
        if let Some(part) = text.get(..cut) {
            prop_assert!(Event::parse(part).is_err(), "{}", part);
        }
    }

    #[test]
    fn no_text_makes_the_reading_panic(text in ".{0,40}") {
        let _ = Event::parse(&text);
    }
}
