//! A declared answer SHALL be made of text, numbers, booleans, null, lists and maps keyed by text; a value that would
//! lose information SHALL end the call as failed.

use std::collections::HashMap;

use drawloom::command::CommandOutcome;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::support::{Bench, answering, assert_failed, bench, wire};

/// Invokes a command that returns this value as its declared answer.
#[track_caller]
fn invoke_returning<A>(bench: &Bench, id: &str, value: A) -> CommandOutcome
where
    A: Serialize + Clone + Send + Sync + 'static,
{
    bench.register_returning(answering(id), value);
    bench.invoke(id, "{}")
}

/// - **GIVEN** a handler that returns `{"rows":[1,2.5,null,true,{"id":"a"}],"next":9007199254740993}`.
/// - **WHEN** it is invoked.
/// - **THEN** the answer equals that value.
#[test]
fn nested_plain_data_arrives() {
    let value = json!({ "rows": [1, 2.5, null, true, { "id": "a" }], "next": 9_007_199_254_740_993_u64 });

    let outcome = invoke_returning(&bench(), "notes.page", value.clone());

    let told: Value = serde_json::from_str(&wire(&outcome)).unwrap();
    assert_eq!(told, json!({ "outcome": "answered", "value": value }));
}

/// - **GIVEN** handlers that return `[NaN]`, `[-Infinity]` and the integer 18446744073709551616.
/// - **WHEN** each is invoked.
/// - **THEN** all three outcomes are failed.
#[test]
fn numbers_out_of_range() {
    let bench = bench();
    assert_failed(invoke_returning(&bench, "notes.nan", [f64::NAN]));
    assert_failed(invoke_returning(&bench, "notes.infinite", [f64::NEG_INFINITY]));
    assert_failed(invoke_returning(&bench, "notes.huge", 18_446_744_073_709_551_616_u128));
}

/// - **GIVEN** handlers that return a map keyed by structs, a map from the integer 1, and a map that
///   writes the key `id` twice.
/// - **WHEN** each is invoked.
/// - **THEN** all three outcomes are failed.
#[test]
fn maps_with_unfit_keys() {
    #[derive(Clone, PartialEq, Eq, Hash, Serialize)]
    struct Place {
        line: u32,
    }

    #[derive(Clone)]
    struct Twice;

    impl Serialize for Twice {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("id", "a"), ("id", "b")])
        }
    }

    let bench = bench();
    let by_place = HashMap::from([(Place { line: 1 }, "a")]);
    assert_failed(invoke_returning(&bench, "notes.by_place", by_place));
    assert_failed(invoke_returning(&bench, "notes.by_number", HashMap::from([(1, "a")])));
    assert_failed(invoke_returning(&bench, "notes.twice", Twice));
}

/// - **GIVEN** a handler whose answer fails to serialize with `no such row`.
/// - **WHEN** it is invoked.
/// - **THEN** the outcome is failed and its message holds `no such row`.
#[test]
fn a_serializer_that_fails() {
    #[derive(Clone)]
    struct Row;

    impl Serialize for Row {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(S::Error::custom("no such row"))
        }
    }

    let message = assert_failed(invoke_returning(&bench(), "notes.row", Row));

    assert!(message.contains("no such row"), "{message}");
}

/// - **GIVEN** one handler that returns 128 lists one inside the other and one that returns 129.
/// - **WHEN** each is invoked.
/// - **THEN** the first is answered and the second is failed.
#[test]
fn the_bound_on_nesting() {
    fn lists(count: usize) -> Value {
        (1..count).fold(json!([]), |inner, _| json!([inner]))
    }

    let bench = bench();
    let outcome = invoke_returning(&bench, "notes.deep", lists(128));
    let told = format!(r#"{{"outcome":"answered","value":{}{}}}"#, "[".repeat(128), "]".repeat(128));
    assert_eq!(wire(&outcome), told);
    assert_failed(invoke_returning(&bench, "notes.deeper", lists(129)));
}
