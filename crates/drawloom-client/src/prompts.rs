//! Asks the user about commands, and asks the questions of the agent. Answers are checked before they are sent.

mod approval;

use std::future::Future;
use std::sync::Arc;
use std::time::SystemTime;

use drawloom_ag_ui::protocol::{Json, Resume};
use drawloom_ag_ui::{AssemblerLimits, plain_command_id, read_arguments};
use drawloom_command::{
    Approval, BoxFuture, CallOrigin, CommandAccess, CommandArguments, Decision, PendingCall,
};
use drawloom_consent::{Confirm, Confirmation, ConfirmationResponse, ConsentWording};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::conversation::{Interrupt, ToolCall};
use crate::dialect::question_text;
use crate::guarded::guarded_dialog;
use crate::response_schema::{self, AnswerMismatch};
use crate::update::{Update, UpdateQueue};

use approval::ApprovalRequest;

/// How often a question is asked if the user's answers do not match the agent's schema.
const ATTEMPTS: usize = 3;

/// Why a yes with other arguments is sent as a no.
const NO_EDITS: &str = "the arguments were changed, and the agent does not accept changes";

/// Answers the questions of an agent that need more than yes or no.
///
/// Implemented by each closure that takes the [`Interrupt`] and returns a future. Without an answer, the agent is told
/// that nobody answered. An answer that does not match [`Interrupt::response_schema`] is not sent: the question is
/// asked again, at most three times in all.
///
/// ```
/// use drawloom_client::{AskForInput, Interrupt, question_text};
///
/// # async fn prompt(_: String) -> Option<String> { None }
/// fn form() -> impl AskForInput {
///     |interrupt: Interrupt| async move {
///         prompt(question_text(&interrupt)).await.map(|text| serde_json::json!({ "text": text }))
///     }
/// }
/// # let _ = form();
/// ```
pub trait AskForInput: Send + Sync {
    /// Asks the user. The answer is JSON that matches the schema of the interrupt, if it has one.
    fn input(&self, interrupt: Interrupt) -> BoxFuture<'static, Option<Value>>;
}

impl<F, Fut> AskForInput for F
where
    F: Fn(Interrupt) -> Fut + Send + Sync,
    Fut: Future<Output = Option<Value>> + Send + 'static,
{
    fn input(&self, interrupt: Interrupt) -> BoxFuture<'static, Option<Value>> {
        Box::pin(self(interrupt))
    }
}

/// The clock of the application.
pub(crate) type Now = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The dialogs for the questions of the agent, and the clock by which a question expires.
#[derive(Clone)]
pub(crate) struct Prompts {
    pub(crate) confirm: Option<Arc<dyn Confirm>>,
    pub(crate) input: Option<Arc<dyn AskForInput>>,
    /// Keeps the records of what the person decided.
    pub(crate) access: Arc<dyn CommandAccess>,
    pub(crate) now: Now,
    pub(crate) queue: Arc<UpdateQueue>,
}

impl Prompts {
    /// Asks a question of the agent. `None` if the question expired before it was asked or answered.
    pub(crate) fn ask(
        &self,
        interrupt: Interrupt,
        call: Option<&ToolCall>,
        origin: CallOrigin,
    ) -> BoxFuture<'static, Option<Resume>> {
        let this = self.clone();
        // A schema that cannot be parsed cannot be checked.
        let schema = interrupt.response_schema.as_ref().and_then(|schema| schema.read::<Value>().ok());
        let question = Question { interrupt, schema };
        let approval = question.is_approval().then(|| ApprovalRequest {
            call: question.pending(call),
            origin,
            access: this.access.clone(),
        });
        let nobody_answered = Resume::cancelled(&question.interrupt);
        let asking: BoxFuture<'static, _> = Box::pin(async move {
            if this.is_expired(&question.interrupt) {
                return None;
            }
            let resume = this.answer(&question, approval).await;
            (!this.is_expired(&question.interrupt)).then_some(resume)
        });
        let asking = guarded_dialog(|| asking);
        Box::pin(async move { asking.await.unwrap_or(Some(nobody_answered)) })
    }

    async fn answer(&self, question: &Question, approval: Option<ApprovalRequest>) -> Resume {
        let interrupt = &question.interrupt;
        for _ in 0..ATTEMPTS {
            let answer = match (&approval, &self.confirm, &self.input) {
                (Some(request), Some(confirm), _) => {
                    let confirmation = request.ask(&**confirm, |answer| question.decision(answer)).await;
                    confirmation.and_then(|confirmation| question.payload(confirmation))
                }
                (None, _, Some(input)) => input.input(interrupt.clone()).await,
                _nobody_to_ask => None,
            };
            let Some(payload) = answer else { break };
            match question.check(&payload) {
                Ok(()) => return Resume::resolved(interrupt, payload),
                Err(mismatch) => self.queue.push(Update::AnswerRejected {
                    interrupt_id: interrupt.id.to_string(),
                    problem: mismatch.to_string(),
                }),
            }
        }
        Resume::cancelled(interrupt)
    }

    fn is_expired(&self, interrupt: &Interrupt) -> bool {
        let expires = interrupt.expires_at.as_deref().and_then(moment);
        expires.is_some_and(|expires| expires <= (self.now)())
    }
}

/// A question of the agent, with the schema of its answer.
struct Question {
    interrupt: Interrupt,
    schema: Option<Value>,
}

impl Question {
    fn check(&self, payload: &Value) -> Result<(), AnswerMismatch> {
        self.schema.as_ref().map_or(Ok(()), |schema| response_schema::check(schema, payload))
    }

