//! The policy itself: the decision that each statement leads to.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{
    AgentConsent, BeforeCall, BoxFuture, Decision, DecisionBasis, DecisionSource, HookResponse, PendingCall,
    QuestionEnd,
};

use crate::approvals::{ApprovalStore, Approvals, Lookup, RememberedApproval, Role};
use crate::confirm::Confirm;
use crate::question::{Answer, Prompter};
use crate::rule::{Applied, Rule};
use crate::wording::ConsentWording;

/// The hook that acts on what each command states about running without asking the user.
///
/// An approval of a command that states `ask` is remembered for the lifetime of the policy, for the command as it was
/// declared: a command that is registered again is asked about again. A no is not remembered, and neither is a yes with
/// other arguments. The policy remembers at most one approval for each command; [`approvals`](Self::approvals) lists and
/// withdraws them.
///
/// Make one policy for each connection. It is not `Clone`, so that no two connections share an answer by accident. If
/// another hook comes before it, put the policy into an [`Arc`]:
///
/// ```
/// use std::sync::Arc;
///
/// use drawloom_command::{BeforeCall, Decision, PendingCall};
/// use drawloom_consent::ConsentPolicy;
///
/// fn hook(policy: ConsentPolicy) -> impl BeforeCall {
///     let policy = Arc::new(policy);
///     move |call: PendingCall| {
///         let policy = policy.clone();
///         async move {
///             if call.command_id == "notes.export" {
///                 return Decision::Answer { content: "Exports are run from the menu.".into() }.into();
///             }
///             policy.before(&call).await
///         }
///     }
/// }
/// # let _ = hook(ConsentPolicy::new(|_: PendingCall| async { true }));
/// ```
///
/// # Concurrent calls
/// Calls to the same `ask` command that come while the user is being asked about it wait for that answer instead of asking
/// again, and the answer applies to all of them. A yes with other arguments applies only to the call that was asked about;
/// the user is then asked about the others. If a waiting call is dropped, the question stays for the others, even if it
/// was asked about the dropped call; the question is dropped with the last of them. Calls to an `ask-always` command share
/// nothing.
///
/// # Confirmations that fail
/// A confirmation that returns an error, panics, is cancelled or does not answer before the
/// [`deadline`](ConsentPolicyBuilder::deadline) is a no, and the agent is told which of these happened. The message of a
/// panic goes to the developer's log (`tracing`), not to the agent.
///
/// # Confirmations that call the policy
/// A confirmation may call the policy, because the policy holds no lock while it runs. It must not wait for a decision about
/// the `ask` command that it confirms: it would wait for its own answer. Such a wait cannot be distinguished from a
/// concurrent call, so it is not refused; it ends with the deadline, and never if there is none.
///
/// # Traces
/// Each decision is an event with the target `drawloom_consent` and these fields: `command`, `call`, `statement` (`allow`,
/// `ask`, `ask-always`, `never`, `none`), `applied` (the same words; what the policy acted on after its
/// [`rule`](ConsentPolicyBuilder::rule), or `panicked`), `decision` (`run`, `run-with`, `decline`), `source` (`rule`, `asked`,
/// `remembered`, `shared`) and `answer` (`yes`, `edited`, `no`, `errored`, `cancelled`, `timed-out`, `panicked`, or `none`
/// if nobody was asked).
pub struct ConsentPolicy {
    prompter: Prompter,
    rule: Option<Rule>,
    wording: ConsentWording,
    approvals: Arc<ApprovalStore>,
}

/// Builder for a [`ConsentPolicy`].
#[must_use = "a builder does nothing until it builds"]
pub struct ConsentPolicyBuilder {
    prompter: Prompter,
    rule: Option<Rule>,
    wording: ConsentWording,
}

impl ConsentPolicyBuilder {
    /// Sets the texts for the agent.
    pub fn wording(mut self, wording: ConsentWording) -> Self {
        self.wording = wording;
        self
    }

