//! A call SHALL run only if its command is offered at that moment. Every other call SHALL be refused with the same
//! text, `The command did not run: no such command is available.`, whatever its arguments are.

use std::future::ready;

use drawloom::command::Command;
use drawloom::workbench::Capability;

use super::support::{Agent, bench, bench_on, composition};

const ONE_WORDING: &str = "The command did not run: no such command is available.";

/// The `error` of the answer to a call.
#[track_caller]
fn error(agent: &mut Agent, tool: &str, arguments: &str) -> String {
    // Under an id of its own.
    agent.calls(tool, tool, arguments).error.unwrap()
}

/// - **GIVEN** `notes.secret` and `copilot.secret`, not callable, no `notes.ghost`, and `notes.ping`
///   unregistered since the list.
/// - **WHEN** the agent calls `notes__secret`, `copilot__secret`, `notes__ghost` and `notes__ping`.
/// - **THEN** each `error` is `The command did not run: no such command is available.` and nothing has run.
#[test]
fn one_wording_for_all() {
    // `copilot` registers a command of its own, which it reaches itself.
    let bench = bench_on(composition().grant("copilot", [Capability::Contributions]));
    bench.has(Command::new("notes.secret", "Secret"));
    let secret = Command::new("copilot.secret", "Secret");
    bench.register_for(&bench.copilot, secret, |_| ready(Ok(()))).keep();
    let mut agent = bench.agent();
    assert_eq!(agent.names(), ["notes__open", "notes__ping"]);
    bench.withdraw("notes.ping");
    for tool in ["notes__secret", "copilot__secret", "notes__ghost", "notes__ping"] {
        assert_eq!(error(&mut agent, tool, "{}"), ONE_WORDING, "{tool}");
    }
    bench.assert_nothing_ran();
}

/// - **WHEN** the agent calls `notes__ghost`, which is not registered, with the arguments `{"path":`.
/// - **THEN** the `error` is `The command did not run: no such command is available.`.
#[test]
fn unoffered_is_checked_before_unreadable() {
    assert_eq!(error(&mut bench().agent(), "notes__ghost", r#"{"path":"#), ONE_WORDING);
}
