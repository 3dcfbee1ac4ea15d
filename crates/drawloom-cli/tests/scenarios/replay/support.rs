//! The usual file of the spec's purpose, events of an agent, and helpers that play them.

use std::fs;
use std::path::PathBuf;

use drawloom::command::CommandOutcome;
use drawloom_replay::{ExpectedLine, FileError, FileWorkbench, Transcript};
use futures_executor::block_on;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{Output, drawloom};

/// The usual file.
pub(crate) fn usual() -> Value {
    json!({
        "plugins": [
            { "id": "notes", "declares": ["contributions"], "commands": [
                { "id": "notes.open", "title": "Open note", "description": "Opens a note in the editor.",
                  "arguments": [
                      { "name": "path", "kind": "text", "description": "Where the note is", "required": true },
                      { "name": "mode", "kind": "choice", "choices": ["preview", "permanent"] } ],
                  "answers": "What was opened", "callable": true, "behaviour": { "echo": true } },
                { "id": "notes.ping", "title": "Ping", "callable": true } ] },
            { "id": "copilot", "declares": ["automation"] } ],
        "grants": { "notes": ["contributions"], "copilot": ["automation"] },
        "agent": "copilot",
    })
}

/// The usual file with these additional commands of `notes`. The title of each is its id.
pub(crate) fn with_commands(commands: impl IntoIterator<Item = Value>) -> Value {
    let mut file = usual();
    for mut command in commands {
        command["title"] = command["id"].clone();
        file["plugins"][0]["commands"].as_array_mut().unwrap().push(command);
    }
    file
}

/// The usual file with `notes.open` stating `ask`, and this answer for it.
pub(crate) fn asking_to_open(answer: Value) -> Value {
    let mut file = usual();
    file["plugins"][0]["commands"][0]["agentConsent"] = json!("ask");
    file["consent"] = json!({ "answers": { "notes.open": answer } });
    file
}

pub(crate) fn load(file: &Value) -> FileWorkbench {
    FileWorkbench::load(&file.to_string(), Transcript::new()).unwrap()
}

/// The error about an invalid file.
pub(crate) fn error(text: &str) -> FileError {
    FileWorkbench::load(text, Transcript::new()).unwrap_err()
}

/// The outcome of a command that the person triggers, as JSON.
pub(crate) fn triggered(file: &Value, command: &str) -> Value {
    outcome(&block_on(load(file).workbench().trigger(command)))
}

/// The wire form of an outcome.
pub(crate) fn outcome(outcome: &CommandOutcome) -> Value {
    serde_json::to_value(outcome).unwrap()
}

/// A run of these parts, with its start and its end.
pub(crate) fn run(id: &str, parts: impl IntoIterator<Item = Vec<Value>>) -> Vec<Value> {
    let mut run = vec![json!({ "type": "RUN_STARTED", "threadId": "t", "runId": id })];
    run.extend(parts.into_iter().flatten());
    run.push(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": id }));
    run
}

pub(crate) fn start(call: &str, tool: &str) -> Value {
    json!({ "type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": tool })
}

pub(crate) fn arguments(call: &str, delta: &str) -> Value {
    json!({ "type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": delta })
}

pub(crate) fn end(call: &str) -> Value {
    json!({ "type": "TOOL_CALL_END", "toolCallId": call })
}

/// A call with these arguments, from its start to its end.
pub(crate) fn call(id: &str, tool: &str, delta: &str) -> Vec<Value> {
    vec![start(id, tool), arguments(id, delta), end(id)]
}

/// Events as JSON lines.
pub(crate) fn json_lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// A folder for the files of one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file into the folder.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `drawloom` with these words. A word that is the name of a file in the folder is replaced by its path.
    pub(crate) fn drawloom(&self, words: &[&str], input: &str) -> Output {
        let words = words.iter().map(|word| match self.path(word) {
            path if path.exists() => path.into_os_string(),
            _ => (*word).into(),
        });
        drawloom(words, input.as_bytes())
    }
}

/// What `drawloom tools` prints.
pub(crate) fn printed_tools(file: &Value) -> Value {
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    let output = folder.drawloom(&["tools", "file.json"], "");
    assert_eq!(output.code, Some(0), "{output:#?}");
    let [tools] = output.lines().try_into().unwrap();
    tools
}

/// The names of the tools that `drawloom tools` prints.
pub(crate) fn printed_names(file: &Value) -> Vec<String> {
    let tools = printed_tools(file);
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// What `drawloom replay` prints for these events.
pub(crate) fn replayed(file: &Value, events: &[Value]) -> Vec<Value> {
    played(file, events, &[])
}

/// What `drawloom replay --transcript` prints for these events.
pub(crate) fn transcript(file: &Value, events: &[Value]) -> Vec<Value> {
    played(file, events, &["--transcript"])
}

fn played(file: &Value, events: &[Value], options: &[&str]) -> Vec<Value> {
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    folder.write("events", &json_lines(events));
    let output = folder.drawloom(&[&["replay", "file.json", "events"], options].concat(), "");
    assert_eq!(output.code, Some(0), "{output:#?}");
    assert_eq!(output.stderr, "");
    output.lines()
}

/// What `drawloom replay` prints for the text of a recording, and the lines that it prints on standard error.
pub(crate) fn replayed_with_reports(file: &Value, events: &str) -> (Vec<Value>, Vec<String>) {
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    folder.write("events", events);
    let output = folder.drawloom(&["replay", "file.json", "events"], "");
    assert_eq!(output.code, Some(0), "{output:#?}");
    (output.lines(), output.stderr.lines().map(str::to_owned).collect())
}

/// The kinds of the lines of a transcript, such as `ran`.
pub(crate) fn steps(transcript: &[Value]) -> Vec<&str> {
    transcript.iter().map(|line| line.as_object().unwrap().keys().next().unwrap().as_str()).collect()
}

/// The message for a call, among messages or lines of a transcript.
pub(crate) fn message<'a>(lines: &'a [Value], call: &str) -> Option<&'a Value> {
    let messages = lines.iter().map(|line| line.get("answered").unwrap_or(line));
    messages.into_iter().find(|message| message["toolCallId"] == call)
}

/// Whether a message says that the command did not run, with these words.
pub(crate) fn is_refused_with(message: &Value, words: &str) -> bool {
    let error = message["error"].as_str().unwrap_or_default();
    message["content"] == "" && error.contains("did not run") && error.contains(words)
}

/// Whether a message says that the command did not run.
pub(crate) fn is_refused(message: &Value) -> bool {
    is_refused_with(message, "")
}

/// Whether a message is an answer.
pub(crate) fn is_answered(message: &Value) -> bool {
    message.get("error").is_none() && message["content"] != ""
}

/// An expected line.
pub(crate) fn expected(line: Value) -> ExpectedLine {
    serde_json::from_value(line).unwrap()
}
