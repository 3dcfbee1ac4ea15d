//! `drawloom mcp --workbench` SHALL offer the commands that the agent of the file may reach, on standard input and
//! output or, with `--http`, on a port of this machine. It SHALL print the address and the token once, on standard
//! error.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{drawloom, start};

/// The file of the scenarios, in a directory that goes with it.
fn file() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notes.json");
    let argument = |name: &str, required: bool| json!({ "name": name, "kind": "text", "required": required });
    let workbench = json!({
        "plugins": [
            { "id": "notes", "declares": ["contributions"], "commands": [
                { "id": "notes.open", "title": "Open", "callable": true, "answers": "It", "behaviour": { "echo": true },
                  "arguments": [argument("path", true), argument("mode", false)] },
                { "id": "notes.delete", "title": "Delete", "callable": true, "agentConsent": "ask",
                  "arguments": [argument("path", true)] } ] },
            { "id": "copilot", "declares": ["automation"] } ],
        "grants": { "notes": ["contributions"], "copilot": ["automation"] },
        "agent": "copilot",
        "consent": { "answers": { "notes.delete": true }, "wording": { "refused": "Ada declined" } },
    });
    fs::write(&path, workbench.to_string()).unwrap();
    (folder, path)
}

fn introduction() -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "scenario", "version": "1.0.0" },
    } })
}

fn send(input: &mut ChildStdin, message: &Value) {
    writeln!(input, "{message}").unwrap();
    input.flush().unwrap();
}

fn receive(output: &mut BufReader<ChildStdout>) -> Value {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"))
}

/// - **GIVEN** a file with `notes.open`, which repeats its arguments, and `notes.delete`, which states `ask`.
/// - **WHEN** a client lists the tools, opens a note with a null for the argument that it leaves out, deletes one,
///   and the person declines.
/// - **THEN** both are listed, the first call is answered, and the second is not run, with the wording of the file.
/// - **AND** the program ends with exit code 0 when the client closes standard input.
#[test]
fn over_standard_input_and_output() {
    let (_folder, path) = file();
    let mut child = start(["mcp", "--workbench", path.to_str().unwrap()]);
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    send(&mut input, &introduction());
    assert_eq!(receive(&mut output)["result"]["serverInfo"]["name"], "drawloom");
    send(&mut input, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));

    send(&mut input, &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    let listed = receive(&mut output);
    let names: Vec<_> =
        listed["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["notes__delete", "notes__open"]);

    let call = |id: u64, tool: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    send(&mut input, &call(2, "notes__open", json!({ "path": "inbox", "mode": null })));
    assert_eq!(receive(&mut output)["result"]["content"][0]["text"], r#"{"path":"inbox"}"#);

    send(&mut input, &call(3, "notes__delete", json!({ "path": "inbox" })));
    let question = receive(&mut output);
    assert_eq!(question["method"], "elicitation/create", "{question}");
    send(&mut input, &json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } }));
    let declined = receive(&mut output);
    assert_eq!(
        declined["result"]["content"][0]["text"], "The command did not run: Ada declined.",
        "{declined}"
    );

    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A server that is stopped with the test.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn status(address: &str, token: Option<&str>) -> String {
    let body = introduction().to_string();
    let authorization = token.map_or_else(String::new, |token| format!("authorization: Bearer {token}\r\n"));
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\nconnection: close\r\n\
         accept: application/json, text/event-stream\r\n{authorization}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_whitespace().nth(1).unwrap().to_owned()
}

/// - **GIVEN** the same file, and port 0.
/// - **WHEN** a client reads the address and the token from standard error, and introduces itself with and without
///   the token.
/// - **THEN** the first request is answered, the second is refused, and standard output stays empty.
/// - **AND** nothing else that is printed contains the token.
#[test]
fn over_http() {
    let (_folder, path) = file();
    let mut child = Stopped(start(["mcp", "--workbench", path.to_str().unwrap(), "--http", "0"]));
    let mut errors = BufReader::new(child.0.stderr.take().unwrap());
    let mut line = || {
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        line.trim().to_owned()
    };
    let address = line();
    let address = address.strip_prefix("Listening on http://").unwrap().strip_suffix("/mcp").unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let token = line();
    let token = token.strip_prefix("Token: ").unwrap();
    assert_eq!(status(address, Some(token)), "200");
    assert_eq!(status(address, None), "401");
    child.0.kill().unwrap();
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("not shown again") && !rest.contains(token), "{rest}");
    let mut output = String::new();
    child.0.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(output, "");
}

/// - **WHEN** `--http` is given without `--workbench`, `--origin` without `--http`, `--workbench` with `--root`, a
///   file that is absent, and a port that is taken.
/// - **THEN** the exit code is 2, and standard error names the option or the file.
#[test]
fn options_that_do_not_fit_together() {
    let (folder, path) = file();
    let path = path.to_str().unwrap();
    let absent = folder.path().join("absent.json");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, named) in [
        (vec!["--http", "0"], "--workbench"),
        (vec!["--workbench", path, "--origin", "http://localhost"], "--http"),
        (vec!["--workbench", path, "--root", "."], "--root"),
        (vec!["--workbench", absent.to_str().unwrap()], "absent.json"),
        (vec!["--workbench", path, "--http", &port], &*port),
        (vec!["--workbench", path, "--http", "65536"], "--http"),
    ] {
        let output = drawloom(["mcp"].into_iter().chain(arguments), b"");
        assert_eq!(output.code, Some(2), "{output:?}");
        assert!(output.stderr.contains(named), "{named} {output:?}");
    }
}
