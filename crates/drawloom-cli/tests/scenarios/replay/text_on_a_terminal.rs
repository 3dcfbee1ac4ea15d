//! Whatever `drawloom` writes to standard output and standard error SHALL contain no character that a terminal obeys,
//! changes the reading direction by or hides, whichever subcommand writes it and wherever the text is from. This
//! SHALL NOT depend on where the output goes, because a file may be shown on a terminal later. Text that people read
//! SHALL stay legible.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use serde_json::{Value, json};

use super::support::{Folder, call, json_lines, run, usual, with_commands};
use crate::binary::{self, Output, drawloom};

/// Control characters, in sequences that a terminal obeys.
const CONTROL: &str = "\u{1b}[2J\u{9b}2J\u{7f}\r";
/// What changes the reading direction, separates lines, or is not shown.
const INVISIBLE: &str = "\u{202e}\u{2066}\u{200f}\u{2028}\u{feff}\u{e0041}";

fn is_safe(character: char) -> bool {
    character == '\n' || !character.is_control() && !INVISIBLE.contains(character)
}

#[track_caller]
fn assert_safe(output: &Output) {
    for text in [&output.stdout, &output.stderr] {
        let found: Vec<char> = text.chars().filter(|character| !is_safe(*character)).collect();
        assert!(found.is_empty(), "{found:?} in {text}");
    }
}

/// A text with every unsafe character, and a word to find it by.
fn hostile(word: &str) -> String {
    format!("{word}{CONTROL}{INVISIBLE}.{word}")
}

/// The usual file with hostile texts in everything that is a text.
fn hostile_file() -> Value {
    let plugin = hostile("plugin");
    let mut file = with_commands([
        json!({ "id": "notes.echo", "answers": hostile("answers"), "callable": true, "description": hostile("described"),
                "behaviour": { "answer": { "key": hostile("value") } } }),
        json!({ "id": "notes.fail", "callable": true, "behaviour": { "fail": hostile("failure") } }),
        json!({ "id": "notes.panic", "callable": true, "behaviour": { "panic": hostile("panicked") } }),
        json!({ "id": hostile("id"), "answers": "x", "behaviour": { "invoke": { "id": "notes.echo" } } }),
    ]);
    file["grants"][&plugin] = json!(["contributions"]);
    file["revoked"] = json!({ plugin: ["automation"] });
    file["consent"] = json!({ "answers": { hostile("consent"): true } });
    file
}

/// One command line for each way of a subcommand to print texts that it is given. The words that name a file of the folder
/// are replaced by its path.
fn command_lines() -> Vec<(&'static str, Vec<String>)> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let on_stand_in = |more: &[&str]| words(&[&["drive", "file.json", "--agent", "stand-in"], more].concat());
    let missing = format!("{}.json", hostile("missing"));
    let text = hostile("text");
    vec![
        ("tools", words(&["tools", "file.json"])),
        ("tools", words(&["tools", "wrong.json"])),
        ("tools", words(&["tools", "key.json"])),
        ("tools", words(&["tools", &missing])),
        ("invoke", words(&["invoke", "file.json", "notes.echo"])),
        ("invoke", words(&["invoke", "file.json", "notes.fail"])),
        ("invoke", words(&["invoke", "file.json", "notes.panic"])),
        ("invoke", words(&["invoke", "file.json", &hostile("id")])),
        (
            "invoke",
            words(&["invoke", "file.json", "notes.open", "--args", &json!({ &text: &text }).to_string()]),
        ),
        ("invoke", words(&["invoke", "file.json", "notes.ping", "--args", &text])),
        ("invoke", words(&["invoke", "file.json", "notes.ping", "--as", &text])),
        ("invoke", words(&["invoke", &missing, &text])),
        ("replay", words(&["replay", "file.json", "events", "--transcript"])),
        ("replay", words(&["replay", "file.json", "events"])),
        ("replay", words(&["replay", "file.json", &missing])),
        ("replay", words(&["replay", "file.json", "unread", "--transcript"])),
        ("check", words(&["check", "events"])),
        ("check", words(&["check", "events", "--format", "json"])),
        ("check", words(&["check", &missing])),
        ("check", words(&["check", "events", "--format", &text])),
        ("drive", words(&["drive", "file.json", "--agent", "stand-in", "--prompt", "echo fail panic"])),
        ("drive", on_stand_in(&["--prompt", &format!("echo {text}"), "--events"])),
        ("drive", on_stand_in(&["--prompt", &format!("echo {text}"), "--wire", "--check", "--transcript"])),
        ("drive", on_stand_in(&["--prompt", "echo", "--answer", &text])),
        ("drive", on_stand_in(&["--prompt", "echo", "--answer", &format!("{text}={{")])),
        ("drive", on_stand_in(&["--prompt", "echo", "--state", &format!("@{missing}")])),
        ("drive", on_stand_in(&["--prompt", "echo", "--context", &format!("@{missing}")])),
        ("drive", on_stand_in(&["--prompt", "echo", "--header-env", &format!("x={text}")])),
        ("drive", on_stand_in(&["--prompt", "echo", "--header-file", &missing])),
        ("drive", on_stand_in(&["--script", &missing])),
        ("drive", on_stand_in(&["--prompt", "echo", "--thread", &format!("/missing/{text}")])),
        (
            "drive",
            words(&[
                "drive",
                "file.json",
                "--agent",
                "stand-in",
                "--prompt",
                &format!("open {}", json!({ "path": text })),
                "--transcript",
            ]),
        ),
        ("drive", words(&["drive", "file.json", "--agent", &text, "--prompt", &text])),
        ("drive", words(&["drive", "file.json", "--agent", "stand-in", "--prompt", "x", "--timeout", &text])),
        (
            "drive",
            words(&[
                "drive",
                "file.json",
                "--agent",
                "http://127.0.0.1:9",
                "--prompt",
                "x",
                "--header",
                &text,
            ]),
        ),
        (
            "drive",
            words(&[
                "drive",
                "file.json",
                "--agent",
                "stand-in",
                "--prompt",
                "x",
                "--record",
                &format!("/missing/{text}"),
            ]),
        ),
        ("drive", words(&["drive", &missing, "--agent", "stand-in", "--prompt", "x"])),
        ("validate-commands", words(&["validate-commands", "--dir", "sources", "--strict"])),
        ("validate-commands", words(&["validate-commands", "--dir", "sources", "--format", "json"])),
        ("validate-commands", words(&["validate-commands", "--dir", "sources", "--format", "sarif"])),
        ("validate-commands", words(&["validate-commands", "--dir", &missing])),
        ("validate-commands", words(&["validate-commands", "--dir", "sources", "--translations", &missing])),
        ("validate-commands", words(&["validate-commands", "--dir", "sources", "--deny", &text])),
        ("validate-commands", words(&["validate-commands", "--explain", &text])),
        ("mcp", words(&["mcp", "--root", &missing])),
        ("mcp", words(&["mcp", "--root", "sources", &text])),
        ("mcp", words(&["mcp", "--root", "sources"])),
        ("help", words(&["help", &text])),
    ]
}

