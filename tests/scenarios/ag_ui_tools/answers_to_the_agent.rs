//! An outcome SHALL become a tool message from which an agent can tell an answer, a call that did not run, and a call
//! that ran and failed, or that was cancelled.

use std::future::{pending, ready};

use drawloom::ag_ui::ErrorPlacement;
use drawloom::command::Progress;
use drawloom::workbench::{Call, HandlerError};
use serde_json::json;

use super::support::{Bench, assert_holds, bench, callable, content, empty_bench, failure, refusal};

/// The usual bench with `notes.boom`, which fails.
fn bench_with_boom() -> Bench {
    let bench = bench();
    let fails = |_| ready(Err::<(), _>("the disk is full".into()));
    bench.register(callable("notes.boom"), fails).keep();
    bench
}

/// - **GIVEN** commands that answer `plain`, `{"rows":[1,2.5,null,true]}`, `2512292042121000001` and null.
/// - **WHEN** the agent calls each.
/// - **THEN** the contents are `plain`, `{"rows":[1,2.5,null,true]}`, `2512292042121000001` and `null`,
///   without an `error`.
#[test]
fn text_and_other_data() {
    let bench = empty_bench();
    bench.answers("text", json!("plain"));
    bench.answers("map", json!({ "rows": [1, 2.5, null, true] }));
    bench.answers("number", json!(2_512_292_042_121_000_001_u64));
    bench.answers("null", json!(null));
    let mut agent = bench.agent();
    for (tool, answer) in [
        ("text", "plain"),
        ("map", r#"{"rows":[1,2.5,null,true]}"#),
        ("number", "2512292042121000001"),
        ("null", "null"),
    ] {
        assert_eq!(content(&agent.calls(tool, tool, "")), answer);
    }
}

/// - **WHEN** the agent calls `notes__ping`, which declares no answer.
/// - **THEN** the `content` is `The command ran.` and there is no `error`.
#[test]
fn nothing_declared() {
    assert_eq!(content(&bench().agent().calls("c1", "notes__ping", "")), "The command ran.");
}

/// - **GIVEN** `notes.boom`, which fails with `the disk is full`.
/// - **WHEN** the agent calls `notes__open` without its required `path`, and `notes__boom`.
/// - **THEN** both have empty `content`, and the first has an `error` that starts with `The command did not
///   run: `.
/// - **AND** the `error` of the second starts with `The command ran and failed: the disk is full`.
#[test]
fn refusals_beside_failures() {
    let mut agent = bench_with_boom().agent();
    let refused = agent.calls("a", "notes__open", "{}");
    let failed = agent.calls("b", "notes__boom", "");
    assert_eq!((refused.content.as_str(), failed.content.as_str()), ("", ""));
    assert_holds(refusal(&refused), &["\"path\""]);
    assert!(failure(&failed).starts_with("The command ran and failed: the disk is full"), "{failed:?}");
}

/// - **GIVEN** the option to repeat errors in the content.
/// - **WHEN** the agent makes one call that is refused and one that fails.
/// - **THEN** each answer has the same text in `content` and in `error`.
#[test]
fn errors_in_content() {
    let bench = bench_with_boom();
    let mut agent = bench.agent_with(|tools| tools.error_placement(ErrorPlacement::ErrorAndContent));
    for (tool, start) in [
        ("notes__open", "The command did not run: "),
        ("notes__boom", "The command ran and failed: the disk is full"),
    ] {
        let message = agent.calls(tool, tool, "{}");
        assert!(message.content.starts_with(start), "{message:?}");
        assert_eq!(message.error, Some(message.content));
    }
}

/// - **GIVEN** `notes.wait`, which waits, and a person who cancels it.
/// - **WHEN** the agent calls it.
/// - **THEN** the answer has empty `content`, and the `error` is `The command was cancelled and may have done a
///   part of its work.`
#[test]
fn cancelled_by_the_person() {
    let bench = bench();
    let workbench = bench.workbench.clone();
    let wait = move |call: Call| {
        call.progress(Progress::new());
        workbench.running().iter().for_each(|running| assert!(workbench.cancel(running.id)));
        pending::<Result<(), HandlerError>>()
    };
    bench.register(callable("notes.wait"), wait).keep();

    let answer = bench.agent().calls("c1", "notes__wait", "");
    assert_eq!(answer.content, "");
    let told = "The command was cancelled and may have done a part of its work.";
    assert_eq!(answer.error.as_deref(), Some(told));
}
