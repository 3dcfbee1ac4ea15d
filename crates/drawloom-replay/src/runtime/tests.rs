//! What a file can contain, and how the workbench behaves that it describes.

use super::*;
use drawloom::command::{CallOrigin, CommandAccess, CommandArguments, CommandOutcome, RefusalReason};
use drawloom::workbench::{Capability, Person, Session};
use futures_executor::block_on;
use futures_util::FutureExt;

use crate::transcript::Transcript;

fn load(text: &str) -> FileWorkbench {
    FileWorkbench::load(text, Transcript::new()).unwrap()
}

fn error(text: &str) -> String {
    FileWorkbench::load(text, Transcript::new()).unwrap_err().to_string()
}

/// A file with one plugin `p` and its command `p.c`, with these additional fields.
fn with_command(fields: &str) -> String {
    format!(
        r#"{{ "plugins": [{{ "id": "p", "declares": ["contributions", "automation"], "commands": [
  {{ "id": "p.c", "title": "C", "answers": "x", {fields} }}] }}],
  "grants": {{ "p": ["contributions", "automation"] }} }}"#
    )
}

fn command_error(fields: &str) -> String {
    let message = error(&with_command(fields));
    let message = message.strip_prefix("line 2, column ").unwrap_or_else(|| panic!("{message}")).to_owned();
    message.split_once(", plugins[0].commands[0]").unwrap_or_else(|| panic!("{message}")).1.to_owned()
}