/// The subcommands that the help lists.
fn subcommands() -> Vec<String> {
    let help = drawloom(["--help"], b"").stdout;
    let listed = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // The name of each begins after two blanks; its description may continue below.
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

fn hostile_folder() -> Folder {
    let folder = Folder::new();
    folder.write("file.json", &hostile_file().to_string());
    let mut wrong = usual();
    wrong["plugins"][0]["commands"][0]["behaviour"] = json!({ hostile("behaviour"): 1 });
    folder.write("wrong.json", &wrong.to_string());
    let mut key = usual();
    key[hostile("field")] = json!(1);
    folder.write("key.json", &key.to_string());
    let text = hostile("call");
    let mut events = run(&text, [call(&text, "notes__echo", "{}"), call("fail", "notes__fail", "{}")]);
    events.insert(1, json!({ "type": "TOOL_CALL_END", "toolCallId": hostile("nameless") }));
    folder.write("events", &(json_lines(&events) + &text));
    folder.write("unread", &text);
    std::fs::create_dir(folder.path("sources")).unwrap();
    let source = format!(
        "fn a() -> Command {{ Command::new({:?}, {:?}).callable().argument(Argument::text({:?})) }}",
        hostile("source"),
        hostile("title"),
        hostile("argument")
    );
    folder.write(&format!("sources/{}.rs", hostile("file").replace('/', "")), &source);
    folder.write("sources/parse.rs", &format!("fn {CONTROL}{INVISIBLE}"));
    folder.write("sources/workbench.json", &hostile_file().to_string());
    folder
}

/// - **GIVEN** a workbench file, a recording, a directory of commands and a command line with control characters (U+001B, U+009B, U+007F, a
///   carriage return), U+202E, U+2066, U+200F, U+2028, U+FEFF and a tag character in every text.
/// - **WHEN** each subcommand that the help lists is run on them, so that it prints results, warnings and errors.
/// - **THEN** standard output and standard error have none of these characters, and show an escape in the place of each.
#[test]
fn every_subcommand() {
    let folder = hostile_folder();
    let protocol = mcp_requests();
    let mut silent = Vec::new();
    for (_, words) in command_lines() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let input = if words == ["mcp", "--root", "sources"] { protocol.as_str() } else { "" };
        let output = folder.drawloom(&words, input);
        assert_safe(&output);
        let both = output.stdout + &output.stderr;
        assert!(!both.is_empty(), "{words:?} prints nothing");
        if !["\\u{1b}[2J", "\\u001b[2J"].iter().any(|escape| both.contains(escape)) {
            silent.push((words.join(" "), both));
        }
    }
    // What is not repeated: a panic, arguments and frames that are not JSON, and headers, which are secret.
    let is_expected = |(words, _): &(String, String)| {
        ["notes.panic", "--args text", "unread", "--header"].iter().any(|part| words.contains(part))
    };
    assert!(silent.len() == 4 && silent.iter().all(is_expected), "{silent:#?}");

    let mut tried: Vec<_> =
        command_lines().into_iter().map(|(subcommand, _)| subcommand.to_owned()).collect();
    tried.dedup();
    assert_eq!(tried, subcommands(), "a subcommand is not tried here, or is not listed by the help");
}

