//! A command SHALL be able to state `allow`, `ask`, `ask-always` or `never`, or nothing, and the workbench SHALL
//! publish the statement without acting on it.

use drawloom::command::{AgentConsent, CommandArguments, CommandOutcome};
use drawloom::workbench::{Capability, Notice, Plugin};
use futures::executor::block_on;

use super::support::{Log, assert_ran, call_each, composition, times_run, with_commands};
use crate::ag_ui_tools::support::empty_bench_on;

/// - **WHEN** `allow`, `ask`, `ask-always`, `never` and `sometimes` are read as statements.
/// - **THEN** the first four are read and are written as the same words, and the last is an error.
#[test]
fn four_statements_and_no_fifth() {
    let read = |word: &str| serde_json::from_str::<AgentConsent>(&format!("\"{word}\""));
    for (word, statement) in [
        ("allow", AgentConsent::Allow),
        ("ask", AgentConsent::Ask),
        ("ask-always", AgentConsent::AskAlways),
        ("never", AgentConsent::Never),
    ] {
        assert_eq!(read(word).unwrap(), statement);
        assert_eq!(serde_json::to_string(&statement).unwrap(), format!("\"{word}\""));
        assert_eq!(statement.as_str(), word);
    }
    assert!(read("sometimes").is_err());
}

/// - **GIVEN** an agent's connection without the policy.
/// - **WHEN** the agent calls `notes.wipe` and `notes.reset`, and another plugin invokes both.
/// - **THEN** each has run twice and nobody was asked.
#[test]
fn without_a_policy_nobody_asks() {
    let told = Log::default();
    let notifier = told.clone();
    let bench = with_commands(empty_bench_on(
        composition()
            .grant("script", [Capability::Automation])
            .notifier(move |notice: &Notice| notifier.add(notice.clone())),
    ));
    let script = bench.workbench.activate(Plugin::new("script").declares([Capability::Automation])).unwrap();
    call_each(&mut bench.agent(), &["notes__wipe", "notes__reset"]).iter().for_each(assert_ran);
    for command in ["notes.wipe", "notes.reset"] {
        let outcome = block_on(script.invoke(command, CommandArguments::new()));
        assert_eq!(outcome, CommandOutcome::Answered { value: None });
        assert_eq!(times_run(&bench, command), 2);
    }
    // There is nobody but the person at the workbench, who was not told either.
    assert_eq!(told.all(), []);
}
