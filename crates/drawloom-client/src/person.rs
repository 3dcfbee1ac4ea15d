//! The person: how they are asked, about commands and about what the agent wants to know, and what is told of it.

use std::future::Future;
use std::sync::Arc;
use std::time::SystemTime;

use drawloom_ag_ui::{AssemblerLimits, plain_command_id, read_arguments};
use drawloom_command::{
    Approval, BeforeCall, BoxFuture, CommandArguments, Decision, HookResponse, PendingCall,
};
use drawloom_consent::{Confirm, Confirmation, ConfirmationResponse, ConsentPolicy};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::contain::OfTheProduct;
use crate::update::{Told, Update};
use crate::wire::{Interrupt, Resume, ToolCall};

/// Answers what an agent asks that no yes or no answers.
///
/// A closure that takes the [`Interrupt`] and returns a future is one. Without an answer the agent is told that there
/// is none:
///
/// ```
/// use drawloom_client::{AskForInput, Interrupt};
///
/// # async fn prompt(_: String) -> Option<String> { None }
/// fn form() -> impl AskForInput {
///     |asked: Interrupt| async move {
///         prompt(asked.message.unwrap_or(asked.reason)).await.map(|text| serde_json::json!({ "text": text }))
///     }
/// }
/// # let _ = form();
/// ```
pub trait AskForInput: Send + Sync {
    /// Asks. The payload of the answer is what the interrupt's schema says, where it says something.
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

/// What time it is.
pub(crate) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Who is asked, and by which clock.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) confirm: Option<Arc<dyn Confirm>>,
    pub(crate) input: Option<Arc<dyn AskForInput>>,
    pub(crate) clock: Clock,
    pub(crate) told: Arc<Told>,
}

impl Person {
    pub(crate) fn new() -> Self {
        Self { confirm: None, input: None, clock: Arc::new(SystemTime::now), told: Arc::default() }
    }

    /// Asks what the agent asks. None where the answer came too late, or would have.
    pub(crate) fn ask(
        &self,
        interrupt: Interrupt,
        call: Option<&ToolCall>,
    ) -> BoxFuture<'static, Option<Resume>> {
        let this = self.clone();
        let question =
            matches!(&*interrupt.reason, "tool_call" | "confirmation").then(|| pending(&interrupt, call));
        let nobody_answered = Resume::cancelled(&interrupt);
        let asking: BoxFuture<'static, _> = Box::pin(async move {
            if this.is_over(&interrupt) {
                return None;
            }
            let resume = this.answer(&interrupt, question).await;
            (!this.is_over(&interrupt)).then_some(resume)
        });
        let asking = OfTheProduct::make("what asks the person", || asking);
        Box::pin(async move { asking.await.unwrap_or(Some(nobody_answered)) })
    }

    async fn answer(&self, interrupt: &Interrupt, question: Option<PendingCall>) -> Resume {
        match (question, &self.confirm, &self.input) {
            (Some(call), Some(confirm), _) => approval(interrupt, confirm.confirm(call).await.confirmation),
            (None, _, Some(input)) => match input.input(interrupt.clone()).await {
                Some(payload) => Resume::resolved(interrupt, payload),
                None => Resume::cancelled(interrupt),
            },
            _nobody_to_ask => Resume::cancelled(interrupt),
        }
    }

    fn is_over(&self, interrupt: &Interrupt) -> bool {
        let over = interrupt.expires_at.as_deref().and_then(moment);
        over.is_some_and(|over| over <= (self.clock)())
    }
}

/// A moment as RFC 3339 has it. Where it names no zone, as Python writes it, it is UTC.
fn moment(text: &str) -> Option<SystemTime> {
    let without_zone = || text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let moment = text.parse::<Timestamp>().ok().or_else(|| Some(without_zone()?.timestamp()))?;
    Some(moment.into())
}

