//! LangGraph: `interrupt()` arrives as a custom event named `on_interrupt`, whose value is whatever the graph asks with,
//! and servers that know no `resume` take the answer in `forwardedProps`. Its human-in-the-loop middleware asks about
//! several actions at once, without a message.

use serde_json::{Value, json};

use super::{shown, text_member};
use crate::wire::{Channel, Interrupt, Resume, ResumeStatus};

/// The name of the custom event.
pub(crate) const ON_INTERRUPT: &str = "on_interrupt";

/// The question of a custom event with this value.
pub(crate) fn interrupt(value: Value, id: String) -> Interrupt {
    let mut interrupt = Interrupt::new(id, "langgraph:interrupt");
    interrupt.channel = Channel::LangGraph;
    let asked = match value {
        // What is not text is sent as its JSON.
        Value::String(text) => crate::told::held(&text).unwrap_or(Value::String(text)),
        other => other,
    };
    match &asked {
        Value::Object(_) => interrupt.fill(&asked),
        Value::String(text) => interrupt.message = Some(text.clone()),
        other => interrupt.message = Some(other.to_string()),
    }
    interrupt.metadata = Some(asked);
    interrupt
}

/// Puts the answer where servers that know no `resume` read it. They ask one thing at a time.
pub(crate) fn add_resume_command(props: &mut Value, asked: &[Interrupt], resume: &[Resume]) {
    let [Resume { status: ResumeStatus::Resolved, payload: Some(payload), interrupt_id }] = resume else {
        return;
    };
    let is_asked = asked.iter().any(|it| it.id == *interrupt_id && it.channel == Channel::LangGraph);
    if is_asked && let Some(props) = props.as_object_mut() {
        props.insert("command".to_owned(), json!({ "resume": payload }));
    }
}

/// The question of the human-in-the-loop middleware: each action with its arguments, and the decisions it allows.
pub(super) fn question(metadata: &Value) -> Option<String> {
    if let Some(question) = text_member(metadata, "question") {
        return Some(question.to_owned());
    }
    let member = |snake: &str, camel: &str| metadata.get(snake).or_else(|| metadata.get(camel))?.as_array();
    let actions = member("action_requests", "actionRequests").filter(|actions| !actions.is_empty())?;
    let configs = member("review_configs", "reviewConfigs");
    let mut lines = Vec::new();
    for action in actions {
        let name =
            text_member(action, "name").or_else(|| text_member(action, "action")).unwrap_or("an action");
        let arguments = action.get("args").or_else(|| action.get("arguments"));
        let mut line = arguments.map_or_else(|| name.to_owned(), |arguments| format!("{name} {arguments}"));
        if let Some(description) = text_member(action, "description") {
            line = format!("{line}: {description}");
        }
        let config = configs.and_then(|configs| {
            let is_its = |config: &&Value| {
                text_member(config, "action_name").or_else(|| text_member(config, "actionName")) == Some(name)
            };
            configs.iter().find(is_its)
        });
        let allowed = config.and_then(|config| {
            config.get("allowed_decisions").or_else(|| config.get("allowedDecisions"))?.as_array()
        });
        if let Some(allowed) = allowed {
            let allowed: Vec<_> = allowed.iter().filter_map(Value::as_str).collect();
            line = format!("{line} ({})", allowed.join(", "));
        }
        lines.push(shown(&line));
    }
    Some(shown(&lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question_text;

    fn asked(value: Value) -> Interrupt {
        interrupt(value, "i".to_owned())
    }

    #[test]
    fn it_asks_in_words_in_json_or_in_json_within_text() {
        assert_eq!(asked("Really?".into()).message.as_deref(), Some("Really?"));
        let text = r#"{"reason":"confirmation","message":"Really?","tool_call_id":"c"}"#;
        let interrupt = asked(text.into());
        assert_eq!((&*interrupt.reason, interrupt.message.as_deref()), ("confirmation", Some("Really?")));
        assert_eq!(interrupt.tool_call_id, Some("c".into()));
        let interrupt = asked(json!({"question": "Which?"}));
        assert_eq!(question_text(&interrupt), "Which?");
        assert_eq!(interrupt.metadata, Some(json!({"question": "Which?"})));
        assert_eq!(question_text(&asked(json!({"a": 1}))), r#"{"a":1}"#);
    }

    #[test]
    fn a_single_answer_is_put_into_the_forwarded_properties_too() {
        let interrupt = asked("Which?".into());
        let resume = Resume::resolved(&interrupt, json!("blue"));
        let mut props = json!({ "kept": 1 });
        add_resume_command(&mut props, std::slice::from_ref(&interrupt), std::slice::from_ref(&resume));
        assert_eq!(props, json!({ "kept": 1, "command": { "resume": "blue" } }));
        let mut props = json!({});
        add_resume_command(&mut props, &[Interrupt::new("i", "tool_call")], &[resume]);
        assert_eq!(props, json!({}));
    }
}
