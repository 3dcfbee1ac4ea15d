//! The file of the spec's purpose, agents behind an address, and what driving them comes to.

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

/// The file, whose `notes.delete` answers what it was given.
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

/// The lines that driving the stand-in on a file prints, where it comes to rest.
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

/// An agent behind an address, which answers one run after another.
pub(crate) struct Agent {
    server: Server,
    // Answers as long as it is there.
    _runtime: Runtime,
}

impl Agent {
    /// An agent that says these events, run after run.
    pub(crate) fn new(runs: &[Vec<String>]) -> Self {
        Self::answering(runs.iter().map(|run| vec![STREAM.to_vec(), frames(run)]).collect())
    }

    /// An agent that answers with these bytes.
    pub(crate) fn answering(answers: Vec<Vec<Vec<u8>>>) -> Self {
        let runtime = runtime();
        let server = runtime.block_on(Server::answering(answers));
        Self { server, _runtime: runtime }
    }

    /// An agent whose first run says something, and the rest once it is told to; and what it says in its second.
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

    /// An agent that begins to answer, and then is silent.
    pub(crate) fn silent() -> Self {
        Self::silent_after(&[])
    }

    /// An agent that says these events, and then is silent.
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

    /// The requests it was sent.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.server.requests()
    }

    /// What it was sent, run after run, as JSON.
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

/// The value of each line that is of this step.
pub(crate) fn each<'a>(lines: &'a [Value], step: &str) -> Vec<&'a Value> {
    lines.iter().filter_map(|line| line.get(step)).collect()
}

/// The commands that ran, in order.
pub(crate) fn ran(lines: &[Value]) -> Vec<&str> {
    each(lines, "ran").into_iter().map(|step| step["commandId"].as_str().unwrap()).collect()
}

/// A run that wants a call of `delete_note` approved, and takes an answer of this schema.
pub(crate) fn wants_approval(schema: Value) -> Vec<String> {
    let question = json!([{ "id": "i", "reason": "tool_call", "toolCallId": "c", "responseSchema": schema }]);
    [call_with("c", "delete_note", json!({ "path": "a" })), vec![interrupted(question)]].concat()
}

pub(crate) fn asks_for_input() -> Vec<String> {
    vec![interrupted(json!([{ "id": "i", "reason": "input_required", "message": "Which colour?" }]))]
}
