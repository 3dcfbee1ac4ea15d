//! `--wire`: requests and frames as they are sent, without what may be secret.

use std::sync::Arc;

use drawloom::client::{Frame, RunAgentInput};
use serde_json::Value;

use super::observed::{Observer, ResponseEnd};
use crate::terminal::ConversationOutput;

/// What is shown in place of a secret.
const LEFT_OUT: &str = "…";
/// The shortest header value that is looked for in bodies and frames. A shorter one would be found in ordinary words.
const SECRET_BYTES: usize = 8;
/// How deep a value is searched for secrets. What is deeper is left out.
const MAX_DEPTH: usize = 100;

/// Shows what is sent and received.
pub(super) struct Wire<O> {
    output: Arc<O>,
    /// The address, and the names of the headers.
    target: String,
    secrets: Vec<String>,
}

impl<O: ConversationOutput> Wire<O> {
    pub(super) fn new(output: Arc<O>, url: &str, headers: &[(String, String)]) -> Self {
        let names: Vec<_> = headers.iter().map(|(name, _)| format!(" {name}: {LEFT_OUT}")).collect();
        let target = format!("POST {url}{}", names.concat());
        // "Bearer abc" may come back as "abc".
        let words = headers.iter().flat_map(|(_, value)| value.split_whitespace());
        let secrets = words.filter(|word| word.len() >= SECRET_BYTES).map(ToOwned::to_owned).collect();
        Self { output, target, secrets }
    }

    fn show(&self, direction: char, text: &str) {
        self.output.wire(&format!("{direction} {}", self.without_secrets(text)));
    }

    fn without_secrets(&self, text: &str) -> String {
        let mut value: Value = serde_json::from_str(text).unwrap_or_default();
        let mut text = if redact(&mut value, 0) { value.to_string() } else { text.to_owned() };
        for secret in &self.secrets {
            text = text.replace(secret, LEFT_OUT);
        }
        text
    }
}

/// Leaves out texts whose names say that they are secret. Whether there was one.
fn redact(value: &mut Value, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        *value = LEFT_OUT.into();
        return true;
    }
    match value {
        Value::Object(members) => members.iter_mut().fold(false, |found, (name, value)| {
            if value.is_string() && is_secret(name) {
                *value = LEFT_OUT.into();
                return true;
            }
            redact(value, depth + 1) | found
        }),
        Value::Array(items) => items.iter_mut().fold(false, |found, value| redact(value, depth + 1) | found),
        _ => false,
    }
}

fn is_secret(name: &str) -> bool {
    const WORDS: [&str; 8] =
        ["password", "passwd", "secret", "token", "apikey", "authorization", "cookie", "credential"];
    let name: String = name.chars().filter(|part| !"_-".contains(*part)).collect();
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

impl<O: ConversationOutput> Observer for Wire<O> {
    fn request(&self, input: &RunAgentInput) {
        self.output.wire(&format!("> {}", self.target));
        if let Ok(body) = serde_json::to_string(input) {
            self.show('>', &body);
        }
    }

    fn frame(&self, frame: &Frame) {
        match frame {
            Frame::Event(text) => self.show('<', text),
            other => self.output.wire(&format!("< lost: {other:?}")),
        }
    }

    fn response_ended(&self, end: ResponseEnd<'_>) {
        self.output.wire(&match end {
            ResponseEnd::Complete => "< end of the response".to_owned(),
            ResponseEnd::Broken(error) => format!("< {}", self.without_secrets(&error.to_string())),
            ResponseEnd::Abandoned => "< not read any further".to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_a_secret_name_are_left_out_at_any_depth() {
        let mut value = serde_json::json!({ "a": [{ "api_key": "x", "inputTokens": 5 }], "Authorization": "y", "b": "z" });
        assert!(redact(&mut value, 0));
        assert_eq!(
            value,
            serde_json::json!({ "a": [{ "api_key": "…", "inputTokens": 5 }], "Authorization": "…", "b": "z" })
        );
        assert!(!redact(&mut serde_json::json!({ "b": "z", "maxTokens": 5 }), 0));
    }
}
