//! The scripted answers of the file, given in place of the person.

use std::sync::Arc;

use drawloom::command::{BoxFuture, CommandId, PendingCall};
use drawloom::consent::{Confirm, Confirmation, ConfirmationResponse};

use super::behaviour::CommandRuntime;
use crate::file::{Behaviour, Consent, ScriptedAnswer};
use crate::transcript::TranscriptLine;

/// Answers questions as the file says, and writes each question to the transcript. See
/// [`FileWorkbench::scripted_consent`](crate::FileWorkbench::scripted_consent).
#[derive(Clone, Debug)]
pub struct ScriptedConsent {
    consent: Arc<Consent>,
    runtime: Arc<CommandRuntime>,
}

impl ScriptedConsent {
    pub(super) fn new(consent: Arc<Consent>, runtime: Arc<CommandRuntime>) -> Self {
        Self { consent, runtime }
    }

    /// Whether the file has an answer for this command, under its id or under `*`. If it has none, the answer is no.
    pub fn has_answer(&self, command: &CommandId) -> bool {
        self.consent.answer(command).is_some()
    }
}

impl Confirm for ScriptedConsent {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        let answer = self.consent.answer(&call.command_id).cloned();
        let runtime = self.runtime.clone();
        Box::pin(async move {
            runtime.sink.write(&TranscriptLine::Asked(call.clone()));
            let confirmation = match answer {
                Some(ScriptedAnswer::Yes) => Confirmation::Yes,
                Some(ScriptedAnswer::Edit(arguments)) => Confirmation::YesWith(arguments),
                Some(ScriptedAnswer::NoBecause(why)) => Confirmation::NoBecause(why),
                Some(ScriptedAnswer::During(behaviour)) => run_during(&runtime, &behaviour, call).await,
                Some(ScriptedAnswer::No) | None => Confirmation::No,
            };
            confirmation.into()
        })
    }
}

/// Runs a behaviour while the question is open, and then answers yes. If the behaviour fails, so does the confirmation.
async fn run_during(runtime: &CommandRuntime, behaviour: &Behaviour, call: PendingCall) -> Confirmation {
    let plugin = runtime.owner(&call.command_id);
    match runtime.run(behaviour, plugin.as_ref(), call.arguments).await {
        Ok(_) => Confirmation::Yes,
        Err(error) => Confirmation::Errored(error.message().to_owned()),
    }
}
