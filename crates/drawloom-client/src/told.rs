//! What the client reads of an event besides what the adapter does: texts, who made a call, results, questions.

use std::collections::HashMap;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

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
    LangGraph { id: Option<String>, value: Value },
    /// Why the run failed.
    Error { message: String, code: Option<String> },
    /// Nothing besides.
    Nothing,
}

/// The members that are read of any event, as they stand in its text. Of two under one name the last counts, as
/// everywhere in JSON.
#[derive(Default)]
struct Members<'a>(HashMap<Member, &'a RawValue>);

/// A member by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Member {
    Type,
    MessageId,
    Role,
    Delta,
    ParentMessageId,
    Error,
    Content,
    Messages,
    Outcome,
    Message,
    Code,
    Name,
    Value,
    RawEvent,
    #[serde(other)]
    Unknown,
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
                let mut members = HashMap::new();
                while let Some(member) = object.next_key::<Member>()? {
                    // Neither is built, so depth costs no stack and a large member nothing but the reading.
                    if member == Member::Unknown {
                        object.next_value::<IgnoredAny>()?;
                    } else {
                        members.insert(member, object.next_value::<&RawValue>()?);
                    }
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Members<'_> {
    fn text(&self, member: Member) -> Option<String> {
        let text: String = serde_json::from_str(self.0.get(&member)?.get()).ok()?;
        Some(text).filter(|text| !text.is_empty())
    }

    /// A member whatever it is.
    fn value(&self, member: Member) -> Result<Value, NotHeld> {
        self.0.get(&member).map_or(Ok(Value::Null), |value| held(value.get()))
    }
}

/// The most values that one event is taken apart into: members of lists and objects, counted through all depths. An
/// empty object of two bytes takes several hundred in memory, so bytes alone are no limit.
const VALUES: usize = 250_000;

/// Why an event is not taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotHeld {
    #[error("it is nested too deeply")]
    TooDeep,
    #[error("it holds more than {VALUES} values")]
    TooMany,
}

/// JSON text as the value it is, where that can be held.
pub(crate) fn held(json: &str) -> Result<Value, NotHeld> {
    let (mut values, mut is_text, mut is_escaped) = (0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => values += 1,
            _ => {}
        }
    }
    if values > VALUES {
        return Err(NotHeld::TooMany);
    }
    serde_json::from_str(json).map_err(|_| NotHeld::TooDeep)
}

impl Told {
    /// Reads what an event tells, and its type, which is empty where it is none.
    pub(crate) fn read(event: &str) -> Result<(String, Self), NotHeld> {
        // What holds half a character reads as a whole or in part only once that is mended.
        if !has_half_a_character(event)
            && let Ok(members) = serde_json::from_str::<Members<'_>>(event)
        {
            return Self::of(&members);
        }
        let mended = mended(event);
        Self::of(&serde_json::from_str(&mended).unwrap_or_default())
    }

    fn of(event: &Members<'_>) -> Result<(String, Self), NotHeld> {
        let text = |member| event.text(member);
        let kind = text(Member::Type).unwrap_or_default();
        let told = match &*kind {
            "TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => Self::Text {
                id: text(Member::MessageId),
                role: text(Member::Role),
                delta: text(Member::Delta).unwrap_or_default(),
            },
            "TOOL_CALL_START" | "TOOL_CALL_CHUNK" => Self::CallParent(text(Member::ParentMessageId)),
            "TOOL_CALL_RESULT" => Self::Result {
                message_id: text(Member::MessageId),
                error: text(Member::Error),
                content: match event.value(Member::Content)? {
                    Value::Null => "".into(),
                    content => content,
                },
            },
            "MESSAGES_SNAPSHOT" => match event.value(Member::Messages)? {
                Value::Array(messages) => {
                    Self::Snapshot(messages.into_iter().filter_map(Message::read).collect())
                }
                _ => Self::Nothing,
            },
            "RUN_FINISHED" => {
                let mut outcome = event.value(Member::Outcome)?;
                let asked = match outcome.get_mut("interrupts").map(Value::take) {
                    Some(Value::Array(asked)) => asked,
                    _ => Vec::new(),
                };
                Self::Interrupts(asked.iter().filter_map(Interrupt::read).collect())
            }
            "RUN_ERROR" => {
                Self::Error { message: text(Member::Message).unwrap_or_default(), code: text(Member::Code) }
            }
            "CUSTOM" if text(Member::Name).as_deref() == Some("on_interrupt") => {
                let raw = event.value(Member::RawEvent)?;
                let id = raw.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
                Self::LangGraph { id: id.map(ToOwned::to_owned), value: event.value(Member::Value)? }
            }
            _ => Self::Nothing,
        };
        Ok((kind, told))
    }
}

