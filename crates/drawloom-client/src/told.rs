//! What the client reads of an event besides what the adapter does: texts, who made a call, results, questions.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::wire::{Interrupt, Message};

/// What an event tells that the adapter's reading of it does not.
#[derive(Debug, PartialEq)]
pub(crate) enum Told {
    /// A text begins or goes on. Without an id it is the one before.
    Text { id: Option<String>, role: Option<String>, delta: String },
    /// The message a call belongs to.
    CallParent(Option<String>),
    /// What the backend answered, and in which message.
    Result { message_id: Option<String>, content: Value, error: Option<String> },
    /// The whole conversation.
    Snapshot(Vec<Message>),
    /// What the agent asks.
    Interrupts(Vec<Interrupt>),
    /// What LangGraph asks, in an event of its own.
    LangGraph(Value),
    /// Why the run failed.
    Error { message: String, code: Option<String> },
    /// Nothing besides.
    Nothing,
}

#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

/// The type of an event, without reading the rest of it into anything.
pub(crate) fn kind(event: &str) -> Cow<'_, str> {
    serde_json::from_str::<Kind<'_>>(event).map(|read| read.kind).unwrap_or_default()
}

impl Told {
    pub(crate) fn read(kind: &str, event: &str) -> Self {
        const READ: [&str; 11] = [
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_CHUNK",
            "TOOL_CALL_START",
            "TOOL_CALL_CHUNK",
            "TOOL_CALL_RESULT",
            "MESSAGES_SNAPSHOT",
            "RUN_STARTED",
            "RUN_FINISHED",
            "RUN_ERROR",
            "CUSTOM",
        ];
        if !READ.contains(&kind) {
            return Self::Nothing;
        }
        let read = serde_json::from_str(event).or_else(|_| serde_json::from_str(&mended(event)));
        let Ok(mut event): Result<Value, _> = read else { return Self::Nothing };
        let text = |key: &str| {
            event.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(ToOwned::to_owned)
        };
        match kind {
            "TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => Self::Text {
                id: text("messageId"),
                role: text("role"),
                delta: text("delta").unwrap_or_default(),
            },
            "TOOL_CALL_START" | "TOOL_CALL_CHUNK" => Self::CallParent(text("parentMessageId")),
            "TOOL_CALL_RESULT" => Self::Result {
                message_id: text("messageId"),
                error: text("error"),
                content: event
                    .get("content")
                    .filter(|it| !it.is_null())
                    .cloned()
                    .unwrap_or_else(|| "".into()),
            },
            "MESSAGES_SNAPSHOT" => match event.get_mut("messages").map(Value::take) {
                Some(Value::Array(messages)) => {
                    Self::Snapshot(messages.into_iter().filter_map(Message::read).collect())
                }
                _ => Self::Nothing,
            },
            "RUN_FINISHED" => {
                let outcome = event.get("outcome");
                let asked = outcome.and_then(|outcome| outcome.get("interrupts")).and_then(Value::as_array);
                Self::Interrupts(asked.into_iter().flatten().filter_map(Interrupt::read).collect())
            }
            "RUN_ERROR" => Self::Error { message: text("message").unwrap_or_default(), code: text("code") },
            "CUSTOM" if event.get("name").is_some_and(|name| name == "on_interrupt") => {
                Self::LangGraph(event)
            }
            _ => Self::Nothing,
        }
    }
}

/// The text with every half of a character that stands alone, as JavaScript can write it, made a U+FFFD, as the
/// adapter reads it.
fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        mended.push_str(before);
        let unit = |text: &str| {
            let digits = text.strip_prefix('u')?.get(..4)?;
            u32::from_str_radix(digits, 16).ok()
        };
        // A backslash and what it escapes, so that an escaped backslash escapes nothing.
        let escaped = after.chars().next().map_or(0, char::len_utf8);
        let (first, length) = (unit(after), if unit(after).is_some() { 5 } else { escaped });
        let low = after.get(5..).and_then(|next| unit(next.strip_prefix('\\')?));
        let (keep, length) = match first {
            Some(0xd800..0xdc00) if matches!(low, Some(0xdc00..0xe000)) => (true, 11),
            Some(0xd800..0xe000) => (false, length),
            _ => (true, length),
        };
        if keep {
            mended.push('\\');
            mended.push_str(after.get(..length).unwrap_or_default());
        } else {
            mended.push_str("\\ufffd");
        }
        rest = after.get(length..).unwrap_or_default();
    }
    mended.push_str(rest);
    mended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_none_and_a_whole_one_stays() {
        assert_eq!(mended(r#"{"a":"\ud800"}"#), r#"{"a":"\ufffd"}"#);
        assert_eq!(
            mended(r#""\ud83d\ude42 \\ud800 \n \udc00x \u00e4""#),
            r#""\ud83d\ude42 \\ud800 \n \ufffdx \u00e4""#
        );
        let event = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d"}"#;
        let told = Told::Text { id: Some("m".into()), role: None, delta: "a\u{fffd}".into() };
        assert_eq!(Told::read(&kind(event), event), told);
    }

    #[test]
    fn lang_graph_asks_in_json_within_text_or_in_words() {
        let ask = |value: &str| {
            let event = format!(r#"{{"type":"CUSTOM","name":"on_interrupt","value":{value}}}"#);
            let Told::LangGraph(event) = Told::read("CUSTOM", &event) else {
                panic!("{event} is no question")
            };
            Interrupt::read_lang_graph(&event, "i".into())
        };
        assert_eq!(ask(r#""Really?""#).message.as_deref(), Some("Really?"));
        let asked = ask(r#""{\"reason\":\"confirmation\",\"message\":\"Really?\",\"tool_call_id\":\"c\"}""#);
        assert_eq!((&*asked.reason, asked.message.as_deref()), ("confirmation", Some("Really?")));
        assert_eq!(asked.tool_call_id, Some("c".into()));
        assert_eq!(ask(r#"{"question":"Which?"}"#).message.as_deref(), Some(r#"{"question":"Which?"}"#));
    }
}
