//! A run of 5,000 calls in 20 deltas each, the command that it calls, and the least that any program must do with its
//! events.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hint::black_box;

use drawloom::prelude::*;
use serde::Deserialize;

/// How many calls the run makes.
pub(crate) const CALLS: usize = 5_000;
const DELTAS: usize = 20;

const ARGUMENTS: &str = r#"{"path":"inbox/today/meeting notes","mode":"preview","line":1204,"pinned":true,"tags":["work","todo"],"title":"What we said about the loom"}"#;

/// The events of the run, as JSON.
pub(crate) fn run() -> Vec<String> {
    let mut lines = vec![r#"{"type":"RUN_STARTED","threadId":"t-1","runId":"r-1"}"#.to_owned()];
    let characters: Vec<char> = ARGUMENTS.chars().collect();
    let size = characters.len().div_ceil(DELTAS);
    for call in 0..CALLS {
        let id = format!("call_{call:024x}");
        lines.push(format!(
            r#"{{"type":"TOOL_CALL_START","timestamp":1796038505793,"toolCallId":"{id}","toolCallName":"notes__open","parentMessageId":"04f22990-8bc4-42a2-973a-c741e8109a8b"}}"#
        ));
        let mut deltas: Vec<String> = characters.chunks(size).map(|chunk| chunk.iter().collect()).collect();
        deltas.resize(DELTAS, String::new());
        for delta in deltas {
            let delta = serde_json::Value::from(delta);
            lines.push(format!(
                r#"{{"type":"TOOL_CALL_ARGS","timestamp":1796038505793,"toolCallId":"{id}","delta":{delta}}}"#
            ));
        }
        lines.push(format!(r#"{{"type":"TOOL_CALL_END","timestamp":1796038505794,"toolCallId":"{id}"}}"#));
    }
    lines.push(r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1"}"#.to_owned());
    lines
}

/// The fewest fields of an event that will do.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    r#type: &'a str,
    #[serde(default)]
    tool_call_id: Option<&'a str>,
    #[serde(default, borrow)]
    delta: Option<Cow<'a, str>>,
}

/// The least: each event is parsed once, and the arguments of each call once.
#[derive(Default)]
pub(crate) struct Floor {
    open: HashMap<String, String>,
    calls: usize,
}

impl Floor {
    /// Takes one event.
    pub(crate) fn take(&mut self, event: &str) {
        let event: Line<'_> = serde_json::from_str(event).unwrap();
        match (event.r#type, event.tool_call_id) {
            ("TOOL_CALL_START", Some(id)) => drop(self.open.insert(id.to_owned(), String::new())),
            ("TOOL_CALL_ARGS", Some(id)) => {
                if let (Some(text), Some(delta)) = (self.open.get_mut(id), event.delta) {
                    text.push_str(&delta);
                }
            }
            ("TOOL_CALL_END", Some(id)) => {
                let text = self.open.remove(id).unwrap();
                black_box(serde_json::from_str::<serde_json::Value>(&text).unwrap());
                self.calls += 1;
            }
            _ => {}
        }
    }

    /// How many calls there were.
    pub(crate) fn calls(self) -> usize {
        self.calls
    }
}

/// The one command that is called.
pub(crate) fn open() -> Command {
    Command::new("notes.open", "Open note")
        .description("Opens a note in the editor.")
        .argument(Argument::text("path").description("Where the note is").required())
        .argument(Argument::choice("mode", ["preview", "permanent"]).description("How to open it"))
        .argument(Argument::number("line").description("Where to put the cursor"))
        .argument(Argument::boolean("pinned").description("Whether to pin it"))
        .argument(Argument::text("tags").list().description("Labels to give it"))
        .argument(Argument::text("title").description("A new title"))
        .callable()
        .agent_consent(AgentConsent::Ask)
}
