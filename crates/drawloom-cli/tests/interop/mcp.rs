//! The development server `drawloom mcp`, by the clients that people use: the official Python client, and the command line of
//! the MCP inspector.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary;
use crate::environment::{inspector, python};

/// A directory with a source, a workbench file and a recorded run.
fn root() -> TempDir {
    let root = TempDir::new().unwrap();
    fs::create_dir(root.path().join("src")).unwrap();
    let source = r#"fn c() -> Command { Command::new("notes.open", "Open").callable() }"#;
    fs::write(root.path().join("src/notes.rs"), source).unwrap();
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    for sample in ["notes.json", "run.jsonl"] {
        fs::copy(format!("{samples}/{sample}"), root.path().join(sample)).unwrap();
    }
    root
}

fn read(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What both tools have to say of the directory.
fn expect(validated: &Value, replayed: &Value) {
    assert_ne!(validated["isError"], true, "{validated}");
    let finding = &validated["structuredContent"]["findings"][0];
    assert_eq!((&finding["command"], &finding["status"]), (&json!("notes.open"), &json!("agent-guesses")));
    assert_ne!(replayed["isError"], true, "{replayed}");
    let transcript = replayed["structuredContent"]["transcript"].as_array().unwrap();
    assert!(transcript.iter().any(|line| line.get("ran").is_some()), "{transcript:#?}");
    assert!(transcript.iter().any(|line| line.get("answered").is_some()), "{transcript:#?}");
}

#[test]
fn the_official_python_client_calls_both_tools() {
    let root = root();
    let calls = json!([
        { "name": "validate_commands", "arguments": { "dir": "src" } },
        { "name": "replay_run", "arguments": { "workbench": "notes.json", "events": "run.jsonl" } },
        { "name": "validate_commands", "arguments": { "dir": "../.." } },
    ]);
    let mut client = python("agents/mcp_client.py");
    client.arg(binary::path()).args(["mcp", "--root"]).arg(root.path());
    let mut running =
        client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(calls.to_string().as_bytes()).unwrap();
    let answer = read(&running.wait_with_output().unwrap());
    let names: Vec<&Value> = answer["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["validate_commands", "replay_run"]);
    let [validated, replayed, outside] = &answer["results"].as_array().unwrap()[..] else {
        panic!("{answer}")
    };
    expect(validated, replayed);
    assert_eq!(outside["isError"], true, "{outside}");
}

#[test]
fn the_inspector_calls_both_tools() {
    let root = root();
    let inspect = |arguments: &[&str]| {
        let mut command: Command = inspector();
        command.arg(binary::path()).args(["mcp", "--root"]).arg(root.path()).args(arguments);
        read(&command.output().unwrap())
    };
    let listed = inspect(&["--method", "tools/list"]);
    assert_eq!(listed["tools"].as_array().unwrap().len(), 2, "{listed}");
    let call = |tool: &str, given: &[&str]| {
        let mut arguments = vec!["--method", "tools/call", "--tool-name", tool];
        arguments.extend(given.iter().flat_map(|given| ["--tool-arg", given]));
        inspect(&arguments)
    };
    let validated = call("validate_commands", &["dir=src"]);
    let replayed = call("replay_run", &["workbench=notes.json", "events=run.jsonl"]);
    expect(&validated, &replayed);
}
