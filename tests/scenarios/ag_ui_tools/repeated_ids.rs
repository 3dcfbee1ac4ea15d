//! An id is one call within a run, and may be another in the next.

use super::support::events::{args, end, run_finished, run_started, start};
use super::support::{bench, content};

/// - **GIVEN** `c1`, which ran and was answered.
/// - **WHEN** START, ARGS and END for `c1` arrive again, then one more END, and the run finishes.
/// - **THEN** its command has run once and one message was given.
#[test]
fn a_replayed_call() {
    let bench = bench();
    let mut agent = bench.agent();
    let arguments = r#"{"path":"inbox"}"#;
    agent.calls("c1", "notes__open", arguments);
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", arguments), end("c1"), end("c1")]);
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** `c1`, answered in the run `r1`, which finished.
/// - **WHEN** RUN_STARTED arrives for `r2`, or in another play for `r1` once more, and `c1` is called.
/// - **THEN** `c1` runs and is answered again in both, with a message of another id.
#[test]
fn a_new_run_reuses_it() {
    for run in ["r2", "r1"] {
        let bench = bench();
        let mut agent = bench.agent();
        let first = agent.calls("c1", "notes__open", r#"{"path":"first"}"#);
        agent.says_nothing_to(&[run_finished(), run_started(run)]);
        let second = agent.calls("c1", "notes__open", r#"{"path":"second"}"#);
        assert_eq!(content(&second), r#"{"path":"second"}"#);
        bench.assert_opened(&["first", "second"]);
        assert_ne!(first.id, second.id);
    }
}
