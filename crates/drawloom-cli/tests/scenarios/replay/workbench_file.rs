//! The file SHALL describe plugins with their commands and menu items, grants, revocations, the session, the window,
//! the agent, consent, options, the language and its messages.

use drawloom::command::{ArgumentKind, CommandArguments};
use drawloom_replay::{FileWorkbench, Transcript, TranscriptLine};
use futures_executor::block_on;
use serde_json::json;

use super::support::{load, outcome, printed_names, printed_tools, usual, with_commands};

/// - **GIVEN** the usual file with menu items for `notes.open`, which requires `path`, and for `notes.ping`.
/// - **WHEN** it is loaded.
/// - **THEN** the list of `copilot` has `notes.open` and `notes.ping` with everything they declare.
/// - **AND** the menu item for `notes.ping` is offered, and the other one is not, because a menu item has
///   no arguments.
#[test]
fn commands_and_menu_items() {
    let mut file = usual();
    file["plugins"][0]["menuItems"] = json!([
        { "id": "notes.menu.open", "title": "Open", "command": "notes.open" },
        { "id": "notes.menu.ping", "title": "Ping it", "command": "notes.ping" },
    ]);
    let file = load(&file);

    let shown = file.plugin("copilot").unwrap().invocable_commands();
    assert_eq!(
        shown.iter().map(|command| command.id.as_str()).collect::<Vec<_>>(),
        ["notes.open", "notes.ping"]
    );
    let open = &shown[0];
    assert_eq!(&*open.title, "Open note");
    assert_eq!(open.description.as_deref(), Some("Opens a note in the editor."));
    assert_eq!(open.answers.as_deref(), Some("What was opened"));
    assert_eq!(open.agent_consent, None);
    let [path, mode] = &open.arguments[..] else { panic!("{:?}", open.arguments) };
    assert_eq!((&*path.name, path.kind, path.required), ("path", ArgumentKind::Text, true));
    assert_eq!(path.description.as_deref(), Some("Where the note is"));
    assert_eq!((&*mode.name, mode.kind, mode.required), ("mode", ArgumentKind::Choice, false));
    assert_eq!(mode.choices.as_deref(), Some(&["preview".into(), "permanent".into()][..]));
    let ping = &shown[1];
    assert_eq!((&*ping.title, &ping.description, &ping.answers), ("Ping", &None, &None));
    assert!(ping.arguments.is_empty());

    let [item] = &file.workbench().menu_items()[..] else { panic!("one menu item is on offer") };
    assert_eq!((&*item.id, &*item.title), ("notes.menu.ping", "Ping it"));
    assert_eq!(item.command, "notes.ping");
}

/// - **GIVEN** commands for `{"authenticated":true}`, `{"authenticated":false}`, `{"anyRole":["a","b"]}`,
///   `{"allRoles":["a","b"]}`.
/// - **WHEN** the tools are printed for an authenticated session with the roles `["a"]`.
/// - **THEN** the first and the third are among them and the others are not.
#[test]
fn four_forms_of_access() {
    let mut file = with_commands([
        json!({ "id": "a.signed-in", "callable": true, "access": { "authenticated": true } }),
        json!({ "id": "a.anonymous", "callable": true, "access": { "authenticated": false } }),
        json!({ "id": "a.any", "callable": true, "access": { "anyRole": ["a", "b"] } }),
        json!({ "id": "a.all", "callable": true, "access": { "allRoles": ["a", "b"] } }),
    ]);
    file["session"] = json!({ "authenticated": true, "roles": ["a"] });
    assert_eq!(printed_names(&file), ["a__any", "a__signed-in", "notes__open", "notes__ping"]);
}

/// - **GIVEN** `notes.zoom` with `"popout": true`, and `"window": "popout"`.
/// - **WHEN** the tools are printed without `revoked`, and with `"revoked": {"copilot": ["automation"]}`.
/// - **THEN** the first list has only `notes__zoom`, and the second is `[]`.
#[test]
fn window_and_revocations() {
    let mut file = with_commands([json!({ "id": "notes.zoom", "callable": true, "popout": true })]);
    file["window"] = json!("popout");
    assert_eq!(printed_names(&file), ["notes__zoom"]);
    file["revoked"] = json!({ "copilot": ["automation"] });
    assert!(printed_names(&file).is_empty());
}

