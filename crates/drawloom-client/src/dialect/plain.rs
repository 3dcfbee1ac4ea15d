//! Questions that have a plain yes and a plain no, in the forms of the frameworks.

use serde_json::{Map, Value};

use super::langgraph;
use crate::conversation::Interrupt;
use crate::response_schema;

/// The members that agents ask a yes or a no in.
const MEMBERS: [&str; 7] = ["approved", "accepted", "confirmed", "approve", "accept", "confirm", "ok"];

/// A yes or a no, without anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainAnswer<'a> {
    /// Yes.
    Yes,
    /// No, with the reason if there is one. It is sent where the agent takes one.
    No(Option<&'a str>),
}

/// The plain yes or no to a question of an agent, in the form that the agent expects, if the question has one: a schema
/// with a member `approved`, `accepted` or `confirmed`, a schema of a boolean, or the decisions of LangGraph's middleware.
/// `None` if the question needs more than yes or no.
///
/// ```
/// use drawloom_client::{Interrupt, PlainAnswer, plain_answer};
/// use serde_json::json;
///
/// let asked = r#"{"id":"i","reason":"r","responseSchema":{"type":"object","properties":{"accepted":{"type":"boolean"}}}}"#;
/// let interrupt: Interrupt = serde_json::from_str(asked)?;
/// assert_eq!(plain_answer(&interrupt, PlainAnswer::Yes), Some(json!({ "accepted": true })));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn plain_answer(interrupt: &Interrupt, answer: PlainAnswer<'_>) -> Option<Value> {
    let (is_yes, reason) = match answer {
        PlainAnswer::Yes => (true, None),
        PlainAnswer::No(reason) => (false, reason),
    };
    let schema: Option<Value> = interrupt.response_schema.as_ref().and_then(|schema| schema.read().ok());
    let fits = |payload: &Value| {
        schema.as_ref().is_none_or(|schema| response_schema::check(schema, payload).is_ok())
    };
    let metadata: Option<Value> = interrupt.metadata.as_ref().and_then(|metadata| metadata.read().ok());
    if let Some(metadata) = &metadata
        && let Some(payload) =
            langgraph::decisions(metadata, if is_yes { "approve" } else { "reject" }, reason)
    {
        return Some(payload).filter(fits);
    }
    let Some(schema) = &schema else {
        // The protocol states the form of an approval, so that it needs no schema.
        let is_approval = matches!(&*interrupt.reason, "tool_call" | "confirmation");
        return is_approval.then(|| serde_json::json!({ "approved": is_yes }));
    };
    if schema.get("type").is_some_and(|kind| kind == "boolean") {
        return Some(Value::Bool(is_yes)).filter(fits);
    }
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let member = MEMBERS.iter().find(|member| properties.contains_key(**member))?;
    let mut payload = Map::new();
    payload.insert((*member).to_owned(), is_yes.into());
    for name in ["reason", "message"] {
        if let Some(reason) = reason
            && properties.contains_key(name)
        {
            payload.insert(name.to_owned(), reason.into());
            break;
        }
    }
    Some(Value::Object(payload)).filter(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answers(interrupt: Value) -> (Option<Value>, Option<Value>) {
        let interrupt: Interrupt = serde_json::from_value(interrupt).unwrap();
        (plain_answer(&interrupt, PlainAnswer::Yes), plain_answer(&interrupt, PlainAnswer::No(Some("why"))))
    }

    fn asks(schema: Value) -> Value {
        json!({ "id": "i", "reason": "input_required", "responseSchema": schema })
    }

    #[test]
    fn each_form_of_a_plain_question_has_a_yes_and_a_no() {
        for member in ["approved", "accepted", "confirmed"] {
            let schema = json!({ "type": "object", "properties": { member: { "type": "boolean" } }, "required": [member] });
            assert_eq!(
                answers(asks(schema)),
                (Some(json!({ member: true })), Some(json!({ member: false })))
            );
        }
        assert_eq!(answers(asks(json!({ "type": "boolean" }))), (Some(json!(true)), Some(json!(false))));
        let plain = json!({ "id": "i", "reason": "confirmation" });
        assert_eq!(answers(plain), (Some(json!({ "approved": true })), Some(json!({ "approved": false }))));
        let reasoned = json!({ "properties": { "accepted": {}, "reason": {} } });
        assert_eq!(answers(asks(reasoned)).1, Some(json!({ "accepted": false, "reason": "why" })));
    }

    #[test]
    fn the_decisions_of_langgraph_are_one_for_each_action_that_allows_them() {
        let asked = |allowed: Value| {
            json!({ "id": "i", "reason": "langgraph:interrupt", "metadata": {
                "action_requests": [{ "name": "mail", "args": {} }, { "name": "open", "args": {} }],
                "review_configs": [{ "action_name": "mail", "allowed_decisions": allowed }] } })
        };
        let (yes, no) = answers(asked(json!(["approve", "reject"])));
        assert_eq!(yes, Some(json!({ "decisions": [{ "type": "approve" }, { "type": "approve" }] })));
        assert_eq!(no.unwrap()["decisions"][1], json!({ "type": "reject", "message": "why" }));
        assert_eq!(answers(asked(json!(["edit"]))), (None, None));
    }

    #[test]
    fn a_question_that_needs_more_has_neither() {
        assert_eq!(answers(json!({ "id": "i", "reason": "input_required" })), (None, None));
        assert_eq!(answers(asks(json!({ "type": "string" }))), (None, None));
        let more = json!({ "properties": { "approved": {}, "by": {} }, "required": ["approved", "by"] });
        assert_eq!(answers(asks(more)), (None, None));
    }
}
