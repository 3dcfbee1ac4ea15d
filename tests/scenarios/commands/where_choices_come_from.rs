//! The choices of an argument SHALL be either a fixed list or a source that is read each time the command is
//! described and each time a call is checked.

use drawloom::command::{Argument, Command, CommandOutcome};

use super::support::{Bench, Shared, assert_invalid, bench, callable};

type Source = Shared<Vec<&'static str>>;

/// `notes.open`, whose argument `mode` has its choices from a source.
fn open_from(source: &Source) -> Command {
    let source = source.clone();
    let modes = move || source.lock().iter().copied().map(str::to_owned).collect();
    callable("notes.open").argument(Argument::choice_from("mode", modes))
}

fn described_choices(bench: &Bench) -> Vec<String> {
    let [mode] = &*bench.entry("notes.open").arguments else { panic!("one argument is declared") };
    mode.choices.iter().flat_map(|choices| choices.iter().map(|choice| choice.to_string())).collect()
}

/// - **GIVEN** a source of choices that gives `["a"]` and later `["a", "b"]`.
/// - **WHEN** `invocable_commands()` is read before and after the source changes.
/// - **THEN** the argument's choices read `["a"]` and then `["a", "b"]`.
#[test]
fn a_source_is_read_for_each_description() {
    let bench = bench();
    let source = Shared::new(vec!["a"]);
    bench.register_idle(open_from(&source));

    let before = described_choices(&bench);
    *source.lock() = vec!["a", "b"];
    let after = described_choices(&bench);

    assert_eq!(before, ["a"]);
    assert_eq!(after, ["a", "b"]);
}

/// - **GIVEN** a description read while the source of `mode` gave `["a"]`, and a source that now gives
///   `["b"]`.
/// - **WHEN** the command is invoked once with `mode` `a` and once with `mode` `b`.
/// - **THEN** the first is refused as `invalid-arguments` and the second is answered.
#[test]
fn a_source_is_read_for_each_check() {
    let bench = bench();
    let source = Shared::new(vec!["a"]);
    let runs = bench.register_idle(open_from(&source));
    assert_eq!(described_choices(&bench), ["a"]);
    *source.lock() = vec!["b"];

    assert_invalid(&bench.invoke("notes.open", r#"{"mode":"a"}"#), &["mode"]);
    assert_eq!(runs.count(), 0);
    let outcome = bench.invoke("notes.open", r#"{"mode":"b"}"#);
    assert_eq!(outcome, CommandOutcome::Answered { value: None });
}
