//! The result of a call as the message that the agent gets.

use drawloom_command::CommandOutcome;
use drawloom_tools::{ErrorPlacement, ToolResult};

use crate::protocol::{ToolCallId, ToolMessage};

/// Turns an outcome into the message that answers the call.
///
/// ```
/// use drawloom_ag_ui::{result_for, ErrorPlacement};
/// use drawloom_command::{CommandOutcome, Refusal};
///
/// let message = result_for("call_1", &CommandOutcome::Refused(Refusal::unavailable()), ErrorPlacement::ErrorOnly);
/// assert_eq!(message.content, "");
/// assert_eq!(message.error.as_deref(), Some("The command did not run: no such command is available."));
/// ```
pub fn result_for(
    call: impl Into<ToolCallId>,
    outcome: &CommandOutcome,
    errors: ErrorPlacement,
) -> ToolMessage {
    let message = message_for(call.into(), &ToolResult::from(outcome.clone()), errors);
    ToolMessage { id: format!("result-{}", message.tool_call_id), ..message }
}

/// The message without an id of its own, for whoever has one for it.
pub(crate) fn message_for(call: ToolCallId, result: &ToolResult, errors: ErrorPlacement) -> ToolMessage {
    let text = result.text(errors);
    let message = ToolMessage::new(String::new(), call, text.content);
    match text.error {
        Some(error) => message.with_error(error),
        None => message,
    }
}
