//! What particular frameworks do outside the protocol. Each framework has one file.

mod agno;
pub(crate) mod langgraph;
mod mastra;
mod plain;

pub use agno::AgnoConfirmation;
pub use plain::{PlainAnswer, plain_answer};

use drawloom_ag_ui::protocol::Json;
use serde_json::Value;

use crate::conversation::Interrupt;

/// The maximum length, in bytes, of a text that is made from metadata because the question has no message.
const SHOWN_BYTES: usize = 2_000;

/// The question of an interrupt as a text for the user. This is its message or, because some frameworks leave the
/// message out, a text from its metadata or from the schema of its answer.
///
/// ```
/// use drawloom_client::{Interrupt, question_text};
///
/// let asked = r#"{"id":"i","reason":"input_required","responseSchema":{"title":"Delivery date"}}"#;
/// let interrupt: Interrupt = serde_json::from_str(asked)?;
/// assert_eq!(question_text(&interrupt), "Delivery date");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn question_text(interrupt: &Interrupt) -> String {
    if let Some(message) = interrupt.message.as_deref().filter(|message| !message.trim().is_empty()) {
        return message.to_owned();
    }
    let value = |json: &Json<'_>| json.read::<Value>().ok();
    let metadata = interrupt.metadata.as_ref().and_then(value);
    let metadata = metadata.as_ref();
    let of_framework =
        metadata.and_then(|metadata| langgraph::question(metadata).or_else(|| mastra::question(metadata)));
    let of_schema = || {
        let schema = interrupt.response_schema.as_ref().and_then(value)?;
        text_member(&schema, "description").or_else(|| text_member(&schema, "title")).map(ToOwned::to_owned)
    };
    let of_metadata =
        || metadata.filter(|metadata| says_something(metadata)).map(|it| shown(&it.to_string()));
    let reason = &interrupt.reason;
    of_framework.or_else(of_schema).or_else(of_metadata).unwrap_or_else(|| {
        if reason.is_empty() { "The agent asks for an answer.".to_owned() } else { reason.to_string() }
    })
}

/// A member that is text and not blank.
fn text_member<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str().filter(|text| !text.trim().is_empty())
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::String(text) => !text.trim().is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

fn shown(text: &str) -> String {
    let end = text.floor_char_boundary(SHOWN_BYTES);
    let cut = text.get(..end).unwrap_or_default();
    if end == text.len() { cut.to_owned() } else { format!("{cut}…") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn asks(interrupt: Value) -> String {
        question_text(&serde_json::from_value(interrupt).unwrap())
    }

    #[test]
    fn a_question_without_a_message_is_shown_from_what_else_the_agent_says() {
        assert_eq!(
            asks(json!({"id": "i", "reason": "r", "message": "Really?", "metadata": {"a": 1}})),
            "Really?"
        );
        assert_eq!(
            asks(
                json!({"id": "i", "reason": "r", "message": " ", "responseSchema": {"title": "A", "description": "Which day?"}})
            ),
            "Which day?"
        );
        assert_eq!(
            asks(json!({"id": "i", "reason": "r", "metadata": {"day": "Monday"}})),
            r#"{"day":"Monday"}"#
        );
        assert_eq!(asks(json!({"id": "i", "reason": "input_required", "metadata": {}})), "input_required");
        assert_eq!(asks(json!({"id": "i", "reason": ""})), "The agent asks for an answer.");
        let long = asks(json!({"id": "i", "reason": "r", "metadata": "ä".repeat(10_000)}));
        assert!(long.len() <= SHOWN_BYTES + 3 && long.ends_with('…'), "{}", long.len());
    }

    #[test]
    fn the_frameworks_that_leave_the_message_out_are_read() {
        let asked = json!({
            "action_requests": [
                {"name": "send_mail", "args": {"to": "ada"}, "description": "Tool execution requires approval"},
                {"name": "delete", "args": {}},
            ],
            "review_configs": [{"action_name": "send_mail", "allowed_decisions": ["approve", "edit"]}],
        });
        assert_eq!(
            asks(json!({"id": "i", "reason": "langgraph:interrupt", "metadata": asked})),
            "send_mail {\"to\":\"ada\"}: Tool execution requires approval (approve, edit)\ndelete {}"
        );
        let suspended = json!({"toolName": "book", "suspendPayload": {"message": "Window or aisle?"}});
        assert_eq!(
            asks(json!({"id": "i", "reason": "tool_call", "metadata": suspended})),
            "Window or aisle?"
        );
        let suspended = json!({"toolName": "book", "args": {"seat": 1}});
        assert_eq!(
            asks(json!({"id": "i", "reason": "tool_call", "metadata": suspended})),
            "book {\"seat\":1}"
        );
    }
}
