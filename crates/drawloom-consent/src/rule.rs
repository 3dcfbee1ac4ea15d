//! What the policy acts on: what the command states, and a rule of the application that may only be stricter.

use std::sync::Arc;

use drawloom_command::{AgentConsent, Panicked, PendingCall, contained, contained_with};

/// A rule of the application: what a call needs at least. A panic of the rule, also in its drop, ends here.
pub(crate) struct Rule(Option<Arc<RuleFunction>>);

type RuleFunction = dyn Fn(&PendingCall) -> AgentConsent + Send + Sync;

/// What the policy acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// A statement, or nothing.
    Statement(Option<AgentConsent>),
    /// The rule panicked, so it is not known what the call needs.
    Panicked,
}

impl Rule {
    pub(crate) fn new(rule: impl Fn(&PendingCall) -> AgentConsent + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(rule)))
    }

    fn read(&self, call: &PendingCall) -> Option<AgentConsent> {
        // INVARIANT: `None` only while it is dropped.
        let rule = self.0.as_ref()?;
        let report = |panicked: &Panicked| {
            let (id, command) = (&*call.call_id, &call.command_id);
            tracing::error!(
                target: "drawloom_consent", call = id, %command, panic = panicked.text(), "the consent rule panicked"
            );
        };
        contained_with(report, || rule(call))
    }
}

impl Drop for Rule {
    fn drop(&mut self) {
        let rule = self.0.take();
        let _ = contained(|| drop(rule));
    }
}

impl Applied {
    /// The stricter of what the command states and what the rule says.
    pub(crate) fn to(call: &PendingCall, rule: Option<&Rule>) -> Self {
        let stated = call.agent_consent;
        // Nobody is asked about a call that cannot run: neither a command nor an approval of the agent waits for it.
        let can_run = call.registration.is_some() || call.approval.is_some();
        match rule.filter(|_| can_run && stated != Some(AgentConsent::Never)) {
            None => Self::Statement(stated),
            Some(rule) => rule.read(call).map_or(Self::Panicked, |needed| {
                // `Allow` adds nothing, so a command that states nothing still states nothing.
                let needed = Some(needed).filter(|needed| *needed != AgentConsent::Allow);
                Self::Statement(stated.max(needed))
            }),
        }
    }

    /// Its name in the trace.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Statement(statement) => statement.map_or("none", AgentConsent::as_str),
            Self::Panicked => "panicked",
        }
    }
}
