//! The answers to questions: from the command line, from the file, from the terminal, or none.

use std::io;
use std::sync::Arc;

use drawloom::client::{AskForInput, BoxFuture, Interrupt};
use drawloom::command::PendingCall;
use drawloom::consent::{Confirm, Confirmation, ConfirmationResponse};
use drawloom_replay::{ScriptedConsent, TranscriptLine};
use futures_util::lock::Mutex as AsyncMutex;
use serde_json::Value;

use super::ctrl_c::CtrlC;
use crate::input;
use crate::terminal::output::{self, QuestionTerminal};
use crate::terminal::sanitize::Sanitized;
use crate::terminal::{ConversationOutput, SingleKeyMode, Withdrawal, ask_for_input, confirm};

/// Where the answers come from.
#[derive(Clone)]
pub(super) enum AnswerSource {
    AlwaysYes,
    AlwaysNo,
    /// The file, which writes the questions to the transcript itself. Questions that it has no answer for are asked on the
    /// terminal.
    File(ScriptedConsent),
    Terminal,
    None,
}

impl AnswerSource {
    /// The command line takes precedence over the file, and the file over the terminal.
    pub(super) fn new(yes: bool, no: bool, file: Option<ScriptedConsent>) -> Self {
        match (yes, no, file) {
            (true, ..) => Self::AlwaysYes,
            (_, true, _) => Self::AlwaysNo,
            (_, _, Some(file)) => Self::File(file),
            _ if has_terminal() => Self::Terminal,
            _ => Self::None,
        }
    }
}

fn has_terminal() -> bool {
    input::is_terminal() && output::is_error_terminal()
}

/// Answers the questions of one conversation. Clones share the terminal.
pub(super) struct Answers<O> {
    source: AnswerSource,
    /// Held by the question that reads the keyboard, even after the question was withdrawn: no key may answer the next
    /// question.
    keyboard: Arc<AsyncMutex<()>>,
    ctrl_c: CtrlC,
    output: Arc<O>,
}

impl<O> Clone for Answers<O> {
    fn clone(&self) -> Self {
        Self {
            source: self.source.clone(),
            keyboard: self.keyboard.clone(),
            ctrl_c: self.ctrl_c.clone(),
            output: self.output.clone(),
        }
    }
}

impl<O: ConversationOutput + 'static> Answers<O> {
    pub(super) fn new(source: AnswerSource, ctrl_c: CtrlC, output: Arc<O>) -> Self {
        Self { source, keyboard: Arc::default(), ctrl_c, output }
    }

    async fn decide(self, call: PendingCall) -> Confirmation {
        let is_approval = call.approval.is_some();
        if let AnswerSource::File(file) = &self.source
            && (file.has_answer(&call.command_id) || !has_terminal())
        {
            return file.confirm(call).await.confirmation;
        }
        self.output.write(&TranscriptLine::Asked(call.clone()));
        match self.source {
            AnswerSource::AlwaysYes => Confirmation::Yes,
            AnswerSource::AlwaysNo => Confirmation::No,
            AnswerSource::File(_) | AnswerSource::Terminal => {
                let ask =
                    move |term: &QuestionTerminal, withdrawal: &Withdrawal| confirm(term, withdrawal, &call);
                let answer = self.ask_on_terminal(ask).await;
                answer.unwrap_or_else(|error| Confirmation::Errored(error.to_string()))
            }
            // A question of the agent is cancelled. A command does not run, and the agent is told why.
            AnswerSource::None if is_approval => Confirmation::Cancelled,
            AnswerSource::None => Confirmation::Errored("there is nobody to ask".to_owned()),
        }
    }

    /// Asks a question on the terminal, on a thread of its own. Nothing else is shown meanwhile.
    async fn ask_on_terminal<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&QuestionTerminal, &Withdrawal) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let keyboard = self.keyboard.clone().lock_owned().await;
        let mut question = OpenQuestion::new(&*self.output, &self.ctrl_c);
        let withdrawal = question.withdrawal.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let _keyboard = keyboard;
            let _mode = SingleKeyMode::new();
            ask(&QuestionTerminal::new(), &withdrawal)
        });
        match reading.await.unwrap_or_else(|panicked| Err(io::Error::other(panicked))) {
            // Ctrl-C was pressed at the question. Its signal cancels the conversation, and this question with it.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => std::future::pending().await,
            answer => {
                question.is_answered = true;
                answer
            }
        }
    }
}

/// A question on the terminal. Dropping it before it is answered withdraws it.
struct OpenQuestion<'a, O: ConversationOutput> {
    output: &'a O,
    ctrl_c: &'a CtrlC,
    withdrawal: Arc<Withdrawal>,
    is_answered: bool,
}

impl<'a, O: ConversationOutput> OpenQuestion<'a, O> {
    fn new(output: &'a O, ctrl_c: &'a CtrlC) -> Self {
        output.question_opened();
        Self { output, ctrl_c, withdrawal: Arc::default(), is_answered: false }
    }
}

impl<O: ConversationOutput> Drop for OpenQuestion<'_, O> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.withdrawal.withdraw();
            // The thread still waits for a key, and the next question waits for the thread. After Ctrl-C there is no
            // next question.
            let notice = if self.ctrl_c.was_pressed() {
                ""
            } else {
                "  the agent withdrew the question; press Enter to continue"
            };
            output::print_error_text(&Sanitized::text(&format!("\n{notice}")));
        }
        self.output.question_closed();
    }
}

impl<O: ConversationOutput + 'static> Confirm for Answers<O> {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        let answers = self.clone();
        Box::pin(async move { answers.decide(call).await.into() })
    }
}

impl<O: ConversationOutput + 'static> AskForInput for Answers<O> {
    fn input(&self, interrupt: Interrupt) -> BoxFuture<'static, Option<Value>> {
        let this = self.clone();
        Box::pin(async move {
            // Only the terminal can give an answer in words: a yes would not be one.
            if matches!(this.source, AnswerSource::AlwaysNo) || !has_terminal() {
                return None;
            }
            let is_text = interrupt
                .response_schema
                .as_ref()
                .and_then(|schema| schema.read::<Value>().ok())
                .is_some_and(|schema| schema.get("type") == Some(&"string".into()));
            let ask = move |term: &QuestionTerminal, withdrawal: &Withdrawal| {
                ask_for_input(term, withdrawal, &interrupt)
            };
            let answer = this.ask_on_terminal(ask).await.ok()?;
            if answer.is_empty() {
                return None;
            }
            let text = || Value::String(answer.clone());
            Some(if is_text { text() } else { serde_json::from_str(&answer).unwrap_or_else(|_| text()) })
        })
    }
}
