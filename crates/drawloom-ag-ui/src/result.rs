//! How a call ended, as the message the agent gets.

use drawloom_command::CommandOutcome;

use crate::wire::{ToolCallId, ToolMessage};

/// Where the words of a refusal or a failure go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorWords {
    /// In `error` alone, with empty `content`: what the protocol has the field for.
    #[default]
    InError,
    /// In `error` and in `content`: for agents whose backend drops `error`, or whose model takes no empty content.
    InContentToo,
}

/// Turns an outcome into the message that answers the call.
///
/// ```
/// use drawloom_ag_ui::{result_for, ErrorWords};
/// use drawloom_command::{CommandOutcome, Refusal};
///
/// let message = result_for("call_1", &CommandOutcome::Refused(Refusal::unavailable()), ErrorWords::InError);
/// assert_eq!(message.content, "");
/// assert_eq!(message.error.as_deref(), Some("The command did not run: no such command is available."));
/// ```
pub fn result_for(call: impl Into<ToolCallId>, outcome: &CommandOutcome, errors: ErrorWords) -> ToolMessage {
    let call = call.into();
    match outcome {
        CommandOutcome::Answered { value: None } => answered(call, "The command ran."),
        CommandOutcome::Answered { value: Some(value) } => match value.as_text() {
            Some(text) => answered(call, text),
            None => answered(call, value.to_string()),
        },
        CommandOutcome::Refused(refusal) => did_not_run(call, &refusal.message, errors),
        CommandOutcome::Failed { message } => {
            unanswered(call, sentence("The command ran and failed: ", message), errors)
        }
    }
}

/// A message with what the tool answered.
pub(crate) fn answered(call: ToolCallId, content: impl Into<String>) -> ToolMessage {
    ToolMessage::new(format!("result-{call}"), call, content)
}

/// A message for a call that did not run, and why.
pub(crate) fn did_not_run(call: ToolCallId, why: &str, errors: ErrorWords) -> ToolMessage {
    unanswered(call, sentence("The command did not run: ", why), errors)
}

fn unanswered(call: ToolCallId, words: String, errors: ErrorWords) -> ToolMessage {
    let content = match errors {
        ErrorWords::InError => String::new(),
        ErrorWords::InContentToo => words.clone(),
    };
    answered(call, content).with_error(words)
}

fn sentence(start: &str, rest: &str) -> String {
    let end = if rest.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{start}{rest}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(message: &str, errors: ErrorWords) -> ToolMessage {
        result_for("c", &CommandOutcome::Failed { message: message.to_owned() }, errors)
    }

    #[test]
    fn words_end_as_a_sentence_does() {
        for (message, words) in [
            ("the disk is full", "The command ran and failed: the disk is full."),
            ("The disk is full.", "The command ran and failed: The disk is full."),
            ("full?", "The command ran and failed: full?"),
            ("full!", "The command ran and failed: full!"),
            ("and so on…", "The command ran and failed: and so on…"),
        ] {
            assert_eq!(failed(message, ErrorWords::InError).error.as_deref(), Some(words));
        }
    }

    #[test]
    fn words_go_where_they_are_wanted() {
        let words = "The command ran and failed: broke.";
        let in_error = failed("broke", ErrorWords::InError);
        assert_eq!(in_error, ToolMessage::new("result-c", "c", "").with_error(words));
        let in_content_too = failed("broke", ErrorWords::InContentToo);
        assert_eq!(in_content_too, ToolMessage::new("result-c", "c", words).with_error(words));
    }

    #[test]
    fn an_answer_is_its_text_as_it_is_whatever_it_looks_like() {
        for text in ["", "null", "{\"a\":1}", "two\nlines"] {
            let outcome = CommandOutcome::Answered { value: Some(text.into()) };
            assert_eq!(
                result_for("c", &outcome, ErrorWords::InContentToo),
                ToolMessage::new("result-c", "c", text)
            );
        }
    }
}