/// - **GIVEN** the title key `notes.open.title`, `"language": "de"` and the German message `Notiz öffnen`
///   for it.
/// - **WHEN** the file is loaded and the list read.
/// - **THEN** `notes.open` has the title `Notiz öffnen`.
#[test]
fn language_and_messages() {
    let mut file = usual();
    file["plugins"][0]["commands"][0]["title"] = json!("notes.open.title");
    file["language"] = json!("de");
    file["messages"] = json!({
        "de": { "notes.open.title": "Notiz öffnen" },
        "en": { "notes.open.title": "Open note" },
    });
    let list = load(&file).plugin("copilot").unwrap().invocable_commands();
    assert_eq!((list[0].id.as_str(), &*list[0].title), ("notes.open", "Notiz öffnen"));
}

/// - **GIVEN** `notes.rename` with `"contextOnly": true`.
/// - **WHEN** the file is loaded and `triggerable_commands()` read.
/// - **THEN** it has `notes.open` but not `notes.rename`.
#[test]
fn context_only_commands() {
    let file = load(&with_commands([json!({ "id": "notes.rename", "contextOnly": true })]));
    let triggerable = file.workbench().triggerable_commands();
    let ids: Vec<_> = triggerable.iter().map(|entry| entry.command.id.as_str()).collect();
    assert_eq!(ids, ["notes.open", "notes.ping"]);
}

/// - **GIVEN** `notes.wipe` whose `effects` state that it destroys something and cannot be undone, and `notes.mail` whose
///   `effects` have no `kind`.
/// - **WHEN** the tools are printed for a file with the first, and a file with the second is loaded.
/// - **THEN** the tool has these effects in its metadata, and the second file is an error that names `effects` and
///   `kind`.
#[test]
fn effects_of_a_command() {
    let effects = json!({ "kind": "destroys", "irreversible": true });
    let wipe = json!({ "id": "notes.wipe", "callable": true, "effects": effects });
    let tools = printed_tools(&with_commands([wipe]));
    let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "notes__wipe").unwrap();
    assert_eq!(tool["metadata"], json!({ "effects": effects }));

    let faulty = with_commands([json!({ "id": "notes.mail", "effects": { "outside": true } })]);
    let error = FileWorkbench::load(&faulty.to_string(), |_: &TranscriptLine| {}).unwrap_err().to_string();
    assert!(error.contains(".effects") && error.contains("`kind`"), "{error}");
}

/// - **GIVEN** `notes.sort` with `category`, `icon`, `keywords`, `"on": true` and an `answerSchema` with a description, and
///   `notes.save` with `"unavailable": "No note is open"`, both callable.
/// - **WHEN** the file is loaded and the lists of the person and of `copilot` read.
/// - **THEN** `notes.sort` has all of it in both lists, its answer is described by the schema, and it is on.
/// - **AND** `notes.save` is disabled with its reason in the list of the person and missing from that of `copilot`.
#[test]
fn what_is_shown_of_a_command() {
    let schema = json!({ "type": "integer", "description": "How many were sorted" });
    let file = load(&with_commands([
        json!({ "id": "notes.save", "callable": true, "unavailable": "No note is open" }),
        json!({ "id": "notes.sort", "callable": true, "category": "Edit", "icon": "sort", "keywords": ["order"],
                "on": true, "answerSchema": schema, "behaviour": { "answer": 3 } }),
    ]));
    let of_the_person = file.workbench().triggerable_commands();
    let entry = |id: &str| of_the_person.iter().find(|entry| entry.command.id == id).unwrap();
    let of_copilot = file.plugin("copilot").unwrap().invocable_commands();
    let listed = of_copilot.iter().find(|command| command.id == "notes.sort").unwrap();
    for sort in [&entry("notes.sort").command, listed] {
        assert_eq!((sort.category.as_deref(), sort.icon.as_deref()), (Some("Edit"), Some("sort")));
        assert_eq!(sort.keywords, ["order".into()]);
        assert_eq!(sort.answers.as_deref(), Some("How many were sorted"));
        assert_eq!(sort.answer_schema.as_deref(), Some(&schema));
    }
    assert_eq!(entry("notes.sort").state.on, Some(true));
    assert_eq!(entry("notes.save").state.disabled.as_deref(), Some("No note is open"));
    assert!(of_copilot.iter().all(|command| command.id != "notes.save"));
}

