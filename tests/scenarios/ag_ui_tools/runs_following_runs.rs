//! Where one run ends and another begins.

use super::support::events::{args, run_started, start};
use super::support::{assert_refused_calls, bench};

/// - **GIVEN** the run `r1` with `a` and `b` open and no event that ends it.
/// - **WHEN** RUN_STARTED for `r2` arrives and `flush` is asked until it gives nothing.
/// - **THEN** `a` and `b` were refused once each and neither has run.
#[test]
fn a_run_begins_over_another() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&["a", "b"].map(|id| start(id, "notes__ping")));
    let mut messages = agent.plays(&[run_started("r2")]);
    messages.extend(agent.flush_all());
    assert_refused_calls(&messages, &["a", "b"]);
    bench.assert_nothing_ran();
}

/// - **GIVEN** the run `r1` with `c1` open and the piece `{"path":"inbox"}`.
/// - **WHEN** RUN_STARTED for `r1` arrives again and `c1` ends.
/// - **THEN** `notes.open` has run once, with `path` as `inbox`.
#[test]
fn the_same_start_repeated() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        start("c1", "notes__open"),
        args("c1", r#"{"path":"inbox"}"#),
        run_started("r1"),
    ]);
    agent.ends("c1");
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&["inbox"]);
}