/// Whether a character may be written in halves: a surrogate, escaped as `\ud8` to `\udf`.
fn has_half_a_character(event: &str) -> bool {
    ["\\ud", "\\uD"].iter().any(|escape| event.contains(escape))
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
        assert_eq!(Told::read(event), Ok(("TEXT_MESSAGE_CONTENT".to_owned(), told)));
    }

    #[test]
    fn what_is_no_type_is_none_and_the_last_of_two_members_counts() {
        for event in [r#"{"type":7}"#, r#"{"type":["RAW"]}"#, r#"{"type":null}"#, "{}"] {
            assert_eq!(Told::read(event), Ok((String::new(), Told::Nothing)), "{event}");
        }
        let event = r#"{"type":"RAW","type":"RUN_ERROR","message":"a","message":"b","code":{}}"#;
        let told = Told::Error { message: "b".into(), code: None };
        assert_eq!(Told::read(event), Ok(("RUN_ERROR".to_owned(), told)));
        // Escaped or not, a name is the same.
        let event = r#"{"t\u0079pe":"RUN_ERROR","message":"b"}"#;
        assert_eq!(Told::read(event).unwrap().0, "RUN_ERROR");
    }

    #[test]
    fn depth_is_told_where_it_matters_and_costs_nothing_where_it_does_not() {
        let deep = |around: &str| {
            let depth = 100_000;
            around.replace('X', &format!("{}{}", "[".repeat(depth), "]".repeat(depth)))
        };
        for event in [
            r#"{"type":"RAW","event":X}"#,
            r#"{"type":"CUSTOM","name":"other","value":X,"rawEvent":X}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":X}"#,
            r#"{"type":X}"#,
        ] {
            assert!(matches!(Told::read(&deep(event)), Ok((_, Told::Nothing))), "{event}");
        }
        for event in [
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[X]}"#,
            r#"{"type":"TOOL_CALL_RESULT","toolCallId":"c","content":X}"#,
            r#"{"outcome":X,"type":"RUN_FINISHED"}"#,
            r#"{"type":"CUSTOM","name":"on_interrupt","value":X}"#,
        ] {
            assert_eq!(Told::read(&deep(event)), Err(NotHeld::TooDeep), "{event}");
        }
    }

    #[test]
    fn what_would_take_much_more_room_than_its_text_is_not_held() {
        let many = |piece: &str| vec![piece; 150_000].join(",");
        for (piece, is_held) in [(r#"{"":0}"#, false), ("[0]", false), ("0", true), (r#"",[{\"\\""#, true)] {
            let event = format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{}]}}"#, many(piece));
            let told = Told::read(&event);
            assert_eq!(told.is_ok(), is_held, "{piece}");
            assert!(is_held || told == Err(NotHeld::TooMany));
        }
    }

    #[test]
    fn mending_and_reading_cost_no_more_than_the_text_is_long() {
        // 1 MiB of what needs the most work. Quadratic, this would take minutes.
        for piece in [r"\ud800", r"\\", r"\ud83d\ude42", r"\n"] {
            let delta = piece.repeat(1024 * 1024 / piece.len());
            let event = format!(r#"{{"type":"TEXT_MESSAGE_CHUNK","delta":"{delta}"}}"#);
            assert!(matches!(Told::read(&event), Ok((_, Told::Text { .. }))));
        }
    }
}
