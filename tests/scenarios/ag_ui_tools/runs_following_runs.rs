//! A new run SHALL end the one before it as failed where that did not end itself; a repeated start of the run under
//! way SHALL change nothing; and what arrives after the end of a run SHALL belong to that run, in which no new call
//! runs.

use super::support::events::{args, end, run_finished, run_finished_of, run_started, start};
use super::support::{assert_holds, assert_refused_calls, bench, refusal};

/// - **GIVEN** the run `r1` with `a` and `b` open and no event that ends it.
/// - **WHEN** RUN_STARTED for `r2` arrives and `flush` is called until it gives nothing.
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

/// - **GIVEN** `c1`, answered in the run, which finished.
/// - **WHEN** `c1` is called again, and then `c2` for the first time.
/// - **THEN** nothing is given for `c1`, the END of `c2` refuses it, and `c2` has not run.
#[test]
fn a_call_after_the_end() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.calls("c1", "notes__ping", "{}");
    agent.says_nothing_to(&[run_finished()]);
    agent.says_nothing_to(&[start("c1", "notes__ping"), args("c1", "{}"), end("c1")]);
    refusal(&agent.calls("c2", "notes__ping", "{}"));
    assert_eq!(agent.flush_all(), []);
    assert_eq!(bench.ran().len(), 1);
}

/// - **GIVEN** the run, which finished, and `c2`, started after it and not ended.
/// - **WHEN** RUN_STARTED for `r2` arrives.
/// - **THEN** it refuses `c2`.
#[test]
fn after_the_end_and_never_closed() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[run_finished(), start("c2", "notes__ping")]);
    assert_refused_calls(&[agent.is_answered(&run_started("r2"))], &["c2"]);
    assert_eq!(agent.flush_all(), []);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1` for `notes__open`, open with `{"path":"inbox"}`.
/// - **WHEN** RUN_FINISHED for the run `r9` arrives and then the END of `c1`.
/// - **THEN** `c1` has run, and a report names `r9`.
#[test]
fn the_end_of_another_run() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        start("c1", "notes__open"),
        args("c1", r#"{"path":"inbox"}"#),
        run_finished_of("r9"),
    ]);
    let reports = agent.reports();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert_holds(&reports[0], &["r9"]);
    agent.ends("c1");
    bench.assert_opened(&["inbox"]);
}
