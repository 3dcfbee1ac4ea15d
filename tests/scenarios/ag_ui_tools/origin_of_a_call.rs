//! Each call of the agent SHALL carry its id, the ids of its run, its turn and its thread, and the agent's name into
//! the records of the workbench. A turn SHALL have the id of its first run.

use drawloom::command::CallOrigin;
use drawloom::workbench::AuditRecord;
use serde_json::json;

use super::support::events::{end, run_finished_of, run_finished_with, run_started, start};
use super::support::{Bench, Log, bench_on, composition};

/// A workbench, and the origins of what it recorded.
fn recorded() -> (Bench, Log<CallOrigin>) {
    let origins = Log::default();
    let adds = origins.clone();
    (bench_on(composition().audit(move |record: &AuditRecord| adds.add(record.origin.clone()))), origins)
}

/// The turn of each call that was recorded.
fn turns(origins: &Log<CallOrigin>) -> Vec<String> {
    origins.all().into_iter().map(|origin| origin.turn_id.unwrap().to_string()).collect()
}

/// - **GIVEN** an adapter for an agent that the product names `planner`.
/// - **WHEN** the agent calls `notes__ping` as `c1` in the run `r1` of the thread `t1`.
/// - **THEN** the record has the call `c1`, the run `r1`, the turn `r1`, the thread `t1` and the agent `planner`.
#[test]
fn every_part_is_recorded() {
    let (bench, origins) = recorded();
    let mut agent = bench.agent_with(|tools| tools.agent("planner"));

    agent.calls("c1", "notes__ping", "{}");

    let origin = CallOrigin::new("c1").run("r1").turn("r1").thread("t1").agent("planner");
    assert_eq!(origins.all(), [origin]);
}

/// - **GIVEN** a declared turn.
/// - **WHEN** calls are made in its runs `r2` and `r3`, and after another turn was declared, in `r4`.
/// - **THEN** the calls have the turns `r2`, `r2` and `r4`.
#[test]
fn a_turn_of_several_runs() {
    let (bench, origins) = recorded();
    let mut agent = bench.agent();

    for (run, begins_turn) in [("r2", true), ("r3", false), ("r4", true)] {
        if begins_turn {
            agent.tools.begin_turn();
        }
        agent.begins_run("t1", run, &json!([]));
        agent.calls("c1", "notes__ping", "{}");
        agent.says_nothing_to(&[run_finished_of(run)]);
    }

    assert_eq!(turns(&origins), ["r2", "r2", "r4"]);
    assert_eq!(agent.tools.turn_id(), Some("r4"));
}

/// - **GIVEN** the run `r1`, which ends with an interrupt, then the run `r2`, which succeeds, then the run `r3`.
/// - **WHEN** a call is made in each.
/// - **THEN** the calls have the turns `r1`, `r1` and `r3`.
#[test]
fn turns_that_nobody_declares() {
    let (bench, origins) = recorded();
    let mut agent = bench.agent();
    let interrupted =
        json!({ "type": "interrupt", "interrupts": [{ "id": "i1", "reason": "input_required" }] });

    agent.calls("c1", "notes__ping", "{}");
    agent.says_nothing_to(&[run_finished_with(interrupted), run_started("r2")]);
    agent.says_nothing_to(&[start("c2", "notes__ping")]);
    agent.is_answered(&end("c2"));
    agent.says_nothing_to(&[run_finished_of("r2"), run_started("r3")]);
    agent.calls("c3", "notes__ping", "{}");

    assert_eq!(turns(&origins), ["r1", "r1", "r3"]);
}
