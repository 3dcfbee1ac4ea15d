//! A number SHALL reach the handler as the value that was sent, or the call SHALL be refused; no value SHALL be
//! turned into one of another kind on the way. Where a type rounds, its documentation SHALL say so. Numbers SHALL be
//! read in the same way whether or not the JSON library of the program keeps their text.

use drawloom::command::{
    Argument, CommandAnswer, CommandArgumentValue, CommandArguments, CommandOutcome, CommandScalar, Number,
    NumberError, ReadArgumentsError,
};
use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer};
use serde_json::{Value, json};

use super::support::{Bench, Shared, answering, assert_invalid, bench, callable, wire};

/// `notes.echo`, which answers the number it is given.
fn bench_with_echo() -> Bench {
    let bench = bench();
    let echo = answering("notes.echo").argument(Argument::number("count").required());
    bench.register(echo, |call| async move { Ok(call.number("count")?) });
    bench
}

/// Asserts that `notes.echo` answers the number it is sent, digit for digit.
#[track_caller]
fn assert_echoed(bench: &Bench, number: &str) {
    let outcome = bench.invoke("notes.echo", &format!("{{\"count\":{number}}}"));
    assert_eq!(wire(&outcome), format!("{{\"outcome\":\"answered\",\"value\":{number}}}"));
}

/// What an arguments object holds for `count`, given so.
fn read_count(number: &str) -> Result<CommandArgumentValue, ReadArgumentsError> {
    let mut arguments = CommandArguments::from_json(&format!("{{\"count\":{number}}}"))?;
    Ok(arguments.remove("count").expect("it was given"))
}

/// - **GIVEN** `notes.echo` with the number argument `count`, which answers what it was given.
/// - **WHEN** it is invoked with 9007199254740993 and then with 2512292042121000001.
/// - **THEN** it answers 9007199254740993 and then 2512292042121000001.
#[test]
fn large_integers_stay_exact() {
    let bench = bench_with_echo();
    assert_echoed(&bench, "9007199254740993");
    assert_echoed(&bench, "2512292042121000001");
}

/// - **GIVEN** `notes.echo` with the number argument `count`.
/// - **WHEN** it is invoked with -9223372036854775808 and then with 18446744073709551615.
/// - **THEN** it answers those same two integers.
#[test]
fn the_ends_of_the_range() {
    let bench = bench_with_echo();
    assert_echoed(&bench, "-9223372036854775808");
    assert_echoed(&bench, "18446744073709551615");
}

/// - **WHEN** arguments objects with `count` as 18446744073709551616, as -9223372036854775809 and as
///   1e400 are read.
/// - **THEN** all three are refused rather than rounded.
#[test]
fn numbers_beyond_the_range() {
    let refused = |error| Err(ReadArgumentsError::Number("count".into(), error));
    assert_eq!(read_count("18446744073709551616"), refused(NumberError::IntegerOutOfRange));
    assert_eq!(read_count("-9223372036854775809"), refused(NumberError::IntegerOutOfRange));
    assert_eq!(read_count("1e400"), refused(NumberError::NotFinite));
}

/// - **WHEN** argument values are made from NaN, positive infinity and negative infinity.
/// - **THEN** all three are refused.
#[test]
fn values_that_are_no_number() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(CommandScalar::try_from(value), Err(NumberError::NotFinite), "{value}");
    }
}

/// - **WHEN** the argument values read from 14380.0 and from 14380 are compared.
/// - **THEN** they are equal.
#[test]
fn a_whole_number_with_point() {
    assert_eq!(read_count("14380.0").unwrap(), read_count("14380").unwrap());
    assert_ne!(read_count("14380.5").unwrap(), read_count("14380").unwrap());
}

