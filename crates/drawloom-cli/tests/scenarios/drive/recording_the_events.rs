//! With `--record`, `drive` SHALL write every event of the agent to a file, with the options in force, the messages and
//! answers of the person and the boundaries of requests as lines of their own, and replaying the file SHALL give what
//! `drive` gave.

use serde_json::json;

use super::support::{Agent, answering, each, file, file_with, ran};
use crate::replay::support::{Folder, message};
use drawloom_tests::events::{call_with, run};

/// - **WHEN** the stand-in is driven to open and to delete with `--record`, and the file is replayed.
/// - **THEN** the same commands run with the same arguments, and the same calls are answered.
#[test]
fn a_recording_plays_again() {
    let folder = Folder::new();
    folder.write("file.json", &answering(json!({ "*": true })).to_string());
    folder.write("run.jsonl", "what was there before\n");
    let prompt = "notes.open {\"path\":\"inbox\"} and notes.delete {\"path\":\"a\"}";
    let drive = ["drive", "file.json", "--agent", "stand-in", "--prompt", prompt];
    let driven = folder.drawloom(&[&drive[..], &["--transcript", "--record", "run.jsonl"]].concat(), "");
    let replayed = folder.drawloom(&["replay", "file.json", "run.jsonl", "--transcript"], "");
    assert_eq!((driven.code, replayed.code), (Some(0), Some(0)), "{driven:#?} {replayed:#?}");
    assert_eq!(replayed.stderr, "");
    assert_eq!(ran(&driven.lines()), ["notes.open", "notes.delete"]);
    for step in ["asked", "ran"] {
        assert_eq!(each(&driven.lines(), step), each(&replayed.lines(), step));
    }
    let (driven, replayed) = (driven.lines(), replayed.lines());
    let answers = |lines: &[serde_json::Value]| {
        let answers = each(lines, "answered").into_iter();
        answers.map(|answer| (answer["toolCallId"].clone(), answer["content"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(answers(&driven), answers(&replayed));
}

/// - **GIVEN** `notes.wipe`, which states `ask-always`, and a script that calls it in two turns, with the answers yes and no.
/// - **WHEN** the stand-in is driven with the script and `--record`, and the recording is replayed on a file that answers
///   everything with yes.
/// - **THEN** the replay has the same lines, and the recording has the options, the prompts, the requests and the answers as
///   lines of their own.
#[test]
fn the_answers_of_then() {
    let folder = Folder::new();
    let wipe = json!({ "id": "notes.wipe", "callable": true, "agentConsent": "ask-always" });
    let mut workbench = file_with([wipe]);
    folder.write("file.json", &workbench.to_string());
    workbench["consent"] = json!({ "answers": { "*": true } });
    folder.write("other.json", &workbench.to_string());
    let turn = |yes: bool| json!({ "prompt": "wipe", "answers": { "notes.wipe": yes } });
    folder.write("script.json", &json!({ "turns": [turn(true), turn(false)] }).to_string());
    let record = folder.path("run.jsonl");
    let drive = ["drive", "file.json", "--agent", "stand-in", "--script", "script.json", "--transcript"];
    let driven = folder.drawloom(&[&drive[..], &["--record", record.to_str().unwrap()]].concat(), "");
    assert_eq!(driven.code, Some(0), "{driven:#?}");
    let replayed = folder.drawloom(&["replay", "other.json", "run.jsonl", "--transcript"], "");
    assert_eq!((replayed.code, &*replayed.stderr), (Some(0), ""), "{replayed:#?}");
    assert_eq!(replayed.lines(), driven.lines());
    assert_eq!(ran(&replayed.lines()), ["notes.wipe"]);
    let recording = std::fs::read_to_string(&record).unwrap();
    let notes =
        recording.lines().filter_map(|line| line.strip_prefix("{\"recorded\":{\"")?.split('"').next());
    let kinds: std::collections::BTreeSet<_> = notes.collect();
    let expected = ["answered", "decision", "options", "prompt", "request", "response"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
}

/// - **WHEN** the stand-in is driven with `--record` and a folder that does not exist.
/// - **THEN** standard error names the path, no request is sent to the agent, and the exit code is 2.
#[test]
fn a_file_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("file.json", &answering(json!({})).to_string());
    let output = folder.drawloom(
        &["drive", "file.json", "--agent", "stand-in", "--prompt", "ping", "--record", "nowhere/run.jsonl"],
        "",
    );
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{output:#?}");
    assert!(output.stderr.contains("nowhere/run.jsonl"), "{output:#?}");
}

/// - **WHEN** the stand-in is driven with `--record` and another path of the workbench file.
/// - **THEN** the file is unchanged, and the exit code is 2.
#[test]
fn the_workbench_file_is_not_overwritten() {
    let folder = Folder::new();
    let text = answering(json!({})).to_string();
    let path = folder.write("file.json", &text);
    let other = folder.path(".").join("file.json");
    let other = other.to_str().unwrap();
    let output = folder
        .drawloom(&["drive", "file.json", "--agent", "stand-in", "--prompt", "ping", "--record", other], "");
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{output:#?}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

/// - **GIVEN** a server that sends a frame that is not JSON, after the start of a call of `notes.open`;
///   the rest of the call follows.
/// - **WHEN** it is driven with `--record`, and the file is replayed.
/// - **THEN** both times the call is refused, and standard error of the second reports a lost frame with
///   its line.
#[test]
fn a_lost_frame_in_a_recording() {
    let [start, arguments, end] = call_with("c", "notes__open", json!({ "path": "a" })).try_into().unwrap();
    let agent = Agent::new(&[run([vec![start, "oops".to_owned(), arguments, end]]), run([])]);
    let folder = Folder::new();
    folder.write("file.json", &file().to_string());
    let drive = ["drive", "file.json", "--agent", agent.url(), "--prompt", "Please.", "--transcript"];
    let record = folder.path("run.jsonl");
    let driven = folder.drawloom(&[&drive[..], &["--record", record.to_str().unwrap()]].concat(), "");
    let replayed = folder.drawloom(&["replay", "file.json", "run.jsonl", "--transcript"], "");
    for output in [&driven, &replayed] {
        assert_eq!(output.code, Some(0), "{output:#?}");
        let lines = output.lines();
        assert_eq!(ran(&lines), [""; 0]);
        assert!(
            message(&lines, "c").unwrap()["error"].as_str().unwrap().contains("did not run"),
            "{output:#?}"
        );
    }
    let reports: Vec<_> = replayed.stderr.lines().collect();
    assert!(
        matches!(&reports[..], [report] if report.contains("line 5 records a lost frame")),
        "{reports:#?}"
    );
}
