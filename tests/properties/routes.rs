//! One call has one result by every route: directly, through the adapter of AG-UI, and over MCP. So has the list.
//!
//! The routes take turns on one workbench, so that each step is decided in the same state.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use drawloom::ag_ui::{CommandTools, Event};
use drawloom::command::property::any_argument;
use drawloom::command::{CommandId, RefusalReason, tool_name};
use drawloom::prelude::*;
use drawloom::tools::{ErrorPlacement, ResultText, ToolResult, read_arguments, tool_definition};
use drawloom::workbench::{AuditRecord, Registration};
use drawloom_mcp::CommandServer;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use crate::strategies::near_arguments;

const COMMANDS: [&str; 6] =
    ["notes.open", "notes.fails", "notes.closed", "notes.signed", "notes/odd", "notes.absent"];

/// One thing that happens to the workbench, or one call on every route.
#[derive(Clone, Debug)]
enum Step {
    /// A call of a command with this text of arguments.
    Call(usize, String),
    Revoke(bool),
    SignIn(bool),
    /// The command is registered, or removed.
    Offer(usize, bool),
}

/// The arguments of every command, and a call that may well match them.
fn arguments_and_call() -> impl Strategy<Value = (Vec<Argument>, CommandArguments)> {
    let names = prop::collection::btree_set("[a-h]", 0..6);
    let arguments = names.prop_flat_map(|names| names.into_iter().map(any_argument).collect::<Vec<_>>());
    arguments.prop_flat_map(|arguments| {
        let command = Command::new("notes.open", "Open note").arguments(arguments.clone());
        let given = near_arguments(&command.declare().unwrap());
        (Just(arguments), given)
    })
}

