//! The result of one call, and its text for a model.

use drawloom_command::{CommandAnswer, CommandArguments, CommandOutcome, Failure, Refusal};

/// The result of one call: what happened, and the arguments that replaced the caller's.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolResult {
    /// What happened.
    pub outcome: ToolOutcome,
    /// The arguments with which the command ran, if the hook changed them and the change is to be told.
    pub edited: Option<EditedArguments>,
}

/// What happened to a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolOutcome {
    /// The workbench decided: the command ran, or it was refused.
    Command(CommandOutcome),
    /// The call did not reach the workbench: it was incomplete, declined by the hook, or cancelled before it ran.
    #[non_exhaustive]
    NotRun {
        /// A stable name for the reason: `declined`, `cancelled`, `internal-error`, a code of
        /// [`ReadArgumentsError`](drawloom_command::ReadArgumentsError::code), or one of the adapter that gave up the call.
        code: &'static str,
        /// Why, in words for the caller.
        reason: String,
    },
    /// The hook answered the call; the command did not run.
    AnsweredByHook {
        /// What the caller gets as the result.
        content: String,
    },
}

/// The arguments with which a command ran after the caller's were changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EditedArguments {
    /// The arguments with which the command ran. The text for a model leaves the secret ones out.
    pub arguments: CommandArguments,
    /// Who changed them.
    pub by: Editor,
}

/// Who changed the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Editor {
    /// The user, when asked about the call.
    User,
    /// The application's hook.
    Application,
}

/// Where the text of a refusal or a failure goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorPlacement {
    /// In `error` only, with empty `content`, as AG-UI defines the two fields.
    #[default]
    ErrorOnly,
    /// In `error` and in `content`: for agents whose backend drops `error`, or whose model does not accept empty content.
    ErrorAndContent,
}

/// A result as text for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResultText {
    /// What the model gets as the result.
    pub content: String,
    /// The text of a refusal or a failure.
    pub error: Option<String>,
}

impl ToolResult {
    /// A call that did not run, and why: a stable name for the reason, and the reason in words for the caller.
    pub fn not_run(code: &'static str, reason: impl Into<String>) -> Self {
        ToolOutcome::NotRun { code, reason: reason.into() }.into()
    }

    /// The workbench's outcome, if the command ran: it answered or failed.
    pub fn ran(&self) -> Option<&CommandOutcome> {
        match &self.outcome {
            ToolOutcome::Command(CommandOutcome::Refused(_)) => None,
            ToolOutcome::Command(outcome) => Some(outcome),
            ToolOutcome::NotRun { .. } | ToolOutcome::AnsweredByHook { .. } => None,
        }
    }

    /// The answer of the command as data, for protocols that have a place for it beside the text; see
    /// [`ToolDefinition::structured_answer`](crate::ToolDefinition::structured_answer). `None` if the command did not answer,
    /// or declares no answer.
    pub fn value(&self) -> Option<&CommandAnswer> {
        match &self.outcome {
            ToolOutcome::Command(CommandOutcome::Answered { value }) => value.as_ref(),
            _ => None,
        }
    }

    /// The text for a model.
    ///
    /// An answer is its value: a text unchanged, other data as JSON, and a plain statement for a command that declares no
    /// answer. A refusal says that the command did not run, a failure that it ran and failed or that it
    /// was cancelled and may have done a part of its work. If somebody changed the
    /// arguments, the content first says so and with which arguments the command ran.
    ///
    /// ```
    /// use drawloom_command::Refusal;
    /// use drawloom_tools::{ErrorPlacement, ToolResult};
    ///
    /// let text = ToolResult::from(Refusal::unavailable()).text(ErrorPlacement::ErrorOnly);
    /// assert_eq!(text.content, "");
    /// assert_eq!(text.error.as_deref(), Some("The command did not run: no such command is available."));
    /// ```
    pub fn text(&self, errors: ErrorPlacement) -> ResultText {
        let mut text = match &self.outcome {
            ToolOutcome::Command(CommandOutcome::Answered { value: None }) => answer("The command ran."),
            ToolOutcome::Command(CommandOutcome::Answered { value: Some(value) }) => match value.as_text() {
                Some(text) => answer(text),
                None => answer(value.to_string()),
            },
            ToolOutcome::Command(CommandOutcome::Refused(refusal)) => not_run(&refusal.message, errors),
            ToolOutcome::Command(CommandOutcome::Failed(failure)) => error(failed(failure), errors),
            ToolOutcome::NotRun { reason, .. } => not_run(reason, errors),
            ToolOutcome::AnsweredByHook { content } => answer(content),
        };
        if let (Some(edited), Some(_)) = (&self.edited, self.ran()) {
            let note = edited.note();
            text.content = if text.content.is_empty() { note } else { format!("{note}\n{}", text.content) };
        }
        text
    }
}

impl EditedArguments {
    fn note(&self) -> String {
        let who = match self.by {
            Editor::User => "user",
            Editor::Application => "application",
        };
        // Plain strings, numbers and lists: this cannot fail.
        let arguments = serde_json::to_string(&self.arguments).unwrap_or_default();
        let secret = match self.arguments.secret_names().next() {
            Some(_) => " and with secret arguments that are not shown",
            None => "",
        };
        format!("The {who} changed the arguments. The command ran with {arguments}{secret}.")
    }
}

