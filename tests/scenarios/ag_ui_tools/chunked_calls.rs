//! Chunks SHALL form one call at a time for the agent and one for each of its subagents. A chunk that names another
//! id SHALL close the call. The result SHALL be exactly that of the streamed form.

use serde_json::{Value, json};

use super::support::events::{
    args, chunk, chunk_for, chunk_on, custom, end, of_other_kinds, of_subagent, raw, run_finished, start,
};
use super::support::{Agent, Bench, answered_calls, assert_refused_calls, bench, content, refusal};

/// - **WHEN** the same call is played once streamed and once in chunks, under the same id.
/// - **THEN** the two tool messages are the same to the byte.
#[test]
fn both_forms_agree() {
    // A call that is answered and one that is refused.
    for arguments in [r#"{"path":"inbox"}"#, r#"{"mode":"sideways"}"#] {
        let (first, second) = arguments.split_at(7);
        let streamed = bench().agent().plays(&[
            start("c1", "notes__open"),
            args("c1", first),
            args("c1", second),
            end("c1"),
        ]);
        let in_chunks = bench().agent().plays(&[
            chunk("c1", "notes__open", first),
            chunk_for("c1", second),
            run_finished(),
        ]);
        assert_eq!(answered_calls(&streamed), ["c1"]);
        assert_eq!(serde_json::to_string(&streamed).unwrap(), serde_json::to_string(&in_chunks).unwrap());
    }
}

