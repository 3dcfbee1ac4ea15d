//! `drawloom` SHALL exit with 0 after it has played its input, whatever the outcomes of the commands are. It SHALL
//! exit with 2 and a message on standard error if a file cannot be read or is invalid.

use std::io::{BufRead, BufReader, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::support::{Folder, call, json_lines, run, usual, with_commands};
use crate::binary;

/// - **WHEN** a run is replayed in which one call is refused and one fails.
/// - **THEN** the exit code is 0.
#[test]
fn refusals_and_failures_exit_with_zero() {
    let folder = Folder::new();
    let file = with_commands([json!({ "id": "a.boom", "callable": true, "behaviour": { "fail": "full" } })]);
    folder.write("file.json", &file.to_string());
    let events = run("r", [call("1", "notes__ghost", "{}"), call("2", "a__boom", "{}")]);
    let output = folder.drawloom(&["replay", "file.json", "-"], &json_lines(&events));
    let errors: Vec<_> = output.lines().iter().map(|message| message["error"].to_string()).collect();
    assert!(errors[0].contains("did not run") && errors[1].contains("failed"), "{output:#?}");
    assert_eq!(output.code, Some(0));
}

/// - **GIVEN** no file `missing.json`, and a workbench file with the unknown field `colour` in its line
///   4.
/// - **WHEN** `drawloom replay` is run on each.
/// - **THEN** both exit with 2. Standard error names `missing.json` for the first, and line 4 and
///   `colour` for the second.
#[test]
fn missing_and_invalid_files() {
    let folder = Folder::new();
    folder.write("events", "");
    let missing = folder.drawloom(&["replay", "missing.json", "events"], "");
    assert_eq!((missing.code, missing.stdout.as_str()), (Some(2), ""));
    assert!(missing.stderr.contains("missing.json"), "{missing:#?}");

    let text = "{\n  \"plugins\": [\n    { \"id\": \"notes\",\n      \"colour\": \"red\" }\n  ]\n}\n";
    folder.write("wrong.json", text);
    let wrong = folder.drawloom(&["replay", "wrong.json", "events"], "");
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""));
    assert!(wrong.stderr.contains("line 4") && wrong.stderr.contains("colour"), "{wrong:#?}");

    folder.write("file.json", &usual().to_string());
    let no_events = folder.drawloom(&["replay", "file.json", "missing.jsonl"], "");
    assert_eq!(no_events.code, Some(2));
    assert!(no_events.stderr.contains("missing.jsonl"), "{no_events:#?}");
}

/// - **WHEN** `drawloom invoke` is run for `notes.ping` with `--as nobody`, and with `--args '[1]'`.
/// - **THEN** both exit with 2. Standard error names `nobody` for the first and `--args` for the second.
#[test]
fn invalid_options_of_invoke() {
    let folder = Folder::new();
    folder.write("file.json", &usual().to_string());
    for (option, value, named) in [("--as", "nobody", "nobody"), ("--args", "[1]", "--args")] {
        let output = folder.drawloom(&["invoke", "file.json", "notes.ping", option, value], "");
        assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""));
        assert!(output.stderr.contains(named), "{output:#?}");
    }
}

/// - **WHEN** `drawloom --version` is run.
/// - **THEN** it prints `drawloom` with its version, and exits 0.
#[test]
fn name_and_version() {
    let output = Folder::new().drawloom(&["--version"], "");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let version = output.stdout.strip_prefix("drawloom ").unwrap().trim_end();
    assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{version}");
}

/// - **GIVEN** a standard input that stays open, and a reader that closes standard output after the first
///   line.
/// - **WHEN** the events of two thousand calls are written to the input.
/// - **THEN** `drawloom` ends while the input is open, with the exit code 0 and nothing on standard
///   error.
#[test]
fn a_reader_that_closes_the_output() {
    let folder = Folder::new();
    let file = folder.write("file.json", &usual().to_string());
    let mut running = binary::start(["replay".as_ref(), file.as_os_str(), "-".as_ref()]);
    let mut input = running.stdin.take().unwrap();
    let calls = (0..2000).map(|id| call(&id.to_string(), "notes__ping", "{}"));
    let events = json_lines(&run("r", calls));
    // It stops reading before the end of the input.
    let writing = thread::spawn(move || {
        let _ = input.write_all(events.as_bytes());
        input
    });

    let mut first = String::new();
    BufReader::with_capacity(1, running.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("\"toolCallId\":\"0\""), "{first}");
    let input = writing.join().unwrap();
    let started = Instant::now();
    let ended = loop {
        match running.try_wait().unwrap() {
            Some(ended) => break ended,
            None => assert!(started.elapsed() < Duration::from_secs(60), "it waits for more"),
        }
        thread::sleep(Duration::from_millis(5));
    };
    drop(input);
    let mut errors = String::new();
    running.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((ended.code(), errors.as_str()), (Some(0), ""));
}
