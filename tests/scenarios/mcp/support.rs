//! Clients that speak the protocol in JSON, so that a scenario sees every byte.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

pub(crate) mod http;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use drawloom::command::{AgentConsent, Argument, Command};
use drawloom::workbench::{Call, HandlerError, PluginContext};
use drawloom_mcp::{CommandServer, CommandServerBuilder};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use crate::support::{Bench, Kept, Runs};

/// Nothing in a scenario takes longer. The clock of the scenarios goes on as soon as everybody waits.
const PATIENCE: Duration = Duration::from_secs(4 * 3600);

/// A client over a pair of streams.
pub(crate) struct Client {
    write: WriteHalf<DuplexStream>,
    read: Lines<BufReader<ReadHalf<DuplexStream>>>,
    requests: u64,
    /// What each request says of the client, for one without a connection.
    meta: Option<Value>,
    /// What arrived while something else was waited for.
    waiting: VecDeque<Value>,
}

/// A client can show a form to the person.
pub(crate) fn can_ask() -> Value {
    json!({ "elicitation": { "form": {} } })
}

impl Client {
    fn over_streams(server: &CommandServer, meta: Option<Value>) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let server = server.clone();
        tokio::spawn(async move {
            let (read, write) = tokio::io::split(theirs);
            server.serve_streams(read, write).await.unwrap();
        });
        let (read, write) = tokio::io::split(ours);
        Self { write, read: BufReader::new(read).lines(), requests: 0, meta, waiting: VecDeque::new() }
    }

    /// A client of revision 2025-11-25 that can ask the person.
    pub(crate) async fn connect(server: &CommandServer) -> Self {
        Self::connect_with(server, can_ask()).await
    }

    /// A client of revision 2025-11-25 with these capabilities.
    pub(crate) async fn connect_with(server: &CommandServer, capabilities: Value) -> Self {
        let mut client = Self::over_streams(server, None);
        let introduced = client.request("initialize", introduction(&capabilities)).await;
        assert_eq!(introduced["result"]["protocolVersion"], "2025-11-25", "{introduced}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    /// A client of revision 2026-07-28 that can ask the person.
    pub(crate) fn returning(server: &CommandServer) -> Self {
        Self::returning_with(server, can_ask())
    }

    /// A client of revision 2026-07-28 with these capabilities.
    pub(crate) fn returning_with(server: &CommandServer, capabilities: Value) -> Self {
        Self::over_streams(server, Some(meta(&capabilities)))
    }

    /// Sends a line as it is.
    pub(crate) async fn send_text(&mut self, line: &str) {
        self.write.write_all(line.as_bytes()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    /// Starts a request.
    pub(crate) async fn start(&mut self, method: &str, mut params: Value) -> u64 {
        self.requests += 1;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        id
    }

    /// The next message of the server.
    pub(crate) async fn message(&mut self) -> Value {
        match self.waiting.pop_front() {
            Some(message) => message,
            None => self.read_message().await,
        }
    }

    async fn read_message(&mut self) -> Value {
        let line =
            tokio::time::timeout(PATIENCE, self.read.next_line()).await.expect("the server says nothing");
        serde_json::from_str(&line.unwrap().expect("the server closed its stream")).unwrap()
    }

    /// The response to a request. Other messages are kept.
    pub(crate) async fn response(&mut self, id: u64) -> Value {
        let is_response = |message: &Value| message["id"] == id && message.get("method").is_none();
        if let Some(place) = self.waiting.iter().position(is_response) {
            return self.waiting.remove(place).unwrap();
        }
        loop {
            let message = self.read_message().await;
            if is_response(&message) {
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.start(method, params).await;
        self.response(id).await
    }

    /// The tools of the list.
    pub(crate) async fn tools(&mut self) -> Vec<Value> {
        let listed = self.request("tools/list", json!({})).await;
        listed["result"]["tools"].as_array().unwrap_or_else(|| panic!("{listed}")).clone()
    }

    pub(crate) async fn start_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.start("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Starts a call about whose progress the client wants to be told.
    pub(crate) async fn start_with_token(&mut self, tool: &str, token: &str) -> u64 {
        self.requests += 1;
        let id = self.requests;
        let mut meta = self.meta.clone().unwrap_or_else(|| json!({}));
        meta["progressToken"] = json!(token);
        let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
        id
    }

    /// The whole response to a call.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.start_call(tool, arguments).await;
        self.response(id).await
    }

    /// A call of which the text of the arguments matters.
    pub(crate) async fn call_text(&mut self, tool: &str, arguments: &str) -> Value {
        self.requests += 1;
        let id = self.requests;
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        self.send_text(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#))
            .await;
        self.response(id).await
    }

    /// The question that the server asks next: the id of its request, and the message.
    pub(crate) async fn question(&mut self) -> (Value, String) {
        let asked = self.message().await;
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        assert_eq!(
            asked["params"]["requestedSchema"],
            json!({ "type": "object", "properties": {} }),
            "{asked}"
        );
        (asked["id"].clone(), asked["params"]["message"].as_str().unwrap().to_owned())
    }

    pub(crate) async fn answer(&mut self, question: &Value, action: &str) {
        let result = if action == "accept" {
            json!({ "action": action, "content": {} })
        } else {
            json!({ "action": action })
        };
        self.send(&json!({ "jsonrpc": "2.0", "id": question, "result": result })).await;
    }

    /// Calls a tool, and answers the question about it.
    pub(crate) async fn call_and_answer(&mut self, tool: &str, arguments: Value, action: &str) -> Value {
        let id = self.start_call(tool, arguments).await;
        let (question, _) = self.question().await;
        self.answer(&question, action).await;
        self.response(id).await
    }

    pub(crate) async fn cancel(&mut self, request: u64) {
        let params = json!({ "requestId": request });
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    }

    /// Calls a tool as a returning client, and gives the state of the question.
    pub(crate) async fn state_of(&mut self, tool: &str, arguments: Value) -> String {
        state(&self.call(tool, arguments).await)
    }

    /// Returns with a state and an answer.
    pub(crate) async fn come_back(
        &mut self,
        tool: &str,
        arguments: Value,
        state: &str,
        action: Option<&str>,
    ) -> Value {
        self.request("tools/call", returned(tool, arguments, state, action)).await
    }
}

pub(crate) fn introduction(capabilities: &Value) -> Value {
    json!({
        "protocolVersion": "2025-11-25", "capabilities": capabilities,
        "clientInfo": { "name": "scenario", "version": "1.0.0" },
    })
}

/// What each request of a client without a connection says.
pub(crate) fn meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "scenario", "version": "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// The state in a response that asks.
#[track_caller]
pub(crate) fn state(response: &Value) -> String {
    let result = &response["result"];
    assert_eq!(result["resultType"], "input_required", "{response}");
    assert_eq!(result["inputRequests"]["consent"]["method"], "elicitation/create", "{response}");
    result["requestState"].as_str().unwrap().to_owned()
}

/// The parameters with which a client returns.
pub(crate) fn returned(tool: &str, arguments: Value, state: &str, action: Option<&str>) -> Value {
    let answers =
        action.map_or_else(|| json!({}), |action| json!({ "consent": { "action": action, "content": {} } }));
    json!({ "name": tool, "arguments": arguments, "requestState": state, "inputResponses": answers })
}

/// The text of a result that is not an error.
#[track_caller]
pub(crate) fn answered(response: &Value) -> String {
    assert_eq!(response["result"]["isError"], false, "{response}");
    text(response)
}

/// The text of a result that is an error.
#[track_caller]
pub(crate) fn failed(response: &Value) -> String {
    assert_eq!(response["result"]["isError"], true, "{response}");
    text(response)
}

/// The text of a result that says that the command did not run.
#[track_caller]
pub(crate) fn not_run(response: &Value) -> String {
    let text = failed(response);
    assert!(text.starts_with("The command did not run: "), "{text}");
    text
}

fn text(response: &Value) -> String {
    let blocks = response["result"]["content"].as_array().unwrap();
    blocks.iter().map(|block| block["text"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

/// That a response is the answer to a call of a tool that does not exist.
#[track_caller]
pub(crate) fn assert_unknown(response: &Value) {
    let expected =
        json!({ "code": -32602, "message": "The command did not run: no such command is available." });
    assert_eq!(response["error"], expected, "{response}");
}

impl Bench {
    /// A server for what `copilot` may reach.
    pub(crate) fn mcp(&self) -> CommandServer {
        self.mcp_with(|server| server)
    }

    pub(crate) fn mcp_with(
        &self,
        configure: impl FnOnce(CommandServerBuilder) -> CommandServerBuilder,
    ) -> CommandServer {
        configure(CommandServer::builder(self.copilot.clone())).build().unwrap()
    }

    /// Registers a command of `notes` that answers its argument `path`, and says with which it ran.
    pub(crate) fn has_path_command(&self, id: &str, consent: AgentConsent) -> Kept<String> {
        let paths = Kept::default();
        register_path_command(&self.notes, id, consent, &paths).keep();
        paths
    }

    /// Registers a command of `notes` that waits for ever, and says when it is dropped.
    pub(crate) fn has_waiting(&self, command: Command) -> (Runs, Arc<AtomicBool>) {
        let is_dropped = Arc::new(AtomicBool::new(false));
        let drops = is_dropped.clone();
        let runs = self.does(command, move |_| {
            let dropping = SetOnDrop(drops.clone());
            async move {
                let _dropping = dropping;
                std::future::pending::<Result<(), HandlerError>>().await
            }
        });
        (runs, is_dropped)
    }
}

pub(crate) fn register_path_command(
    notes: &PluginContext,
    id: &str,
    consent: AgentConsent,
    paths: &Kept<String>,
) -> drawloom::workbench::Registration {
    let command = Command::new(id, "Delete note")
        .description("Deletes a note.")
        .argument(Argument::text("path").description("Which note.").required())
        .answers("The path")
        .callable()
        .agent_consent(consent);
    let paths = paths.clone();
    let registered = notes.register(command, move |call: Call| {
        let path = call.text("path").map(str::to_owned);
        let paths = paths.clone();
        async move {
            let path = path?;
            paths.keep(path.clone());
            Ok::<_, HandlerError>(path)
        }
    });
    registered.unwrap()
}

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Lets everything go on that can, until this holds.
#[track_caller]
pub(crate) fn until(holds: impl Fn() -> bool) -> impl Future<Output = ()> {
    let caller = std::panic::Location::caller();
    async move {
        for _ in 0..10_000 {
            if holds() {
                return;
            }
            tokio::task::yield_now().await;
        }
        panic!("it does not hold: {caller}");
    }
}
