//! What the scenarios of the client share: the workbench of its spec's purpose, agents that say what they are told to,
//! and a server that answers with bytes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use drawloom::client::{Client, ClientBuilder, InProcessAgent, RunAgentInput, TurnEnd, Update};
use drawloom::command::{AgentConsent, Argument, PendingCall};
use futures::FutureExt;
use futures::channel::mpsc;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

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

    /// Such a client, whose person says yes once the gate is open.
    pub(crate) fn client_behind(&self, gate: &Gate, agent: &Agent) -> ClientBuilder {
        let passed = gate.passed();
        self.client(agent).confirm(move |_: PendingCall| passed.clone().map(|()| true))
    }
}

/// An agent that says what it is told to, run after run, and keeps what it was sent.
#[derive(Clone, Default)]
pub(crate) struct Agent(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    runs: Vec<Option<Vec<String>>>,
    inputs: Vec<RunAgentInput>,
}

impl Agent {
    /// An agent with these runs. After the last it says that it is done.
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

    /// What it was sent, run after run, as JSON.
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

/// An agent that says what is said here while it is said. Each run needs a line of its own.
pub(crate) fn spoken() -> (mpsc::UnboundedSender<String>, InProcessAgent) {
    let (says, said) = mpsc::unbounded();
    let said = Mutex::new(Some(said));
    let agent = InProcessAgent::new(move |_| match said.lock().unwrap().take() {
        Some(said) => said.boxed(),
        None => stream::iter([finished()]).boxed(),
    });
    (says, agent)
}

/// Says something, and gives all updates until the turn is over.
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

/// Why a turn with these updates is over.
#[track_caller]
pub(crate) fn ending(updates: &[Update]) -> &TurnEnd {
    match updates {
        [.., Update::TurnEnded { end: ending }] => ending,
        _ => panic!("not over: {updates:?}"),
    }
}

pub(crate) fn finished() -> String {
    r#"{"type":"RUN_FINISHED"}"#.to_owned()
}

/// The end of a run that asks these.
pub(crate) fn interrupted(interrupts: Value) -> String {
    let outcome = json!({"type": "interrupt", "interrupts": interrupts});
    json!({"type": "RUN_FINISHED", "outcome": outcome}).to_string()
}

pub(crate) fn snapshot(messages: Value) -> String {
    json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}).to_string()
}

pub(crate) fn text(message: &str, delta: &str) -> String {
    json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": message, "delta": delta}).to_string()
}

pub(crate) fn result(call: &str, content: &str) -> String {
    let message = format!("backend-{call}");
    json!({"type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": call, "content": content})
        .to_string()
}

/// A call, from its start to its end.
pub(crate) fn call(id: &str, tool: &str) -> Vec<String> {
    call_with(id, tool, json!({}))
}

pub(crate) fn call_with(id: &str, tool: &str, arguments: Value) -> Vec<String> {
    vec![
        json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool}).to_string(),
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments.to_string()}).to_string(),
        json!({"type": "TOOL_CALL_END", "toolCallId": id}).to_string(),
    ]
}

/// An assistant's message in a snapshot that makes these calls of `notes__open`.
pub(crate) fn calls_in_snapshot(message: &str, calls: &[&str]) -> Value {
    let call = |id: &&str| json!({"id": id, "type": "function", "function": {"name": "notes__open", "arguments": "{}"}});
    json!({"id": message, "role": "assistant", "toolCalls": calls.iter().map(call).collect::<Vec<_>>()})
}

/// A run of these events and an end.
pub(crate) fn run(events: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    events.into_iter().flatten().chain([finished()]).collect()
}

/// A server that answers one request after another with these bytes, each piece on its own, and keeps what it was sent.
pub(crate) struct Server {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
    gone: Option<oneshot::Receiver<()>>,
}

impl Server {
    /// Answers each request with the next of these, and then closes the connection.
    pub(crate) async fn answering(answers: Vec<Vec<Vec<u8>>>) -> Self {
        Self::start(answers, false).await
    }

    /// Answers one request, and leaves the connection open.
    pub(crate) async fn holding(answer: Vec<Vec<u8>>) -> Self {
        Self::start(vec![answer], true).await
    }

    /// Answers one request, and then goes on with this until the client goes.
    pub(crate) async fn dripping(answer: Vec<Vec<u8>>, drip: &[u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let (tells_gone, gone) = oneshot::channel();
        let drip = drip.to_vec();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            request(&mut stream).await;
            for piece in answer {
                stream.write_all(&piece).await.unwrap();
            }
            while stream.write_all(&drip).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let _ = tells_gone.send(());
        });
        Self { url, requests: Arc::default(), gone: Some(gone) }
    }

    /// Answers a request with the first two pieces and the rest once it is told to go on, and another with the second.
    pub(crate) async fn waiting(
        [head, says, and_then]: [Vec<u8>; 3],
        goes_on: oneshot::Receiver<()>,
        second: [Vec<u8>; 2],
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let keeps = requests.clone();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let sent = request(&mut stream).await;
            keeps.lock().unwrap().push(sent);
            stream.write_all(&[head, says].concat()).await.unwrap();
            // Where nobody tells it to, the scenario is over.
            if goes_on.await.is_err() {
                return;
            }
            stream.write_all(&and_then).await.unwrap();
            drop(stream);
            let (mut stream, _) = listener.accept().await.unwrap();
            let sent = request(&mut stream).await;
            keeps.lock().unwrap().push(sent);
            stream.write_all(&second.concat()).await.unwrap();
        });
        Self { url, requests, gone: None }
    }

    async fn start(answers: Vec<Vec<Vec<u8>>>, holds: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let keeps = requests.clone();
        let (tells_gone, gone) = oneshot::channel();
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = request(&mut stream).await;
                keeps.lock().unwrap().push(request);
                for piece in answer {
                    if stream.write_all(&piece).await.is_err() {
                        break;
                    }
                    stream.flush().await.unwrap();
                    tokio::task::yield_now().await;
                }
                if holds {
                    // Nothing more is sent, so what ends this is that the client goes.
                    let _ = stream.read(&mut [0]).await;
                }
            }
            let _ = tells_gone.send(());
        });
        Self { url, requests, gone: Some(gone) }
    }

    /// What it was sent: each request, head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until the client has closed the connection that is left open.
    pub(crate) async fn client_gone(&mut self) {
        self.gone.take().unwrap().await.unwrap();
    }
}

/// Reads a request, head and body.
pub(crate) async fn request(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        if stream.read_buf(&mut read).await.unwrap() == 0 {
            return text;
        }
    }
}

/// The head of an answer that is a stream of events.
pub(crate) const STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n\r\n";

/// An answer with this status.
pub(crate) fn status(status: &str, body: &str) -> Vec<Vec<u8>> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: text/plain\r\nconnection: close\r\n");
    vec![format!("{head}content-length: {length}\r\n\r\n{body}").into_bytes()]
}

/// The events as frames.
pub(crate) fn frames(events: &[String]) -> Vec<u8> {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>().into_bytes()
}
