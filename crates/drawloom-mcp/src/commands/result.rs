//! The outcome of a call in the protocol.

use drawloom_command::{CommandOutcome, RefusalReason};
use drawloom_tools::{ErrorPlacement, ToolDefinition, ToolOutcome, ToolResult};
use rmcp::model::{CallToolResult, ContentBlock, ErrorData};
use serde_json::Value;

/// The answer to a call. `definition` is that of the tool when it was called, and `objects` says whether the client takes
/// nothing but objects as structured answers.
///
/// # Errors
/// The answer to a call of an unknown tool, for every command that is out of reach. It is the same for all of them.
pub(crate) fn answer(
    result: &ToolResult,
    definition: Option<&ToolDefinition>,
    objects: Objects,
) -> Result<CallToolResult, ErrorData> {
    let text = result.text(ErrorPlacement::ErrorOnly);
    if let ToolOutcome::Command(CommandOutcome::Refused(refusal)) = &result.outcome
        && refusal.reason == RefusalReason::Unavailable
    {
        return Err(ErrorData::invalid_params(text.error.unwrap_or_default(), None));
    }
    let blocks = |texts: [String; 2]| {
        texts.into_iter().filter(|text| !text.is_empty()).map(ContentBlock::text).collect::<Vec<_>>()
    };
    Ok(match text.error {
        None => {
            let mut answered = CallToolResult::success(vec![ContentBlock::text(text.content)]);
            answered.structured_content = definition.and_then(|definition| objects.value(definition, result));
            answered
        }
        // With changed arguments, the content says so before the error.
        Some(error) => CallToolResult::error(blocks([text.content, error])),
    })
}

/// Whether a client takes any value as a structured answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Objects {
    /// Only objects: revision 2025-11-25 and earlier.
    Only,
    /// Any value: revision 2026-07-28.
    AndOtherValues,
}

impl Objects {
    /// The schema of the structured answers of a tool.
    pub(crate) fn schema(self, definition: &ToolDefinition) -> Option<Value> {
        match self {
            Self::Only => definition.structured_schema(),
            Self::AndOtherValues => definition.output_schema.as_deref().cloned(),
        }
    }

    fn value(self, definition: &ToolDefinition, result: &ToolResult) -> Option<Value> {
        match self {
            Self::Only => definition.structured_answer(result),
            Self::AndOtherValues => {
                definition.output_schema.as_ref()?;
                // An answer is plain data with finite numbers: this cannot fail.
                serde_json::to_value(result.value()?).ok()
            }
        }
    }
}

/// The answer to a call that did not reach the commands, with words for the model.
pub(crate) fn not_run(code: &'static str, reason: &str) -> CallToolResult {
    let text = ToolResult::not_run(code, reason).text(ErrorPlacement::ErrorOnly);
    CallToolResult::error(vec![ContentBlock::text(text.error.unwrap_or_default())])
}
