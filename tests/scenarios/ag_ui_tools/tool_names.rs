//! A tool SHALL have a name of at most 64 ASCII letters, digits, underscores and hyphens that depends only on the id
//! of its command and that no other id has. An id that cannot be spelled plainly SHALL get a name with a readable
//! start and a digest.

use std::collections::HashSet;

use drawloom::command::Decision;
use serde_json::json;

use super::support::{Bench, assert_holds, bench, callable, empty_bench, refusal};

/// The name of the tool that a command of this id gets.
#[track_caller]
fn name_of(id: &str) -> String {
    let bench = empty_bench();
    bench.has(callable(id));
    bench.agent().only_tool().name
}

/// The names of the tools that commands of these ids get, in order of the ids.
fn names_of(ids: &[&str]) -> Vec<String> {
    let bench = empty_bench();
    ids.iter().for_each(|id| bench.has(callable(id)));
    bench.agent().names()
}

fn ends_in_16_hex_digits(name: &str) -> bool {
    name.len() > 16 && name.bytes().rev().take(16).all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// - **WHEN** `notes.open` is made a tool.
/// - **THEN** its name is `notes__open`.
#[test]
fn a_dot_becomes_two_underscores() {
    assert_eq!(name_of("notes.open"), "notes__open");
}

/// - **GIVEN** a hook that records what it sees.
/// - **WHEN** the agent calls `notes__open` with `path` as `inbox`.
/// - **THEN** the hook has seen the command id `notes.open`, and `notes.open` has run.
#[test]
fn a_call_finds_its_command() {
    let bench = bench();
    let (mut agent, seen) = bench.agent_behind(|_| Decision::Run);
    agent.calls("c1", "notes__open", r#"{"path":"inbox"}"#);
    assert_eq!(seen.only().command_id, "notes.open");
    bench.assert_opened(&["inbox"]);
}

/// - **WHEN** the agent calls `notes__open` without its required `path`.
/// - **THEN** the answer's `error` names `path` and does not hold `notes__open`.
#[test]
fn answers_use_the_id() {
    let message = bench().agent().calls("c1", "notes__open", "{}");
    assert_holds(refusal(&message), &["\"path\""]);
    assert!(!refusal(&message).contains("notes__open"), "{message:?}");
}

/// - **GIVEN** the commands `notes.open`, `notes__open`, `a_.b` and `a._b`.
/// - **WHEN** all four are made tools.
/// - **THEN** the first is named `notes__open`, and the other names differ from it and each other and end in
///   16 hex digits.
#[test]
fn ids_that_look_like_tool_names() {
    let ids = ["a._b", "a_.b", "notes.open", "notes__open"];
    let names = names_of(&ids);
    assert_eq!(names[2], "notes__open");
    assert_eq!(HashSet::<&String>::from_iter(&names).len(), ids.len(), "{names:?}");
    for other in [0, 1, 3] {
        assert!(ends_in_16_hex_digits(&names[other]), "{names:?}");
    }
}

/// - **GIVEN** the commands `äpfel/öffnen now`, `2fa` and `-x`.
/// - **WHEN** the agent calls each by its name in `list()`.
/// - **THEN** each has run, under a name of letters, digits, `_` and `-` that starts with a letter or `_`.
/// - **AND** each name ends in 16 hex digits.
#[test]
fn ids_beyond_plain_spelling() {
    let bench = empty_bench();
    let ids = ["-x", "2fa", "äpfel/öffnen now"];
    ids.iter().for_each(|id| bench.has(callable(id)));
    let mut agent = bench.agent();
    let names = agent.names();
    for (call, name) in names.iter().enumerate() {
        agent.calls(&format!("c{call}"), name, "");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)), "{name}");
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'), "{name}");
        assert!(ends_in_16_hex_digits(name), "{name}");
    }
    assert_eq!(bench.ran(), ids.map(|id| (id.to_owned(), json!({}))));
}

/// - **GIVEN** one id of 64 times `a` and one of 65 times `a`.
/// - **WHEN** both are made tools.
/// - **THEN** the first is named as it is, and the name of the second has at most 64 characters and ends in
///   16 hex digits.
#[test]
fn length_at_the_bound() {
    let names = names_of(&[&"a".repeat(64), &"a".repeat(65)]);
    assert_eq!(names[0], "a".repeat(64));
    assert!(names[1].len() <= 64, "{names:?}");
    assert!(ends_in_16_hex_digits(&names[1]), "{names:?}");
}

/// - **GIVEN** the name that `2fa` gets as a tool.
/// - **WHEN** a command with that name as its id is made a tool.
/// - **THEN** its name is another one.
#[test]
fn an_id_equal_to_a_digest_name() {
    let name = name_of("2fa");
    assert_ne!(name_of(&name), name);
}

/// - **GIVEN** `notes__open` on offer alone and then beside `notes.open`.
/// - **WHEN** its tool names are compared.
/// - **THEN** they are the same.
#[test]
fn names_do_not_depend_on_other_commands() {
    let bench = empty_bench();
    bench.has(callable("notes__open").description("The one in question."));
    let alone = bench.agent().only_tool();
    bench.has(callable("notes.open"));
    assert_eq!(name_where(&bench, "The one in question."), alone.name);
}

/// The name of the tool with this description.
fn name_where(bench: &Bench, description: &str) -> String {
    let tools = bench.agent().list();
    assert_eq!(tools.len(), 2);
    tools.into_iter().find(|tool| tool.description == description).unwrap().name
}
