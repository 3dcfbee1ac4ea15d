//! What the protocol's own packages say: of what we send `@ag-ui/core`, and of what we read `@ag-ui/client`.

use std::io::Write;
use std::process::Stdio;

use drawloom::ag_ui::{AssemblerLimits, Event, ToolCallAssembler};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::environment::node;

/// A tool call as either side makes it of a stream.
#[derive(Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The text of the arguments, as it was streamed.
    pub(crate) arguments: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Judgement {
    /// What is wrong with the requests.
    pub(crate) problems: Vec<String>,
    /// The calls of the runs, as they were streamed.
    pub(crate) calls: Vec<Call>,
    /// The calls as the conversation has them after their run. Where a snapshot told them again, it may have written
    /// their arguments anew.
    pub(crate) kept: Vec<Call>,
}

impl Call {
    /// The call whatever way its arguments are written.
    pub(crate) fn meaning(&self) -> (&str, &str, Value) {
        (&self.id, &self.name, serde_json::from_str(&self.arguments).unwrap())
    }
}

impl Judgement {
    /// Whether the packages make the same calls of the runs as we do.
    pub(crate) fn agrees_with(&self, ours: &[Call]) -> Result<(), String> {
        if self.calls != ours {
            return Err(format!("streamed: {:?} but ours are {ours:?}", self.calls));
        }
        let meanings =
            |calls: &[Call]| calls.iter().map(|call| format!("{:?}", call.meaning())).collect::<Vec<_>>();
        if meanings(&self.kept) != meanings(ours) {
            return Err(format!("kept: {:?} but ours are {ours:?}", self.kept));
        }
        Ok(())
    }
}

/// Shows the packages these requests and the events of these runs.
pub(crate) fn judge(requests: &[Value], runs: &[Vec<Value>]) -> Judgement {
    judge_all(&json!({ "requests": requests, "runs": runs }))
}

/// Shows the packages events that we wrote, and gives what is wrong with them.
pub(crate) fn problems_of_events(events: &[Value]) -> Vec<String> {
    judge_all(&json!({ "events": events })).problems
}

fn judge_all(shown: &Value) -> Judgement {
    let mut command = node("node/check.mjs");
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node starts");
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(shown.to_string().as_bytes()).unwrap();
    drop(stdin);
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "the check in node failed; see its output");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The calls that our own assembler makes of the runs.
pub(crate) fn assembled(runs: &[Vec<Value>]) -> Vec<Call> {
    let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
    let mut calls = Vec::new();
    for event in runs.iter().flatten() {
        assembler.accept(&Event::parse(&event.to_string()).unwrap());
        while let Some(call) = assembler.next_call() {
            let arguments = call.arguments.expect("a recorded call is whole");
            calls.push(Call { id: call.id.to_string(), name: call.name, arguments });
        }
    }
    calls
}

/// A recording, as JSON lines or server-sent events, by its runs.
pub(crate) fn runs(recording: &str) -> Vec<Vec<Value>> {
    let mut runs: Vec<Vec<Value>> = Vec::new();
    for line in recording.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line)) {
        if line.is_empty() {
            continue;
        }
        let event: Value = serde_json::from_str(line).unwrap();
        // What happened on our side.
        if event.get("recorded").is_some() {
            continue;
        }
        if event["type"] == "RUN_STARTED" {
            runs.push(Vec::new());
        }
        runs.last_mut().expect("a recording begins with a run").push(event);
    }
    runs
}
