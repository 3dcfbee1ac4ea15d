//! `drawloom tools WORKBENCH` SHALL print the tools that the agent is offered now, and SHALL warn on standard error
//! about parts of the file that are probably not intended. A warning names the location and what to do; it changes
//! neither the output nor the exit code.

use serde_json::{Value, json};

use super::support::{Folder, call, json_lines, printed_tools, run, usual, with_commands};
use crate::binary::drawloom;

/// The lines that `drawloom tools` prints on standard error. It prints the tools in any case.
fn warnings(text: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.write("file.json", text);
    let output = folder.drawloom(&["tools", "file.json"], "");
    assert_eq!(output.code, Some(0), "{output:#?}");
    assert!(matches!(&output.lines()[..], [Value::Array(_)]), "{output:#?}");
    output.stderr.lines().map(str::to_owned).collect()
}

/// The same lines without those about missing descriptions, which the usual file causes too.
fn other_warnings(file: &Value) -> Vec<String> {
    let mut warnings = warnings(&file.to_string());
    warnings.retain(|line| !line.contains("has no description"));
    warnings
}

/// Whether a line is a warning that contains all of these words.
fn names(line: &str, words: &[&str]) -> bool {
    line.starts_with("warning: ") && words.iter().all(|word| line.contains(word))
}

/// - **WHEN** `drawloom tools` is run on the usual file.
/// - **THEN** it prints one JSON array with the tools `notes__open` and `notes__ping`, in this order, and
///   exits 0.
#[test]
fn one_array_of_tools() {
    let tools = printed_tools(&usual());
    let [open, ping] = &tools.as_array().unwrap()[..] else { panic!("{tools}") };
    assert_eq!((&open["name"], &ping["name"]), (&"notes__open".into(), &"notes__ping".into()));
    assert!(open["description"].as_str().unwrap().starts_with("Opens a note in the editor."), "{open}");
    assert_eq!(open["parameters"]["properties"]["path"]["type"], "string");
    assert_eq!(ping["description"], "Ping", "the protocol requires a description");
}

/// - **GIVEN** the usual file in which `copilot` declares nothing.
/// - **WHEN** `drawloom tools` is run on it.
/// - **THEN** it prints `[]` and exits 0, and standard error names `copilot` and `automation`.
#[test]
fn a_grant_without_effect() {
    let mut file = usual();
    file["plugins"][1]["declares"] = json!([]);
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    let output = folder.drawloom(&["tools", "file.json"], "");
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), "[]\n"));
    let warning = output.stderr.lines().find(|line| line.contains("\"automation\"")).unwrap();
    assert!(warning.contains("\"copilot\""), "{warning}");
}

/// - **WHEN** `drawloom tools` is run on the sample `notes.json`.
/// - **THEN** it prints the tools and exits 0, and standard error is empty.
#[test]
fn a_file_without_mistakes() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/notes.json");
    let output = drawloom(["tools", sample], b"");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert!(output.stdout.contains("notes__open"), "{output:#?}");
}

/// - **GIVEN** `notes.count` in line 3, which has the behaviour `{"answer":3}` and declares no `answers`.
/// - **WHEN** `drawloom tools` is run on the file.
/// - **THEN** a warning names line 3, `plugins[0].commands[0].behaviour`, `notes.count` and `answers`.
#[test]
fn an_answer_that_is_dropped() {
    let text = r#"{ "plugins": [
  { "id": "notes", "declares": ["contributions"], "commands": [
    { "id": "notes.count", "title": "Count notes", "behaviour": { "answer": 3 } } ] } ],
  "grants": { "notes": ["contributions"] } }"#;
    let warnings = warnings(text);
    let words = ["file.json: line 3,", "plugins[0].commands[0].behaviour", "\"notes.count\"", "\"answers\""];
    assert!(matches!(&warnings[..], [line] if names(line, &words)), "{warnings:#?}");
}

/// - **GIVEN** the usual file without `agent`, and files whose `copilot` does not declare, is not granted
///   or was revoked `automation`.
/// - **WHEN** `drawloom tools` is run on each.
/// - **THEN** the first warning names `agent`, and each of the others names `copilot`, `automation` and
///   what to change.
#[test]
fn an_agent_that_is_offered_nothing() {
    let mut nobody = usual();
    nobody["agent"].take();
    let mut undeclared = usual();
    undeclared["plugins"][1]["declares"] = json!([]);
    let mut ungranted = usual();
    ungranted["grants"]["copilot"] = json!([]);
    let mut revoked = usual();
    revoked["revoked"] = json!({ "copilot": ["automation"] });
    for (file, words) in [
        (nobody, &["there is no \"agent\""][..]),
        (undeclared, &["agent \"copilot\"", "\"automation\"", "\"declares\""]),
        (ungranted, &["agent \"copilot\"", "\"automation\"", "\"grants\""]),
        (revoked, &["agent \"copilot\"", "\"automation\"", "\"revoked\""]),
    ] {
        let warnings = other_warnings(&file);
        assert_eq!(warnings.iter().filter(|line| names(line, words)).count(), 1, "{words:?} {warnings:#?}");
    }
}

/// - **GIVEN** the answers `{"notes.opne":true,"notes.open":true,"*":false}` of the person.
/// - **WHEN** `drawloom tools` is run on the file.
/// - **THEN** one warning is about answers. It names `notes.opne` and says that an agent can have a tool
///   with this name.
#[test]
fn an_answer_for_an_unknown_command() {
    let mut file = usual();
    file["consent"] = json!({ "answers": { "notes.opne": true, "notes.open": true, "*": false } });
    let warnings = other_warnings(&file);
    let words = ["consent.answers.notes.opne", "\"notes.opne\"", "a tool of its own"];
    assert!(matches!(&warnings[..], [line] if names(line, &words)), "{warnings:#?}");
}

