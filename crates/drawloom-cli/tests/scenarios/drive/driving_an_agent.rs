//! `drive` SHALL have a conversation with the agent. It SHALL show the text of the agent as it arrives, and each call
//! with its answer.

use serde_json::json;

use super::support::{Agent, each, file, ran, stand_in, transcript};
use crate::replay::support::{is_refused, message};
use drawloom_tests::events::{call, call_with, result, run, text};

/// - **WHEN** the stand-in is driven with the prompt `Please ping.`, and then with `Sing!`.
/// - **THEN** the first time it says that it is a stand-in and not a model, calls `notes.ping`, and
///   repeats that the command ran.
/// - **AND** the second time it calls nothing, and names the commands that it is offered.
#[test]
fn the_stand_in_needs_no_agent() {
    let output = stand_in(&file(), "Please ping.", &[]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let said = &output.stdout;
    assert!(said.contains("stand-in") && said.contains("not a model"), "{said}");
    assert!(said.contains("> notes.ping {}\n  The command ran.\n"), "{said}");
    assert!(said.ends_with("notes.ping returned: The command ran.\n"), "{said}");

    let lines = transcript(&file(), "Sing!", &[]);
    assert_eq!((each(&lines, "ran").len(), each(&lines, "answered").len()), (0, 0));
    let said = each(&lines, "text")[0].as_str().unwrap();
    assert!(["notes.open", "notes.ping", "notes.delete"].iter().all(|id| said.contains(id)), "{said}");
}

/// - **WHEN** the stand-in is driven with the prompt `notes.open {"path":"inbox"}`, and then with
///   `notes.open`.
/// - **THEN** `notes.open` is answered with `{"path":"inbox"}`, and then with a generated path.
#[test]
fn arguments_after_the_name() {
    let answer = |prompt: &str| {
        let lines = transcript(&file(), prompt, &[]);
        let answer = each(&lines, "answered")[0]["content"].as_str().unwrap().to_owned();
        serde_json::from_str::<serde_json::Value>(&answer).unwrap()
    };
    assert_eq!(answer("notes.open {\"path\":\"inbox\"}"), json!({ "path": "inbox" }));
    assert!(answer("notes.open")["path"].is_string());
}

/// - **GIVEN** a server whose first run sends a text and calls `notes.open`, and whose second run sends
///   another text.
/// - **WHEN** it is driven with the prompt `Open it.` and the header `x-tenant: 7`.
/// - **THEN** both requests have the header, the prompt and the tools, and the second also has the
///   answer.
/// - **AND** both texts, the call and its answer are printed in that order, and the exit code is 0.
#[test]
fn an_agent_at_a_url() {
    let open = call_with("c", "notes__open", json!({ "path": "inbox" }));
    let agent =
        Agent::new(&[run([vec![text("m", "Opening.")], open]), run([vec![text("n", "It is open.")]])]);
    let output = agent.drive(&file(), &["--header", "x-tenant: 7"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let call = "> notes.open {\"path\":\"inbox\"}\n  {\"path\":\"inbox\"}\n";
    assert_eq!(output.stdout, format!("Opening.\n{call}It is open.\n"));

    let requests = agent.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| request.contains("\r\nx-tenant: 7\r\n")), "{requests:#?}");
    let inputs = agent.inputs();
    for input in &inputs {
        let [prompt] = &input["messages"].as_array().unwrap()[..1] else { unreachable!() };
        assert_eq!((&prompt["role"], &prompt["content"]), (&json!("user"), &json!("Please.")));
        assert_eq!(input["tools"].as_array().unwrap().len(), 3);
    }
    let answer =
        inputs[1]["messages"].as_array().unwrap().iter().find(|message| message["toolCallId"] == "c");
    assert_eq!(answer.unwrap()["content"], "{\"path\":\"inbox\"}");
}

/// - **GIVEN** a server that calls its own tool `server_clock`, answers it with `12:00`, and sends a
///   text.
/// - **WHEN** it is driven.
/// - **THEN** the call is shown as the agent's own with the answer `12:00`, and there is no second
///   request.
#[test]
fn calls_of_the_agents_own_tools() {
    let clock = [call("c", "server_clock"), vec![result("c", "12:00")]].concat();
    let agent = Agent::new(&[run([clock, vec![text("m", "Noon.")]])]);
    let output = agent.drive(&file(), &[]);
    assert_eq!(output.stdout, "> server_clock {} (the agent's own)\n  12:00\nNoon.\n");
    assert_eq!((output.code, agent.requests().len()), (Some(0), 1));
}

/// - **GIVEN** a server that calls `notes.open` without a path, `notes.open` with `mode` as null, and
///   `server_clock`, which it never answers.
/// - **WHEN** it is driven with a file without options, and with one whose options are
///   `{"unoffered":"refuse","errorsInContent":false,"nullArguments":"refuse"}`.
/// - **THEN** with the first file, the call without a path is refused, the call with null runs,
///   `server_clock` is refused after the run has ended, and both refusals are also in `content`.
/// - **AND** with the second file, all three calls are refused with empty `content`, in the order of the
///   calls.
#[test]
fn defaults_for_live_agents() {
    let drive = |file: &serde_json::Value| {
        let null = call_with("null", "notes__open", json!({ "path": "a", "mode": null }));
        let calls = run([call("clock", "server_clock"), call("open", "notes__open"), null]);
        let output = Agent::new(&[calls, run([])]).drive(file, &["--transcript"]);
        assert_eq!(output.code, Some(0), "{output:#?}");
        output.lines()
    };
    let order = |lines: &[serde_json::Value]| {
        let answers = each(lines, "answered");
        answers.iter().map(|answer| answer["toolCallId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };

    let live = drive(&file());
    assert_eq!(order(&live), ["open", "null", "clock"]);
    assert_eq!(message(&live, "null").unwrap()["content"], "{\"path\":\"a\"}");
    for (call, words) in [("open", "did not run"), ("clock", "offers this tool")] {
        let answer = message(&live, call).unwrap();
        assert!(answer["content"].as_str().unwrap().contains(words), "{answer}");
        assert_eq!(answer["content"], answer["error"]);
    }

    let mut strict = file();
    strict["options"] = json!({ "unoffered": "refuse", "errorsInContent": false, "nullArguments": "refuse" });
    let strict = drive(&strict);
    assert_eq!(order(&strict), ["clock", "open", "null"]);
    assert!(["clock", "open", "null"].iter().all(|call| is_refused(message(&strict, call).unwrap())));
}

/// - **GIVEN** a server whose texts and calls contain escape sequences, carriage returns and characters
///   that change the reading direction.
/// - **WHEN** it is driven.
/// - **THEN** the output contains none of these characters, but the rest of the text.
#[test]
fn text_that_would_control_a_terminal() {
    let evil = "a\u{1b}[2Jb\rc\u{202e}d\u{9b}e";
    let own = [call_with("c", evil, json!({ "x": evil })), vec![result("c", evil)]].concat();
    let open = call_with("o", "notes__open", json!({ "path": evil }));
    let question = json!([{ "id": "i", "reason": "input_required", "message": evil }]);
    let asks =
        [vec![text("m", evil)], own, open, vec![drawloom_tests::events::interrupted(question)]].concat();
    let output = Agent::new(&[asks, run([])]).drive(&file(), &[]);
    assert_eq!(output.code, Some(0), "{output:#?}");
    let acts = |text: &str| text.contains(['\u{1b}', '\r', '\u{202e}', '\u{9b}']);
    assert!(!acts(&output.stdout) && !acts(&output.stderr), "{output:#?}");
    assert!(output.stdout.starts_with("a\\u{1b}[2Jb\\rc\\u{202e}d\\u{9b}e\n"), "{}", output.stdout);
    assert!(output.stdout.contains("the agent asks: a"), "{}", output.stdout);
}

/// - **GIVEN** a server whose text is a Persian word and a family emoji with their joiners and an ASCII word with one, and comes one character at a time.
/// - **WHEN** it is driven.
/// - **THEN** the word and the emoji are shown as they are, and the joiner of the ASCII word is an escape.
#[test]
fn joiners_in_a_text_that_comes_in_pieces() {
    let legible = "می\u{200c}خواهم 👨\u{200d}👩\u{200d}👧";
    let pieces = format!("{legible} no\u{200d}tes");
    let texts = pieces.chars().map(|piece| text("m", &piece.to_string())).collect();
    let output = Agent::new(&[run([texts])]).drive(&file(), &[]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert_eq!(output.stdout, format!("{legible} no\\u{{200d}}tes\n"));
}

/// - **GIVEN** a server whose third frame is not JSON, after a text and the start of a call; the rest of
///   the call and a text follow.
/// - **WHEN** it is driven with `--transcript`.
/// - **THEN** standard error names frame 3, both texts are printed, the call is refused, and the exit
///   code is 0.
#[test]
fn a_frame_that_cannot_be_read() {
    let [start, arguments, end] = call_with("c", "notes__open", json!({ "path": "a" })).try_into().unwrap();
    let lost = "{\"type\":".to_owned();
    let first = run([vec![text("m", "a"), start, lost, arguments, end, text("n", "b")]]);
    let output = Agent::new(&[first, run([])]).drive(&file(), &["--transcript"]);
    assert!(output.stderr.contains("frame 3"), "{output:#?}");
    let lines = output.lines();
    assert_eq!(each(&lines, "text"), ["a", "b"]);
    assert_eq!(ran(&lines), [""; 0]);
    assert!(message(&lines, "c").unwrap()["error"].as_str().unwrap().contains("did not run"));
    assert_eq!(output.code, Some(0));
}
