//! A plugin SHALL reach a command of another plugin only while it holds `automation`.

use crate::support::{assert_answered, assert_unavailable, bench, callable, invoke};

/// - **GIVEN** `mail`, which declares and is granted nothing.
/// - **WHEN** `copilot` and then `mail` invoke `notes.open`.
/// - **THEN** the first is answered and the second refused as `unavailable`.
#[test]
fn only_with_automation() {
    let bench = bench();
    let mail = bench.plugin("mail", []);
    let opens = bench.has(callable("notes.open"));

    assert_answered(&invoke(&bench.copilot, "notes.open"));
    assert_unavailable(&invoke(&mail, "notes.open"));
    assert_eq!(opens.count(), 1);
}