/// - **GIVEN** `notes.zoom`, which echoes its arguments, with the text `name` of 1 to 3 characters, the choice `mode` with a
///   label and a default, the choice `step`, whose choices depend on `mode`, and the secret text `key`.
/// - **WHEN** `copilot` invokes it with a `name` of 4 characters and a `step` that `mode` does not give, and then with a
///   `name`, a `step` and a `key` that match.
/// - **THEN** the first is refused as `invalid-arguments`, naming `name` and `step`, and the second is answered with the
///   default and without the key.
/// - **AND** the line of the transcript for the second has the default and not the key.
#[test]
fn settings_of_arguments() {
    let zoom = json!({ "id": "notes.zoom", "callable": true, "answers": "The arguments",
        "behaviour": { "echo": true }, "arguments": [
        { "name": "name", "kind": "text", "minLength": 1, "maxLength": 3 },
        { "name": "mode", "kind": "choice", "choices": ["in", "out"], "labels": { "in": "Closer" }, "default": "in" },
        { "name": "step", "kind": "choice",
          "choicesGiven": { "argument": "mode", "choices": { "in": ["near"], "out": ["far"] } } },
        { "name": "key", "kind": "text", "secret": true },
    ] });
    let transcript = Transcript::new();
    let file = FileWorkbench::load(&with_commands([zoom]).to_string(), transcript.clone()).unwrap();
    let invoked = |arguments: &str| {
        let arguments = CommandArguments::from_json(arguments).unwrap();
        outcome(&block_on(file.plugin("copilot").unwrap().invoke("notes.zoom", arguments)))
    };

    let refused = invoked(r#"{"name":"abcd","step":"far"}"#);
    let answered = invoked(r#"{"name":"abc","step":"near","key":"hunter2"}"#);

    assert_eq!(refused["reason"], "invalid-arguments");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("\"name\"") && message.contains("\"step\""), "{message}");
    let expected = json!({ "mode": "in", "name": "abc", "step": "near" });
    assert_eq!(answered, json!({ "outcome": "answered", "value": expected }));
    let lines: Vec<_> = transcript.take().iter().map(|line| serde_json::to_value(line).unwrap()).collect();
    assert_eq!(lines, [json!({ "ran": { "commandId": "notes.zoom", "arguments": expected } })]);
    let commands = file.plugin("copilot").unwrap().invocable_commands();
    let mode = &commands.last().unwrap().arguments[1];
    assert_eq!(mode.labels.get("in"), Some("Closer"));
}

/// - **GIVEN** `notes.zoom` with the number `scale` from 0.5 to 4 and the integer `line` from 1.
/// - **WHEN** `copilot` invokes it with `scale` as 4.5 and `line` as 1.5, and then with 4 and 1.
/// - **THEN** the first is refused as `invalid-arguments`, naming `scale` and `line`, and the second is
///   answered.
#[test]
fn bounds_of_numbers() {
    let file = load(&with_commands([json!({ "id": "notes.zoom", "callable": true, "arguments": [
        { "name": "scale", "kind": "number", "minimum": 0.5, "maximum": 4 },
        { "name": "line", "kind": "number", "integer": true, "minimum": 1 },
    ] })]));
    let invoked = |arguments: &str| {
        let arguments = CommandArguments::from_json(arguments).unwrap();
        outcome(&block_on(file.plugin("copilot").unwrap().invoke("notes.zoom", arguments)))
    };
    let refused = invoked(r#"{"scale":4.5,"line":1.5}"#);
    assert_eq!(refused["reason"], "invalid-arguments");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("\"scale\"") && message.contains("\"line\""), "{message}");
    assert_eq!(invoked(r#"{"scale":4,"line":1}"#), json!({ "outcome": "answered" }));
}
