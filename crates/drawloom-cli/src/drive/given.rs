//! Answers that were given before they are asked for: with `--answer`, and in a script.
//!
//! An answer has a name: the id of a question or a call, the command or tool that is called, the reason of a question, or
//! `*` for everything else. The most particular name decides.

use std::collections::BTreeMap;

use drawloom::client::{Interrupt, PlainAnswer, plain_answer};
use drawloom::command::CommandArguments;
use drawloom::consent::Confirmation;
use serde_json::Value;

/// The name of the answer to everything that has no answer of its own.
const ANY: &str = "*";

/// Answers by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Given(BTreeMap<String, Value>);

impl Given {
    pub(super) fn new(answers: BTreeMap<String, Value>) -> Self {
        Self(answers)
    }

    /// The answer under the first of these names that has one, and otherwise the one for everything.
    pub(super) fn find(&self, names: &[&str]) -> Option<&Value> {
        self.named(names).or_else(|| self.0.get(ANY))
    }

    /// The answer under the first of these names that has one.
    pub(super) fn named(&self, names: &[&str]) -> Option<&Value> {
        names.iter().filter(|name| !name.is_empty()).find_map(|name| self.0.get(*name))
    }
}

/// What an answer means for a call that is to be allowed or approved.
pub(super) fn confirmation(answer: &Value) -> Confirmation {
    let unusable = || {
        Confirmation::Errored(
            "the answer that was given is not true, false, {\"no\":\"why\"} or {\"edit\":{…}}".to_owned(),
        )
    };
    let edited = |arguments: &Value| match CommandArguments::from_json(&arguments.to_string()) {
        Ok(arguments) => Confirmation::YesWith(arguments),
        Err(error) => Confirmation::Errored(format!("the arguments that were given cannot be used: {error}")),
    };
    match answer {
        Value::Bool(true) => Confirmation::Yes,
        Value::Bool(false) => Confirmation::No,
        Value::Object(members) => {
            let member = |name: &str| members.get(name).filter(|value| !value.is_null());
            let reason = |name: &str| member(name).and_then(Value::as_str);
            if let Some(why) = reason("no") {
                return Confirmation::NoBecause(why.to_owned());
            }
            if let Some(why) = reason("error") {
                return Confirmation::Errored(why.to_owned());
            }
            if let Some(arguments) = member("edit") {
                return edited(arguments);
            }
            // The form in which an agent takes it.
            match ["approved", "accepted", "confirmed"].iter().find_map(|name| member(name)?.as_bool()) {
                Some(true) => member("editedArgs").map_or(Confirmation::Yes, edited),
                Some(false) => {
                    reason("reason").map_or(Confirmation::No, |why| Confirmation::NoBecause(why.to_owned()))
                }
                None => unusable(),
            }
        }
        _ => unusable(),
    }
}

/// What an answer means for a question of the agent: true, false and `{"no":…}` are a plain yes or no where the question
/// has one, and everything else is the payload.
pub(super) fn payload(interrupt: &Interrupt, answer: &Value) -> Option<Value> {
    match answer {
        Value::Bool(true) => plain_answer(interrupt, PlainAnswer::Yes).or(Some(Value::Bool(true))),
        Value::Bool(false) => plain_answer(interrupt, PlainAnswer::No(None)).or(Some(Value::Bool(false))),
        Value::Object(members) if members.len() == 1 && members.contains_key("no") => {
            let why = members.get("no").and_then(Value::as_str);
            plain_answer(interrupt, PlainAnswer::No(why)).or_else(|| Some(answer.clone()))
        }
        Value::Null => None,
        other => Some(other.clone()),
    }
}

/// What an answer means for a paused tool of the agent, which waits for a tool message: its text.
pub(super) fn reply(answer: &Value) -> String {
    match answer {
        Value::Bool(accepted) => format!("{{\"accepted\":{accepted}}}"),
        Value::String(text) => text.clone(),
        Value::Object(members) if members.len() == 1 && members.contains_key("no") => {
            "{\"accepted\":false}".to_owned()
        }
        other => other.to_string(),
    }
}

/// An answer of the person as `--answer` takes it, for the recording and the transcript.
pub(super) fn as_answer(confirmation: &Confirmation) -> Value {
    match confirmation {
        Confirmation::Yes => true.into(),
        Confirmation::YesWith(arguments) => serde_json::json!({ "edit": arguments }),
        Confirmation::No => false.into(),
        Confirmation::NoBecause(why) => serde_json::json!({ "no": why }),
        Confirmation::Errored(why) => serde_json::json!({ "error": why }),
        Confirmation::Cancelled => serde_json::json!({ "error": "nobody answered" }),
        Confirmation::TimedOut => serde_json::json!({ "error": "the question timed out" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(answers: Value) -> Given {
        Given::new(serde_json::from_value(answers).unwrap())
    }

    #[test]
    fn the_most_particular_name_decides() {
        let given = given(json!({ "c1": 1, "notes.delete": 2, "*": 3 }));
        assert_eq!(given.find(&["c1", "notes.delete"]), Some(&json!(1)));
        assert_eq!(given.find(&["c2", "notes.delete"]), Some(&json!(2)));
        assert_eq!(given.find(&["c2", ""]), Some(&json!(3)));
        assert_eq!(given.named(&["c2", ""]), None);
    }

    #[test]
    fn answers_about_calls_have_two_spellings() {
        let edited = Confirmation::YesWith(CommandArguments::new().with("path", "b"));
        for (answer, expected) in [
            (json!(true), Confirmation::Yes),
            (json!({ "approved": true }), Confirmation::Yes),
            (json!({ "no": "why" }), Confirmation::NoBecause("why".into())),
            (json!({ "approved": false, "reason": "why" }), Confirmation::NoBecause("why".into())),
            (json!({ "edit": { "path": "b" } }), edited.clone()),
            (json!({ "approved": true, "editedArgs": { "path": "b" } }), edited),
        ] {
            assert_eq!(confirmation(&answer), expected, "{answer}");
            if !answer.to_string().contains("approved") {
                assert_eq!(as_answer(&expected), answer);
            }
        }
        assert!(matches!(confirmation(&json!("yes")), Confirmation::Errored(_)));
        assert!(matches!(confirmation(&json!({ "edit": { "a": {} } })), Confirmation::Errored(_)));
    }

    #[test]
    fn answers_to_paused_tools_are_text() {
        assert_eq!(reply(&json!(true)), r#"{"accepted":true}"#);
        assert_eq!(reply(&json!({ "no": "why" })), r#"{"accepted":false}"#);
        assert_eq!(reply(&json!("blue")), "blue");
        assert_eq!(reply(&json!({ "a": 1 })), r#"{"a":1}"#);
    }
}
