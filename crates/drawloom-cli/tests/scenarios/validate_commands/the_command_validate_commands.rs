//! `drawloom validate-commands --dir DIR` SHALL print the findings and exit with 0 when the directory was judged.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{Output, drawloom};

/// A command that is offered, one that leaves an agent guessing, and one that is not callable.
const THREE: &str = r#"fn register(notes: &PluginContext) {
    notes.register(Command::new("notes.open", "Open").description("Opens a note.").callable(), open);
    notes.register(Command::new("notes.close", "Close").callable(), close);
    notes.register(Command::new("notes.delete", "Delete"), delete);
}
"#;
/// An argument without a description, and a command whose id is a parameter.
const UNDESCRIBED: &str = r#"fn register(notes: &PluginContext, id: &str) {
    notes.register(Command::new("notes.open", "Open").description("Opens.").callable()
        .argument(Argument::text("path")), open);
    notes.register(Command::new(id, "Other").callable(), other);
}
"#;

/// What the command says of a directory with this source.
fn validated(source: &str, arguments: &[&str]) -> Output {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("notes.rs"), source).unwrap();
    let directory = directory.path().to_str().unwrap();
    drawloom(["validate-commands", "--dir", directory].iter().chain(arguments), b"")
}

/// The one JSON value that was printed.
fn printed(output: &Output) -> Value {
    assert_eq!(output.code, Some(0), "{output:#?}");
    serde_json::from_str(&output.stdout).unwrap()
}

/// - **GIVEN** a directory with an offered command, one that leaves an agent guessing and one that is not callable.
/// - **WHEN** `drawloom validate-commands` is run on it and its output is piped.
/// - **THEN** it exits 0 and prints a line for each command with its file and line, without escape sequences, and the
///   last line says that grants, access, availability and window were not judged.
#[test]
fn findings_as_text() {
    let output = validated(THREE, &[]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = output.stdout.lines().filter(|line| line.starts_with("notes.rs:")).collect();
    let expected = [
        "notes.rs:2  notes.open    offered: it takes no arguments, answers nothing",
        "notes.rs:3  notes.close   offered, but an agent has to guess: it takes no arguments, answers nothing",
        "notes.rs:4  notes.delete  not offered: it is not `callable`, so only its own plugin and the user reach it",
    ];
    assert_eq!(lines, expected);
    assert!(!output.stdout.contains('\u{1b}'), "{output:#?}");
    let last = output.stdout.lines().last().unwrap();
    for word in ["Grants", "access", "availability", "window", "not judged"] {
        assert!(last.contains(word), "{last}");
    }
}

/// - **GIVEN** a directory with a command whose id and title contain escape sequences, U+009B and U+202E, and one with a Persian id with a joiner.
/// - **WHEN** it is judged as text with colours.
/// - **THEN** the only characters of these are those of the colours, and the Persian id is shown as it is.
#[test]
fn names_that_would_control_a_terminal() {
    let persian = "یادداشت\u{200c}ها";
    let hostile = "a\u{1b}[8mb\u{9b}2Jc\u{202e}d\u{1b}]0;e";
    let command = |id: &str| format!("Command::new({id:?}, {id:?}).callable()");
    let source = format!("fn all() -> Vec<Command> {{ vec![{}, {}] }}", command(hostile), command(persian));
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("notes.rs"), source).unwrap();
    let mut coloured = std::process::Command::new(crate::binary::path());
    coloured.args(["validate-commands", "--dir"]).arg(directory.path()).env("CLICOLOR_FORCE", "1");
    let text = String::from_utf8(coloured.output().unwrap().stdout).unwrap();
    assert!(text.contains("\u{1b}[33m") && text.contains(persian), "{text:?}");
    assert!(text.contains("a\\u{1b}[8mb\\u{9b}2Jc\\u{202e}d\\u{1b}]0;e"), "{text:?}");
    let colours = ["\u{1b}[0m", "\u{1b}[2m", "\u{1b}[33m", "\u{1b}[36m", "\u{1b}[31m"];
    let plain = colours.iter().fold(text, |text, colour| text.replace(colour, ""));
    assert!(!plain.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{plain:?}");
}

/// - **GIVEN** one directory with a callable command without a description, and one with an undescribed argument and a
///   command that could not be read.
/// - **WHEN** `drawloom validate-commands --strict` is run on each.
/// - **THEN** the first exits 1 and the second exits 0.
#[test]
fn strict() {
    let first = validated(THREE, &["--strict"]);
    assert_eq!(first.code, Some(1));
    assert!(
        first.stderr.contains("\"notes.close\"") && first.stderr.contains("missing-description"),
        "{first:#?}"
    );
    let second = validated(UNDESCRIBED, &["--strict"]);
    assert_eq!((second.code, second.stderr.as_str()), (Some(0), ""));
    assert!(second.stdout.contains("could not be read"), "{second:#?}");
}

/// - **GIVEN** a directory with an undescribed argument.
/// - **WHEN** it is judged with `--deny undescribed-argument`, with `--deny digest-name` and with `--deny nonsense`.
/// - **THEN** the exit codes are 1, 0 and 2, and the last one lists the rules there are.
#[test]
fn denied_rules() {
    let outputs = ["undescribed-argument", "digest-name", "nonsense"]
        .map(|rule| validated(UNDESCRIBED, &["--deny", rule]));
    let [broken, kept, unknown] = &outputs;
    assert_eq!([broken.code, kept.code, unknown.code], [Some(1), Some(0), Some(2)]);
    assert!(unknown.stderr.contains("missing-description, undescribed-argument, "), "{unknown:#?}");
}

/// - **WHEN** a directory is judged with `--format json`.
/// - **THEN** standard output is one JSON object with a finding for each command: its id, file, line, status and
///   problems.
#[test]
fn findings_as_json() {
    let report = printed(&validated(THREE, &["--format", "json"]));
    let findings: Vec<Value> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let rules: Vec<&Value> =
                finding["problems"].as_array().unwrap().iter().map(|problem| &problem["rule"]).collect();
            let location = &finding["location"];
            json!([finding["command"], location["path"], location["line"], finding["status"], rules])
        })
        .collect();
    let expected = [
        json!(["notes.open", "notes.rs", 2, "offered", []]),
        json!(["notes.close", "notes.rs", 3, "agent-guesses", ["missing-description"]]),
        json!(["notes.delete", "notes.rs", 4, "not-offered", []]),
    ];
    assert_eq!(findings, expected);
}

