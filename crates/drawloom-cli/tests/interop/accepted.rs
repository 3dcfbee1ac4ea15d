//! Requests as awkward as they come, before `@ag-ui/core`; recordings, before `@ag-ui/client`; and that either would say
//! so if something were wrong.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use drawloom::client::{Client, InProcessAgent, Message, Role, TurnEnd, Update};
use drawloom::command::{CommandArguments, PendingCall};
use drawloom::consent::Confirmation;
use drawloom_replay::{FileWorkbench, TranscriptLine};
use futures_executor::block_on;
use futures_util::stream;
use serde_json::{Value, json};

use crate::agent::Kind;
use crate::drive::Conversation;
use crate::packages::{assembled, judge, problems_of_events, runs};
use crate::workbench::Workbench;

/// The end of the current run, whatever its ids are.
const FINISHED: &str = r#"{"type":"RUN_FINISHED"}"#;

/// What a client sends, run after run, to an agent in this process that says these things, one list for a run.
fn sent(
    workbench: &str,
    said: Vec<Vec<Value>>,
    prepare: impl FnOnce(&mut Client),
    answer: Confirmation,
) -> Vec<Value> {
    let inputs = Arc::new(Mutex::new(Vec::new()));
    let (kept, said) = (inputs.clone(), Mutex::new(said.into_iter()));
    let agent = InProcessAgent::new(move |input| {
        kept.lock().unwrap().push(serde_json::to_value(input).unwrap());
        let events = said.lock().unwrap().next().unwrap_or_default();
        stream::iter(events.into_iter().map(|event| event.to_string()).chain([FINISHED.to_owned()]))
    });
    let file = FileWorkbench::load(workbench, |_: &TranscriptLine| {}).unwrap();
    let mut client = Client::builder(agent, file.agent())
        .confirm(move |_: PendingCall| {
            let answer = answer.clone();
            async move { answer }
        })
        .build();
    prepare(&mut client);
    client.send_text("tschüß 🙂 \u{202e}\u{0} \"'\\");
    block_on(async {
        while let Some(update) = client.next().await {
            assert!(!matches!(update, Update::Problem { .. }), "{update:?}");
        }
    });
    inputs.lock().unwrap().clone()
}

fn called(id: &str, tool: &str, arguments: &str) -> Vec<Value> {
    vec![
        json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
    ]
}

/// A run that asks for the approval of a call, and ends with that.
fn asks_for(call: &str, properties: Value) -> Vec<Value> {
    let mut events = called(call, "delete_note", r#"{"id":"n1"}"#);
    let interrupt = json!({ "id": "i", "reason": "tool_call", "toolCallId": call,
        "responseSchema": { "properties": properties } });
    let outcome = json!({ "type": "interrupt", "interrupts": [interrupt] });
    events.push(json!({ "type": "RUN_FINISHED", "outcome": outcome }));
    events
}

#[track_caller]
fn are_accepted(requests: &[Value], least: usize) {
    assert!(requests.len() >= least, "{requests:#?}");
    assert_eq!(judge(requests, &[]).problems, [""; 0], "{requests:#?}");
}

#[test]
fn nothing_to_offer() {
    let nothing = r#"{ "plugins": [] }"#;
    let requests = sent(nothing, vec![], |_| {}, Confirmation::No);
    assert_eq!((&requests[0]["tools"], &requests[0]["context"]), (&json!([]), &json!([])));
    are_accepted(&requests, 1);
}

#[test]
fn answers_of_every_kind() {
    let workbench = Workbench::new().open_does(json!({ "fail": "the 💾 is \"full\"\n" }));
    let mut first = called("fails", "notes__open", r#"{"id":"ü"}"#);
    first.extend(called("does-not-match", "notes__open", "{}"));
    first.extend(called("is-no-object", "notes__open", "[1"));
    first.extend(called("answers-a-list", "notes__find", ""));
    first.extend(called("was-not-offered", "notes__shred", "{}"));
    first.push(
        json!({ "type": "TOOL_CALL_START", "toolCallId": "is-cut-off", "toolCallName": "notes__open" }),
    );
    let requests = sent(&workbench.file(), vec![first], |_| {}, Confirmation::No);
    let messages = requests[1]["messages"].as_array().unwrap();
    let errors = messages.iter().filter(|message| message.get("error").is_some());
    assert_eq!(errors.count(), 5, "{messages:#?}");
    are_accepted(&requests, 2);
}

#[test]
fn questions_answered_in_every_way() {
    let edited = Confirmation::YesWith(CommandArguments::new().with("id", "n2 🙂"));
    let takes_edits = json!({ "approved": {}, "editedArgs": {}, "reason": {} });
    for (answer, status) in [
        (edited, "resolved"),
        (Confirmation::NoBecause("niemals – \u{1F645}".into()), "resolved"),
        (Confirmation::TimedOut, "cancelled"),
    ] {
        let run = asks_for("c", takes_edits.clone());
        let requests = sent(&Workbench::new().file(), vec![run], |_| {}, answer);
        assert_eq!(requests[1]["resume"][0]["status"], status);
        are_accepted(&requests, 2);
    }
}

#[test]
fn what_a_product_sends_besides() {
    let requests = sent(
        &Workbench::new().file(),
        vec![],
        |client| {
            let conversation = client.conversation_mut();
            conversation.state = json!({ "open": ["n1"], "nothing": null });
            conversation.context =
                serde_json::from_value(json!([{ "description": "the person's name", "value": "Zoë" }]))
                    .unwrap();
            conversation.forwarded_props = json!({ "theme": "dark" });
            conversation.push(Message::new("s", Role::System).with_text("be brief"));
            conversation.push(Message::new("d", Role::Developer).with_text("really"));
            let content = json!([{ "type": "text", "text": "look" }]);
            let parts = json!({ "id": "u", "role": "user", "content": content });
            conversation.push(serde_json::from_value(parts).unwrap());
        },
        Confirmation::No,
    );
    are_accepted(&requests, 1);
}

#[test]
fn what_is_wrong_is_rejected() {
    let sound =
        sent(&Workbench::new().file(), vec![called("c", "notes__open", "{}")], |_| {}, Confirmation::No);
    let sound = &sound[1];
    are_accepted(std::slice::from_ref(sound), 1);
    let wrong = |pointer: &str, change: &dyn Fn(&mut Value), named: &str| {
        let mut request = sound.clone();
        change(request.pointer_mut(pointer).unwrap());
        let problems = judge(&[request], &[]).problems;
        assert!(problems.iter().any(|problem| problem.contains(named)), "{pointer:?}: {problems:?}");
    };
    let without = |member: &'static str| {
        move |value: &mut Value| {
            value.as_object_mut().unwrap().remove(member).unwrap();
        }
    };
    wrong("", &without("threadId"), "input: threadId");
    wrong("/tools/0", &without("description"), "tool notes__find: description");
    wrong("/messages/2", &without("toolCallId"), "toolCallId");
    wrong("/messages/1/toolCalls/0/function", &without("arguments"), "function of c: arguments");
    wrong("/messages/0/role", &|role| *role = "critic".into(), "role");
    wrong(
        "",
        &|request| request["resume"] = json!([{ "interruptId": "i", "status": "yes" }]),
        "resume i: status",
    );
    // The schemas let what they do not know pass; the check does not.
    wrong("/messages/2", &|message| message["tool_call_id"] = "c".into(), "no member \"tool_call_id\"");
}

/// The agent in node takes what the schemas take, and nothing else.
#[test]
fn what_an_agent_rejects_ends_the_turn() {
    let mut conversation = Conversation::with(Kind::Node, &Workbench::new());
    conversation.add(Message::new("m", Role::Other("critic".into())).with_text("dull"));
    let ending = conversation.turn("open it");
    assert!(
        matches!(&ending, TurnEnd::ConnectionFailed { code: "status", message } if message.contains("422")),
        "{ending:?}"
    );
}

#[test]
fn recorded_streams_make_the_same_calls() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/streams");
    let recordings: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(recordings.len() >= 7, "{recordings:?}");
    for path in recordings {
        let runs = runs(&fs::read_to_string(&path).unwrap());
        let ours = assembled(&runs);
        assert!(!ours.is_empty(), "{path:?} has no call");
        assert_eq!(judge(&[], &runs).agrees_with(&ours), Ok(()), "{path:?}");
    }
}

