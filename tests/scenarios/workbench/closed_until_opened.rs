//! A command that is not declared callable SHALL be reachable only for its own plugin, and SHALL NOT be listed for
//! others.

use crate::support::{assert_unavailable, bench, closed, invocable, invoke};

/// - **GIVEN** `notes.secret`, which is not declared callable.
/// - **WHEN** `copilot` reads `invocable_commands()` and invokes `notes.secret`.
/// - **THEN** the list does not contain it, the invocation is refused as `unavailable`, and its handler has not
///   run.
#[test]
fn others_neither_see_nor_run_it() {
    let bench = bench();
    let secret = bench.has(closed("notes.secret"));

    assert!(invocable(&bench.copilot).is_empty());
    assert_unavailable(&invoke(&bench.copilot, "notes.secret"));
    assert_eq!(secret.count(), 0);
}
