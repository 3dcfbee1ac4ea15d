//! What an agent wants approved: a call of its own tool `delete_note`, for which it interrupts the run.
//!
//! The call is the agent's, so it is neither run nor answered here, whatever the person says; the answer to the
//! question is the next run's `resume`.

use drawloom::client::TurnEnd;
use serde_json::{Value, json};

use crate::agent::Kind;
use crate::drive::{Conversation, Driven, drive};
use crate::workbench::Workbench;

/// Asks for the deletion of `n1`, with a person who answers so, and checks what holds whatever they say: they were
/// asked, once, about the call as the agent made it, in its words.
fn asked(kind: Kind, answer: Value) -> Driven {
    let workbench = Workbench::new().person("delete_note", answer);
    let driven = drive(kind, &workbench, "delete it");
    assert_eq!(driven.order(), ["asked"]);
    let message = &driven.step("asked")["approval"]["message"];
    assert!(message.as_str().is_some_and(|message| !message.is_empty()), "{driven:#?}");
    let expected = json!({
        "callId": deletion(&driven),
        "commandId": "delete_note",
        "arguments": { "id": "n1" },
        "agentConsent": "ask-always",
        // LangGraph's graph takes a yes or a no.
        "approval": { "message": message, "takesEdits": !matches!(kind, Kind::LangGraph | Kind::LangGraphInterrupting) },
    });
    let mut asked = driven.step("asked").clone();
    // What else an agent sends with its question differs from agent to agent.
    let approval = asked["approval"].as_object_mut().unwrap();
    approval.retain(|name, _| !matches!(name.as_str(), "metadata" | "responseSchema"));
    assert_eq!(asked, expected);
    driven
}

/// The id of the deletion.
fn deletion(driven: &Driven) -> &Value {
    let call = driven.shown().iter().find(|part| part["call"]["tool"] == "delete_note");
    &call.expect("the model is shown its call")["call"]["id"]
}

/// The run was resumed once with this status and payload, and the model was shown what came of it. Answers its words.
fn resumed<'a>(driven: &'a Driven, status: &str, payload: Option<Value>) -> &'a str {
    assert_eq!(driven.outcomes(), ["interrupt", "success"]);
    let [first, second] = driven.requests() else { panic!("two runs are expected: {driven:#?}") };
    assert_eq!(first.get("resume"), None);
    let [resume] = &**second["resume"].as_array().unwrap() else { panic!("one answer: {second:#}") };
    assert_eq!((&resume["status"], resume.get("payload")), (&json!(status), payload.as_ref()));
    let id = deletion(driven);
    let interrupt = resume["interruptId"].as_str().unwrap();
    // LangGraph names the question, the others the call it is about.
    assert!(!interrupt.is_empty() && (interrupt.len() == 32 || interrupt.ends_with(id.as_str().unwrap())));
    driven.result(id)
}

fn approved(kind: Kind) {
    let driven = asked(kind, json!(true));
    let words = resumed(&driven, "resolved", Some(json!({ "approved": true })));
    assert_eq!(words, "deleted n1");
    assert_eq!(driven.steps("text").last(), Some(&&json!("I was told: deleted n1.")));
}

/// The agent says that changed arguments are taken, so it is sent the changed ones.
fn edited_where_edits_are_taken(kind: Kind) {
    let driven = asked(kind, json!({ "edit": { "id": "n2" } }));
    let payload = json!({ "approved": true, "editedArgs": { "id": "n2" } });
    assert_eq!(resumed(&driven, "resolved", Some(payload)), "deleted n2");
}

/// The agent takes no changed arguments. What the person approved is not what it would run, so it is sent a no.
fn edited_where_they_are_not(kind: Kind) {
    let driven = asked(kind, json!({ "edit": { "id": "n2" } }));
    let reason = "the arguments were changed, and the agent does not accept changes";
    let words = resumed(&driven, "resolved", Some(json!({ "approved": false, "reason": reason })));
    assert_eq!(words, format!("not allowed: {reason}"));
}

fn refused(kind: Kind) {
    let driven = asked(kind, json!({ "no": "not today" }));
    let payload = json!({ "approved": false, "reason": "not today" });
    let words = resumed(&driven, "resolved", Some(payload));
    assert!(words.contains("not today"), "{words:?}");
}

