//! The scripted answers of the file, given in place of the person.

use std::sync::Arc;

use drawloom::command::{BoxFuture, CommandId, PendingCall};
use drawloom::consent::{Confirm, Confirmation, ConfirmationResponse};

use super::behaviour::CommandRuntime;
use crate::file::{ANY_COMMAND, Behaviour, Consent, ScriptedAnswer};
use crate::transcript::TranscriptLine;
use serde_json::Value;

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

    /// The answer of the file under the first of these names that has one, as JSON: true, false, `{"no":"why"}`,
    /// `{"edit":{…}}`, or the value of `{"answer":…}`. `*` is not looked at.
    pub fn named_answer(&self, names: &[&str]) -> Option<Value> {
        let mut names = names.iter().filter(|name| **name != ANY_COMMAND);
        names.find_map(|name| self.consent.answers.0.get(*name)).map(ScriptedAnswer::to_json)
    }

    /// The answer of the file to everything that has no answer of its own, in the same form.
    pub fn any_answer(&self) -> Option<Value> {
        self.consent.answers.0.get(ANY_COMMAND).map(ScriptedAnswer::to_json)
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
                Some(ScriptedAnswer::Payload(_)) => Confirmation::Errored(
                    "the answer in the file is neither true, false nor one of \"no\", \"edit\", \"during\""
                        .to_owned(),
                ),
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