/// Chunks, interleaved calls and arguments in pieces of one character, which none of the recorded agents sends.
#[test]
fn calls_in_any_form_are_the_same() {
    let chunk = |delta: &str| json!({ "type": "TOOL_CALL_CHUNK", "delta": delta });
    let first_chunk = |id: &str, delta: &str| {
        let mut chunk = chunk(delta);
        chunk["toolCallId"] = id.into();
        chunk["toolCallName"] = "notes__find".into();
        chunk
    };
    let delta = |id: &str, delta: &str| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta });
    let start =
        |id: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "notes__open" });
    let end = |id: &str| json!({ "type": "TOOL_CALL_END", "toolCallId": id });
    let mut run = vec![json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })];
    run.extend([
        start("a"),
        start("b"),
        delta("a", r#"{"id":"#),
        delta("b", r#"{"id""#),
        delta("a", r#""ü"}"#),
    ]);
    run.extend([end("a"), delta("b", r#":"🙂"}"#), end("b"), start("c")]);
    run.extend(r#"{"id":"n1","tags":[]}"#.chars().map(|char| delta("c", &char.to_string())));
    run.push(end("c"));
    run.extend([first_chunk("d", r#"{"text":"#), chunk(r#""x"}"#), first_chunk("e", "{}")]);
    run.push(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }));
    let runs = [run];
    let ours = assembled(&runs);
    assert_eq!(ours.len(), 5);
    assert_eq!(judge(&[], &runs).agrees_with(&ours), Ok(()));

    // Had the two not read the same, it would show.
    let mut other = runs.clone();
    let piece = other[0].iter_mut().find(|event| event["delta"] == r#""ü"}"#).unwrap();
    piece["delta"] = r#""u"}"#.into();
    let told = judge(&[], &other).agrees_with(&ours).unwrap_err();
    assert!(told.starts_with("streamed: "), "{told}");
    let fewer = &ours[..4];
    assert!(judge(&[], &runs).agrees_with(fewer).is_err());
}

/// Every type of event, read and written again, is one that the protocol's schemas accept.
#[test]
fn the_schemas_accept_every_event_that_we_write() {
    let examples = include_str!("../../../drawloom-ag-ui/src/protocol/event/examples.jsonl");
    let written: Vec<Value> = examples
        .lines()
        .map(|line| serde_json::to_value(drawloom::ag_ui::Event::parse(line).unwrap()).unwrap())
        .collect();
    assert!(written.len() > 30, "{} examples", written.len());
    assert_eq!(problems_of_events(&written), [""; 0]);
    // The schemas do find something.
    let nameless = json!({ "type": "TOOL_CALL_START", "toolCallId": "c1" });
    assert_ne!(problems_of_events(&[nameless]), [""; 0]);
}