/// Nobody is there to ask: the agent is told that, which is neither a yes nor a no.
fn cancelled(kind: Kind, words: &str) {
    let mut conversation = Conversation::with(kind, &Workbench::new());
    assert_eq!(conversation.turn("delete it"), TurnEnd::Completed);
    // Without a terminal and without `consent` in the file, nobody sits before the binary either.
    for driven in [conversation.end(), drive(kind, &Workbench::new(), "delete it")] {
        assert_eq!(resumed(&driven, "cancelled", None), words);
        assert!(driven.steps("ran").is_empty() && driven.steps("answered").is_empty(), "{driven:#?}");
    }
}

/// What was asked and answered stands in the way of nothing that is said later.
fn afterwards(kind: Kind, words: &str) {
    let mut conversation = Conversation::with(kind, &Workbench::new());
    assert_eq!(conversation.turn("delete it"), TurnEnd::Completed);
    assert_eq!(conversation.turn("thank you"), TurnEnd::Completed);
    let driven = conversation.end();
    assert_eq!(driven.outcomes(), ["interrupt", "success", "success"]);
    let last = [json!({ "says": format!("I was told: {words}.") }), json!({ "user": "thank you" })];
    assert!(driven.shown().ends_with(&last), "{driven:#?}");
    assert_eq!(driven.requests()[2].get("resume"), None);
}

/// The model calls `notes.open` and its own tool in one message: the one is run and answered, the other is asked about,
/// and both go into the next run.
fn beside_a_command(kind: Kind) {
    let driven = drive(kind, &Workbench::new().person("delete_note", json!(true)), "both");
    let answered = driven.step("answered");
    assert_eq!(driven.step("ran")["commandId"], "notes.open");
    assert_eq!(driven.step("asked")["commandId"], "delete_note");
    assert_eq!(answered["content"], r#"{"id":"n1"}"#);
    assert_eq!(resumed(&driven, "resolved", Some(json!({ "approved": true }))), "deleted n1");
    assert_eq!(driven.result(&answered["toolCallId"]), r#"{"id":"n1"}"#);
}

macro_rules! agents {
    ($($module:ident: $kind:ident, $edited:ident, $cancelled:literal;)*) => {
        $(
            mod $module {
                use crate::agent::Kind::$kind;

                #[test]
                fn approved() {
                    super::approved($kind);
                }

                #[test]
                fn edited() {
                    super::$edited($kind);
                }

                #[test]
                fn refused() {
                    super::refused($kind);
                }

                #[test]
                fn cancelled() {
                    super::cancelled($kind, $cancelled);
                }

                #[test]
                fn afterwards() {
                    super::afterwards($kind, $cancelled);
                }
            }
        )*
    };
}

agents! {
    pydantic_ai: PydanticAiApproval, edited_where_edits_are_taken, "Cancelled by user.";
    lang_graph: LangGraph, edited_where_they_are_not, "nobody answered";
    node: Node, edited_where_edits_are_taken, "nobody answered";
}

#[test]
fn pydantic_ai_asks_beside_a_command() {
    beside_a_command(Kind::PydanticAiApproval);
}

#[test]
fn node_asks_beside_a_command() {
    beside_a_command(Kind::Node);
}

/// A question that is asked in two ways is one question.
#[test]
fn lang_graph_asks_once_in_both_ways() {
    approved(Kind::LangGraphInterrupting);
}

/// LangGraph takes nothing but the `resume` of a run that is resumed. The answer to the command's call went with it, and
/// goes with every run after it, so the next turn brings it to the model.
#[test]
fn lang_graph_hears_of_the_command_with_the_next_turn() {
    let mut conversation = Conversation::with(Kind::LangGraph, &Workbench::new());
    assert_eq!(conversation.turn("both"), TurnEnd::Completed);
    assert_eq!(conversation.turn("thank you"), TurnEnd::Completed);
    let driven = conversation.end();
    let answered = driven.step("answered");
    let resumed = driven.requests()[1]["messages"].as_array().unwrap();
    assert!(resumed.iter().any(|message| message["toolCallId"] == answered["toolCallId"]), "{resumed:#?}");
    assert_eq!(driven.result(&answered["toolCallId"]), r#"{"id":"n1"}"#);
    assert_eq!(driven.result(deletion(&driven)), "nobody answered");
    assert_eq!(driven.times_asked(), 2);
}
