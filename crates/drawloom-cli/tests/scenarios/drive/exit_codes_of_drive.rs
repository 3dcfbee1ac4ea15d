//! `drive` SHALL exit with 0 if the conversation was completed, with 1 if the agent or the connection failed or the
//! conversation was stopped, or with `--strict` if anything in it went wrong, and with 2 if the command line or a file
//! is invalid.

use std::io::{BufRead, BufReader, Read};
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpSocket;

use super::support::{Agent, asks_for_input, drive, each, file, file_with, ran, stand_in};
use super::terminal::Terminal;
use crate::binary;
use crate::replay::support::Folder;
use drawloom_tests::events::{call, run, text};
use drawloom_tests::server::{STREAM, frames, status};

/// - **GIVEN** a server whose run ends with the error `no credit`, one that answers with status 500 and
///   `out of order`, and one whose stream ends too early.
/// - **WHEN** each is driven.
/// - **THEN** each exits with 1, and standard error contains `no credit`, `500` and `out of order`, and
///   that the stream ended.
#[test]
fn an_agent_that_fails() {
    let fails = json!({ "type": "RUN_ERROR", "message": "no credit" }).to_string();
    for (agent, words) in [
        (Agent::new(&[vec![fails]]), &["no credit"][..]),
        (
            Agent::answering(vec![status("500 Internal Server Error", "out of order")]),
            &["500", "out of order"],
        ),
        (
            Agent::answering(vec![vec![STREAM.to_vec(), frames(&[text("m", "a")])]]),
            &["stream of events ended"],
        ),
    ] {
        let output = agent.drive(&file(), &[]);
        assert_eq!(output.code, Some(1), "{output:#?}");
        assert!(words.iter().all(|word| output.stderr.contains(word)), "{output:#?}");
    }
}

/// - **GIVEN** a URL at which no server listens.
/// - **WHEN** it is driven.
/// - **THEN** the exit code is 1, and standard error says that the agent cannot be reached.
#[test]
fn no_connection() {
    // The port stays bound, so that no server of another test gets it.
    let taken = TcpSocket::new_v4().unwrap();
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = taken.local_addr().unwrap();
    let output = drive(&file(), &["--agent", &format!("http://{address}/"), "--prompt", "Please."]);
    assert_eq!(output.code, Some(1), "{output:#?}");
    assert!(output.stderr.contains("could not connect to the agent"), "{output:#?}");
}

/// - **GIVEN** a server that starts a stream and then sends nothing.
/// - **WHEN** it is driven with `--timeout 0.2`.
/// - **THEN** the exit code is 1, and standard error says how long nothing was received.
#[test]
fn a_silent_agent() {
    let output = Agent::silent().drive(&file(), &["--timeout", "0.2"]);
    assert_eq!(output.code, Some(1), "{output:#?}");
    assert!(output.stderr.contains("the agent sent nothing for 0.2 s"), "{output:#?}");
}

/// - **WHEN** the stand-in is driven to ping with `--max-runs 1`.
/// - **THEN** `notes.ping` ran and is answered, the exit code is 1, and standard error says that the
///   agent did not complete the conversation, and names `--max-runs`.
#[test]
fn too_many_runs() {
    let output = stand_in(&file(), "ping", &["--transcript", "--max-runs", "1"]);
    assert_eq!(output.code, Some(1), "{output:#?}");
    assert_eq!((ran(&output.lines()), each(&output.lines(), "answered").len()), (vec!["notes.ping"], 1));
    let says = ["did not complete the conversation", "--max-runs"];
    assert!(says.iter().all(|words| output.stderr.contains(words)), "{output:#?}");
}