    /// Bounds the time that the user has to answer. By default the time is not bounded.
    ///
    /// The policy has no clock: it calls `deadline` each time the user is asked. If that future is ready and there is no
    /// answer, the answer is a no. Calls that wait for the same answer wait for the same deadline.
    ///
    /// ```
    /// # use std::future::Future;
    /// # use std::time::Duration;
    /// # fn sleep(_: Duration) -> impl Future<Output = ()> + Send { std::future::pending() }
    /// use drawloom_command::PendingCall;
    /// use drawloom_consent::ConsentPolicy;
    ///
    /// # async fn ask_the_user(_: PendingCall) -> bool { true }
    /// let policy = ConsentPolicy::builder(ask_the_user).deadline(|| sleep(Duration::from_secs(120))).build();
    /// # let _ = policy;
    /// ```
    pub fn deadline<F, Fut>(mut self, deadline: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.prompter.deadline = Some(Arc::new(move || Box::pin(deadline())));
        self
    }

    /// Sets a rule that may be stricter than what a command states, for example about commands that destroy something or
    /// act outside the application. By default there is none.
    ///
    /// The rule returns what the call needs at least; the policy acts on that or on what the command states, whichever is
    /// stricter. So no rule makes a policy less strict, and `Allow` leaves everything to the command. A command that states
    /// nothing states `Allow` here. The rule is read once for each call that could run, while nothing is locked, and not
    /// for a command that states `never`.
    ///
    /// The person is asked about a call with the statement that the policy acts on in
    /// [`agent_consent`](PendingCall::agent_consent), so that a dialog can say whether a yes is remembered. If the rule
    /// panics, the call is declined.
    ///
    /// ```
    /// use drawloom_command::{
    ///     AgentConsent, BeforeCall, CommandArguments, CommandOffer, Decision, EffectKind, Effects, PendingCall,
    ///     RegistrationId,
    /// };
    /// use drawloom_consent::ConsentPolicy;
    ///
    /// let policy = ConsentPolicy::builder(|_: PendingCall| async { false })
    ///     .rule(|call| match call.effects {
    ///         Some(effects) if effects.kind() == EffectKind::Destroys || effects.acts_outside() => AgentConsent::Ask,
    ///         _ => AgentConsent::Allow,
    ///     })
    ///     .build();
    ///
    /// let offer = |effects| CommandOffer::new("notes.a".into(), RegistrationId::unique(), None).effects(Some(effects));
    /// let call = |effects| PendingCall::new("call-1", &offer(effects), CommandArguments::new());
    /// # futures::executor::block_on(async {
    /// assert_eq!(policy.before(&call(Effects::changes())).await, Decision::Run);
    /// let declined = policy.before(&call(Effects::destroys())).await;
    /// assert_eq!(declined, Decision::Decline { reason: "the user declined the call".into() });
    /// # });
    /// ```
    pub fn rule(mut self, rule: impl Fn(&PendingCall) -> AgentConsent + Send + Sync + 'static) -> Self {
        self.rule = Some(Rule::new(rule));
        self
    }

    /// Builds the policy.
    pub fn build(self) -> ConsentPolicy {
        let Self { prompter, rule, wording } = self;
        ConsentPolicy { prompter, rule, wording, approvals: Arc::default() }
    }
}

impl ConsentPolicy {
    /// A policy that asks the user in this way, with the default wording and without a deadline.
    ///
    /// ```
    /// use drawloom_command::PendingCall;
    /// use drawloom_consent::ConsentPolicy;
    ///
    /// let declines_everything = ConsentPolicy::new(|_: PendingCall| async { false });
    /// # let _ = declines_everything;
    /// ```
    pub fn new(confirm: impl Confirm + 'static) -> Self {
        Self::builder(confirm).build()
    }

    /// Starts building a policy that asks the user in this way.
    pub fn builder(confirm: impl Confirm + 'static) -> ConsentPolicyBuilder {
        ConsentPolicyBuilder {
            prompter: Prompter { confirm: Arc::new(confirm), deadline: None },
            rule: None,
            wording: ConsentWording::default(),
        }
    }

