//! The file that the spec's purpose describes, agents at a URL, and helpers that drive them.

use drawloom::client::RunAgentInput;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::binary::Output;
use crate::replay::support::{Folder, with_commands};
use drawloom_tests::events::{call_with, interrupted};
use drawloom_tests::server::{STREAM, Server, frames};

/// The usual file with `notes.delete`.
pub(crate) fn file() -> Value {
    file_with([])
}

/// The usual file with `notes.delete` and these commands of `notes`.
pub(crate) fn file_with(commands: impl IntoIterator<Item = Value>) -> Value {
    let delete = json!({
        "id": "notes.delete", "callable": true, "agentConsent": "ask",
        "arguments": [{ "name": "path", "kind": "text", "required": true }],
    });
    with_commands(std::iter::once(delete).chain(commands))
}

/// The file with a `notes.delete` that answers with its arguments.
pub(crate) fn echoing() -> Value {
    let mut file = file();
    let delete = &mut file["plugins"][0]["commands"][2];
    delete["answers"] = json!("What was deleted");
    delete["behaviour"] = json!({ "echo": true });
    file
}

/// The file with these answers of the person.
pub(crate) fn answering(answers: Value) -> Value {
    let mut file = file();
    file["consent"] = json!({ "answers": answers });
    file
}

/// Drives the stand-in on a file.
pub(crate) fn stand_in(file: &Value, prompt: &str, options: &[&str]) -> Output {
    drive(file, &[&["--agent", "stand-in", "--prompt", prompt], options].concat())
}

/// The lines that are printed when the stand-in is driven on a file. The conversation must be completed.
pub(crate) fn transcript(file: &Value, prompt: &str, options: &[&str]) -> Vec<Value> {
    let output = stand_in(file, prompt, &[&["--transcript"], options].concat());
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{output:#?}");
    output.lines()
}

/// Runs `drawloom drive` on a file.
pub(crate) fn drive(file: &Value, words: &[&str]) -> Output {
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    folder.drawloom(&[&["drive", "file.json"], words].concat(), "")
}

/// An agent at a URL, which answers one run after another.
pub(crate) struct Agent {
    server: Server,
    // The server runs on it.
    _runtime: Runtime,
}

impl Agent {
    /// An agent that sends these events, run after run.
    pub(crate) fn new(runs: &[Vec<String>]) -> Self {
        Self::answering(runs.iter().map(|run| vec![STREAM.to_vec(), frames(run)]).collect())
    }

    /// An agent that answers with these bytes.
    pub(crate) fn answering(answers: Vec<Vec<Vec<u8>>>) -> Self {
        let runtime = runtime();
        let server = runtime.block_on(Server::answering(answers));
        Self { server, _runtime: runtime }
    }

    /// An agent whose first run sends `says` at once and `and_then` after a signal, and whose second run sends `second`.
    pub(crate) fn waiting(
        says: &[String],
        and_then: &[String],
        second: &[String],
    ) -> (Self, oneshot::Sender<()>) {
        let (goes_on, told) = oneshot::channel();
        let first = [STREAM.to_vec(), frames(says), frames(and_then)];
        let second = [STREAM.to_vec(), frames(second)];
        let runtime = runtime();
        let server = runtime.block_on(Server::waiting(first, told, second));
        (Self { server, _runtime: runtime }, goes_on)
    }

    /// An agent that begins to answer and is then silent.
    pub(crate) fn silent() -> Self {
        Self::silent_after(&[])
    }

    /// An agent that sends these events and is then silent.
    pub(crate) fn silent_after(events: &[String]) -> Self {
        let runtime = runtime();
        let server = runtime.block_on(Server::holding(vec![STREAM.to_vec(), frames(events)]));
        Self { server, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> &str {
        &self.server.url
    }

    /// Drives it on a file.
    pub(crate) fn drive(&self, file: &Value, options: &[&str]) -> Output {
        drive(file, &[&["--agent", self.url(), "--prompt", "Please."], options].concat())
    }

    /// The requests that it received.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.server.requests()
    }

    /// The inputs that it received, run after run, as JSON.
    pub(crate) fn inputs(&self) -> Vec<Value> {
        let requests = self.requests();
        let bodies = requests.iter().map(|request| request.split_once("\r\n\r\n").unwrap().1);
        let inputs = bodies.map(|body| serde_json::from_str::<RunAgentInput>(body).unwrap());
        inputs.map(|input| serde_json::to_value(input).unwrap()).collect()
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// The contents of all lines of this kind.
pub(crate) fn each<'a>(lines: &'a [Value], step: &str) -> Vec<&'a Value> {
    lines.iter().filter_map(|line| line.get(step)).collect()
}

/// The commands that ran, in order.
pub(crate) fn ran(lines: &[Value]) -> Vec<&str> {
    each(lines, "ran").into_iter().map(|step| step["commandId"].as_str().unwrap()).collect()
}

/// A run that asks for approval of a call of `delete_note`, with this schema for the answer.
pub(crate) fn wants_approval(schema: Value) -> Vec<String> {
    let question = json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c", "responseSchema": schema }]);
    [call_with("c", "delete_note", json!({ "path": "a" })), vec![interrupted(question)]].concat()
}

pub(crate) fn asks_for_input() -> Vec<String> {
    vec![interrupted(json!([{ "id": "i", "reason": "input_required", "message": "Which colour?" }]))]
}
