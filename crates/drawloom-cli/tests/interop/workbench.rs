//! The workbench that the agents drive, as a file: `notes.open`, which answers its arguments, and `notes.find`.

use serde_json::{Value, json};

#[derive(Debug)]
pub(crate) struct Workbench(Value);

impl Workbench {
    pub(crate) fn new() -> Self {
        Self(json!({
            "plugins": [
                { "id": "notes", "declares": ["contributions"], "commands": [
                    { "id": "notes.open", "title": "Open note", "description": "Opens a note.",
                      "arguments": [{ "name": "id", "kind": "text", "description": "Which", "required": true }],
                      "answers": "What was opened", "callable": true, "behaviour": { "echo": true } },
                    { "id": "notes.find", "title": "Find notes", "description": "Finds notes.",
                      "arguments": [{ "name": "text", "kind": "text", "description": "What is in them" }],
                      "answers": "The notes", "callable": true, "behaviour": { "answer": ["n1", "n7"] } },
                ] },
                { "id": "copilot", "declares": ["automation"] },
            ],
            "grants": { "notes": ["contributions"], "copilot": ["automation"] },
            "agent": "copilot",
        }))
    }

    /// The workbench on which `notes.open` does this.
    pub(crate) fn open_does(mut self, behaviour: Value) -> Self {
        self.0["plugins"][0]["commands"][0]["behaviour"] = behaviour;
        self
    }

    /// The workbench on which the person is asked before an agent's `notes.open`.
    pub(crate) fn open_asks(mut self) -> Self {
        self.0["plugins"][0]["commands"][0]["agentConsent"] = "ask".into();
        self
    }

    /// The workbench at which a person sits who answers so when asked about this.
    pub(crate) fn person(mut self, asked: &str, answer: Value) -> Self {
        self.0["consent"]["answers"][asked] = answer;
        self
    }

    pub(crate) fn file(&self) -> String {
        self.0.to_string()
    }
}