/// The question as the consent policy would put it: the call by its command, with the arguments it has. What cannot be
/// said in arguments is said as text.
fn pending(interrupt: &Interrupt, call: Option<&ToolCall>) -> PendingCall {
    let (id, command, arguments) = match call {
        Some(call) => {
            let name = &call.function.name;
            let command = plain_command_id(name).unwrap_or_else(|| name.clone());
            let text = &call.function.arguments;
            let as_text = || CommandArguments::new().with("arguments", text.as_str());
            // A snapshot may show more than a call may carry.
            let is_short = text.len() <= AssemblerLimits::default().argument_bytes;
            let read = if is_short { read_arguments(text).ok() } else { None };
            (call.id.as_str(), command, read.unwrap_or_else(as_text))
        }
        None => {
            let message = interrupt.message.as_deref().unwrap_or_default();
            (&*interrupt.id, interrupt.reason.clone(), CommandArguments::new().with("message", message))
        }
    };
    let approval = Approval::new(interrupt.message.clone(), interrupt.takes("editedArgs"));
    PendingCall::to_approve(id, command, arguments, approval)
}

/// What the person said, as the agent takes it. A change that the agent takes none of is a no: what the person approved
/// is not what would run.
fn approval(interrupt: &Interrupt, confirmation: Confirmation) -> Resume {
    let mut payload = Map::new();
    let mut why = None;
    let approved = match confirmation {
        Confirmation::Yes => true,
        Confirmation::YesWith(arguments) if interrupt.takes("editedArgs") => {
            payload.insert("editedArgs".to_owned(), json!(arguments));
            true
        }
        Confirmation::YesWith(_) => {
            why = Some("the arguments were changed, and no changes are taken".to_owned());
            false
        }
        Confirmation::No => false,
        Confirmation::NoBecause(said) => {
            why = Some(said);
            false
        }
        Confirmation::Errored(_) | Confirmation::Cancelled | Confirmation::TimedOut => {
            return Resume::cancelled(interrupt);
        }
    };
    payload.insert("approved".to_owned(), approved.into());
    if let Some(why) = why
        && interrupt.takes("reason")
    {
        payload.insert("reason".to_owned(), why.into());
    }
    Resume::resolved(interrupt, payload.into())
}

/// A way to ask that is told of.
pub(crate) struct Announced {
    pub(crate) confirm: Arc<dyn Confirm>,
    pub(crate) told: Arc<Told>,
}

impl Confirm for Announced {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        self.told.tell(Update::Asked { call: call.clone() });
        self.confirm.confirm(call)
    }
}

/// What stands before each call: the product's hook, the one that the adapter was brought with, the policy, and then word
/// that it runs.
#[derive(Clone)]
pub(crate) struct Before {
    pub(crate) hook: Option<Arc<dyn BeforeCall>>,
    pub(crate) own: Option<Arc<dyn BeforeCall>>,
    pub(crate) policy: Option<Arc<ConsentPolicy>>,
    pub(crate) told: Arc<Told>,
}

impl BeforeCall for Before {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        Box::pin(async move {
            let mut call = call.clone();
            let mut response = HookResponse::from(Decision::Run);
            let policy = self.policy.as_deref().map(|policy| policy as &dyn BeforeCall);
            for hook in self.hook.as_deref().into_iter().chain(self.own.as_deref()).chain(policy) {
                let next = hook.before(&call).await;
                match next.decision {
                    Decision::Run => response.basis = next.basis,
                    Decision::RunWith(arguments) => {
                        call.arguments.clone_from(&arguments);
                        response = HookResponse::new(Decision::RunWith(arguments), next.basis);
                    }
                    _ => return next,
                }
            }
            // A call to something that is not offered does not run, whatever was decided.
            if call.registration.is_some() {
                self.told.tell(Update::Running { call });
            }
            response
        })
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

    #[test]
    fn a_change_is_sent_where_it_is_taken_and_a_no_where_it_is_not() {
        let mut interrupt = Interrupt::new("i", "tool_call");
        let edited = || Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
        assert_eq!(approval(&interrupt, edited()).payload, Some(json!({"approved": false})));
        interrupt.response_schema = Some(json!({"properties": {"editedArgs": {}, "reason": {}}}));
        assert_eq!(
            approval(&interrupt, edited()).payload,
            Some(json!({"approved": true, "editedArgs": {"id": "n2"}}))
        );
        let no = Confirmation::NoBecause("not today".into());
        assert_eq!(approval(&interrupt, no).payload, Some(json!({"approved": false, "reason": "not today"})));
        assert_eq!(approval(&interrupt, Confirmation::TimedOut), Resume::cancelled(&interrupt));
    }
}
