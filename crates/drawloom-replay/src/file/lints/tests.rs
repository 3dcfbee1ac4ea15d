//! Which warnings there are, and their locations.

use super::*;
use crate::runtime::FileWorkbench;
use crate::transcript::Transcript;

/// The warnings about a text, each with its code.
fn warnings(text: &str) -> Vec<String> {
    let file = FileWorkbench::load(text, Transcript::new()).unwrap_or_else(|error| panic!("{text}\n{error}"));
    file.warnings().iter().map(|warning| format!("{} {warning}", warning.code())).collect()
}

/// A file in which `agent` can reach the command `p.c` of `p`, with these additional fields.
fn file(command: &str, more: &str) -> String {
    format!(
        r#"{{ "plugins": [
  {{ "id": "p", "declares": ["contributions", "automation"], "commands": [
    {{ "id": "p.c", "title": "C" {command} }}] }},
  {{ "id": "agent", "declares": ["automation"] }} ],
"grants": {{ "p": ["contributions", "automation"], "agent": ["automation"] }}, "agent": "agent" {more} }}"#
    )
}

/// Asserts that such a file has one warning: with this code, at this field, whose text in the file begins with `value`, and
/// with a message that contains `words`.
#[track_caller]
fn warns(command: &str, more: &str, (code, path, value): (&str, &str, &str), words: &str) {
    let text = file(command, more);
    let found = FileWorkbench::load(&text, Transcript::new()).unwrap().warnings();
    let [one] = &found[..] else { panic!("{text}: {found:#?}") };
    let FileLocation { line, column, path: field } = one.location();
    assert_eq!((one.code(), &**field), (code, path), "{text}");
    let there = text.lines().nth(line - 1).and_then(|line| line.get(column - 1..)).unwrap();
    assert!(there.starts_with(value), "{there}");
    let found = one.to_string();
    assert!(
        found.starts_with(&format!("line {line}, column {column}, {path}: ")) && found.contains(words),
        "{found}"
    );
}

#[track_caller]
fn is_quiet(text: &str) {
    assert_eq!(warnings(text), [""; 0], "{text}");
}

