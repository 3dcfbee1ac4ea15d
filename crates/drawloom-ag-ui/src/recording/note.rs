//! Lines of a recording that are about the conversation, and not events of the agent.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::protocol::Event;
use crate::protocol::{EventKind, Resume};

/// The only member of such a line. An event has a type, so nobody takes one for the other; a reader that does not know
/// these lines takes them for events of an unknown type.
const MEMBER: &str = "recorded";

/// A line of a recording that says what happened on the side of the application: `{"recorded":{"request":{…}}}`.
///
/// A recording with such lines can be played so that everything happens as it did, in the same order. Each line stands
/// where it happened among the events.
///
/// ```
/// use drawloom_ag_ui::recording::{RecordedNote, RecordingItem, RecordingReader, RecordingWriter};
///
/// let mut writer = RecordingWriter::new(Vec::new());
/// writer.note(&RecordedNote::Request { thread_id: "t".into(), run_id: "r".into() })?;
/// let text = String::from_utf8(writer.into_inner()).unwrap() + r#"{"type":"RUN_ERROR","message":"no"}"#;
/// assert!(text.starts_with(r#"{"recorded":{"request":{"threadId":"t","runId":"r"}}}"#));
/// let mut reader = RecordingReader::new(text.as_bytes());
/// assert!(matches!(reader.read()?, Some(RecordingItem::Note { note: RecordedNote::Request { .. }, line: 1 })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum RecordedNote {
    /// The options that were in force, as the program that records names them.
    Options(Map<String, Value>),
    /// The person sent this text. A turn begins.
    Prompt(String),
    /// A run was requested. The events that follow are the response.
    Request {
        /// The conversation.
        thread_id: String,
        /// The run.
        run_id: String,
    },
    /// The response ended, and how: `"complete"`, `"abandoned"` because the application stopped reading, or
    /// `{"broken":"why"}`.
    Response(RecordedEnd),
    /// The conversation that was continued.
    Conversation(Value),
    /// The person answered a question about a call.
    Decision {
        /// The call, or the question if it is about no call.
        call_id: String,
        /// The command or tool.
        command_id: String,
        /// The answer: `true`, `false`, `{"no":"why"}`, `{"edit":{…}}`, or `{"error":"why nobody answered"}`.
        answer: Value,
    },
    /// The person answered a question of the agent in words, or nobody did (`null`).
    Input {
        /// The question.
        interrupt_id: String,
        /// The answer.
        answer: Value,
    },
    /// A call to a tool of the agent that was left to the agent was answered with this text, or not answered (`null`).
    Reply {
        /// The call.
        call_id: String,
        /// The text.
        content: Option<String>,
    },
    /// A call was answered.
    Answered {
        /// The call.
        call_id: String,
    },
    /// The answer to a question of the agent, as it is sent with the next request. `null` if the question expired.
    Resumed(Option<Resume>),
    /// The turn was cancelled here.
    Cancelled,
}

/// How a recorded response ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum RecordedEnd {
    /// All of it was received.
    Complete,
    /// The application stopped reading it.
    Abandoned,
    /// It could not be received, or not any further, for this reason.
    Broken(String),
}

/// A line that is a note.
#[derive(Serialize)]
struct Line<'a> {
    recorded: &'a RecordedNote,
}

impl RecordedNote {
    pub(super) fn to_line(&self) -> serde_json::Result<String> {
        serde_json::to_string(&Line { recorded: self }).map(|line| line + "\n")
    }

    /// The note that an event without a type is, if it is one.
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        match (&event.kind, &*event.extra) {
            (EventKind::Unknown { kind }, [(name, json)]) if kind.is_empty() && name == MEMBER => {
                json.read().ok()
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{RecordingItem, RecordingReader, RecordingWriter};
    use serde_json::json;

    #[test]
    fn every_note_is_read_as_it_was_written() {
        let (call_id, command_id) = ("c".to_owned(), "notes.open".to_owned());
        let interrupt = crate::protocol::Interrupt::new("i", "r");
        let notes = [
            RecordedNote::Options(Map::from_iter([("unoffered".to_owned(), json!("refuse"))])),
            RecordedNote::Prompt("Hi\n".to_owned()),
            RecordedNote::Request { thread_id: "t".to_owned(), run_id: "r".to_owned() },
            RecordedNote::Response(RecordedEnd::Complete),
            RecordedNote::Response(RecordedEnd::Broken("why".to_owned())),
            RecordedNote::Conversation(json!({ "threadId": "t" })),
            RecordedNote::Decision { call_id: call_id.clone(), command_id, answer: json!({ "no": "why" }) },
            RecordedNote::Input { interrupt_id: "i".to_owned(), answer: Value::Null },
            RecordedNote::Reply { call_id: call_id.clone(), content: None },
            RecordedNote::Answered { call_id },
            RecordedNote::Resumed(Some(Resume::resolved(&interrupt, json!(true)))),
            RecordedNote::Cancelled,
        ];
        let mut writer = RecordingWriter::new(Vec::new());
        notes.iter().for_each(|note| writer.note(note).unwrap());
        let text = String::from_utf8(writer.into_inner()).unwrap() + "{}";
        let mut reader = RecordingReader::new(text.as_bytes());
        for expected in &notes {
            let Some(RecordingItem::Note { note, .. }) = reader.read().unwrap() else {
                panic!("{expected:?}")
            };
            assert_eq!(note, *expected);
        }
    }

    #[test]
    fn nothing_else_is_a_note() {
        for text in [
            r#"{"recorded":{"later":1}}"#,
            r#"{"recorded":"cancelled","type":"RAW"}"#,
            r#"{"recorded":"cancelled","more":1}"#,
            r#"{"recorded":7}"#,
        ] {
            assert_eq!(RecordedNote::of(&Event::parse(text).unwrap()), None, "{text}");
        }
    }
}