/// - **GIVEN** `notes.echo` with the number argument `count`.
/// - **WHEN** it is invoked with 0.1.
/// - **THEN** the handler receives the double nearest to 0.1.
#[test]
fn a_fraction_is_nearest_double() {
    let bench = bench();
    let received = Shared::new(Vec::new());
    let receives = received.clone();
    bench.register(callable("notes.echo").argument(Argument::number("count")), move |call| {
        receives.lock().push(call.number("count").map(|count| count.as_f64().to_bits()));
        async { Ok(()) }
    });

    bench.invoke("notes.echo", r#"{"count":0.1}"#);

    // The significand is 0.1 · 2⁵⁶ to the nearest integer, 0x1999999999999a; its exponent reads 0x3fb.
    assert_eq!(*received.lock(), [Ok(0x3fb9_9999_9999_999a)]);
}

/// - **GIVEN** the number argument `count` and the boolean argument `pinned`.
/// - **WHEN** the command is invoked with `count` as `"12"` and `pinned` as 1.
/// - **THEN** it is refused as `invalid-arguments`, naming `count` and `pinned`.
#[test]
fn no_value_is_converted() {
    let bench = bench();
    let declared = [Argument::number("count"), Argument::boolean("pinned")];
    let runs = bench.register_idle(callable("notes.pin").arguments(declared));

    let outcome = bench.invoke("notes.pin", r#"{"count":"12","pinned":1}"#);

    assert_invalid(&outcome, &["count", "pinned"]);
    assert_eq!(runs.count(), 0);
}

/// - **GIVEN** a number as `serde_json` passes it on with its feature `arbitrary_precision`: a map from a private key to a text.
/// - **WHEN** numbers with the texts 9007199254740993, 14380.0 and 18446744073709551616 are read from it.
/// - **THEN** the first two are equal to 9007199254740993 and 14380, and the third is an error.
#[test]
fn numbers_that_are_kept_as_text() {
    let read = |text: &str| {
        let entry = [("$serde_json::private::Number", text)];
        Number::deserialize(MapDeserializer::<_, Error>::new(entry.into_iter()))
    };
    assert_eq!(read("9007199254740993"), Ok(Number::from(9_007_199_254_740_993_u64)));
    assert_eq!(read("14380.0"), Ok(Number::from(14_380)));
    assert!(read("18446744073709551616").is_err());
}

/// - **GIVEN** `notes.echo`, which answers with a value that `serde_json` read from `{"n":[9007199254740993,2.5,14380.0]}`.
/// - **WHEN** it is invoked, and its outcome is written as JSON and read back.
/// - **THEN** both outcomes answer with these numbers.
#[test]
fn values_of_the_json_library() {
    let bench = bench();
    bench.register(answering("notes.echo"), |_| async {
        Ok(serde_json::from_str::<Value>(r#"{"n":[9007199254740993,2.5,14380.0]}"#)?)
    });

    let outcome = bench.invoke("notes.echo", "{}");
    let read_back: CommandOutcome = serde_json::from_str(&wire(&outcome)).unwrap();

    let numbers =
        [Number::from(9_007_199_254_740_993_u64), Number::try_from(2.5).unwrap(), Number::from(14_380)];
    let list = CommandAnswer::List(numbers.map(CommandAnswer::Number).to_vec());
    let expected = CommandAnswer::Map([("n".to_owned(), list)].into());
    assert_eq!(outcome, CommandOutcome::Answered { value: Some(expected) });
    assert_eq!(read_back, outcome);
}

/// - **GIVEN** the number argument `count` up to 9007199254740992.
/// - **WHEN** the command is invoked with `count` as 9007199254740992 and then as 9007199254740993.
/// - **THEN** the first is answered, and the second is refused as `invalid-arguments`, naming `count`.
#[test]
fn a_bound_is_compared_exactly() {
    let bench = bench();
    let count = Argument::number_within("count", f64::NEG_INFINITY..=9_007_199_254_740_992.0);
    let runs = bench.register_idle(callable("notes.show").argument(count));

    let within = bench.invoke("notes.show", r#"{"count":9007199254740992}"#);
    let beyond = bench.invoke("notes.show", r#"{"count":9007199254740993}"#);

    assert_eq!(wire(&within), r#"{"outcome":"answered"}"#);
    assert_invalid(&beyond, &["count"]);
    assert_eq!(runs.count(), 1);
}

/// - **WHEN** a command is registered with the arguments of a schema in which `count` is a `number` up to 9007199254740993.
/// - **THEN** the registration is refused, naming `/properties/count/maximum`.
#[test]
fn a_bound_that_is_not_a_double() {
    let with_maximum = |maximum: u64| {
        let count = json!({ "type": "number", "maximum": maximum });
        let schema = json!({ "type": "object", "properties": { "count": count }, "required": [] });
        bench().try_register(callable("notes.show").arguments_from_schema(&schema))
    };
    assert!(with_maximum(9_007_199_254_740_992).is_ok());
    let refused = with_maximum(9_007_199_254_740_993).unwrap_err().to_string();
    assert!(refused.contains("/properties/count/maximum"), "{refused}");
}

/// - **GIVEN** `notes.show`, whose struct has the fields `double` of the type `f64`, `single` of the type `f32` and `exact` of the type `Number`.
/// - **WHEN** it is invoked with 9007199254740993 for each, and the documentation of the argument types is read.
/// - **THEN** the handler receives 9007199254740992, 9007199254740992 and 9007199254740993, and the documentation names both types and what they round.
#[test]
fn what_floats_round() {
    #[derive(Debug, PartialEq, drawloom::prelude::CommandArguments)]
    struct Show {
        double: f64,
        single: f32,
        exact: Number,
    }
    let bench = bench();
    let received = Shared::new(Vec::new());
    let shown = received.clone();
    let handler = move |show: Show, _| {
        shown.lock().push(show);
        std::future::ready(Ok(()))
    };
    bench.notes.register_typed(callable("notes.show"), handler).unwrap().keep();

    let number = "9007199254740993";
    bench.invoke("notes.show", &format!("{{\"double\":{number},\"single\":{number},\"exact\":{number}}}"));

    let rounded = 9_007_199_254_740_992_u64;
    let expected = Show { double: rounded as f64, single: rounded as f32, exact: Number::from(rounded + 1) };
    assert_eq!(*received.lock(), [expected]);

    let source = include_str!("../../../crates/drawloom-command/src/argument/scalar.rs");
    let docs: String = source.lines().filter_map(|line| line.strip_prefix("/// ")).collect();
    let rounding = docs.split("# Floats").nth(1).unwrap();
    assert!(
        rounding.contains("`f64` holds the double nearest") && rounding.contains("`f32` the nearest `f32`")
    );
}