fn steps() -> impl Strategy<Value = (Vec<Argument>, Vec<Step>)> {
    arguments_and_call().prop_flat_map(|(declared, given)| {
        let near = serde_json::to_string(&given).unwrap();
        let text = prop_oneof![
            6 => Just(near),
            1 => "[ -~]{0,24}",
            1 => Just(String::new()),
            1 => Just(r#"{"a":1,"a":2}"#.to_owned()),
            1 => Just(r#"{"a":{"b":1}}"#.to_owned()),
        ];
        let step = prop_oneof![
            8 => (0..COMMANDS.len(), text).prop_map(|(command, text)| Step::Call(command, text)),
            1 => any::<bool>().prop_map(Step::Revoke),
            1 => any::<bool>().prop_map(Step::SignIn),
            2 => (0..COMMANDS.len() - 1, any::<bool>()).prop_map(|(command, offer)| Step::Offer(command, offer)),
        ];
        (Just(declared), prop::collection::vec(step, 1..16))
    })
}

/// What an audit record says of a call, without the route.
type Recorded = (CommandId, CommandArguments, CommandOutcome, Option<String>);

struct Bench {
    workbench: Workbench,
    notes: PluginContext,
    copilot: PluginContext,
    declared: Vec<Argument>,
    offered: BTreeMap<usize, Registration>,
    records: Arc<Mutex<Vec<AuditRecord>>>,
}

impl Bench {
    fn new(declared: Vec<Argument>) -> Self {
        let records = Arc::new(Mutex::new(Vec::new()));
        let keeps = records.clone();
        let workbench = Workbench::builder()
            .grant("notes", [Capability::Contributions])
            .grant("copilot", [Capability::Automation])
            .audit(move |record: &AuditRecord| keeps.lock().unwrap().push(record.clone()))
            .build();
        let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
        let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
        Self { workbench, notes, copilot, declared, offered: BTreeMap::new(), records }
    }

    fn offer(&mut self, index: usize) {
        let id = COMMANDS[index];
        let arguments = self.declared.iter().cloned();
        let command = Command::new(id, "Open note").description("It.").answers("It").arguments(arguments);
        let command = if id == "notes.closed" { command } else { command.callable() };
        let command =
            if id == "notes.signed" { command.access(AccessRequirement::Authenticated) } else { command };
        let registered = self.notes.register(command, move |call: Call| async move {
            if id == "notes.fails" {
                Err("it fails")?;
            }
            Ok(call.into_arguments())
        });
        self.offered.entry(index).or_insert_with(|| registered.unwrap());
    }

    /// What was recorded since the last time.
    fn recorded(&self) -> Vec<Recorded> {
        let records = std::mem::take(&mut *self.records.lock().unwrap());
        // Only a route with a hook has records of what the hook decides.
        let invocation = |record: AuditRecord| {
            let (outcome, cause) =
                (record.outcome().cloned()?, record.cause().map(|cause| format!("{cause:?}")));
            Some((record.command, record.arguments, outcome, cause))
        };
        records.into_iter().filter_map(invocation).collect()
    }
}

/// A client of the server.
struct Client {
    write: WriteHalf<DuplexStream>,
    read: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Client {
    async fn connect(server: CommandServer) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let (read, write) = tokio::io::split(theirs);
            server.serve_streams(read, write).await
        });
        let (read, write) = tokio::io::split(ours);
        let mut client = Self { write, read: BufReader::new(read).lines() };
        let params =
            r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"p","version":"1"}}"#;
        client.request("initialize", params).await;
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        client
    }

    async fn send(&mut self, line: &str) {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn request(&mut self, method: &str, params: &str) -> Value {
        self.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)).await;
        loop {
            let line = self.read.next_line().await.unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            // Changes of the list are told meanwhile.
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The text of a result, as the other routes give it.
    async fn call(&mut self, tool: &str, arguments: &str) -> (String, Option<String>) {
        let given = if arguments.is_empty() { String::new() } else { format!(r#","arguments":{arguments}"#) };
        let response = self.request("tools/call", &format!(r#"{{"name":"{tool}"{given}}}"#)).await;
        if let Some(message) = response["error"]["message"].as_str() {
            return (String::new(), Some(message.to_owned()));
        }
        let text = response["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{response}"))
            .to_owned();
        if response["result"]["isError"] == true { (String::new(), Some(text)) } else { (text, None) }
    }
}

async fn over_ag_ui(
    tools: &mut CommandTools,
    call: usize,
    tool: &str,
    arguments: &str,
) -> (String, Option<String>) {
    let id = format!("c{call}");
    let mut answer = None;
    for event in [
        json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
    ] {
        answer = tools.receive(&Event::parse(&event.to_string()).unwrap()).await.or(answer);
    }
    let answer = answer.unwrap();
    (answer.content, answer.error)
}

async fn play(declared: Vec<Argument>, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let mut bench = Bench::new(declared);
    let mut tools = CommandTools::builder(bench.copilot.clone()).build();
    let mut client = Client::connect(CommandServer::builder(bench.copilot.clone()).build().unwrap()).await;
    bench.offer(0);
    for (number, step) in steps.into_iter().enumerate() {
        match step {
            Step::Offer(index, true) => bench.offer(index),
            Step::Offer(index, false) => drop(bench.offered.remove(&index)),
            Step::Revoke(true) => {
                bench.workbench.revoke(bench.copilot.plugin(), Capability::Automation).unwrap()
            }
            Step::Revoke(false) => {
                bench.workbench.restore(bench.copilot.plugin(), Capability::Automation).unwrap()
            }
            Step::SignIn(is_in) => {
                bench.workbench.set_session(if is_in {
                    Session::authenticated(["editor"])
                } else {
                    Session::anonymous()
                });
            }
            Step::Call(index, text) => {
                let (id, tool) = (COMMANDS[index], tool_name(COMMANDS[index]));
                let by_ag_ui = over_ag_ui(&mut tools, number, &tool, &text).await;
                let recorded_by_ag_ui = bench.recorded();
                // Text that is no JSON cannot be sent in a message.
                if !text.trim().is_empty() && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
                    prop_assert!(by_ag_ui.1.is_some());
                    continue;
                }
                let by_mcp = client.call(&tool, text.trim()).await;
                prop_assert_eq!(&by_mcp, &by_ag_ui, "{} {}", id, text);
                let recorded_by_mcp = bench.recorded();
                prop_assert_eq!(&recorded_by_mcp, &recorded_by_ag_ui);
                let Ok(arguments) = read_arguments(&text) else { continue };
                let outcome = bench.copilot.invoke(id, arguments.clone()).await;
                let ResultText { content, error, .. } =
                    ToolResult::from(outcome).text(ErrorPlacement::ErrorOnly);
                prop_assert_eq!(&by_mcp, &(content, error), "{} {}", id, text);
                let (mut directly, mut by_adapter) = (bench.recorded(), recorded_by_mcp);
                for (record, by_adapter) in directly.iter_mut().zip(&mut by_adapter) {
                    if matches!(&record.2, CommandOutcome::Refused(refusal) if refusal.reason == RefusalReason::Unavailable)
                    {
                        // An adapter refuses what is not offered before the workbench looks for a cause, and without the
                        // arguments.
                        (record.1, record.3) = (by_adapter.1.clone(), by_adapter.3.clone());
                    }
                }
                // A name tells the id of a command that there is not only as far as it can be read.
                if id != "notes/odd" {
                    prop_assert_eq!(directly, by_adapter);
                }
            }
        }
        let listed = client.request("tools/list", "{}").await["result"]["tools"].take();
        let by_mcp =
            listed.as_array().unwrap().iter().map(|tool| (tool["name"].clone(), tool["inputSchema"].clone()));
        let listed = serde_json::to_value(tools.list()).unwrap();
        let by_ag_ui =
            listed.as_array().unwrap().iter().map(|tool| (tool["name"].clone(), tool["parameters"].clone()));
        let definitions = bench.copilot.invocable_commands();
        let directly = definitions
            .iter()
            .map(tool_definition)
            .map(|tool| (Value::from(tool.name), tool.parameters))
            .collect::<Vec<_>>();
        prop_assert_eq!(by_mcp.collect::<Vec<_>>(), directly.clone());
        prop_assert_eq!(by_ag_ui.collect::<Vec<_>>(), directly);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_call_has_one_result_by_every_route((declared, steps) in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(play(declared, steps))?;
    }
}