    /// Whether the schema of an answer names this member.
    fn accepts(&self, member: &str) -> bool {
        self.schema.as_ref().and_then(|schema| schema.get("properties")?.get(member)).is_some()
    }

    /// Whether yes or no answers the question: the agent asks for an approval, and its schema accepts one.
    fn is_approval(&self) -> bool {
        let wants_approval = matches!(&*self.interrupt.reason, "tool_call" | "confirmation");
        wants_approval && [true, false].iter().any(|yes| self.check(&json!({ "approved": yes })).is_ok())
    }

    /// The question in the form of the consent policy: the command and its arguments. Arguments that cannot be read are
    /// shown as text.
    fn pending(&self, call: Option<&ToolCall>) -> PendingCall {
        let interrupt = &self.interrupt;
        let words = question_text(interrupt);
        let (id, command, arguments) = match call {
            Some(call) => {
                let name = call.name.to_string();
                let command = plain_command_id(&name).unwrap_or(name);
                let text = &*call.arguments;
                let as_text = || CommandArguments::new().with("arguments", text);
                // A call in a snapshot may be larger than the limit for a call.
                let is_short = text.len() <= AssemblerLimits::default().argument_bytes;
                let read = if is_short { read_arguments(text).ok() } else { None };
                (&*call.id, command, read.unwrap_or_else(as_text))
            }
            None => {
                let arguments = CommandArguments::new().with("message", words.as_str());
                (&*interrupt.id, interrupt.reason.to_string(), arguments)
            }
        };
        let value = |json: &Json<'_>| json.read::<Value>().ok();
        let approval = Approval::new(Some(words), self.accepts("editedArgs"))
            .metadata(interrupt.metadata.as_ref().and_then(value))
            .response_schema(self.schema.clone());
        PendingCall::to_approve(id, command, arguments, approval)
    }

    /// What the person's answer decides, as the agent is told it.
    fn decision(&self, confirmation: &Confirmation) -> Decision {
        match confirmation {
            Confirmation::YesWith(_) if !self.accepts("editedArgs") => {
                Decision::Decline { reason: NO_EDITS.to_owned() }
            }
            confirmation => ConsentWording::default().decision(confirmation.clone()),
        }
    }

    /// The user's answer, in the form that the agent accepts. If the agent does not accept changed arguments, a change
    /// means no, because the agent would run something else than the user approved.
    fn payload(&self, confirmation: Confirmation) -> Option<Value> {
        let mut payload = Map::new();
        let mut reason = None;
        let approved = match confirmation {
            Confirmation::Yes => true,
            Confirmation::YesWith(arguments) if self.accepts("editedArgs") => {
                payload.insert("editedArgs".to_owned(), json!(arguments));
                true
            }
            Confirmation::YesWith(_) => {
                reason = Some(NO_EDITS.to_owned());
                false
            }
            Confirmation::No => false,
            Confirmation::NoBecause(said) => {
                reason = Some(said);
                false
            }
            Confirmation::Errored(_) | Confirmation::Cancelled | Confirmation::TimedOut => return None,
        };
        payload.insert("approved".to_owned(), approved.into());
        if let Some(reason) = reason
            && self.accepts("reason")
        {
            payload.insert("reason".to_owned(), reason.into());
        }
        Some(payload.into())
    }
}

/// A time in RFC 3339 format. A time without a zone, as Python writes it, is UTC.
fn moment(text: &str) -> Option<SystemTime> {
    let without_zone = || text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let moment = text.parse::<Timestamp>().ok().or_else(|| Some(without_zone()?.timestamp()))?;
    Some(moment.into())
}

/// A dialog that is shown in the client's updates.
pub(crate) struct ObservedConfirm {
    pub(crate) confirm: Arc<dyn Confirm>,
    pub(crate) queue: Arc<UpdateQueue>,
}

impl Confirm for ObservedConfirm {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        self.queue.push(Update::Asked { call: call.clone() });
        self.confirm.confirm(call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_moment_is_read_with_a_zone_and_without() {
        let at = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(moment("1970-01-01T00:01:00Z"), at(60));
        assert_eq!(moment("1970-01-01T01:01:00+01:00"), at(60));
        assert_eq!(moment("1970-01-01T00:01:00.000000"), at(60));
        assert_eq!(moment("soon"), None);
    }

    fn question(reason: &'static str, schema: Option<Value>) -> Question {
        Question { interrupt: Interrupt::new("i", reason), schema }
    }

    #[test]
    fn a_change_is_sent_if_the_agent_takes_it_and_is_a_no_otherwise() {
        let plain = question("tool_call", None);
        let edited = || Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
        assert_eq!(plain.payload(edited()), Some(json!({"approved": false})));
        let open = question("tool_call", Some(json!({"properties": {"editedArgs": {}, "reason": {}}})));
        assert_eq!(open.payload(edited()), Some(json!({"approved": true, "editedArgs": {"id": "n2"}})));
        let no = Confirmation::NoBecause("not today".into());
        assert_eq!(open.payload(no), Some(json!({"approved": false, "reason": "not today"})));
        assert_eq!(open.payload(Confirmation::TimedOut), None);
    }

    #[test]
    fn a_question_whose_schema_takes_no_approval_is_a_question_for_input() {
        assert!(question("tool_call", None).is_approval());
        let with = |required: &str| Some(json!({"type": "object", "required": [required]}));
        assert!(question("tool_call", with("approved")).is_approval());
        assert!(!question("tool_call", with("address")).is_approval());
        assert!(!question("input_required", None).is_approval());
    }
}
