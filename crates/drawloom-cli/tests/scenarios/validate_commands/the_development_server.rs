//! `drawloom mcp` SHALL serve the Model Context Protocol on standard input and output, with the tools
//! `validate_commands` and `replay_run`, and SHALL open nothing outside the directory given with `--root`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::start;

/// A client of a server with this root.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Client {
    fn connect(root: &Path) -> Self {
        let mut child = start(["mcp", "--root", root.to_str().unwrap()]);
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Self { child, input, output, requests: 0 };
        let introduced = client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "scenario", "version": "1.0.0" },
            }),
        );
        assert_eq!(introduced["serverInfo"]["name"], "drawloom", "{introduced}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    fn request(&mut self, method: &str, parameters: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// The structured result of a call, which the tool's own schema accepts.
    fn result(&mut self, tool: &str, arguments: Value) -> Value {
        let tools = self.request("tools/list", json!({}));
        let described =
            tools["tools"].as_array().unwrap().iter().find(|other| other["name"] == tool).unwrap().clone();
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        let schema = jsonschema::validator_for(&described["outputSchema"]).unwrap();
        let errors: Vec<String> =
            schema.iter_errors(&result["structuredContent"]).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
        result["structuredContent"].clone()
    }
}

/// The server ends when its client closes its standard input.
impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let status = self.child.wait();
        if !std::thread::panicking() {
            assert!(status.unwrap().success());
        }
    }
}

/// - **WHEN** a client lists the tools of the server.
/// - **THEN** they are `validate_commands` and `replay_run`, each with an input schema, an output schema and the hint that
///   it only reads.
#[test]
fn tools_with_schemas() {
    let root = TempDir::new().unwrap();
    let listed = Client::connect(root.path()).request("tools/list", json!({}));
    let tools = listed["tools"].as_array().unwrap();
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["validate_commands", "replay_run"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
}

/// - **GIVEN** a directory with a callable command without a description below the root.
/// - **WHEN** a client calls `validate_commands` with the directory.
/// - **THEN** the structured result has the finding, and the output schema accepts it.
#[test]
fn judging_a_directory_for_a_client() {
    let root = TempDir::new().unwrap();
    fs::create_dir(root.path().join("src")).unwrap();
    let source = r#"fn c() -> Command { Command::new("notes.open", "Open").callable() }"#;
    fs::write(root.path().join("src/notes.rs"), source).unwrap();
    let report = Client::connect(root.path()).result("validate_commands", json!({ "dir": "src" }));
    assert_eq!(report["directory"], "src");
    let [finding] = &report["findings"].as_array().unwrap()[..] else { panic!("{report}") };
    assert_eq!((&finding["command"], &finding["status"]), (&json!("notes.open"), &json!("agent-guesses")));
    assert_eq!(finding["problems"][0]["rule"], "missing-description");
}

/// - **GIVEN** a workbench file and a recorded run with one call and one line that is not JSON below the root.
/// - **WHEN** a client calls `replay_run` with both.
/// - **THEN** the structured result has the lines of the transcript and the problem with its line, and the output schema
///   accepts it.
#[test]
fn replaying_a_run_for_a_client() {
    let root = TempDir::new().unwrap();
    let workbench = json!({
        "plugins": [
            { "id": "notes", "declares": ["contributions"], "commands": [
                { "id": "notes.open", "title": "Open", "callable": true, "answers": "It", "behaviour": { "echo": true } } ] },
            { "id": "copilot", "declares": ["automation"] } ],
        "grants": { "notes": ["contributions"], "copilot": ["automation"] },
        "agent": "copilot",
    });
    fs::write(root.path().join("notes.json"), workbench.to_string()).unwrap();
    let run = r#"no JSON
{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"notes__open"}
{"type":"TOOL_CALL_END","toolCallId":"c"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r"}
"#;
    fs::write(root.path().join("run.jsonl"), run).unwrap();
    let arguments = json!({ "workbench": "notes.json", "events": "run.jsonl" });
    let played = Client::connect(root.path()).result("replay_run", arguments);
    let [ran, answered] = &played["transcript"].as_array().unwrap()[..] else { panic!("{played}") };
    assert_eq!(ran["ran"]["commandId"], "notes.open");
    assert_eq!(answered["answered"]["toolCallId"], "c");
    let [problem] = &played["problems"].as_array().unwrap()[..] else { panic!("{played}") };
    assert!(problem.as_str().unwrap().contains("line 1"), "{problem}");
}

/// - **GIVEN** a file beside the root, and a link to it below the root.
/// - **WHEN** a client calls the tools with `..`, with an absolute path, with the link, with a name that is not there and
///   with an argument that there is not.
/// - **THEN** each result is an error that names the path or the argument, and the server goes on.
#[test]
#[cfg(unix)]
fn paths_outside_the_root() {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(folder.path().join("secret.json"), "{}").unwrap();
    fs::write(root.join("run.jsonl"), "").unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret.json"), root.join("link.json")).unwrap();
    std::os::unix::fs::symlink(folder.path(), root.join("up")).unwrap();

    let mut client = Client::connect(&root);
    let absolute = folder.path().join("secret.json").to_str().unwrap().to_owned();
    let replay =
        |path: &str| ("replay_run", json!({ "workbench": path, "events": "run.jsonl" }), path.to_owned());
    let judge = |path: &str| ("validate_commands", json!({ "dir": path }), path.to_owned());
    for (tool, arguments, named) in [
        replay("../secret.json"),
        replay("up/../../secret.json"),
        replay(&absolute),
        replay("link.json"),
        replay("absent.json"),
        judge(".."),
        judge("up"),
        judge("absent"),
        ("validate_commands", json!({ "path": "." }), "path".to_owned()),
        ("validate_commands", json!({ "dir": 1 }), "dir".to_owned()),
        ("replay_run", json!({ "events": "run.jsonl" }), "workbench".to_owned()),
    ] {
        let result = client.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&format!("\"{named}\"")), "{text}");
        let is_known = !["absent", "absent.json", "path", "dir", "workbench"].contains(&&*named);
        assert_eq!(text.contains("outside the directory"), is_known, "{text}");
    }
    assert_eq!(client.call("validate_commands", json!({}))["isError"], false);
}
