//! The commands of a workbench over the Model Context Protocol, with `drawloom mcp --workbench`: by the official Python client
//! in each revision, by the command line of the MCP inspector, and by an agent with a scripted model.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary;
use crate::environment::{inspector, python};

fn file() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notes.json");
    let text =
        |name: &str| json!({ "name": name, "kind": "text", "required": true, "description": "Which note." });
    let workbench = json!({
        "plugins": [
            { "id": "notes", "declares": ["contributions"], "commands": [
                { "id": "notes.open", "title": "Open", "description": "Opens a note.", "callable": true,
                  "answers": "What was opened", "behaviour": { "echo": true }, "arguments": [text("path")] },
                { "id": "notes.delete", "title": "Delete", "description": "Deletes a note.", "callable": true,
                  "agentConsent": "ask-always", "arguments": [text("path")] },
                { "id": "notes.closed", "title": "Closed", "description": "Closed.",  "arguments": [text("path")] } ] },
            { "id": "copilot", "declares": ["automation"] } ],
        "grants": { "notes": ["contributions"], "copilot": ["automation"] },
        "agent": "copilot",
    });
    fs::write(&path, workbench.to_string()).unwrap();
    (folder, path)
}

/// A server over HTTP, which is stopped with the test.
struct Server {
    child: Child,
    url: String,
    token: String,
}

impl Server {
    fn start(workbench: &Path) -> Self {
        let mut child = binary::start(["mcp", "--workbench", workbench.to_str().unwrap(), "--http", "0"]);
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut after = |start: &str| lines.next().unwrap().unwrap().strip_prefix(start).unwrap().to_owned();
        let (url, token) = (after("Listening on "), after("Token: "));
        Self { child, url, token }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a program with this standard input, and reads the JSON that it prints.
fn run(mut command: Command, input: &Value) -> Value {
    let mut running =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn calls() -> Value {
    let call = |name: &str, path: &str| json!({ "name": name, "arguments": { "path": path } });
    json!([
        call("notes__open", "inbox"),
        call("notes__delete", "inbox"),
        call("notes__delete", "drafts"),
        call("notes__delete", "sent"),
        call("notes__closed", "inbox"),
        call("notes__absent", "inbox"),
        { "name": "notes__open", "arguments": { "path": 1 } },
    ])
}

/// What a client of each revision and transport has to get.
fn expect(answer: &Value) {
    let names: Vec<&Value> = answer["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["notes__delete", "notes__open"]);
    assert_eq!(answer["tools"][0]["_meta"], json!({ "agentConsent": "ask-always" }));
    let [opened, accepted, declined, cancelled, closed, absent, wrong] =
        &answer["results"].as_array().unwrap()[..]
    else {
        panic!("{answer}")
    };
    let text = |result: &Value| {
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
    };
    assert_eq!(text(opened), r#"{"path":"inbox"}"#);
    assert_eq!(text(accepted), "The command ran.");
    assert_eq!(text(declined), "The command did not run: the user declined the call.");
    assert_eq!(text(cancelled), "The command did not run: the confirmation was cancelled.");
    let unknown =
        json!({ "code": -32602, "message": "The command did not run: no such command is available." });
    assert_eq!((&closed["error"], &absent["error"]), (&unknown, &unknown));
    assert_eq!(wrong["isError"], true, "{wrong}");
    assert!(text(wrong).contains("\"path\""), "{wrong}");
    assert_eq!(answer["questions"].as_array().unwrap().len(), 3);
    assert_eq!(
        answer["questions"][1],
        "The agent wants to run \"Delete\" (notes.delete) with:\npath: \"drafts\""
    );
}

#[test]
fn the_official_python_client_calls_commands() {
    let (_folder, path) = file();
    let server = Server::start(&path);
    let stdio = json!({ "command": [binary::path(), "mcp", "--workbench", path] });
    let http = json!({ "url": server.url, "token": server.token });
    for transport in [&stdio, &http] {
        for (mode, revision) in
            [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")]
        {
            let given = json!({
                "server": transport, "mode": mode, "calls": calls(), "answers": ["accept", "decline", "cancel"],
            });
            let answer = run(python("agents/mcp_commands.py"), &given);
            assert_eq!(answer["revision"], revision, "{mode} {transport}");
            expect(&answer);
        }
    }
}

#[test]
fn a_python_client_that_can_ask_nobody() {
    let (_folder, path) = file();
    for mode in ["legacy", "2026-07-28"] {
        let calls = json!([{ "name": "notes__delete", "arguments": { "path": "inbox" } }]);
        let server = json!({ "command": [binary::path(), "mcp", "--workbench", path] });
        let given = json!({ "server": server, "mode": mode, "calls": calls, "answers": [] });
        let answer = run(python("agents/mcp_commands.py"), &given);
        let text = answer["results"][0]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("this client cannot ask the person"), "{answer}");
    }
}

// Its command line sends no headers, so it cannot use a server that needs a token.
#[test]
fn the_inspector_calls_commands() {
    let (_folder, path) = file();
    let inspect = |arguments: &[&str]| {
        let mut command = inspector();
        command.arg(binary::path()).args(["mcp", "--workbench"]).arg(&path).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let listed = inspect(&["--method", "tools/list"]);
    assert_eq!(listed["tools"][1]["title"], "Open", "{listed}");
    assert_eq!(listed["tools"][1]["description"], "Opens a note.\nReturns: What was opened", "{listed}");
    let opened =
        inspect(&["--method", "tools/call", "--tool-name", "notes__open", "--tool-arg", "path=inbox"]);
    assert_eq!(opened["content"][0]["text"], r#"{"path":"inbox"}"#, "{opened}");
}

#[test]
fn an_agent_uses_commands_over_mcp() {
    let (_folder, path) = file();
    let server = Server::start(&path);
    let call = |name: &str, path: &str| json!({ "name": name, "arguments": { "path": path } });
    let given = |answer: &str| {
        json!({
            "url": server.url, "token": server.token, "answer": answer,
            "calls": [call("notes__open", "inbox"), call("notes__delete", "inbox")],
        })
    };
    for (answer, words) in
        [("accept", "The command ran."), ("decline", "The command did not run: the user declined the call.")]
    {
        let seen = run(python("agents/mcp_agent.py"), &given(answer));
        assert_eq!(seen["offered"], json!(["notes__delete", "notes__open"]));
        let results: Vec<&str> = seen["shown"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|part| part["result"]["text"].as_str())
            .collect();
        let [opened, deleted] = results[..] else { panic!("{seen}") };
        assert_eq!(serde_json::from_str::<Value>(opened).unwrap(), json!({ "path": "inbox" }), "{seen}");
        assert!(deleted.contains(words), "{seen}");
        assert_eq!(seen["questions"].as_array().unwrap().len(), 1, "{seen}");
    }
}