/// Requests whose answers contain text of the files and of the requests.
fn mcp_requests() -> String {
    let text = hostile("request");
    let call = |id: u64, tool: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    let requests = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": text, "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        call(2, "validate_commands", json!({})),
        call(3, "validate_commands", json!({ &text: 1 })),
        call(4, &text, json!({})),
    ];
    json_lines(&requests)
}

/// - **GIVEN** the usual file, in which a description and an answer have such characters.
/// - **WHEN** `tools`, `invoke` and `replay --transcript` print the description and the answer.
/// - **THEN** the characters are escapes of JSON, and the JSON that is printed has the same texts.
#[test]
fn json_keeps_its_value() {
    let folder = hostile_folder();
    let tools = folder.drawloom(&["tools", "file.json"], "");
    let described = tools.lines()[0].as_array().unwrap().iter().any(|tool| {
        tool["name"] == "notes__echo" && tool["description"].as_str().unwrap().contains(&hostile("described"))
    });
    assert!(described, "{tools:#?}");
    let invoked = folder.drawloom(&["invoke", "file.json", "notes.echo"], "");
    assert_eq!(invoked.lines()[0]["value"]["key"], hostile("value"));
    let played = folder.drawloom(&["replay", "file.json", "events", "--transcript"], "");
    let answer = played.lines().into_iter().find(|line| line["answered"]["toolCallId"] == hostile("call"));
    assert!(answer.unwrap()["answered"]["content"].as_str().unwrap().contains("2J"), "{played:#?}");
    for output in [tools, invoked, played] {
        assert_safe(&output);
        assert!(output.stdout.contains("\\u009b2J"), "{output:#?}");
    }
}

/// - **GIVEN** the usual file, in which a plugin that nobody knows is named in Persian, in Hindi and with an emoji of several
///   parts, with their joiners.
/// - **WHEN** `tools` warns about it, and a command that answers these names is invoked.
/// - **THEN** each name is shown as it is, and a joiner in an ASCII name is shown as an escape.
#[test]
fn joiners_of_scripts_and_emoji() {
    let names = "می\u{200c}خواهم क\u{94d}\u{200d}ष 👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥";
    let mut file = with_commands([json!({ "id": "notes.echo", "answers": "x",
        "behaviour": { "answer": [names, "no\u{200d}tes"] } })]);
    file["grants"][names] = json!(["contributions"]);
    file["grants"]["no\u{200c}tes"] = json!(["contributions"]);
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    let tools = folder.drawloom(&["tools", "file.json"], "");
    assert!(tools.stderr.contains(&format!("\"{names}\"")), "{tools:#?}");
    assert!(tools.stderr.contains("no\\u{200c}tes"), "{tools:#?}");
    let invoked = folder.drawloom(&["invoke", "file.json", "notes.echo"], "");
    let expected = format!("{{\"outcome\":\"answered\",\"value\":[\"{names}\",\"no\\u200dtes\"]}}\n");
    assert_eq!(invoked.stdout, expected);
}

/// - **WHEN** `drawloom` is run with an escape sequence and a line feed as its subcommand, as a value of an option, and as its
///   own name.
/// - **THEN** each exits with 2, and standard error repeats the word with escapes, without a line of its own.
#[test]
fn a_command_line_that_is_wrong() {
    let word = "wrong\u{1b}[2J\nerror: \u{9b}forged";
    let shown = "wrong\\u{1b}[2J\\nerror: \\u{9b}forged";
    let folder = Folder::new();
    for words in [&[word][..], &["validate-commands", "--format", word], &["tools", "a", word]] {
        let output = folder.drawloom(words, "");
        assert_safe(&output);
        assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{output:#?}");
        assert!(output.stderr.contains(shown) && !output.stderr.contains("\nerror: "), "{}", output.stderr);
    }
    // The usage repeats the name by which the program was called.
    let named = Command::new(binary::path()).arg0(word).arg("tools").output().unwrap();
    let stderr = String::from_utf8(named.stderr).unwrap();
    let output = Output { code: named.status.code(), stdout: String::new(), stderr };
    assert_safe(&output);
    assert_eq!(output.code, Some(2));
    // A path that is not UTF-8 is shown as far as it can be.
    let bytes = std::os::unix::ffi::OsStringExt::from_vec(b"a\xff\x9b\x1b[2J".to_vec());
    let output = drawloom([OsString::from("tools"), bytes], b"");
    assert_safe(&output);
    assert!(output.stderr.contains("a\u{fffd}\u{fffd}\\u{1b}[2J"), "{output:#?}");
}