impl From<ToolOutcome> for ToolResult {
    fn from(outcome: ToolOutcome) -> Self {
        Self { outcome, edited: None }
    }
}

impl From<CommandOutcome> for ToolResult {
    fn from(outcome: CommandOutcome) -> Self {
        ToolOutcome::Command(outcome).into()
    }
}

impl From<Refusal> for ToolResult {
    fn from(refusal: Refusal) -> Self {
        CommandOutcome::from(refusal).into()
    }
}

fn answer(content: impl Into<String>) -> ResultText {
    ResultText { content: content.into(), error: None }
}

fn not_run(reason: &str, errors: ErrorPlacement) -> ResultText {
    error(sentence("The command did not run: ", reason), errors)
}

fn failed(failure: &Failure) -> String {
    let message = failure.message.as_str();
    if !failure.is_cancelled() {
        return sentence("The command ran and failed: ", message);
    }
    // The message says by itself that the command was cancelled.
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    sentence(&first, letters.as_str())
}

fn error(message: String, errors: ErrorPlacement) -> ResultText {
    let content = match errors {
        ErrorPlacement::ErrorOnly => String::new(),
        ErrorPlacement::ErrorAndContent => message.clone(),
    };
    ResultText { content, error: Some(message) }
}

fn sentence(start: &str, rest: &str) -> String {
    let end = if rest.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{start}{rest}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(message: &str, errors: ErrorPlacement) -> ResultText {
        ToolResult::from(CommandOutcome::failed(message)).text(errors)
    }

    #[test]
    fn a_message_ends_as_a_sentence() {
        for (message, expected) in [
            ("the disk is full", "The command ran and failed: the disk is full."),
            ("The disk is full.", "The command ran and failed: The disk is full."),
            ("full?", "The command ran and failed: full?"),
            ("full!", "The command ran and failed: full!"),
            ("and so on…", "The command ran and failed: and so on…"),
        ] {
            assert_eq!(failing(message, ErrorPlacement::ErrorOnly).error.as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_cancelled_command_is_not_called_failed() {
        for (failure, expected) in [
            (Failure::cancelled(), "The command was cancelled and may have done a part of its work."),
            (
                Failure::cancelled_with("12 of 30 were exported"),
                "The command was cancelled and may have done a part of its work: 12 of 30 were exported.",
            ),
        ] {
            let text = ToolResult::from(CommandOutcome::from(failure)).text(ErrorPlacement::ErrorOnly);
            assert_eq!((text.content.as_str(), text.error.as_deref()), ("", Some(expected)));
        }
    }

    #[test]
    fn an_error_goes_where_it_is_wanted() {
        let message = "The command ran and failed: broke.";
        let only = failing("broke", ErrorPlacement::ErrorOnly);
        assert_eq!((only.content.as_str(), only.error.as_deref()), ("", Some(message)));
        let both = failing("broke", ErrorPlacement::ErrorAndContent);
        assert_eq!((both.content.as_str(), both.error.as_deref()), (message, Some(message)));
    }

    #[test]
    fn a_text_answer_is_unchanged_whatever_it_looks_like() {
        for text in ["", "null", "{\"a\":1}", "two\nlines"] {
            let result = ToolResult::from(CommandOutcome::Answered { value: Some(text.into()) });
            assert_eq!(result.text(ErrorPlacement::ErrorAndContent), answer(text));
        }
    }

    #[test]
    fn changed_arguments_are_told_before_the_answer_and_only_if_the_command_ran() {
        let edited = |outcome: ToolOutcome, by| ToolResult {
            outcome,
            edited: Some(EditedArguments { arguments: CommandArguments::new().with("bed", "south"), by }),
        };
        let ran = ToolOutcome::Command(CommandOutcome::Answered { value: Some("done".into()) });
        assert_eq!(
            edited(ran, Editor::User).text(ErrorPlacement::ErrorOnly).content,
            "The user changed the arguments. The command ran with {\"bed\":\"south\"}.\ndone"
        );
        let failed = ToolOutcome::Command(CommandOutcome::failed("broke"));
        let text = edited(failed, Editor::Application).text(ErrorPlacement::ErrorOnly);
        assert_eq!(
            text.content,
            "The application changed the arguments. The command ran with {\"bed\":\"south\"}."
        );
        assert_eq!(text.error.as_deref(), Some("The command ran and failed: broke."));
        let ran = ToolOutcome::Command(CommandOutcome::Answered { value: None });
        let secret = EditedArguments {
            arguments: CommandArguments::new().with("bed", "south").with("key", "hunter2").secret(["key"]),
            by: Editor::User,
        };
        let text = ToolResult { outcome: ran, edited: Some(secret) }.text(ErrorPlacement::ErrorOnly);
        assert_eq!(
            text.content,
            "The user changed the arguments. The command ran with {\"bed\":\"south\"} and with secret arguments that are \
             not shown.\nThe command ran."
        );
        let refused = ToolOutcome::Command(Refusal::unavailable().into());
        assert_eq!(edited(refused, Editor::User).text(ErrorPlacement::ErrorOnly).content, "");
    }
}
