//! A number arrives unchanged, or the call is refused.

use drawloom::command::{
    Argument, CommandArgumentValue, CommandArguments, CommandScalar, NumberError, ReadArgumentsError,
};

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
