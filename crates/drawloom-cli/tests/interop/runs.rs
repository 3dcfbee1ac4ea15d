//! Calls of commands: one, one that fails, several at once, one beside a call of the agent's own, and one the person is
//! against.

use drawloom::client::TurnEnd;
use serde_json::{Value, json};

use crate::agent::Kind;
use crate::drive::{Conversation, Driven, drive, drive_anywhere, drive_with};
use crate::workbench::Workbench;

const SUCCESSES: [&str; 2] = ["success", "success"];

/// The parts as if in this order, for results that may be shown in any.
fn sorted(parts: impl IntoIterator<Item = Value>) -> Vec<String> {
    let mut parts: Vec<_> = parts.into_iter().map(|part| part.to_string()).collect();
    parts.sort();
    parts
}

fn call(id: &Value, tool: &str, arguments: Value) -> Value {
    json!({ "call": { "id": id, "tool": tool, "arguments": arguments } })
}

fn result(id: &Value, text: &str) -> Value {
    json!({ "result": { "id": id, "text": text } })
}

/// The model calls `notes.open`, and is shown what it answered.
fn one_call(kind: Kind) {
    let driven = drive(kind, &Workbench::new(), "open it");
    assert_eq!(driven.order(), ["ran", "answered"]);
    assert_eq!(*driven.step("ran"), json!({ "commandId": "notes.open", "arguments": { "id": "n1" } }));
    let answered = driven.step("answered");
    assert_eq!((&answered["content"], answered.get("error")), (&json!(r#"{"id":"n1"}"#), None));
    assert_eq!(driven.outcomes(), SUCCESSES);
    let id = &answered["toolCallId"];
    let expected = [
        json!({ "user": "open it" }),
        json!({ "says": "One moment. " }),
        call(id, "notes__open", json!({ "id": "n1" })),
        result(id, r#"{"id":"n1"}"#),
    ];
    assert_eq!(driven.shown(), expected);
    assert_eq!(driven.times_asked(), 2);
    let texts = driven.steps("text");
    assert_eq!(texts, [&json!("One moment. "), &json!(r#"I was told: {"id":"n1"}."#)]);
}

/// The command fails, and its words reach the model.
fn error(kind: Kind) {
    let workbench = Workbench::new().open_does(json!({ "fail": "the disk is full" }));
    let driven = drive(kind, &workbench, "open it");
    assert_eq!(driven.order(), ["ran", "answered"]);
    unanswered_in_words(&driven, "the disk is full");
}

/// Two commands at once, of which the first takes its time.
fn parallel(kind: Kind) {
    let workbench = Workbench::new().open_does(json!({ "echo": true, "delayMs": 400 }));
    let driven = drive(kind, &workbench, "two in parallel");
    let ran = sorted(driven.steps("ran").into_iter().cloned());
    let found = json!({ "text": "tschüß \"now\"" });
    let expected = [
        json!({ "commandId": "notes.find", "arguments": found }),
        json!({ "commandId": "notes.open", "arguments": { "id": "n1" } }),
    ];
    assert_eq!(ran, sorted(expected));
    // Both have begun before either is answered, and the quick one is answered first.
    assert_eq!(driven.order(), ["ran", "ran", "answered", "answered"]);
    let answered = driven.steps("answered");
    let contents: Vec<_> = answered.iter().map(|message| &message["content"]).collect();
    assert_eq!(contents, [r#"["n1","n7"]"#, r#"{"id":"n1"}"#]);
    let [find, open] = [0, 1].map(|at| &answered[at]["toolCallId"]);

    let (calls, results) = driven.shown().split_at(4);
    let expected = [
        json!({ "user": "two in parallel" }),
        json!({ "says": "One moment. " }),
        call(open, "notes__open", json!({ "id": "n1" })),
        call(find, "notes__find", found),
    ];
    assert_eq!(calls, expected);
    let expected = [result(open, r#"{"id":"n1"}"#), result(find, r#"["n1","n7"]"#)];
    assert_eq!(sorted(results.to_vec()), sorted(expected));
    assert_eq!(driven.outcomes(), SUCCESSES);
}

/// One call is the agent's own and answered by its backend, the other is a command's.
fn mixed(kind: Kind) {
    let driven = drive(kind, &Workbench::new(), "a mixed batch");
    assert_eq!(driven.order(), ["ran", "answered"]);
    assert_eq!(driven.step("ran")["commandId"], "notes.open");
    let open = &driven.step("answered")["toolCallId"];
    let clock = driven.shown().iter().find(|part| part["call"]["tool"] == "server_clock").unwrap();
    let clock = &clock["call"]["id"];

    let (calls, results) = driven.shown().split_at(4);
    let expected = [
        json!({ "user": "a mixed batch" }),
        json!({ "says": "One moment. " }),
        call(clock, "server_clock", json!({})),
        call(open, "notes__open", json!({ "id": "n1" })),
    ];
    assert_eq!(calls, expected);
    let expected = [result(clock, "12:00"), result(open, r#"{"id":"n1"}"#)];
    assert_eq!(sorted(results.to_vec()), sorted(expected));
    assert_eq!(driven.outcomes(), SUCCESSES);
    assert_eq!(driven.times_asked(), 2);
}

/// The person says no and why, and both reach the model; nothing has run.
fn declined(kind: Kind) {
    let workbench = Workbench::new().open_asks().person("notes.open", json!({ "no": "not today" }));
    let driven = drive(kind, &workbench, "open it");
    assert_eq!(driven.order(), ["asked", "answered"]);
    let expected = json!({
        "callId": driven.step("answered")["toolCallId"],
        "commandId": "notes.open",
        "arguments": { "id": "n1" },
        "agentConsent": "ask",
    });
    assert_eq!(*driven.step("asked"), expected);
    unanswered_in_words(&driven, "not today");
}

/// Says no to everything on the command line, whatever the file says.
fn declined_on_the_command_line(kind: Kind) {
    let workbench = Workbench::new().open_asks().person("notes.open", json!(true));
    let driven = drive_with(kind, &workbench, "open it", &["--no"]);
    assert_eq!(driven.order(), ["asked", "answered"]);
    assert_eq!(driven.outcomes(), SUCCESSES);
    assert!(driven.step("answered").get("error").is_some());
}

/// A second turn, in the same thread: the model is shown the first one whole, and nothing of it twice.
fn two_turns(kind: Kind) {
    let mut conversation = Conversation::with(kind, &Workbench::new());
    assert_eq!(conversation.turn("open it"), TurnEnd::Completed);
    assert_eq!(conversation.turn("a mixed batch"), TurnEnd::Completed);
    let driven = conversation.end();
    assert_eq!(driven.order(), ["ran", "answered", "ran", "answered"]);
    assert_eq!(driven.outcomes(), [SUCCESSES, SUCCESSES].concat());
    let [first, second] = [0, 1].map(|at| &driven.steps("answered")[at]["toolCallId"]);
    let (history, latest) = driven.shown().split_at(5);
    let expected = [
        json!({ "user": "open it" }),
        json!({ "says": "One moment. " }),
        call(first, "notes__open", json!({ "id": "n1" })),
        result(first, r#"{"id":"n1"}"#),
        json!({ "says": r#"I was told: {"id":"n1"}."# }),
    ];
    assert_eq!(history, expected);
    assert_eq!(latest[0], json!({ "user": "a mixed batch" }));
    assert_eq!(latest[3], call(second, "notes__open", json!({ "id": "n1" })));
    assert_eq!(latest.len(), 6);
    assert_eq!(driven.times_asked(), 4);
}

/// A turn that is cancelled while the command runs leaves a conversation that the agent takes up again.
fn cancelled_meanwhile(kind: Kind) {
    let workbench = Workbench::new().open_does(json!({ "echo": true, "delayMs": 5000 }));
    let mut conversation = Conversation::with(kind, &workbench);
    conversation.turn_cancelled("open it");
    assert_eq!(conversation.turn("thank you"), TurnEnd::Completed);
    let driven = conversation.end();
    let answered = driven.step("answered");
    let error = answered["error"].as_str().unwrap();
    let id = &answered["toolCallId"];
    let expected = [
        json!({ "user": "open it" }),
        json!({ "says": "One moment. " }),
        call(id, "notes__open", json!({ "id": "n1" })),
        result(id, error),
        json!({ "user": "thank you" }),
    ];
    assert!(error.contains("cancelled"), "{error}");
    assert_eq!(driven.shown(), expected);
}

/// The agent's model cannot be reached: that is where it ends, and the person is told why.
fn unreachable_model(kind: Kind) {
    let output = drive_anywhere(kind, &Workbench::new(), "unreachable");
    assert_eq!(output.code, Some(1), "{output:#?}");
    assert!(output.stderr.contains("the model is gone"), "{output:#?}");
    let [run] = &*output.lines() else { panic!("one run is expected: {output:#?}") };
    assert_eq!(run["run"]["outcome"], "error");
}

/// The only call got no answer but words, these among them, and the model is shown all of them.
fn unanswered_in_words(driven: &Driven, words: &str) {
    let answered = driven.step("answered");
    let error = answered["error"].as_str().unwrap();
    assert!(error.contains(words), "{error}");
    let shown = driven.result(&answered["toolCallId"]);
    assert!(shown.contains(error), "the model was shown {shown:?} of {error:?}");
    assert_eq!(driven.outcomes(), SUCCESSES);
    assert_eq!(driven.times_asked(), 2);
}

macro_rules! agents {
    ($($module:ident: $kind:ident,)*) => {
        $(
            mod $module {
                use crate::agent::Kind::$kind;

                #[test]
                fn one_call() {
                    super::one_call($kind);
                }

                #[test]
                fn error() {
                    super::error($kind);
                }

                #[test]
                fn parallel() {
                    super::parallel($kind);
                }

                #[test]
                fn mixed() {
                    super::mixed($kind);
                }

                #[test]
                fn declined() {
                    super::declined($kind);
                }

                #[test]
                fn two_turns() {
                    super::two_turns($kind);
                }

                #[test]
                fn cancelled_meanwhile() {
                    super::cancelled_meanwhile($kind);
                }

                #[test]
                fn unreachable_model() {
                    super::unreachable_model($kind);
                }
            }
        )*
    };
}

agents! {
    pydantic_ai: PydanticAi,
    lang_graph: LangGraph,
    node: Node,
}

#[test]
fn node_declined_on_the_command_line() {
    declined_on_the_command_line(Kind::Node);
}
