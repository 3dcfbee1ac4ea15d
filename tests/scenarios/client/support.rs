//! What the scenarios of the client share: the workbench of its spec's purpose, and scripted agents.

use std::sync::{Arc, Mutex};

use drawloom::client::{Client, ClientBuilder, InProcessAgent, RunAgentInput, TurnEnd, Update};
use drawloom::command::{AgentConsent, Argument, PendingCall};
use futures::FutureExt;
use futures::channel::mpsc;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};

pub(crate) use drawloom_tests::events::{
    call, call_with, finished, interrupted, result, run, snapshot, text,
};
pub(crate) use drawloom_tests::server::{STREAM, Server, frames, request, status};

use crate::support::{Bench, Gate, Runs, bench, callable};

/// The workbench of the spec's purpose, and how often its commands have run.
pub(crate) struct Notes {
    pub(crate) bench: Bench,
    pub(crate) opened: Runs,
    pub(crate) deleted: Runs,
}

pub(crate) fn notes() -> Notes {
    let bench = bench();
    let id = || Argument::text("id");
    let opened = bench.has(callable("notes.open").argument(id()));
    let deleted = bench.has(callable("notes.delete").argument(id()).agent_consent(AgentConsent::Ask));
    Notes { bench, opened, deleted }
}

impl Notes {
    /// A client of `copilot` on this agent.
    pub(crate) fn client(&self, agent: &Agent) -> ClientBuilder {
        Client::builder(agent.transport(), self.bench.copilot.clone())
    }

    /// A client whose person answers yes once the gate is open.
    pub(crate) fn client_behind(&self, gate: &Gate, agent: &Agent) -> ClientBuilder {
        let passed = gate.passed();
        self.client(agent).confirm(move |_: PendingCall| passed.clone().map(|()| true))
    }
}

/// A scripted agent, which stores the inputs that it was sent.
#[derive(Clone, Default)]
pub(crate) struct Agent(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    runs: Vec<Option<Vec<String>>>,
    inputs: Vec<RunAgentInput>,
}

impl Agent {
    /// An agent with these runs. Further runs finish at once.
    pub(crate) fn new(runs: impl IntoIterator<Item = Vec<String>>) -> Self {
        let runs = runs.into_iter().map(Some).collect();
        Self(Arc::new(Mutex::new(State { runs, inputs: Vec::new() })))
    }

    pub(crate) fn transport(&self) -> InProcessAgent {
        let state = self.0.clone();
        InProcessAgent::new(move |input| {
            let mut state = state.lock().unwrap();
            let place = state.inputs.len();
            state.inputs.push(input);
            let said = state.runs.get_mut(place).and_then(Option::take);
            stream::iter(said.unwrap_or_else(|| vec![finished()]))
        })
    }

    /// The inputs that it was sent, as JSON.
    pub(crate) fn inputs(&self) -> Vec<Value> {
        self.0.lock().unwrap().inputs.iter().map(|input| serde_json::to_value(input).unwrap()).collect()
    }

    /// The messages of role `tool` it was sent with the last run.
    pub(crate) fn answers(&self) -> Vec<Value> {
        let messages = self.inputs().pop().unwrap()["messages"].take();
        let Value::Array(messages) = messages else { panic!("{messages} is no list") };
        messages.into_iter().filter(|message| message["role"] == "tool").collect()
    }
}

/// An agent whose events the test sends through a channel. Each run needs its own channel.
pub(crate) fn spoken() -> (mpsc::UnboundedSender<String>, InProcessAgent) {
    let (says, said) = mpsc::unbounded();
    let said = Mutex::new(Some(said));
    let agent = InProcessAgent::new(move |_| match said.lock().unwrap().take() {
        Some(said) => said.boxed(),
        None => stream::iter([finished()]).boxed(),
    });
    (says, agent)
}

/// Sends a message, and returns all updates of the turn.
pub(crate) async fn turn(client: &mut Client) -> Vec<Update> {
    client.send_text("Please.");
    rest(client).await
}

pub(crate) async fn rest(client: &mut Client) -> Vec<Update> {
    let mut updates = Vec::new();
    while let Some(update) = client.next().await {
        updates.push(update);
    }
    updates
}

/// Why the turn with these updates ended.
#[track_caller]
pub(crate) fn ending(updates: &[Update]) -> &TurnEnd {
    match updates {
        [.., Update::TurnEnded { end: ending }] => ending,
        _ => panic!("not over: {updates:?}"),
    }
}

/// An assistant's message in a snapshot that makes these calls of `notes__open`.
pub(crate) fn calls_in_snapshot(message: &str, calls: &[&str]) -> Value {
    let call = |id: &&str| json!({"id": id, "type": "function", "function": {"name": "notes__open", "arguments": "{}"}});
    json!({"id": message, "role": "assistant", "toolCalls": calls.iter().map(call).collect::<Vec<_>>()})
}