/// - **GIVEN** three callable commands that state `ask`, `ask-always` and `never`, in a file without
///   `consent` and with an empty one.
/// - **WHEN** `drawloom tools` is run on each.
/// - **THEN** the first file has a warning for each command, which names `replay`, `drive` and `consent`;
///   the second has none.
#[test]
fn consent_statements_without_consent() {
    let statements = ["ask", "ask-always", "never"];
    let mut file = with_commands(
        statements.map(|states| json!({ "id": states, "callable": true, "agentConsent": states })),
    );
    let warnings = other_warnings(&file);
    assert_eq!(warnings.len(), 3, "{warnings:#?}");
    for (line, states) in warnings.iter().zip(statements) {
        let words = [&*format!("\"{states}\""), "\"replay\"", "\"drive\"", "\"consent\""];
        assert!(names(line, &words), "{line}");
    }
    file["consent"] = json!({});
    assert_eq!(other_warnings(&file), [""; 0]);
}

/// - **GIVEN** the usual file in which the choices of `mode` are `[]`.
/// - **WHEN** `drawloom tools` is run on it.
/// - **THEN** a warning names `mode`, `notes.open` and `choices`.
#[test]
fn a_choice_without_choices() {
    let mut file = usual();
    file["plugins"][0]["commands"][0]["arguments"][1]["choices"] = json!([]);
    let warnings = other_warnings(&file);
    let words = ["\"mode\"", "\"notes.open\"", "\"choices\""];
    assert!(matches!(&warnings[..], [line] if names(line, &words)), "{warnings:#?}");
}

/// - **GIVEN** the usual file with `"revoked": {"copliot": ["automation"]}`, and with a grant of
///   `contributions` to `ntoes`.
/// - **WHEN** `drawloom tools` is run on it.
/// - **THEN** `copliot` and `ntoes` are each named in one warning.
#[test]
fn permissions_of_an_unknown_plugin() {
    let mut file = usual();
    file["revoked"] = json!({ "copliot": ["automation"] });
    file["grants"]["ntoes"] = json!(["contributions"]);
    let warnings = other_warnings(&file);
    for plugin in ["\"copliot\"", "\"ntoes\""] {
        assert_eq!(warnings.iter().filter(|line| names(line, &[plugin])).count(), 1, "{warnings:#?}");
    }
    assert_eq!(warnings.len(), 2, "{warnings:#?}");
}

/// - **GIVEN** commands with `{"invoke":{"id":"notes.a"}}` and `{"unregister":"notes.b"}`, which no
///   plugin declares.
/// - **WHEN** `drawloom tools` is run on the file.
/// - **THEN** `notes.a` and `notes.b` are each named in one warning.
#[test]
fn behaviours_about_unknown_commands() {
    let warnings = other_warnings(&with_commands([
        json!({ "id": "notes.x", "answers": "x", "behaviour": { "invoke": { "id": "notes.a" } } }),
        json!({ "id": "notes.y", "behaviour": { "unregister": "notes.b" } }),
    ]));
    let [invoke, unregister] = &warnings[..] else { panic!("{warnings:#?}") };
    assert!(names(invoke, &["commands[2].behaviour.invoke.id", "\"notes.a\""]), "{invoke}");
    assert!(names(unregister, &["commands[3].behaviour.unregister", "\"notes.b\""]), "{unregister}");
}

/// - **GIVEN** the usual file in which `notes.open` declares no `answers`.
/// - **WHEN** it is invoked, replayed, and driven by the stand-in.
/// - **THEN** each exits with 0 and prints nothing on standard error.
#[test]
fn only_tools_warns() {
    let mut file = usual();
    file["plugins"][0]["commands"][0].as_object_mut().unwrap().remove("answers");
    assert_eq!(other_warnings(&file).len(), 1);
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    folder.write("events", &json_lines(&run("r", [call("c", "notes__ping", "{}")])));
    for words in [
        &["invoke", "file.json", "notes.ping"][..],
        &["replay", "file.json", "events", "--transcript"],
        &["drive", "file.json", "--agent", "stand-in", "--prompt", "ping", "--transcript"],
    ] {
        let output = folder.drawloom(words, "");
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{words:?}");
        assert_ne!(output.stdout, "");
    }
}

/// - **GIVEN** the usual file in which the description of `notes.ping` has 1,025 characters, and the
///   usual file with 127 more callable commands.
/// - **WHEN** `drawloom tools` is run on each.
/// - **THEN** the first file has a warning that names `notes.ping`, 1025 and 1024, and the second has one
///   that names 129 and 128.
#[test]
fn tools_that_model_apis_reject() {
    let mut long = usual();
    long["plugins"][0]["commands"][1]["description"] = json!("x".repeat(1025));
    let more = (0..127).map(|number| json!({ "id": format!("notes.n{number}"), "callable": true }));
    for (file, words) in [(long, &["notes.ping", "1025", "1024"][..]), (with_commands(more), &["129", "128"])]
    {
        let warnings = other_warnings(&file);
        assert!(matches!(&warnings[..], [line] if names(line, words)), "{warnings:#?}");
    }
    // One character and one tool less are accepted.
    let mut file =
        with_commands((0..126).map(|number| json!({ "id": format!("notes.n{number}"), "callable": true })));
    file["plugins"][0]["commands"][1]["description"] = json!("x".repeat(1024));
    assert_eq!(other_warnings(&file), [""; 0]);
}