/// - **WHEN** a directory is judged with `--format sarif`.
/// - **THEN** standard output is one SARIF 2.1.0 log that its schema accepts, with a result for each finding and an entry
///   for each rule.
#[test]
fn findings_as_sarif() {
    let mut schema: Value = serde_json::from_str(include_str!("../../fixtures/sarif-2.1.0.json")).unwrap();
    // The published pattern of a language has a bracket too many and does not compile. No log here states a language.
    for place in ["run", "toolComponent"] {
        schema["definitions"][place]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
    }
    let schema = jsonschema::validator_for(&schema).unwrap();
    for source in [THREE, UNDESCRIBED, "no Rust"] {
        let log = printed(&validated(source, &["--format", "sarif"]));
        let errors: Vec<String> = schema.iter_errors(&log).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
    // The schema does judge.
    assert!(!schema.is_valid(&json!({ "version": "2.1.0", "runs": [{ "results": [] }] })));

    let log = printed(&validated(THREE, &["--format", "sarif"]));
    let run = &log["runs"][0];
    let rules: Vec<&str> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert!(rules.contains(&"missing-description") && rules.contains(&"digest-name"), "{rules:?}");
    let results = run["results"].as_array().unwrap();
    let found: Vec<Value> = results
        .iter()
        .map(|result| {
            assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"];
            json!([
                result["ruleId"],
                result["level"],
                place["artifactLocation"]["uri"],
                place["region"]["startLine"]
            ])
        })
        .collect();
    let expected = [
        json!(["command", "none", "notes.rs", 2]),
        json!(["command", "none", "notes.rs", 3]),
        json!(["missing-description", "warning", "notes.rs", 3]),
        json!(["command", "none", "notes.rs", 4]),
    ];
    assert_eq!(found, expected);
}

/// - **WHEN** `drawloom validate-commands --explain undescribed-argument` is run, and once more with
///   `--explain nonsense`.
/// - **THEN** the first prints what the rule means with an example and exits 0, and the second lists the rules and exits
///   2.
#[test]
fn rules_explained() {
    let explained = drawloom(["validate-commands", "--explain", "undescribed-argument"], b"");
    assert_eq!(explained.code, Some(0), "{explained:#?}");
    for part in ["undescribed-argument: ", "An agent decides what to send", "Example:", ".description("] {
        assert!(explained.stdout.contains(part), "{explained:#?}");
    }
    let unknown = drawloom(["validate-commands", "--explain", "nonsense"], b"");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("digest-name"), "{unknown:#?}");
}

/// - **WHEN** it is run with a directory that does not exist, with a file in place of a directory, and without `--dir`.
/// - **THEN** each exits 2 with a message that names what is wrong.
#[test]
fn where_it_cannot_run() {
    let absent = drawloom(["validate-commands", "--dir", "no/such/directory"], b"");
    let file = drawloom(["validate-commands", "--dir", env!("CARGO_MANIFEST_PATH")], b"");
    let none = drawloom(["validate-commands"], b"");
    for (output, named) in [(absent, "no/such/directory"), (file, "Cargo.toml"), (none, "--dir")] {
        assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{output:#?}");
        assert!(output.stderr.contains(named), "{output:#?}");
    }
}
