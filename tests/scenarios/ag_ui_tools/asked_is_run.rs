//! A call SHALL run only what its hook was asked about. If the command was replaced, or can no longer be reached,
//! while the hook was deciding, the call SHALL be refused.

use drawloom::command::{Command, Decision};
use drawloom::workbench::Capability;

use super::support::{bench, open, refusal};

/// - **GIVEN** a hook that has `notes.open` registered again, unchanged or with another description, and then says
///   run.
/// - **WHEN** the agent calls `notes__open`.
/// - **THEN** it is refused in either case and neither handler has run.
#[test]
fn replaced_while_asking() {
    let declared: [fn() -> Command; 2] = [open, || open().description("Opens a note elsewhere.")];
    for declaration in declared {
        let bench = bench();
        let (mut agent, seen) = bench.agent_behind(move |bench| {
            bench.declare("notes.open", declaration());
            Decision::Run
        });
        refusal(&agent.calls("c1", "notes__open", r#"{"path":"inbox"}"#));
        seen.only();
        bench.assert_nothing_ran();
    }
}

/// - **GIVEN** a hook that revokes the `automation` of `copilot` and then says run.
/// - **WHEN** the agent calls `notes__open`.
/// - **THEN** it is refused and nothing has run.
#[test]
fn out_of_reach_while_asking() {
    let bench = bench();
    let (mut agent, seen) = bench.agent_behind(|bench| {
        bench.workbench.revoke(bench.copilot.plugin(), Capability::Automation).unwrap();
        Decision::Run
    });
    refusal(&agent.calls("c1", "notes__open", r#"{"path":"inbox"}"#));
    seen.only();
    bench.assert_nothing_ran();
}
