//! The policy itself: what each statement comes to.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{
    AgentConsent, BeforeCall, BoxFuture, Decision, DecisionBasis, DecisionSource, HookResponse, PendingCall,
};

use crate::asking::{Answer, Person};
use crate::confirmation::{Confirm, Confirmation};
use crate::memory::{Entry, Memory};
use crate::wording::ConsentWording;

/// The hook that acts on what each command states about an agent's word.
///
/// It keeps a yes to a command that states `ask` for as long as it lives, for the command as it was declared: one
/// that is registered anew is asked about again. A no is not kept, and neither is a yes with other arguments. What
/// it keeps is one entry for each command that got a yes.
///
/// Make one for each connection. It is not `Clone`, so that no two connections share an answer by accident; where a
/// hook of your own comes before it, put it in an [`Arc`]:
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
///                 return Decision::Answer { content: "Exports are run from the menu.".into() };
///             }
///             policy.before(&call).await
///         }
///     }
/// }
/// # let _ = hook(ConsentPolicy::new(|_: PendingCall| async { true }));
/// ```
///
/// # Calls that wait side by side
/// Calls to the same `ask` command that come while the person is being asked about it wait for that answer instead of
/// asking again, and it serves them all. A yes with other arguments serves only the call that was asked about; the
/// others are then asked about themselves. A call that is dropped while it waits leaves the question to the others,
/// even where it was the one asked about; once the last is dropped, so is the question. Calls to an `ask-always`
/// command share nothing.
///
/// # A confirmation that goes wrong
/// One that errs, panics, is cancelled or is not there by the [`deadline`](ConsentPolicy::deadline) is a no, and the
/// agent is told which of these it was. What a panic said goes to the developer's log (`tracing`), not to the agent.
///
/// # A confirmation that calls the policy
/// It may, since nothing is locked while it runs, but it must not wait for a decision about the very `ask` command
/// it is confirming: it would wait for its own answer. That cannot be told from a call that came by chance while the
/// person was being asked, so it is not refused; it ends when the deadline does, and never where there is none.
///
/// # Traces
/// Each decision is an event with the target `drawloom_consent` and these fields: `command`, `call`, `statement`
/// (`allow`, `ask`, `ask-always`, `never`, `none`), `decision` (`run`, `run-with`, `decline`) and `basis`
/// (`statement`, `remembered`, `yes`, `edited`, `no`, `errored`, `cancelled`, `timed-out`, `broke`).
pub struct ConsentPolicy {
    person: Person,
    wording: ConsentWording,
    memory: Memory,
}

impl ConsentPolicy {
    /// A policy that asks the person in this way.
    ///
    /// ```
    /// use drawloom_command::PendingCall;
    /// use drawloom_consent::ConsentPolicy;
    ///
    /// let nobody_is_there = ConsentPolicy::new(|_: PendingCall| async { false });
    /// # let _ = nobody_is_there;
    /// ```
    pub fn new(confirm: impl Confirm + 'static) -> Self {
        Self {
            person: Person { confirm: Arc::new(confirm), deadline: None },
            wording: ConsentWording::default(),
            memory: Memory::default(),
        }
    }

    /// Words what the agent is told.
    #[must_use]
    pub fn wording(mut self, wording: ConsentWording) -> Self {
        self.wording = wording;
        self
    }

    /// Bounds the time the person has to answer.
    ///
    /// The policy has no clock: each time the person is asked it calls `deadline`, and where that future is done and
    /// there is no answer, the answer is a no. Calls that wait for the same answer wait for the same deadline.
    ///
    /// ```
    /// # use std::future::Future;
    /// # use std::time::Duration;
    /// # fn sleep(_: Duration) -> impl Future<Output = ()> + Send { std::future::pending() }
    /// use drawloom_command::PendingCall;
    /// use drawloom_consent::ConsentPolicy;
    ///
    /// # async fn ask_the_person(_: PendingCall) -> bool { true }
    /// let policy = ConsentPolicy::new(ask_the_person).deadline(|| sleep(Duration::from_secs(120)));
    /// # let _ = policy;
    /// ```
    #[must_use]
    pub fn deadline<F, Fut>(mut self, deadline: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.person.deadline = Some(Arc::new(move || Box::pin(deadline())));
        self
    }

    async fn decide(&self, call: &PendingCall) -> (Decision, Basis) {
        let answer = match call.agent_consent {
            None | Some(AgentConsent::Allow) => return (Decision::Run, "statement"),
            Some(AgentConsent::Never) => return (self.wording.decide_never(), "statement"),
            Some(AgentConsent::AskAlways) => self.person.ask(call).await,
            Some(AgentConsent::Ask) => loop {
                match self.memory.enter(&self.person, call) {
                    Entry::Yes => return (Decision::Run, "remembered"),
                    Entry::Open(waiter) => {
                        if let Some(answer) = waiter.await {
                            break answer;
                        }
                    }
                }
            },
        };
        let basis = basis(&answer);
        (self.wording.decide(answer), basis)
    }

    /// How many yeses are kept, and how many questions are open.
    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        self.memory.size()
    }
}

impl BeforeCall for ConsentPolicy {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        Box::pin(async move {
            let (decision, basis) = self.decide(call).await;
            tracing::info!(
                target: "drawloom_consent",
                command = %call.command_id,
                call = &*call.call_id,
                statement = statement(call.agent_consent),
                decision = decision.as_str(),
                basis,
                "decided"
            );
            let source = match basis {
                "statement" => DecisionSource::Rule,
                "remembered" => DecisionSource::Remembered,
                _ => DecisionSource::Asked,
            };
            HookResponse::new(decision, DecisionBasis::new(source))
        })
    }
}

impl fmt::Debug for ConsentPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentPolicy")
            .field("wording", &self.wording)
            .field("deadline", &self.person.deadline.is_some())
            .finish_non_exhaustive()
    }
}

/// What a decision rests on, as the trace names it.
type Basis = &'static str;

fn basis(answer: &Answer) -> Basis {
    match answer {
        Answer::Given(Confirmation::Yes) => "yes",
        Answer::Given(Confirmation::YesWith(_)) => "edited",
        Answer::Given(Confirmation::No | Confirmation::NoBecause(_)) => "no",
        Answer::Given(Confirmation::Errored(_)) => "errored",
        Answer::Given(Confirmation::Cancelled) => "cancelled",
        Answer::Given(Confirmation::TimedOut) => "timed-out",
        Answer::Broke => "broke",
    }
}

fn statement(consent: Option<AgentConsent>) -> &'static str {
    match consent {
        None => "none",
        Some(AgentConsent::Allow) => "allow",
        Some(AgentConsent::Ask) => "ask",
        Some(AgentConsent::AskAlways) => "ask-always",
        Some(AgentConsent::Never) => "never",
    }
}
