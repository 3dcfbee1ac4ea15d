//! How interrupts are kept, and what is sent to answer them.

use serde_json::json;

use super::*;

#[test]
fn an_interrupt_reads_back_and_needs_an_id() {
    let full = json!({"id": "i", "reason": "tool_call", "message": "Really?", "toolCallId": "c", "expiresAt": "e",
        "responseSchema": {"properties": {"approved": {}}}, "metadata": {"a": null}, "subagentRunId": "s", "x": [1]});
    let interrupt: Interrupt<'static> = serde_json::from_value(full.clone()).unwrap();
    assert!(interrupt.accepts_member("approved") && !interrupt.accepts_member("editedArgs"));
    assert_eq!(serde_json::to_value(&interrupt).unwrap(), full);
    for text in ["{}", r#"{"id":""}"#, r#"{"id":7}"#, "[]"] {
        assert!(serde_json::from_str::<Interrupt<'_>>(text).is_err(), "{text}");
    }
}

#[test]
fn a_schema_that_is_no_schema_names_no_member() {
    for schema in ["7", "null", "[]", r#"{"properties":7}"#, r#"{"properties":[]}"#] {
        let interrupt =
            Interrupt { response_schema: Some(Json::new(schema).unwrap()), ..Interrupt::new("i", "r") };
        assert!(!interrupt.accepts_member("approved"), "{schema}");
    }
}

#[test]
fn the_ag_ui_crate_reads_the_answers_that_are_sent() {
    let interrupt = Interrupt::new("i", "tool_call");
    let metadata = Map::from_iter([("by".to_owned(), json!("Ann"))]);
    for (resume, expected) in [
        (
            Resume::resolved(&interrupt, json!({"approved": true})).with_metadata(metadata),
            json!({"interruptId": "i", "status": "resolved", "payload": {"approved": true}, "metadata": {"by": "Ann"}}),
        ),
        (Resume::resolved(&interrupt, Value::Null), json!({"interruptId": "i", "status": "resolved"})),
        (Resume::cancelled(&interrupt), json!({"interruptId": "i", "status": "cancelled"})),
    ] {
        let value = serde_json::to_value(&resume).unwrap();
        assert_eq!(value, expected);
        assert_eq!(resume.status.to_string(), expected["status"]);
        let read: ag_ui::ResumeEntry = serde_json::from_value(value).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), expected);
    }
}