/// - **WHEN** a chunk carries `c1` with `{"path":"a"}` and the next names `c2`.
/// - **THEN** `c1` has run with `path` as `a` while `c2` is still open.
#[test]
fn a_new_id_closes() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[chunk("c1", "notes__open", r#"{"path":"a"}"#)]);
    let message = agent.is_answered(&chunk("c2", "notes__open", r#"{"path":"#));
    assert_eq!((&message.tool_call_id, content(&message)), (&"c1".into(), r#"{"path":"a"}"#));
    bench.assert_opened(&["a"]);
    // It was open: it takes another piece.
    agent.says_nothing_to(&[chunk_on(r#""b"}"#)]);
    assert_eq!(content(&agent.is_answered(&run_finished())), r#"{"path":"b"}"#);
}

/// - **GIVEN** `c1`, opened by a chunk with the part `{"path":`.
/// - **WHEN** a chunk with null id and name brings `"in`, text, RAW, CUSTOM and state events pass, and one with
///   empty ones `box"}`.
/// - **THEN** `c1` runs with `path` as `inbox` when the run finishes.
#[test]
fn chunks_that_continue() {
    let bench = bench();
    let mut agent = bench.agent();
    let nameless = |nothing: Value, delta: &str| json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": nothing, "toolCallName": nothing, "delta": delta });
    agent.says_nothing_to(&[
        chunk("c1", "notes__open", r#"{"path":"#),
        nameless(Value::Null, r#""in"#),
        raw(),
        custom(),
    ]);
    agent.says_nothing_to(&of_other_kinds());
    agent.says_nothing_to(&[nameless(json!(""), r#"box"}"#)]);
    bench.assert_nothing_ran();
    agent.finishes();
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** `c1`, opened by a chunk and complete with `{"path":"a"}`.
/// - **WHEN** a chunk names the id `c2` without a name, one without an id brings `{"path":"b"}` and the run
///   finishes.
/// - **THEN** `c1` has run with `path` as `a`, `c2` is refused and nothing else has run.
#[test]
fn an_id_without_a_name_closes_too() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[chunk("c1", "notes__open", r#"{"path":"a"}"#)]);
    assert_eq!(agent.is_answered(&chunk_for("c2", "")).tool_call_id, "c1");
    bench.assert_opened(&["a"]);
    agent.says_nothing_to(&[chunk_on(r#"{"path":"b"}"#)]);
    assert_refused_calls(&agent.finishes(), &["c2"]);
    bench.assert_opened(&["a"]);
}

/// - **GIVEN** `c0`, answered in this run, and `c1`, opened by a chunk and complete with `{"path":"a"}`.
/// - **WHEN** a chunk names `c0` again, and one without an id brings `{"path":"b"}`.
/// - **THEN** `c1` has run with `path` as `a`, and neither that part nor `c0` is answered.
#[test]
fn an_answered_id_closes_too() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.calls("c0", "notes__open", r#"{"path":"z"}"#);
    agent.says_nothing_to(&[chunk("c1", "notes__open", r#"{"path":"a"}"#)]);
    assert_eq!(agent.is_answered(&chunk("c0", "notes__open", "")).tool_call_id, "c1");
    agent.says_nothing_to(&[chunk_on(r#"{"path":"b"}"#)]);
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&["z", "a"]);
}

/// - **GIVEN** `c1`, opened by START, and `c2`, opened by a chunk, each with the part `{"path":`.
/// - **WHEN** ARGS for `c2` and then a chunk for `c1` bring `"inbox"}` and END arrives for each.
/// - **THEN** each has run once with `path` as `inbox`.
#[test]
fn both_forms_in_one_call() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        start("c1", "notes__open"),
        args("c1", r#"{"path":"#),
        chunk("c2", "notes__open", r#"{"path":"#),
    ]);
    let rest = r#""inbox"}"#;
    let messages = agent.plays(&[args("c2", rest), chunk_for("c1", rest), end("c1"), end("c2")]);
    assert_eq!(answered_calls(&messages), ["c2", "c1"]);
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&["inbox", "inbox"]);
}

/// - **GIVEN** `c1` of the agent and `c2` of the subagent `s`, each opened by a chunk with the part `{"path":`.
/// - **WHEN** a chunk of the agent without an id brings `"a"}`, one of `s` brings `"b"}` and the run finishes.
/// - **THEN** `notes.open` has run with `path` as `a` for `c1` and as `b` for `c2`.
#[test]
fn subagents_beside_the_agent() {
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        chunk("c1", "notes__open", r#"{"path":"#),
        of_subagent("s", chunk("c2", "notes__open", r#"{"path":"#)),
        chunk_on(r#""a"}"#),
        of_subagent("s", chunk_on(r#""b"}"#)),
    ]);
    let messages = agent.finishes();
    assert_eq!(answered_calls(&messages), ["c1", "c2"]);
    assert_eq!((content(&messages[0]), content(&messages[1])), (r#"{"path":"a"}"#, r#"{"path":"b"}"#));
    bench.assert_opened(&["a", "b"]);
}

/// An agent with the complete chunk calls `c1` of its own and `c2` of its subagent `s`, both open.
fn agent_with_a_subagent(bench: &Bench) -> Agent {
    let mut agent = bench.agent();
    agent.says_nothing_to(&[
        chunk("c1", "notes__open", r#"{"path":"a"}"#),
        of_subagent("s", chunk("c2", "notes__open", r#"{"path":"b"}"#)),
    ]);
    agent
}

/// - **GIVEN** `c1` of the agent and `c2` of the subagent `s`, each opened by a chunk and complete.
/// - **WHEN** SUBAGENT_FINISHED arrives for `s`.
/// - **THEN** it answers `c2`, and `c1` is still open.
#[test]
fn a_subagent_that_finishes() {
    let bench = bench();
    let mut agent = agent_with_a_subagent(&bench);
    let finished = json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "s" });
    assert_eq!(agent.is_answered(&finished).tool_call_id, "c2");
    bench.assert_opened(&["b"]);
    // The other one was open: the end of the run closes it.
    assert_eq!(answered_calls(&agent.finishes()), ["c1"]);
    bench.assert_opened(&["b", "a"]);
}

/// - **GIVEN** `c1` of the agent and `c2` of the subagent `s`, each opened by a chunk and complete.
/// - **WHEN** SUBAGENT_ERROR arrives for `s` and the run finishes.
/// - **THEN** `c2` is refused and `c1` has run.
#[test]
fn a_subagent_that_fails() {
    let bench = bench();
    let mut agent = agent_with_a_subagent(&bench);
    let mut messages =
        agent.plays(&[json!({ "type": "SUBAGENT_ERROR", "subagentRunId": "s", "message": "gone" })]);
    messages.extend(agent.finishes());
    messages.sort_by(|one, other| one.tool_call_id.cmp(&other.tool_call_id));
    assert_eq!(answered_calls(&messages), ["c1", "c2"]);
    assert_eq!(content(&messages[0]), r#"{"path":"a"}"#);
    refusal(&messages[1]);
    bench.assert_opened(&["a"]);
}