#[test]
fn a_correct_file_has_no_warnings() {
    is_quiet("{}");
    is_quiet(&file("", ""));
    is_quiet(&file(r#", "callable": true, "agentConsent": "allow""#, ""));
}

#[test]
fn an_answer_that_is_not_declared() {
    for behaviour in [
        r#"{ "answer": null }"#,
        r#"{ "echo": true }"#,
        r#"{ "nan": true }"#,
        r#"{ "invoke": { "id": "p.c" } }"#,
    ] {
        let behaviour = format!(r#", "behaviour": {behaviour}"#);
        let at = ("answer-dropped", "plugins[0].commands[0].behaviour", "{ \"");
        warns(&behaviour, "", at, "command \"p.c\" returns an answer but declares no \"answers\"");
        is_quiet(&file(&format!(r#"{behaviour}, "answers": "x""#), ""));
    }
    for behaviour in [
        r#"{ "fail": "x" }"#,
        r#"{ "panic": "x" }"#,
        r#"{ "delayMs": 1 }"#,
        r#"{ "unregister": "p.c" }"#,
        r#"{ "revoke": { "plugin": "p", "capability": "automation" } }"#,
    ] {
        is_quiet(&file(&format!(r#", "behaviour": {behaviour}"#), ""));
    }
}

#[test]
fn callable_commands_without_an_agent() {
    let without_agent = |command| file(command, "").replace(r#", "agent": "agent""#, "");
    is_quiet(&without_agent(""));
    let callable = r#", "callable": true"#;
    let found = warnings(&without_agent(callable));
    assert_eq!(
        found,
        [
            "no-agent line 1, column 1: there is no \"agent\", so no agent is offered the callable commands: add \"agent\" \
          with the id of the plugin that acts as the agent"
        ]
    );
}

#[test]
fn an_agent_without_automation() {
    let callable = r#", "callable": true"#;
    let undeclared =
        |command| file(command, "").replace(r#""declares": ["automation"]"#, r#""declares": []"#);
    let ungranted = |command| file(command, "").replace(r#", "agent": ["automation"]"#, "");
    let revoked = |command| file(command, r#", "revoked": { "agent": ["ui", "automation"] }"#);
    for (text, location, cause) in [
        (undeclared(callable), "line 4, column 32, plugins[1].declares", MissingAutomation::NotDeclared),
        (ungranted(callable), "line 5, column 11, grants.agent", MissingAutomation::NotGranted),
        (revoked(callable), "line 5, column 119, revoked.agent", MissingAutomation::Revoked),
    ] {
        let found = warnings(&text);
        let expected = format!(
            "agent-without-automation {location}: agent \"agent\" is not offered the commands of other plugins, because {cause}"
        );
        assert_eq!(found, [expected], "{text}");
    }
    // There is no warning if nothing is callable, or if everything callable belongs to the agent.
    for text in [undeclared(""), ungranted(""), revoked("")] {
        is_quiet(&text);
    }
    is_quiet(
        &file(callable, "")
            .replace(r#""agent": "agent""#, r#""agent": "p""#)
            .replace(r#"["contributions", "automation"]"#, r#"["contributions"]"#),
    );
    // Each cause has a warning of its own.
    let none = undeclared(callable).replace(r#", "agent": ["automation"]"#, "");
    assert_eq!(warnings(&none).len(), 2, "{none}");
}

#[test]
fn an_answer_for_an_unknown_command() {
    warns(
        "",
        r#", "consent": { "answers": { "p.c": true, "*": false, "p.d": true } }"#,
        ("answer-for-unknown-command", "consent.answers.p.d", "true }"),
        "declares a command \"p.d\", so this answer is used only if an agent asks about a tool of its own with this name",
    );
}

#[test]
fn a_consent_statement_that_nobody_acts_on() {
    for states in ["ask", "ask-always", "never"] {
        let stated = format!(r#", "agentConsent": "{states}""#);
        is_quiet(&file(&stated, ""));
        let stated = format!(r#"{stated}, "callable": true"#);
        is_quiet(&file(&stated, r#", "consent": {}"#));
        let at = ("consent-not-asked", "plugins[0].commands[0].agentConsent", &*format!("\"{states}\""));
        warns(
            &stated,
            "",
            at,
            &format!("command \"p.c\" states \"{states}\" but the file has no \"consent\""),
        );
    }
}

#[test]
fn a_choice_without_choices() {
    let choice = |fields| format!(r#", "arguments": [{{ "name": "n", "kind": "choice" {fields} }}]"#);
    is_quiet(&file(&choice(r#", "choices": ["a"]"#), ""));
    for (fields, value) in [(r#", "choices": []"#, "[] }"), ("", "{ \"name\": \"n\"")] {
        let at = ("no-choices", "plugins[0].commands[0].arguments[0].choices", value);
        warns(&choice(fields), "", at, "argument \"n\" of command \"p.c\" is a choice without choices");
    }
}

#[test]
fn permissions_of_an_unknown_plugin() {
    is_quiet(&file("", r#", "revoked": { "p": [], "agent": ["ui"] }"#));
    warns(
        "",
        r#", "revoked": { "q": ["ui"] }"#,
        ("unknown-plugin", "revoked.q", "[\"ui\"]"),
        "there is no plugin \"q\"",
    );
    warns(
        r#", "behaviour": { "revoke": { "plugin": "q", "capability": "ui" } }"#,
        "",
        ("unknown-plugin", "plugins[0].commands[0].behaviour.revoke.plugin", "\"q\""),
        "there is no plugin \"q\"",
    );
    // The workbench itself reports a grant without effect, but not an empty grant.
    let granting = |capabilities: &str| {
        file("", "").replace(r#""grants": {"#, &format!(r#""grants": {{ "q": {capabilities},"#))
    };
    let issues = |text: &str| {
        let file = FileWorkbench::load(text, Transcript::new()).unwrap();
        file.workbench().composition_issues().len()
    };
    for (capabilities, own, of_workbench) in [(r#"["ui"]"#, 0, 1), ("[]", 1, 0)] {
        let text = granting(capabilities);
        assert_eq!((warnings(&text).len(), issues(&text)), (own, of_workbench), "{text}");
    }
}

#[test]
fn a_behaviour_about_an_unknown_command() {
    warns(
        r#", "answers": "x", "behaviour": { "invoke": { "id": "p.d" } }"#,
        "",
        ("unknown-command", "plugins[0].commands[0].behaviour.invoke.id", "\"p.d\""),
        "no plugin of the file declares a command \"p.d\"",
    );
    warns(
        r#", "behaviour": { "unregister": "p.d" }"#,
        "",
        ("unknown-command", "plugins[0].commands[0].behaviour.unregister", "\"p.d\""),
        "command \"p.d\"",
    );
    warns(
        "",
        r#", "consent": { "answers": { "*": { "during": { "unregister": "p.d" } } } }"#,
        ("unknown-command", "consent.answers.*.during.unregister", "\"p.d\""),
        "command \"p.d\"",
    );
}

#[test]
fn warnings_are_in_the_order_of_the_file() {
    let text = file(
        r#", "callable": true, "agentConsent": "ask", "behaviour": { "echo": true },
      "arguments": [{ "name": "n", "kind": "choice" }]"#,
        r#", "revoked": { "q": [] }"#,
    );
    let file = FileWorkbench::load(&format!("\u{feff}\n{text}"), Transcript::new()).unwrap();
    let found: Vec<_> =
        file.warnings().iter().map(|warning| (warning.location().line, warning.code())).collect();
    let expected =
        [(4, "consent-not-asked"), (4, "answer-dropped"), (5, "no-choices"), (7, "unknown-plugin")];
    assert_eq!(found, expected);
    assert!(matches!(
        file.warnings()[0].kind(),
        FileWarningKind::ConsentNotAsked { statement: AgentConsent::Ask, .. }
    ));
}
