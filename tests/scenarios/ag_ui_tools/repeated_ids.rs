//! A call SHALL be identified by its run and its id: within a run an id runs at most once and is answered once, a new
//! run may use it again, and a run that is sent again is the same run.

use serde_json::json;

use super::support::events::{args, end, run_finished, run_finished_of, run_started, start};
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
/// - **WHEN** RUN_STARTED arrives for `r2` and `c1` is called.
/// - **THEN** `c1` runs and is answered again, with a message of another id.
#[test]
fn a_new_run_reuses_it() {
    let bench = bench();
    let mut agent = bench.agent();
    let first = agent.calls("c1", "notes__open", r#"{"path":"first"}"#);
    agent.says_nothing_to(&[run_finished(), run_started("r2")]);
    let second = agent.calls("c1", "notes__open", r#"{"path":"second"}"#);
    assert_eq!(content(&second), r#"{"path":"second"}"#);
    bench.assert_opened(&["first", "second"]);
    assert_ne!(first.id, second.id);
}

/// - **GIVEN** `c1`, answered in the run `r1`, which finished.
/// - **WHEN** RUN_STARTED arrives for `r1` once more, `c1` is called, and then `c2`.
/// - **THEN** nothing is given for `c1`, which has run once, and `c2` runs and is answered.
#[test]
fn a_run_that_is_sent_again() {
    let bench = bench();
    let mut agent = bench.agent();
    let arguments = r#"{"path":"first"}"#;
    agent.calls("c1", "notes__open", arguments);
    agent.says_nothing_to(&[run_finished(), run_started("r1")]);
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", arguments), end("c1")]);
    agent.calls("c2", "notes__open", r#"{"path":"second"}"#);
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&["first", "second"]);
}

/// - **GIVEN** a run whose RUN_STARTED has an empty `runId`, in which `c1` was answered, and which finished.
/// - **WHEN** the same RUN_STARTED arrives once more and `c1` is called.
/// - **THEN** `c1` runs and is answered again.
#[test]
fn runs_without_ids() {
    let bench = bench();
    let mut agent = bench.agent();
    let nameless = run_started("");
    agent.says_nothing_to(&[run_finished(), nameless.clone()]);
    agent.calls("c1", "notes__open", r#"{"path":"first"}"#);
    agent.says_nothing_to(&[json!({ "type": "RUN_FINISHED" }), nameless]);
    agent.calls("c1", "notes__open", r#"{"path":"second"}"#);
    bench.assert_opened(&["first", "second"]);
}

/// - **GIVEN** `c1`, answered in the run `r1`, and 63 further runs in one play and 64 in another, all
///   finished.
/// - **WHEN** RUN_STARTED arrives for `r1` once more and `c1` is called.
/// - **THEN** `c1` is ignored in the first play and runs in the second.
#[test]
fn how_many_runs_are_remembered() {
    for (further, times) in [(63, 1), (64, 2)] {
        let bench = bench();
        let mut agent = bench.agent();
        agent.calls("c1", "notes__ping", "{}");
        agent.says_nothing_to(&[run_finished()]);
        for run in 0..further {
            let run = format!("further-{run}");
            agent.says_nothing_to(&[run_started(&run), run_finished_of(&run)]);
        }
        agent.plays(&[run_started("r1"), start("c1", "notes__ping"), args("c1", "{}"), end("c1")]);
        assert_eq!(bench.ran().len(), times, "after {further} further runs");
    }
}

/// - **GIVEN** `c1`, answered in the run `r1`, which finished.
/// - **WHEN** the caller declares a new run with the ids of `r1`, RUN_STARTED for `r1` arrives and `c1` is
///   called.
/// - **THEN** `c1` runs and is answered again.
#[test]
fn a_declared_run() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.calls("c1", "notes__open", r#"{"path":"first"}"#);
    agent.says_nothing_to(&[run_finished()]);
    agent.begins_run("t1", "r1", &json!([]));
    agent.says_nothing_to(&[run_started("r1")]);
    agent.calls("c1", "notes__open", r#"{"path":"second"}"#);
    bench.assert_opened(&["first", "second"]);
}
