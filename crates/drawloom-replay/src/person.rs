//! The answers of the file in place of a person.

use std::sync::Arc;

use drawloom::command::{BoxFuture, CommandArguments, CommandId, PendingCall};
use drawloom::consent::{Confirm, Confirmation, ConfirmationResponse};

use crate::file::{Behaviour, Consent, ScriptedAnswer};
use crate::stage::Stage;
use crate::transcript::Step;

/// Who answers as the file says, and writes down what is asked. See
/// [`FileWorkbench::scripted_person`](crate::FileWorkbench::scripted_person).
#[derive(Clone, Debug)]
pub struct ScriptedPerson {
    consent: Arc<Consent>,
    stage: Arc<Stage>,
}

impl ScriptedPerson {
    pub(crate) fn new(consent: Arc<Consent>, stage: Arc<Stage>) -> Self {
        Self { consent, stage }
    }

    /// Whether the file has an answer about this command, by its id or for all others. Where it has none, the answer is
    /// no.
    pub fn has_answer(&self, command: &CommandId) -> bool {
        self.consent.answer(command).is_some()
    }
}

impl Confirm for ScriptedPerson {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        let answer = self.consent.answer(&call.command_id).cloned();
        let stage = self.stage.clone();
        Box::pin(async move {
            stage.recorder.record(&Step::Asked(call.clone()));
            let confirmation = match answer {
                Some(ScriptedAnswer::Yes) => Confirmation::Yes,
                Some(ScriptedAnswer::Edit(arguments)) => Confirmation::YesWith(arguments),
                Some(ScriptedAnswer::NoBecause(why)) => Confirmation::NoBecause(why),
                Some(ScriptedAnswer::During(behaviour)) => during(&stage, &behaviour, &call).await,
                Some(ScriptedAnswer::No) | None => Confirmation::No,
            };
            confirmation.into()
        })
    }
}

/// Lets something happen, and then says yes; where it fails, so does the confirmation.
async fn during(stage: &Stage, behaviour: &Behaviour, call: &PendingCall) -> Confirmation {
    let plugin = stage.owner(&call.command_id);
    let arguments: CommandArguments = call.arguments.clone();
    match stage.act(behaviour, plugin.as_ref(), arguments).await {
        Ok(_) => Confirmation::Yes,
        Err(error) => Confirmation::Errored(error.message().to_owned()),
    }
}
