//! Arguments SHALL be compared with the declaration before the handler is reached, all mismatches SHALL be reported
//! at once and always in the same order, and a call with any mismatch SHALL be refused as `invalid-arguments` without
//! running.

use drawloom::command::{Argument, Command, CommandOutcome};

use super::support::{Shared, assert_invalid, bench, callable};

/// Invokes `notes.open`, declared with these arguments, and asserts that it is refused naming `names` and
/// has not run.
#[track_caller]
fn assert_refused(declared: impl IntoIterator<Item = Argument>, given: &str, names: &[&str]) {
    let bench = bench();
    let runs = bench.register_idle(callable("notes.open").arguments(declared));

    let outcome = bench.invoke("notes.open", given);

    assert_invalid(&outcome, names);
    assert_eq!(runs.count(), 0, "the handler has run");
}

/// - **GIVEN** `notes.open` with the required text argument `path`.
/// - **WHEN** it is invoked without arguments.
/// - **THEN** it is refused as `invalid-arguments`, naming `path`, and its handler has not run.
#[test]
fn a_required_argument_is_missing() {
    assert_refused([Argument::text("path").required()], "{}", &["path"]);
}

/// - **GIVEN** `notes.open` with the required choice `mode` of `preview` and `permanent`, and the required list of
///   numbers `lines`.
/// - **WHEN** it is invoked without arguments.
/// - **THEN** the refusal lists the two choices of `mode`, and says that `lines` is a list of numbers.
#[test]
fn what_a_missing_argument_takes() {
    let bench = bench();
    let open = callable("notes.open")
        .argument(Argument::choice("mode", ["preview", "permanent"]).required())
        .argument(Argument::number("lines").list().required());
    bench.register_idle(open);

    let CommandOutcome::Refused(refusal) = bench.invoke("notes.open", "{}") else { panic!("it ran") };

    assert_eq!(
        refusal.message,
        "argument \"mode\" is missing; it takes one of \"preview\", \"permanent\"; argument \"lines\" is missing; it \
         takes a list in which each entry is a number"
    );
}

/// - **GIVEN** `notes.open` with the text argument `path`.
/// - **WHEN** it is invoked with `path` as `true`.
/// - **THEN** it is refused as `invalid-arguments`, naming `path`, and its handler has not run.
#[test]
fn a_value_of_another_kind() {
    assert_refused([Argument::text("path")], r#"{"path":true}"#, &["path"]);
}

/// - **GIVEN** the choice argument `mode` with `preview` and `permanent`.
/// - **WHEN** the command is invoked with `mode` as `sideways`.
/// - **THEN** it is refused as `invalid-arguments`, naming `mode`, and its handler has not run.
#[test]
fn a_value_outside_the_choices() {
    let mode = Argument::choice("mode", ["preview", "permanent"]);
    assert_refused([mode], r#"{"mode":"sideways"}"#, &["mode"]);
}

/// - **GIVEN** the text argument `path` and the text list argument `tags`.
/// - **WHEN** the command is invoked with `path` as `["inbox"]` and `tags` as `"red"`.
/// - **THEN** it is refused as `invalid-arguments`, naming `path` and `tags`, and its handler has not
///   run.
#[test]
fn lists_and_single_values() {
    let declared = [Argument::text("path"), Argument::text("tags").list()];
    assert_refused(declared, r#"{"path":["inbox"],"tags":"red"}"#, &["path", "tags"]);
}

/// - **GIVEN** the text list argument `tags`.
/// - **WHEN** the command is invoked with `tags` as `["red", 7]`.
/// - **THEN** it is refused as `invalid-arguments`, naming `tags`, and its handler has not run.
#[test]
fn one_wrong_value_in_a_list() {
    assert_refused([Argument::text("tags").list()], r#"{"tags":["red",7]}"#, &["tags"]);
}

/// - **GIVEN** `notes.open` with the single argument `path`.
/// - **WHEN** it is invoked with `path` as `"a"` and `colour` as `"red"`.
/// - **THEN** it is refused as `invalid-arguments`, naming `colour`, and its handler has not run.
#[test]
fn an_undeclared_argument() {
    assert_refused([Argument::text("path")], r#"{"path":"a","colour":"red"}"#, &["colour"]);
}

/// - **GIVEN** `notes.open` with the required text argument `path` and the number argument `count`.
/// - **WHEN** it is invoked with `count` as `"many"` and `colour` as `"red"`.
/// - **THEN** one refusal names `path`, `count` and `colour`.
#[test]
fn all_problems_at_once() {
    let declared = [Argument::text("path").required(), Argument::number("count")];
    assert_refused(declared, r#"{"count":"many","colour":"red"}"#, &["path", "count", "colour"]);
}

/// - **GIVEN** a call with three mismatches.
/// - **WHEN** it is invoked twice, the second time with its arguments given in reverse.
/// - **THEN** the two refusals carry the same message.
#[test]
fn the_order_is_stable() {
    let bench = bench();
    bench.register_idle(callable("notes.open").argument(Argument::number("count")));

    let forwards = bench.invoke("notes.open", r#"{"colour":"red","count":"many","shape":"round"}"#);
    let in_reverse = bench.invoke("notes.open", r#"{"shape":"round","count":"many","colour":"red"}"#);

    assert_invalid(&forwards, &["colour", "count", "shape"]);
    assert_eq!(forwards, in_reverse);
}

/// - **GIVEN** `notes.open` with the required `path` and the optional `mode`.
/// - **WHEN** it is invoked with `path` alone.
/// - **THEN** it is answered and the handler sees no `mode`.
#[test]
fn an_optional_argument_left_out() {
    let bench = bench();
    let open: Command = callable("notes.open")
        .argument(Argument::text("path").required())
        .argument(Argument::choice("mode", ["preview", "permanent"]));
    let seen = Shared::new(None);
    let sees = seen.clone();
    bench.register(open, move |call| {
        *sees.lock() = Some(call.into_arguments());
        async { Ok(()) }
    });

    let outcome = bench.invoke("notes.open", r#"{"path":"inbox"}"#);

    assert_eq!(outcome, CommandOutcome::Answered { value: None });
    let arguments = seen.lock().take().expect("the handler should have run");
    assert_eq!(arguments.text("path"), Some("inbox"));
    assert_eq!(arguments.get("mode"), None);
}

/// - **WHEN** the documentation of the crate `drawloom-command` is read.
/// - **THEN** it says that the argument check serves discovery and that a handler still has to guard
///   itself.
#[test]
fn the_docs_state_the_limit() {
    let source = include_str!("../../../crates/drawloom-command/src/lib.rs");
    let docs: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim).collect();

    let paragraphs = docs.split(|line| line.is_empty()).map(|lines| lines.join(" "));
    let about_the_check: Vec<String> = paragraphs.filter(|text| text.contains("discovery")).collect();

    let [limit] = &*about_the_check else { panic!("one paragraph says so: {about_the_check:#?}") };
    for word in ["check", "discovery, not for safety", "handler", "validates"] {
        assert!(limit.contains(word), "\"{word}\" is not in: {limit}");
    }
}