/// The outcome of the command with this behaviour.
fn outcome(behaviour: &str) -> CommandOutcome {
    let file = load(&with_command(&format!(r#""behaviour": {behaviour}"#)));
    block_on(file.workbench().trigger("p.c"))
}

#[test]
fn an_empty_file_is_a_workbench_that_offers_nothing() {
    let file = load("{}");
    assert_eq!(*file.workbench().session(), Session::anonymous());
    assert!(file.command_tools().list().is_empty());
    assert!(file.workbench().permissions().is_empty());
    assert!(file.agent().plugin().is_none());
}

#[test]
fn without_an_agent_everything_is_refused() {
    let file = load(&with_command(r#""callable": true"#));
    let (agent, id) = (file.agent(), "p.c".into());
    assert!(agent.invocable_commands().is_empty());
    assert!(agent.offer(&id).is_none());
    assert!(agent.offer_by_tool_name("p__c").is_none());
    assert_eq!(agent.refuse(&id, &CallOrigin::new("call")).reason, RefusalReason::Unavailable);
    let offer = file.plugin("p").unwrap().offer(&id).unwrap();
    let none = CommandArguments::new;
    assert_eq!(
        agent.review(&offer, &none(), &CallOrigin::new("call")).unwrap_err().reason,
        RefusalReason::Unavailable
    );
    for outcome in [
        block_on(agent.invoke_command(id, none())),
        block_on(agent.invoke_offered(&offer, none(), CallOrigin::new("call"))),
    ] {
        assert_eq!(outcome, agent.refuse(&offer.id, &CallOrigin::new("call")).into());
    }
}

#[test]
fn an_agent_reaches_what_its_plugin_reaches() {
    let text = with_command(r#""callable": true, "behaviour": { "answer": 1 }"#);
    let file = load(&text.replacen('{', r#"{ "agent": "p","#, 1));
    let (agent, id) = (file.agent(), "p.c".into());
    drop(file);
    assert_eq!(agent.invocable_commands().len(), 1);
    let offer = agent.offer(&id).unwrap();
    assert_eq!(agent.offer_by_tool_name("p__c"), Some(offer.clone()));
    let none = CommandArguments::new;
    assert!(agent.review(&offer, &none(), &CallOrigin::new("call")).is_ok());
    let answered = CommandOutcome::Answered { value: Some(1.into()) };
    assert_eq!(block_on(agent.invoke_command(id, none())), answered);
    assert_eq!(block_on(agent.invoke_offered(&offer, none(), CallOrigin::new("call"))), answered);
    assert!(agent.plugin().is_some());
}

#[test]
fn what_was_registered_is_removed_with_the_file() {
    let file = load(&with_command(r#""callable": true"#));
    let workbench = file.workbench().clone();
    assert_eq!(workbench.triggerable_commands().len(), 1);
    drop(file);
    assert!(workbench.triggerable_commands().is_empty());
}

#[test]
fn a_byte_order_mark_is_ignored() {
    load(&format!("\u{feff}{}", with_command(r#""callable": true"#)));
}

#[test]
fn invalid_json_is_reported_with_its_line() {
    assert_eq!(error("{\n \"plugins\": [,]\n}"), "line 2, column 14, plugins[0]: expected value");
    assert_eq!(error("{}\n{}"), "line 2, column 1: trailing characters");
    assert_eq!(error(""), "line 1, column 0: EOF while parsing a value");
    assert_eq!(error("{\n"), "line 2, column 0: EOF while parsing an object");
    assert_eq!(
        error("{\"plugins\": [{ \"id\": \"p\",\n"),
        "line 2, column 0, plugins[0]: EOF while parsing a value"
    );
    assert_eq!(error("[]"), "line 1, column 0: invalid type: sequence, expected an object");
}

#[test]
fn an_unknown_field_or_word_is_named() {
    for (text, expected) in [
        (r#"{"plugin":[]}"#, "plugin: unknown field `plugin`, expected one of `plugins`"),
        (r#"{"window":"side"}"#, r#"window: unknown window "side", expected one of "main""#),
        (r#"{"grants":{"p":["autopilot"]}}"#, r#"grants.p[0]: unknown capability "autopilot""#),
        (r#"{"grants":{"?":["autopilot"]}}"#, r#"grants.?[0]: unknown capability "autopilot""#),
        (r#"{"?":1}"#, "?: unknown field `?`"),
        (r#"{"revoked":{"p":["autopilot"]}}"#, r#"revoked.p[0]: unknown capability"#),
        (r#"{"grants":{"p":[],"p":[]}}"#, r#"grants: "p" is repeated"#),
        (r#"{"agent":"a","agent":"b"}"#, "duplicate field `agent`"),
        (r#"{"session":{"roles":["a"]}}"#, "session: a session that is not authenticated"),
        (r#"{"session":{"authenticated":false,"roles":["a"]}}"#, "session: a session"),
        (r#"{"options":{"unoffered":"ask"}}"#, r#"options.unoffered: unknown option"#),
        (r#"{"options":{"nullArguments":"x"}}"#, r#"options.nullArguments: unknown option"#),
        (r#"{"options":{"limits":{"calls":1}}}"#, "options.limits.calls: unknown field"),
        (r#"{"options":{"limits":{"openCalls":-1}}}"#, "options.limits.openCalls: invalid"),
        (r#"{"consent":{"answer":{}}}"#, "consent.answer: unknown field `answer`"),
        (r#"{"consent":{"answers":{"a":1}}}"#, "consent.answers.a: invalid type: integer `1`"),
        (r#"{"consent":{"answers":{"a":{}}}}"#, "consent.answers.a: an answer has exactly one"),
        (
            r#"{"consent":{"answers":{"a":{"no":"x","edit":{}}}}}"#,
            "consent.answers.a: an answer has exactly one",
        ),
        (r#"{"consent":{"answers":{"a":{"yes":1}}}}"#, "consent.answers.a.yes: unknown field"),
        (
            r#"{"consent":{"answers":{"a":{"edit":{"n":18446744073709551616}}}}}"#,
            "consent.answers.a.edit: argument \"n\" contains a number that is out of range",
        ),
        (
            r#"{"consent":{"answers":{"a":{"during":{"echo":false}}}}}"#,
            "consent.answers.a.during.echo: the only value is true",
        ),
        (r#"{"consent":{"wording":{"yes":""}}}"#, "consent.wording.yes: unknown field"),
        (r#"{"messages":{"de":{"a":"x","a":"y"}}}"#, r#"messages.de: "a" is repeated"#),
        (r#"{"agent":"p"}"#, r#"agent: there is no plugin "p" in the file"#),
    ] {
        let found = error(text);
        // The column is serde_json's: somewhere in what is wrong or right after it.
        let found =
            found.split_once(", column ").unwrap().1.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let found = found.trim_start_matches([',', ':', ' ']);
        assert!(found.starts_with(expected), "{text}\n   found: {found}\nexpected: {expected}");
    }
}

/// serde reads a struct from a list of its fields too, in their order. The format has no such form.
#[test]
fn a_list_in_place_of_an_object_is_an_error_with_its_location() {
    for (text, path) in [
        (r#"{"session":[true,[]]}"#, "session"),
        (r#"{"plugins":[["p"]]}"#, "plugins[0]"),
        (r#"{"plugins":[{"id":"p","menuItems":[["m","M","c"]]}]}"#, "plugins[0].menuItems[0]"),
        (r#"{"options":["refuse"]}"#, "options"),
        (r#"{"options":{"limits":[1,2,3]}}"#, "options.limits"),
        (r#"{"consent":[{}]}"#, "consent"),
        (r#"{"consent":{"wording":["a","b"]}}"#, "consent.wording"),
        (r#"{"consent":{"answers":{"a":["no"]}}}"#, "consent.answers.a"),
        (r#"{"grants":[]}"#, "grants"),
    ] {
        let found = error(text);
        assert!(found.contains(&format!(", {path}: invalid type: sequence, expected ")), "{text}: {found}");
    }
    for (fields, path) in [
        (r#""access": [true]"#, ".access"),
        (r#""arguments": [["a", "text"]]"#, ".arguments[0]"),
        (r#""behaviour": [1]"#, ".behaviour"),
        (r#""behaviour": { "invoke": ["a"] }"#, ".behaviour.invoke"),
        (r#""behaviour": { "revoke": ["p", "ui"] }"#, ".behaviour.revoke"),
    ] {
        let found = command_error(fields);
        assert_eq!(found, format!("{path}: invalid type: sequence, expected an object"), "{fields}");
    }
    let command = r#"{"plugins":[{"id":"p","commands":[["p.c","C"]]}]}"#;
    assert!(
        error(command).contains(", plugins[0].commands[0]: invalid type: sequence"),
        "{}",
        error(command)
    );
}

#[test]
fn an_invalid_command_is_named() {
    for (fields, expected) in [
        (r#""colour": 1"#, ".colour: unknown field `colour`"),
        (r#""agentConsent": "maybe""#, r#".agentConsent: unknown consent statement "maybe""#),
        (r#""access": {}"#, ".access: access has exactly one of"),
        (r#""access": { "authenticated": true, "anyRole": ["a"] }"#, ".access: access has exactly one of"),
        (r#""access": { "role": "a" }"#, ".access.role: unknown field `role`"),
        (r#""access": { "anyRole": [] }"#, r#": command "p.c" of plugin "p": command "p.c" requires a role"#),
        (r#""arguments": [{ "kind": "text" }]"#, ".arguments[0]: missing field `name`"),
        (r#""arguments": [{ "name": "a" }]"#, ".arguments[0]: missing field `kind`"),
        (
            r#""arguments": [{ "name": "a", "kind": "txt" }]"#,
            r#".arguments[0].kind: unknown kind "txt", expected one of "text", "number", "boolean", "choice""#,
        ),
        (
            r#""arguments": [{ "name": "a", "kind": "text", "choices": ["b"] }]"#,
            r#".arguments[0]: only an argument of the kind "choice" can have choices"#,
        ),
        (
            r#""arguments": [{ "name": "a", "kind": "text", "maximum": 3 }]"#,
            r#".arguments[0]: only an argument of the kind "number" can be an integer or have bounds"#,
        ),
        (
            r#""arguments": [{ "name": "a", "kind": "number", "integer": true, "minimum": 0.5 }]"#,
            ".arguments[0]: the bound of an integer must be an integer",
        ),
        (
            r#""arguments": [{ "name": "a", "kind": "number", "minimum": 18446744073709551616 }]"#,
            ".arguments[0].minimum: an integer must lie between",
        ),
        (
            r#""arguments": [{ "name": "a", "kind": "number", "minimum": 1, "maximum": 0 }]"#,
            r#": command "p.c" of plugin "p": the range of argument "a" of command "p.c" contains no number"#,
        ),
        (
            r#""arguments": [{ "name": "a", "kind": "choice", "required": true }]"#,
            r#": command "p.c" of plugin "p": command "p.c" requires argument "a", a choice without choices; add choices or make the argument optional"#,
        ),
        (r#""behaviour": {}"#, ".behaviour: a behaviour has exactly one of"),
        (r#""behaviour": { "echo": true, "fail": "x" }"#, ".behaviour: a behaviour has exactly one of"),
        (r#""behaviour": { "nan": false }"#, ".behaviour.nan: the only value is true"),
        (r#""behaviour": { "delayMs": -1 }"#, ".behaviour.delayMs: invalid value"),
        (r#""behaviour": { "delayMs": 86400001 }"#, ".behaviour: \"delayMs\" is at most 86400000"),
        (r#""behaviour": { "invoke": {} }"#, ".behaviour.invoke: missing field `id`"),
        (
            r#""behaviour": { "invoke": { "id": "a", "args": { "n": null } } }"#,
            r#".behaviour.invoke.args: argument "n" is null"#,
        ),
        (
            r#""behaviour": { "answer": { "rows": [18446744073709551616] } }"#,
            r#".behaviour.answer: at ["rows"][0]: an integer must lie between"#,
        ),
        (
            r#""behaviour": { "revoke": { "plugin": "p", "capability": "x" } }"#,
            r#".behaviour.revoke.capability: unknown capability "x""#,
        ),
    ] {
        let found = command_error(fields);
        assert!(found.starts_with(expected), "{fields}\n   found: {found}\nexpected: {expected}");
    }
}

#[test]
fn parts_that_contradict_each_other_are_named_with_their_location() {
    let plugin =
        |id: &str, more: &str| format!(r#"{{ "id": "{id}", "declares": ["contributions"] {more} }}"#);
    let file = |plugins: &[String]| {
        format!(
            "{{\"plugins\": [\n{}],\n\"grants\": {{ \"p\": [\"contributions\"], \"q\": [\"contributions\"] }} }}",
            plugins.join(",\n"),
        )
    };
    let command = r#", "commands": [{ "id": "c", "title": "C" }]"#;
    let item = r#", "menuItems": [{ "id": "m", "title": "M", "command": "c" }]"#;
    for (plugins, expected, code) in [
        (
            [plugin("p", ""), plugin("p", "")],
            r#"line 3, column 1, plugins[1]: plugin "p" is already active"#,
            "plugin-already-active",
        ),
        (
            [plugin("p", command), plugin("q", command)],
            r#"line 3, column 59, plugins[1].commands[0]: command "c" of plugin "q": command "c" is already registered by plugin "p""#,
            "command-taken",
        ),
        (
            [plugin("p", item), plugin("q", item)],
            r#"line 3, column 60, plugins[1].menuItems[0]: menu item "m" of plugin "q": control "m" is already registered by plugin "p""#,
            "control-taken",
        ),
        (
            [plugin("p", ""), plugin("r", command)],
            r#"line 3, column 59, plugins[1].commands[0]: command "c" of plugin "r": plugin "r" does not hold "contributions": the plugin must declare it and the application must grant it"#,
            "capability-not-held",
        ),
    ] {
        let text = file(&plugins);
        let found = FileWorkbench::load(&text, Transcript::new()).unwrap_err();
        assert_eq!((found.to_string().as_str(), found.code()), (expected, code));
        assert_eq!(found.location().line, 3);
        match std::error::Error::source(&found) {
            Some(source) => assert!(expected.ends_with(&source.to_string())),
            None => assert_eq!(code, "plugin-already-active", "it is the whole of the reason"),
        }
    }
}

#[test]
fn an_answer_can_be_null_or_a_large_number() {
    let value = |behaviour| match outcome(behaviour) {
        CommandOutcome::Answered { value: Some(value) } => value.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(value(r#"{ "answer": null }"#), "null");
    assert_eq!(value(r#"{ "answer": [2512292042121000001] }"#), "[2512292042121000001]");
    assert_eq!(value(r#"{ "delayMs": 1 }"#), "null");
    assert_eq!(value(r#"{ "echo": true, "delayMs": 1 }"#), "{}");
}

#[test]
fn what_a_command_cannot_do_is_a_failure_with_the_reason() {
    let message = |behaviour| match outcome(behaviour) {
        CommandOutcome::Failed(failure) => failure.message,
        other => panic!("{other:?}"),
    };
    assert_eq!(message(r#"{ "fail": "the disk is full" }"#), "the disk is full");
    assert_eq!(message(r#"{ "panic": "gone" }"#), "the command panicked");
    assert_eq!(message(r#"{ "unregister": "p.x" }"#), "no command \"p.x\" is registered");
    assert_eq!(
        message(r#"{ "revoke": { "plugin": "p", "capability": "contributions" } }"#),
        "\"contributions\" cannot be revoked",
    );
    assert!(message(r#"{ "nan": true }"#).contains("finite"));
}

#[test]
fn a_command_can_unregister_itself() {
    let file = load(&with_command(r#""behaviour": { "unregister": "p.c" }"#));
    let done = block_on(file.workbench().trigger("p.c"));
    assert!(matches!(done, CommandOutcome::Answered { .. }), "{done:?}");
    let gone = block_on(file.workbench().trigger("p.c"));
    assert!(matches!(gone, CommandOutcome::Refused(_)), "{gone:?}");
}

#[test]
fn a_delay_does_not_block_the_thread() {
    let file = load(&with_command(r#""behaviour": { "delayMs": 600000 }"#));
    assert!(file.workbench().trigger("p.c").now_or_never().is_none());
}

#[test]
fn a_revocation_of_the_file_is_in_force_and_can_be_undone() {
    let text =
        with_command(r#""callable": true"#).replacen('{', r#"{ "revoked": { "p": ["automation"] },"#, 1);
    let file = load(&text);
    let plugin = file.plugin("p").unwrap();
    assert!(!plugin.holds(Capability::Automation));
    file.workbench().restore(plugin.plugin(), Capability::Automation).unwrap();
    assert!(plugin.holds(Capability::Automation));
}

#[test]
fn texts_are_translated_only_if_a_language_is_set() {
    let title = |head: &str| {
        let text = with_command(r#""callable": true"#).replacen('{', &format!("{{ {head}"), 1);
        load(&text).plugin("p").unwrap().invocable_commands()[0].title.to_string()
    };
    assert_eq!(title(r#""language": "de", "messages": { "de": { "C": "Zeh" } },"#), "Zeh");
    assert_eq!(title(r#""language": "fr", "messages": { "de": { "C": "Zeh" } },"#), "C");
    assert_eq!(title(r#""messages": { "de": { "C": "Zeh" } },"#), "C");
}

#[test]
fn a_session_is_authenticated_or_anonymous() {
    let session = |text: &str| (*load(&format!(r#"{{ "session": {text} }}"#)).workbench().session()).clone();
    assert_eq!(session("{}"), Session::anonymous());
    assert_eq!(session(r#"{ "authenticated": false, "roles": [] }"#), Session::anonymous());
    assert_eq!(session(r#"{ "authenticated": true }"#), Session::authenticated([""; 0]));
    assert_eq!(session(r#"{ "authenticated": true, "roles": ["a"] }"#), Session::authenticated(["a"]));
    let ada = Person::new("ada").name("Ada Lovelace");
    let text =
        r#"{ "authenticated": true, "roles": ["a"], "person": { "id": "ada", "name": "Ada Lovelace" } }"#;
    assert_eq!(session(text), Session::of(ada, ["a"]));
    let text = r#"{ "authenticated": true, "person": { "id": "ada" } }"#;
    assert_eq!(session(text), Session::of(Person::new("ada"), [""; 0]));
}

#[test]
fn a_player_offers_what_the_agent_reaches() {
    let text = with_command(r#""callable": true"#).replacen('{', r#"{ "agent": "p","#, 1);
    let tools = load(&text).player().tools();
    assert_eq!(tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["p__c"]);
}

#[test]
fn a_player_can_be_sent_to_another_thread() {
    fn is_send<T: Send>(_: &T) {}
    let mut player = load("{}").player();
    is_send(&player);
    let event = drawloom::ag_ui::Event::parse("{\"type\":\"RUN_ERROR\"}").unwrap();
    is_send(&player.play(&event));
}