/// - **GIVEN** a terminal, and `notes.wait`, which takes a minute.
/// - **WHEN** the stand-in is driven to wait and the person presses Ctrl-C while the command runs, and
///   when the stand-in is driven to delete and the person presses Ctrl-C at the question.
/// - **THEN** both times the answer says that the call was cancelled, and the exit code is 1.
#[test]
fn cancelled_at_the_keyboard() {
    let wait = json!({ "id": "notes.wait", "callable": true, "behaviour": { "delayMs": 60_000 } });
    let file = file_with([wait]);
    for (prompt, shown, answer) in [
        ("wait", "1 command is running", "was cancelled and may have done a part"),
        ("delete", "[y]es, [n]o or [e]dit?", "did not run: the call was cancelled"),
    ] {
        let mut terminal = Terminal::drive_in_a_shell(&file, prompt);
        terminal.wait_for(shown);
        terminal.types("\u{3}");
        terminal.wait_for(answer);
        assert_eq!(terminal.end().1, Some(1), "{prompt}");
    }
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete, and another program sends the signal of Ctrl-C at the
///   question.
/// - **THEN** the answer says that the call was cancelled, the exit code is 1, and the settings of the
///   terminal are restored.
#[test]
fn cancelled_by_another_program() {
    let mut terminal = Terminal::drive_in_a_shell(&file(), "delete");
    terminal.wait_for("[y]es, [n]o or [e]dit?");
    // The signal goes to the shell and to the processes in it.
    interrupt(&format!("-{}", terminal.process()));
    terminal.wait_for("did not run: the call was cancelled");
    let (shown, code) = terminal.end();
    assert_eq!(code, Some(1), "{shown}");
    // The settings that stty prints.
    assert!(shown.contains(" icanon") && shown.contains(" echo "), "{shown}");
}

/// - **GIVEN** a server whose text is longer than the buffer of a pipe, and a reader that stops reading.
/// - **WHEN** it is driven, and Ctrl-C is pressed until the process ends.
/// - **THEN** the exit code is 1.
#[test]
fn cancelled_while_the_output_is_blocked() {
    let agent = Agent::new(&[run([vec![text("m", &"x".repeat(4 * 1024 * 1024))]])]);
    let folder = Folder::new();
    let path = folder.write("file.json", &file().to_string());
    let words = ["--agent", agent.url(), "--prompt", "Please."].map(Into::into);
    let mut running =
        binary::start([std::ffi::OsString::from("drive"), path.into()].into_iter().chain(words));
    let mut output = running.stdout.take().unwrap();
    // After the first byte, the writing of the rest is blocked.
    output.read_exact(&mut [0]).unwrap();
    let process = running.id().to_string();
    let mut code = None;
    for _ in 0..600 {
        interrupt(&process);
        thread::sleep(Duration::from_millis(100));
        code = running.try_wait().unwrap();
        if code.is_some() {
            break;
        }
    }
    drop(output);
    assert_eq!(code.and_then(|code| code.code()), Some(1));
}

/// Sends the signal of Ctrl-C to a process, or to a process group if a minus precedes it.
fn interrupt(process: &str) {
    // The built-in command of the shell also exists where there is no program with this name.
    Command::new("sh").args(["-c", r#"kill -s INT -- "$0""#, process]).status().unwrap();
}

/// - **WHEN** `drive` is run without a prompt, with `--yes` and `--no`, with the header `Bearer secret`,
///   with a header whose name has a space, with the agents `ftp://a`, `standin` and
///   `ftp://me:secret@a/?key=secret`,
///   with `--max-runs 0`, with `--timeout 0`, and on a file that does not exist.
/// - **THEN** each exits with 2 and names what is invalid, and none repeats the value of a header, a
///   password or a query.
/// - **AND** the error for `--max-runs 0` says that a whole number from 1 is expected, and the one for the agent
///   `standin` how a URL must start, and names `stand-in`.
#[test]
fn invalid_usage() {
    let usual = ["--agent", "stand-in", "--prompt", "ping"];
    let address = ["--agent", "http://127.0.0.1/", "--prompt", "ping"];
    for (words, named) in [
        (["--agent", "stand-in"].to_vec(), "--prompt"),
        ([&usual[..], &["--yes", "--no"]].concat(), "--no"),
        ([&address[..], &["--header", "Bearer secret"]].concat(), "name: value"),
        ([&usual[..], &["--header", "Bearer secret"]].concat(), "name: value"),
        ([&address[..], &["--header", "a b: secret"]].concat(), "a b"),
        ([&address[..], &["--header", "a: secret\nb: c"]].concat(), "--header"),
        (["--agent", "ftp://a", "--prompt", "ping"].to_vec(), "ftp://a"),
        (
            ["--agent", "standin", "--prompt", "ping"].to_vec(),
            "\"standin\" cannot be used: the URL of an agent must start with http:// or https://; for the built-in \
             script, write \"stand-in\"",
        ),
        (["--agent", "ftp://me:secret@a/?key=secret", "--prompt", "ping"].to_vec(), "@a/?"),
        ([&usual[..], &["--max-runs", "0"]].concat(), "--max-runs <N>': expected a whole number from 1 to"),
        ([&usual[..], &["--timeout", "0"]].concat(), "--timeout"),
    ] {
        let output = drive(&file(), &words);
        assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{output:#?}");
        assert!(output.stderr.contains(named) && !output.stderr.contains("secret"), "{output:#?}");
    }
    let output = Folder::new().drawloom(&[&["drive", "missing.json"], &usual[..]].concat(), "");
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("missing.json"), "{output:#?}");
}

/// - **GIVEN** a reader that closes standard output after the first line.
/// - **WHEN** the stand-in is driven to ping with `--transcript`.
/// - **THEN** the exit code is 0 and standard error is empty.
#[test]
fn a_reader_that_closes_the_output_of_drive() {
    let (line, errors, code) = read_a_line(&["--agent", "stand-in", "--prompt", "ping", "--transcript"]);
    assert!(line.contains("text"), "{line}");
    assert_eq!((errors.as_str(), code), ("", Some(0)));
}

/// - **GIVEN** a server whose text is longer than the buffer of a pipe and that is then silent, and a
///   reader that closes standard output after the first line.
/// - **WHEN** it is driven with `--transcript` and `--timeout 60`.
/// - **THEN** the exit code is 0, and standard error is empty.
#[test]
fn a_closed_output_while_the_agent_is_silent() {
    let said: Vec<_> = (0..500).map(|place| text(&format!("m{place}"), &"x".repeat(10_000))).collect();
    let agent = Agent::silent_after(&said);
    let words = ["--agent", agent.url(), "--prompt", "Please.", "--transcript", "--timeout", "60"];
    let (_, errors, code) = read_a_line(&words);
    assert_eq!((errors.as_str(), code), ("", Some(0)));
}

/// Drives with a reader that closes standard output after the first line. Returns this line, standard error and the exit
/// code.
fn read_a_line(words: &[&str]) -> (String, String, Option<i32>) {
    let folder = Folder::new();
    let path = folder.write("file.json", &file().to_string());
    let words = words.iter().map(std::ffi::OsString::from);
    let mut running =
        binary::start([std::ffi::OsString::from("drive"), path.into()].into_iter().chain(words));
    let mut line = String::new();
    BufReader::new(running.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let mut errors = String::new();
    running.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (line, errors, running.wait().unwrap().code())
}

/// - **GIVEN** an agent that calls `notes.open` without its path, one that says nothing, and one that asks for input.
/// - **WHEN** each is driven with `--strict`, and the stand-in is driven to ping, and to delete with `--no`.
/// - **THEN** the first three exit with 1, and standard error says what was found; the stand-in exits with 0 both times.
#[test]
fn strict_conversations() {
    let says = || vec![text("m", "Hello.")];
    for (runs, found) in [
        (vec![run([says(), call("c", "notes__open")]), run([])], "calls that failed or were refused: 1"),
        (vec![run([])], "the agent sent no text"),
        (vec![[says(), asks_for_input()].concat(), run([])], "questions that nobody could answer: 1"),
    ] {
        assert_eq!(Agent::new(&runs).drive(&file(), &[]).code, Some(0), "{found}");
        let output = Agent::new(&runs).drive(&file(), &["--strict"]);
        assert_eq!(output.code, Some(1), "{output:#?}");
        assert!(output.stderr.contains(&format!("--strict: {found}\n")), "{output:#?}");
    }
    for (prompt, option) in [("ping", "--yes"), ("delete", "--no")] {
        let output = stand_in(&file(), prompt, &["--strict", "--check", option]);
        assert_eq!((output.code, &*output.stderr), (Some(0), ""), "{output:#?}");
    }
}

/// - **GIVEN** a server whose run has another id than the request, and one that fails with the code `quota`.
/// - **WHEN** they are driven with `--strict` and `--check`.
/// - **THEN** both exit with 1; standard error counts the breaches of the first, and has the code of the second.
#[test]
fn breaches_and_codes() {
    let event = |event: serde_json::Value| event.to_string();
    let foreign = vec![
        event(json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })),
        text("m", "Hello."),
        event(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" })),
    ];
    let failed = vec![event(json!({ "type": "RUN_ERROR", "message": "no credit", "code": "quota" }))];
    for (events, found) in [(foreign, "breaches of the protocol: 2"), (failed, "no credit (code quota)")] {
        let output = Agent::new(&[events]).drive(&file(), &["--strict", "--check"]);
        assert_eq!(output.code, Some(1), "{output:#?}");
        assert!(output.stderr.contains(found), "{output:#?}");
    }
}

/// - **GIVEN** a terminal.
/// - **WHEN** the stand-in is driven to delete, and at the question another program sends SIGTERM, SIGHUP, and SIGQUIT.
/// - **THEN** each time the settings of the terminal are restored, and the exit code is 143, 129, and 131.
#[test]
fn ended_by_another_program() {
    for (signal, expected) in [("TERM", 143), ("HUP", 129), ("QUIT", 131)] {
        let mut terminal = Terminal::drive_in_a_shell(&file(), "delete");
        terminal.wait_for("[y]es, [n]o or [e]dit?");
        // The shell waits for the process in it, and is not ended itself.
        let script =
            format!("for process in $(pgrep -P {}); do kill -s {signal} $process; done", terminal.process());
        Command::new("sh").args(["-c", &script]).status().unwrap();
        let (shown, code) = terminal.end();
        assert_eq!(code, Some(expected), "{signal}: {shown}");
        assert!(shown.contains(" icanon") && shown.contains(" echo "), "{signal}: {shown}");
    }
}
