//! A plugin SHALL reach the commands that it registered itself without a grant and without `callable`. Its own list
//! SHALL contain them only if they are callable.

use crate::support::{assert_answered, bench, callable, closed, invocable, invoke};

/// - **GIVEN** `notes`, which does not hold `automation`, with `notes.open` callable and `notes.secret` not.
/// - **WHEN** `notes` invokes both and reads `invocable_commands()`.
/// - **THEN** both are answered and the list contains only `notes.open`.
#[test]
fn own_commands_without_grant() {
    let bench = bench();
    bench.has(callable("notes.open"));
    bench.has(closed("notes.secret"));

    assert_answered(&invoke(&bench.notes, "notes.open"));
    assert_answered(&invoke(&bench.notes, "notes.secret"));
    assert_eq!(invocable(&bench.notes), ["notes.open"]);
}
