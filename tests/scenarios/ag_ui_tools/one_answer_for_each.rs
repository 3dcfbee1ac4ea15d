//! No call SHALL be left without an answer or get two: what the completing event does not answer, the end of the run
//! answers for the first call still open and `flush()` for the others, one at a time.

use drawloom::ag_ui::UnofferedCalls;
use serde_json::json;

use super::support::events::{args, chunk, end, run_error, run_finished, run_finished_with, start};
use super::support::{answered_calls, assert_holds, assert_refused_calls, bench, content, refusal};

/// - **GIVEN** `a`, `b` and `c`, started in that order and never ended.
/// - **WHEN** the run finishes and `flush` is asked three times.
/// - **THEN** RUN_FINISHED refuses `a`, the first two asks refuse `b` and `c`, and the third gives nothing.
#[test]
fn left_open_in_threes() {
    let mut agent = bench().agent();
    agent.says_nothing_to(&["a", "b", "c"].map(|id| start(id, "notes__open")));
    let answers = [agent.sends(&run_finished()), agent.flush(), agent.flush()].map(Option::unwrap);
    assert_refused_calls(&answers, &["a", "b", "c"]);
    assert_eq!(agent.flush(), None);
}

/// - **GIVEN** `c1`, streamed with all its arguments and no end.
/// - **WHEN** the run finishes.
/// - **THEN** `c1` is refused with words saying that the call was never completed, and `notes.open` has not
///   run.
#[test]
fn never_closed_never_runs() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", r#"{"path":"inbox"}"#)]);
    let message = agent.is_answered(&run_finished());
    assert_eq!(message.tool_call_id, "c1");
    assert_holds(refusal(&message), &["before the call was closed"]);
    bench.assert_nothing_ran();
}

/// - **GIVEN** `c1`, opened by a chunk and complete with `{"path":"inbox"}`.
/// - **WHEN** the run finishes.
/// - **THEN** `notes.open` has run with `path` as `inbox` and `c1` is answered with it.
#[test]
fn finishing_runs_a_chunked_call() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[chunk("c1", "notes__open", r#"{"path":"inbox"}"#)]);
    let message = agent.is_answered(&run_finished());
    assert_eq!((&message.tool_call_id, content(&message)), (&"c1".into(), r#"{"path":"inbox"}"#));
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** `c1`, opened by a chunk and complete with `{"path":"inbox"}`.
/// - **WHEN** the run ends with RUN_ERROR or, in another play, with RUN_FINISHED and the outcome `cancelled`.
/// - **THEN** both refuse `c1` and `notes.open` has not run.
#[test]
fn other_ends_refuse_a_chunked_call() {
    for end in [run_error(), run_finished_with(json!({ "type": "cancelled" }))] {
        let bench = bench();
        let mut agent = bench.agent();
        agent.says_nothing_to(&[chunk("c1", "notes__open", r#"{"path":"inbox"}"#)]);
        assert_refused_calls(&[agent.is_answered(&end)], &["c1"]);
        assert_eq!(agent.flush(), None);
        bench.assert_nothing_ran();
    }
}

/// - **GIVEN** `a`, streamed without an end, and `b`, opened by a chunk, and no event after them.
/// - **WHEN** `flush` is called until it gives nothing.
/// - **THEN** each of the two was refused once and nothing has run.
#[test]
fn a_stream_that_stops() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        start("a", "notes__open"),
        args("a", r#"{"path":"inbox"}"#),
        chunk("b", "notes__open", r#"{"path":"inbox"}"#),
    ]);
    assert_refused_calls(&agent.flush_all(), &["a", "b"]);
    bench.assert_nothing_ran();
}

/// - **GIVEN** calls left to the backend, `a` and `d` for `server_clock`, `b` and `c` for `notes__ping`,
///   started in that order.
/// - **WHEN** `c` ends, then `d`, then `a`, and the run finishes.
/// - **THEN** `c` is answered first, and then `a`, `b` and `d` in this order.
#[test]
fn order_of_answers() {
    let bench = bench();
    let mut agent = bench.agent_with(|tools| tools.unoffered_calls(UnofferedCalls::LeaveToBackend));
    agent.says_nothing_to(&[
        start("a", "server_clock"),
        start("b", "notes__ping"),
        start("c", "notes__ping"),
        start("d", "server_clock"),
    ]);
    assert_eq!(agent.ends("c").tool_call_id, "c");
    agent.says_nothing_to(&[end("d"), end("a")]);
    assert_eq!(answered_calls(&agent.finishes()), ["a", "b", "d"]);
}
