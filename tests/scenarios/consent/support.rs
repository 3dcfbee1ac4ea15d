//! What the scenarios share: the commands of the spec's purpose, and a person who is asked about them.
//!
//! The workbench and the agent are those of the scenarios of `ag-ui-tools`.

use std::collections::VecDeque;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};

use drawloom::ag_ui::ToolMessage;
use drawloom::command::{AgentConsent, Argument, BeforeCall, Command, PendingCall};
use drawloom::consent::{Confirmation, ConsentPolicy};

use crate::ag_ui_tools::support::empty_bench_on;
pub(super) use crate::ag_ui_tools::support::{
    Agent, Bench, Log, assert_holds, callable, composition, content, events, lock, never, refusal,
};

/// A workbench with the commands of the purpose.
pub(super) fn bench() -> Bench {
    with_commands(empty_bench_on(composition()))
}

/// The same workbench, with the commands of the purpose.
pub(super) fn with_commands(bench: Bench) -> Bench {
    bench.declare("notes.delete", delete());
    bench.declare("notes.wipe", callable("notes.wipe").agent_consent(AgentConsent::AskAlways));
    bench.declare("notes.reset", callable("notes.reset").agent_consent(AgentConsent::Never));
    bench.declare("notes.open", callable("notes.open").agent_consent(AgentConsent::Allow));
    bench.declare("notes.ping", callable("notes.ping"));
    bench
}

/// `notes.delete`, as the purpose states it. It takes an `id`.
pub(super) fn delete() -> Command {
    callable("notes.delete").argument(Argument::text("id")).agent_consent(AgentConsent::Ask)
}

/// Somebody who is asked, and what there was to ask about.
#[derive(Clone, Default)]
pub(super) struct Person {
    asked: Log<PendingCall>,
    answers: Arc<Mutex<VecDeque<Confirmation>>>,
}

impl Person {
    /// A person who gives these answers in order, and then repeats the last one.
    pub(super) fn who_says(answers: impl IntoIterator<Item = Confirmation>) -> Self {
        Self { asked: Log::default(), answers: Arc::new(Mutex::new(answers.into_iter().collect())) }
    }

    /// Somebody who says yes.
    pub(super) fn who_agrees() -> Self {
        Self::who_says([Confirmation::Yes])
    }

    /// A way to ask the person.
    pub(super) fn confirms(&self) -> impl Fn(PendingCall) -> Ready<Confirmation> + Send + Sync + 'static {
        let person = self.clone();
        move |call| {
            person.asked.add(call);
            let mut answers = lock(&person.answers);
            let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
            ready(answer.expect("somebody who has an answer"))
        }
    }

    /// A policy that asks the person.
    pub(super) fn policy(&self) -> ConsentPolicy {
        ConsentPolicy::new(self.confirms())
    }

    /// What the person was asked about, in order.
    pub(super) fn asked(&self) -> Vec<PendingCall> {
        self.asked.all()
    }

    /// How often the person was asked.
    pub(super) fn times_asked(&self) -> usize {
        self.asked.all().len()
    }
}

/// The connection of an agent behind a policy.
pub(super) fn agent_behind(bench: &Bench, policy: impl BeforeCall + 'static) -> Agent {
    bench.agent_with(|tools| tools.before(policy))
}

/// Calls tools without arguments, one after the other, and gives the answers. Once for an agent: the calls' ids are
/// the same each time.
pub(super) fn call_each(agent: &mut Agent, tools: &[&str]) -> Vec<ToolMessage> {
    let call = |(number, tool): (usize, &&str)| agent.calls(&format!("c{number}"), tool, "");
    tools.iter().enumerate().map(call).collect()
}

/// Asserts that a call ran.
#[track_caller]
pub(super) fn assert_ran(message: &ToolMessage) {
    assert_eq!(content(message), "The command ran.");
}

/// How often a command has run.
pub(super) fn times_run(bench: &Bench, command: &str) -> usize {
    bench.ran().iter().filter(|(id, _)| id == command).count()
}
