//! An answer that is given with `--answer`, in a script or in the file SHALL answer questions by the id of the question
//! or the call, by the command or tool, by the reason, or as `*`; `--yes` and `--no` SHALL answer what has a plain yes
//! and no.

use serde_json::{Value, json};

use super::support::{Agent, answering, asks_for_input, each, file, ran, transcript, wants_approval};
use drawloom_tests::events::{call_with, interrupted, run};

/// A run that asks this question.
fn asks(question: Value) -> Vec<String> {
    vec![interrupted(json!([question]))]
}

/// What an agent that asks this way receives when it is driven with these options.
fn resumed(asks: Vec<String>, file: &Value, options: &[&str]) -> Value {
    let agent = Agent::new(&[asks, run([])]);
    let output = agent.drive(file, options);
    assert_eq!(output.code, Some(0), "{output:#?}");
    agent.inputs()[1]["resume"][0].take()
}

/// - **GIVEN** an agent that asks for approval of a call of `delete_note` with the id `c`, in an interrupt with the id `i`.
/// - **WHEN** it is driven with `--answer` for `c`, for `i`, for `delete_note`, for `tool_call` and for `*`, and with answers
///   that disagree for `i` and for `*`.
/// - **THEN** it receives the given answer each time, and the one for `i` where both are given.
#[test]
fn the_names_of_answers() {
    let with_reason = || wants_approval(json!({ "properties": { "editedArgs": {}, "reason": {} } }));
    for name in ["c", "i", "delete_note", "tool_call", "*"] {
        let answer = format!(r#"{name}={{"no":"keep it"}}"#);
        let resume = resumed(with_reason(), &file(), &["--answer", &answer]);
        assert_eq!(resume["payload"], json!({ "approved": false, "reason": "keep it" }), "{name}");
    }
    let both = ["--answer", "*=false", "--answer", r#"i={"edit":{"path":"b"}}"#];
    let resume = resumed(with_reason(), &file(), &both);
    assert_eq!(resume["payload"], json!({ "approved": true, "editedArgs": { "path": "b" } }));
}

/// - **WHEN** the stand-in is driven to delete `{"path":"a"}` with `--answer notes.delete=true`, with `{"no":"keep it"}`, and
///   with `{"edit":{"path":"b"}}`.
/// - **THEN** `notes.delete` runs with `a`, does not run and the answer says `keep it`, and runs with `b`.
#[test]
fn answers_about_commands() {
    let prompt = r#"notes.delete {"path":"a"}"#;
    let run = |answer: &str| transcript(&file(), prompt, &["--answer", &format!("notes.delete={answer}")]);
    let path = |lines: &[Value]| each(lines, "ran")[0]["arguments"]["path"].clone();
    assert_eq!(path(&run("true")), "a");
    let refused = run(r#"{"no":"keep it"}"#);
    assert_eq!(ran(&refused), [""; 0]);
    assert!(each(&refused, "answered")[0]["error"].as_str().unwrap().contains("keep it"));
    assert_eq!(path(&run(r#"{"edit":{"path":"b"}}"#)), "b");
}

/// - **GIVEN** agents whose questions have a schema with `accepted`, with `confirmed`, of a boolean, and LangGraph's decisions.
/// - **WHEN** each is driven with `--yes`, and with `--no`.
/// - **THEN** each receives the yes and the no in its own form.
#[test]
fn plain_questions() {
    let schema = |member: &str| {
        json!({ "id": "i", "reason": "input_required",
            "responseSchema": { "type": "object", "properties": { member: { "type": "boolean" } } } })
    };
    let boolean = json!({ "id": "i", "reason": "input_required", "responseSchema": { "type": "boolean" } });
    let decisions = json!({ "id": "i", "reason": "langgraph:interrupt", "metadata": {
        "action_requests": [{ "name": "mail", "args": {} }],
        "review_configs": [{ "action_name": "mail", "allowed_decisions": ["approve", "reject"] }] } });
    for (question, yes, no) in [
        (schema("accepted"), json!({ "accepted": true }), json!({ "accepted": false })),
        (schema("confirmed"), json!({ "confirmed": true }), json!({ "confirmed": false })),
        (boolean, json!(true), json!(false)),
        (
            decisions,
            json!({ "decisions": [{ "type": "approve" }] }),
            json!({ "decisions": [{ "type": "reject" }] }),
        ),
    ] {
        assert_eq!(resumed(asks(question.clone()), &file(), &["--yes"])["payload"], yes);
        assert_eq!(resumed(asks(question), &file(), &["--no"])["payload"], no);
    }
}

/// - **GIVEN** an agent that asks for input with the message `Which colour?`.
/// - **WHEN** it is driven with `--yes`, and with `--answer input_required="blue"`.
/// - **THEN** the first time the question is cancelled, and standard error names it and `--answer`; the second time the agent
///   receives `blue`.
#[test]
fn questions_that_need_more() {
    let agent = Agent::new(&[asks_for_input(), run([])]);
    let output = agent.drive(&file(), &["--yes", "--transcript"]);
    assert_eq!(agent.inputs()[1]["resume"][0]["status"], "cancelled");
    assert!(output.stderr.contains("Which colour?") && output.stderr.contains("--answer"), "{output:#?}");
    let resume = resumed(asks_for_input(), &file(), &["--answer", "input_required=\"blue\""]);
    assert_eq!(resume["payload"], "blue");
}

/// - **GIVEN** a file with the answers `{"answer":{"day":1}}` for the reason `calendar`, and true for `*`.
/// - **WHEN** an agent asks a question with this reason, and one with a plain yes and no.
/// - **THEN** it receives `{"day":1}` for the first, and the yes for the second.
#[test]
fn answers_of_the_file_to_questions() {
    let file = answering(json!({ "calendar": { "answer": { "day": 1 } }, "*": true }));
    let day = json!({ "id": "i", "reason": "calendar", "message": "Which day?" });
    assert_eq!(resumed(asks(day), &file, &[])["payload"], json!({ "day": 1 }));
    let plain = json!({ "id": "i", "reason": "other", "responseSchema": { "type": "boolean" } });
    assert_eq!(resumed(asks(plain), &file, &[])["payload"], true);
}

/// - **GIVEN** an agent that calls its own tool `delete_file` and ends its run without a result.
/// - **WHEN** it is driven with `--answer delete_file=true`, and with `--answer *=true`.
/// - **THEN** it receives the tool message `{"accepted":true}` the first time, and a refusal the second time.
#[test]
fn paused_tools_of_the_agent() {
    for (answer, content) in
        [("delete_file=true", r#"{"accepted":true}"#), ("*=true", "Nobody here offers this tool")]
    {
        let agent = Agent::new(&[run([call_with("c", "delete_file", json!({ "path": "a" }))]), run([])]);
        let output = agent.drive(&file(), &["--answer", answer]);
        assert_eq!(output.code, Some(0), "{output:#?}");
        let messages = agent.inputs()[1]["messages"].take();
        let answer = messages.as_array().unwrap().iter().find(|message| message["role"] == "tool").unwrap();
        assert!(answer["content"].as_str().unwrap().starts_with(content), "{answer}");
    }
}
