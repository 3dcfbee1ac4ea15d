//! `--script`: a file with the prompts of a conversation, and answers that are given before they are asked for.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::given::Given;
use crate::error::CliError;
use crate::input;

/// How many bytes of a script, or of a value in a file, are read.
pub(super) const BYTES: u64 = 16 << 20;

/// The file as it is written: `{"turns":["prompt",{"prompt":"…","answers":{"name":…}}],"answers":{"name":…}}`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    #[serde(default)]
    turns: Vec<ScriptTurn>,
    #[serde(default)]
    answers: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a prompt, or an object with \"prompt\" and \"answers\"")]
enum ScriptTurn {
    Prompt(String),
    WithAnswers(PromptWithAnswers),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptWithAnswers {
    prompt: String,
    #[serde(default)]
    answers: BTreeMap<String, Value>,
}

/// A prompt, and the answers that are given for its turn alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub(super) prompt: String,
    pub(super) answers: Given,
}

impl Script {
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        let text = input::read_text(path, BYTES)?;
        serde_json::from_str(&text)
            .map_err(|error| CliError::Script { path: path.to_owned(), problem: error.to_string() })
    }

    pub(super) fn turns(&self) -> impl Iterator<Item = Turn> {
        self.turns.iter().map(|turn| match turn {
            ScriptTurn::Prompt(prompt) => Turn { prompt: prompt.clone(), answers: Given::default() },
            ScriptTurn::WithAnswers(turn) => {
                Turn { prompt: turn.prompt.clone(), answers: Given::new(turn.answers.clone()) }
            }
        })
    }

    pub(super) fn answers(&self) -> Given {
        Given::new(self.answers.clone())
    }
}
