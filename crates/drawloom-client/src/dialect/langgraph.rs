//! LangGraph: `interrupt()` arrives as a custom event named `on_interrupt`, whose value is chosen by the graph. Servers
//! that do not support `resume` read the answer from `forwardedProps`. Its human-in-the-loop middleware asks about
//! several actions at once, without a message.

use drawloom_ag_ui::protocol::{CustomEvent, Json, Resume, ResumeStatus};
use serde_json::{Map, Value, json};

use super::{shown, text_member};
use crate::conversation::Interrupt;

/// The name of the custom event.
pub(crate) const ON_INTERRUPT: &str = "on_interrupt";

/// The member of an interrupt that says how the answer is sent, and its value for this framework.
const CHANNEL: (&str, &str) = ("channel", "\"langgraph\"");

/// The question in such an event. Its id is in the framework's own event, if the server sends one.
pub(crate) fn interrupt(
    event: &CustomEvent<'_>,
    raw_event: Option<&Json<'_>>,
    fallback_id: String,
) -> Interrupt {
    let raw: Option<Value> = raw_event.and_then(|raw| raw.read().ok());
    let id = raw.as_ref().and_then(|raw| text_member(raw, "id")).map(ToOwned::to_owned);
    let asked = event.value.read::<Value>().unwrap_or(Value::Null);
    let asked = match asked {
        // A value that is not text is converted to JSON.
        Value::String(text) => match Json::new(&text).map(|json| json.read()) {
            Ok(Ok(value)) => value,
            _ => Value::String(text),
        },
        other => other,
    };
    let mut interrupt = Interrupt::new(id.unwrap_or(fallback_id), "langgraph:interrupt");
    match &asked {
        Value::Object(members) => fill(&mut interrupt, members),
        Value::String(text) => interrupt.message = Some(text.clone().into()),
        other => interrupt.message = Some(other.to_string().into()),
    }
    interrupt.metadata = Some(Json::from(asked));
    let (member, channel) = CHANNEL;
    if let Ok(channel) = Json::new(channel) {
        interrupt.extra.push((member.into(), channel));
    }
    interrupt
}

/// Converts the question of the graph to an interrupt of the protocol.
fn fill(interrupt: &mut Interrupt, members: &Map<String, Value>) {
    let member = |camel: &str, snake: &str| members.get(camel).or_else(|| members.get(snake));
    let text = |camel, snake| member(camel, snake).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let Some(reason) = text("reason", "reason") {
        interrupt.reason = reason.to_owned().into();
    }
    interrupt.message = text("message", "message").map(|text| text.to_owned().into());
    interrupt.tool_call_id = text("toolCallId", "tool_call_id").map(|text| text.to_owned().into());
    interrupt.response_schema =
        member("responseSchema", "response_schema").filter(|schema| !schema.is_null()).map(Json::from);
    interrupt.expires_at = text("expiresAt", "expires_at").map(|text| text.to_owned().into());
}

/// Adds the answer where servers without support for `resume` read it. They ask one question at a time.
pub(crate) fn add_resume_command(props: &mut Value, asked: &[Interrupt], resume: &[Resume]) {
    let [Resume { status: ResumeStatus::Resolved, payload: Some(payload), interrupt_id, .. }] = resume else {
        return;
    };
    let is_own = |interrupt: &Interrupt| {
        let (member, channel) = CHANNEL;
        interrupt.extra.iter().any(|(name, json)| name == member && json.get() == channel)
    };
    let is_asked = asked.iter().any(|it| it.id == *interrupt_id && is_own(it));
    if is_asked && let Some(props) = props.as_object_mut() {
        props.insert("command".to_owned(), json!({ "resume": payload }));
    }
}

/// One decision for all actions of the human-in-the-loop middleware, if each of them allows it. Its answer is
/// `{"decisions":[{"type":"approve"}]}` or `{"decisions":[{"type":"reject","message":…}]}`, in the order of the actions.
pub(super) fn decisions(metadata: &Value, decision: &str, message: Option<&str>) -> Option<Value> {
    let member = |snake: &str, camel: &str| metadata.get(snake).or_else(|| metadata.get(camel))?.as_array();
    let actions = member("action_requests", "actionRequests").filter(|actions| !actions.is_empty())?;
    let configs = member("review_configs", "reviewConfigs");
    let is_allowed = |action: &Value| {
        let name = text_member(action, "name").or_else(|| text_member(action, "action"));
        let config = configs?.iter().find(|config| {
            text_member(config, "action_name").or_else(|| text_member(config, "actionName")) == name
        });
        let allowed =
            config?.get("allowed_decisions").or_else(|| config?.get("allowedDecisions"))?.as_array()?;
        Some(allowed.iter().any(|allowed| allowed == decision))
    };
    // What is not stated is allowed.
    if !actions.iter().all(|action| is_allowed(action).unwrap_or(true)) {
        return None;
    }
    let answer = match message {
        Some(message) => json!({ "type": decision, "message": message }),
        None => json!({ "type": decision }),
    };
    Some(json!({ "decisions": vec![answer; actions.len()] }))
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
    use drawloom_ag_ui::{Event, EventKind};

    fn asked(value: Value) -> Interrupt {
        let event = json!({"type": "CUSTOM", "name": ON_INTERRUPT, "value": value}).to_string();
        let event = Event::parse(&event).unwrap();
        let EventKind::Custom(custom) = &event.kind else { panic!("{event:?}") };
        interrupt(custom, None, "i".to_owned())
    }

    #[test]
    fn it_asks_in_words_in_json_or_in_json_within_text() {
        assert_eq!(asked("Really?".into()).message.as_deref(), Some("Really?"));
        let text = r#"{"reason":"confirmation","message":"Really?","tool_call_id":"c"}"#;
        let interrupt = asked(text.into());
        assert_eq!((&*interrupt.reason, interrupt.message.as_deref()), ("confirmation", Some("Really?")));
        assert_eq!(interrupt.tool_call_id.as_deref(), Some("c"));
        let interrupt = asked(json!({"question": "Which?"}));
        assert_eq!(question_text(&interrupt), "Which?");
        assert_eq!(interrupt.metadata.unwrap().get(), r#"{"question":"Which?"}"#);
        assert_eq!(question_text(&asked(json!({"a": 1}))), r#"{"a":1}"#);
    }

    #[test]
    fn a_question_that_was_kept_is_still_answered_in_its_own_way() {
        let kept = serde_json::to_string(&asked("Which?".into())).unwrap();
        let interrupt: Interrupt = serde_json::from_str(&kept).unwrap();
        let mut props = json!({});
        let resume = Resume::resolved(&interrupt, json!("blue"));
        add_resume_command(&mut props, &[interrupt], &[resume]);
        assert_eq!(props, json!({ "command": { "resume": "blue" } }));
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