    /// A handle that lists and withdraws the approvals that the policy remembers.
    pub fn approvals(&self) -> Approvals {
        Approvals::new(&self.approvals)
    }

    async fn decide(&self, call: &PendingCall, applied: Applied) -> Outcome {
        let applied = match applied {
            Applied::Statement(statement) => statement,
            Applied::Panicked => return Outcome::Rule(self.wording.decide_rule_panicked()),
        };
        match applied {
            None | Some(AgentConsent::Allow) => Outcome::Rule(Decision::Run),
            Some(AgentConsent::Never) => Outcome::Rule(self.wording.decide_never()),
            Some(AgentConsent::AskAlways) => {
                let call = as_applied(call, applied);
                Outcome::Answered(DecisionSource::Asked, self.prompter.prompt(&call).await)
            }
            Some(AgentConsent::Ask) => loop {
                match self.approvals.look_up(&self.prompter, &as_applied(call, applied)) {
                    Lookup::Approved(approval) => break Outcome::Remembered(approval),
                    Lookup::Open(waiter) => {
                        let source = match waiter.role() {
                            Role::AskedAbout => DecisionSource::Asked,
                            Role::Joined => DecisionSource::Shared,
                        };
                        if let Some(answer) = waiter.await {
                            break Outcome::Answered(source, answer);
                        }
                    }
                }
            },
        }
    }

    /// How many approvals are remembered, and how many questions are open.
    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        self.approvals.size()
    }
}

/// The call as the person is asked about it: with the statement that the policy acts on, so that a dialog can say whether
/// a yes is remembered.
fn as_applied(call: &PendingCall, applied: Option<AgentConsent>) -> Cow<'_, PendingCall> {
    match applied == call.agent_consent {
        true => Cow::Borrowed(call),
        false => {
            let mut call = call.clone();
            call.agent_consent = applied;
            Cow::Owned(call)
        }
    }
}

/// How a call was decided.
enum Outcome {
    Rule(Decision),
    Remembered(RememberedApproval),
    Answered(DecisionSource, Answer),
}

impl Outcome {
    fn respond(self, wording: &ConsentWording) -> HookResponse {
        let (decision, mut basis) = match self {
            Self::Rule(decision) => (decision, DecisionBasis::new(DecisionSource::Rule)),
            Self::Remembered(RememberedApproval { decided_by, shown, .. }) => {
                let mut basis = DecisionBasis::new(DecisionSource::Remembered);
                (basis.decided_by, basis.shown) = (decided_by, shown);
                (Decision::Run, basis)
            }
            Self::Answered(source, answer) => {
                let basis = answer.basis(source);
                (wording.decide(answer), basis)
            }
        };
        if let Decision::Decline { reason } = &decision {
            basis.reason = Some(reason.as_str().into());
        }
        HookResponse::new(decision, basis)
    }
}

impl BeforeCall for ConsentPolicy {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        Box::pin(async move {
            let applied = Applied::to(call, self.rule.as_ref());
            let outcome = self.decide(call, applied).await;
            let response = outcome.respond(&self.wording);
            tracing::info!(
                target: "drawloom_consent",
                command = %call.command_id,
                call = &*call.call_id,
                statement = call.agent_consent.map_or("none", AgentConsent::as_str),
                applied = applied.as_str(),
                decision = response.decision.as_str(),
                source = response.basis.source.as_str(),
                answer = response.basis.answer.map_or("none", QuestionEnd::as_str),
                "decided"
            );
            response
        })
    }
}

impl fmt::Debug for ConsentPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentPolicy")
            .field("wording", &self.wording)
            .field("deadline", &self.prompter.deadline.is_some())
            .field("rule", &self.rule.is_some())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ConsentPolicyBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentPolicyBuilder")
            .field("wording", &self.wording)
            .field("deadline", &self.prompter.deadline.is_some())
            .field("rule", &self.rule.is_some())
            .finish_non_exhaustive()
    }
}
