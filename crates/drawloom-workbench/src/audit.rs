//! What is told about each decision of the seam: to the developer's log, to the audit, and to the person.

pub(crate) mod event;
pub(crate) mod recorded;
pub(crate) mod stream;

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use drawloom_command::{
    CallOrigin, CommandArguments, CommandDeclaration, CommandId, CommandOutcome, Failure, Refusal,
};

use crate::audit::event::AuditEvent;
use crate::audit::stream::{AuditStream, Entry};
use crate::authorize::Cause;
use crate::contain::logging;
use crate::invocation::depth;
use crate::permissions::capability::Capability;
use crate::ports::{Notice, Ports};
use crate::principal::Caller;
use crate::session::{Person, Session};

/// One decision, from the moment it is asked for until its outcome is known.
///
/// It is told exactly once: when it is closed, or when it is dropped, which means that the invocation was cancelled.
pub(crate) struct DecisionRecord {
    ports: Arc<Ports>,
    audit: Option<Arc<AuditStream>>,
    audience: Audience,
    caller: Caller,
    // The session in which it was decided, once it is.
    session: Option<Arc<Session>>,
    command: CommandId,
    // Both are kept only if there is an audit to give them to.
    origin: Option<CallOrigin>,
    arguments: CommandArguments,
    // For the log.
    call_id: Option<Arc<str>>,
    depth: u32,
    started: Option<Duration>,
    is_open: bool,
}

/// Who is told about a decision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The log, the audit and the person.
    Everyone,
    /// The log alone. Only what a port itself invoked gets here, and telling the port about it would never end.
    Log,
}

/// What is decided about.
pub(crate) struct Subject<'a> {
    pub(crate) caller: Caller,
    pub(crate) command: &'a CommandId,
    pub(crate) origin: &'a CallOrigin,
    pub(crate) depth: u32,
}

impl DecisionRecord {
    pub(crate) fn open(
        ports: &Arc<Ports>,
        audit: Option<&Arc<AuditStream>>,
        subject: Subject<'_>,
        audience: Audience,
    ) -> Self {
        let Subject { caller, command, origin, depth } = subject;
        Self {
            audit: audit.cloned(),
            audience,
            caller,
            session: None,
            command: command.clone(),
            origin: audit.map(|_| origin.clone()),
            arguments: CommandArguments::new(),
            call_id: origin.call_id.clone(),
            depth,
            started: ports.time(),
            is_open: true,
            ports: ports.clone(),
        }
    }

    /// Notes the session in which it was decided, and the arguments of the call to what is registered under the id, if
    /// anything is.
    pub(crate) fn decided(
        &mut self,
        session: Arc<Session>,
        declared: Option<&CommandDeclaration>,
        arguments: &CommandArguments,
    ) {
        self.session = Some(session);
        if self.audit.is_some() {
            self.arguments = recorded::arguments(declared, arguments);
        }
    }

    fn person(&self) -> Option<&Person> {
        self.session.as_ref()?.person()
    }

    /// When the decision was asked for, by the clock of the workbench.
    pub(crate) fn started(&self) -> Option<Duration> {
        self.started
    }

    pub(crate) fn close(mut self, outcome: CommandOutcome, cause: Option<Cause>) -> CommandOutcome {
        self.tell(outcome, cause)
    }

    fn tell(&mut self, outcome: CommandOutcome, cause: Option<Cause>) -> CommandOutcome {
        self.is_open = false;
        // What the audit or the notifier invokes counts as invoked by this command, so a loop through them ends.
        let _entered = depth::enter(self.depth);
        let duration =
            self.started.and_then(|started| self.ports.time().map(|now| now.saturating_sub(started)));
        logging(|| self.log(&outcome, cause, duration));
        if self.audience == Audience::Log {
            return outcome;
        }
        self.notify(&outcome, cause);
        let (Some(audit), Some(origin)) = (&self.audit, self.origin.take()) else { return outcome };
        let entry = Entry {
            caller: self.caller.clone(),
            person: self.person().cloned(),
            origin,
            command: self.command.clone(),
            arguments: mem::take(&mut self.arguments),
            event: AuditEvent::Invocation { outcome, cause, depth: self.depth, duration },
        };
        // INVARIANT: the event that comes back is the one that was given.
        match audit.write(&self.ports, entry) {
            AuditEvent::Invocation { outcome, .. } => outcome,
            AuditEvent::Decision { .. } => Refusal::unavailable().into(),
        }
    }

    /// One event for each decision, always with the same fields: `caller`, `person`, `command`, `outcome`, `depth`,
    /// `elapsed_us` and `call_id`; `reason` and `cause` of a refusal; `failure` of a failure and of a command that was cancelled.
    fn log(&self, outcome: &CommandOutcome, cause: Option<Cause>, duration: Option<Duration>) {
        let caller = &self.caller;
        let person = self.person().map(|person| person.id.as_str());
        let command = self.command.as_str();
        let depth = self.depth;
        let call_id = self.call_id.as_deref();
        let name = outcome.name();
        let elapsed_us = duration.map(|duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
        match outcome {
            CommandOutcome::Answered { .. } => {
                tracing::debug!(%caller, person, command, outcome = name, depth, elapsed_us, call_id, "invocation");
            }
            CommandOutcome::Refused(refusal) => {
                let reason = refusal.reason.as_str();
                // A control that names no command is a mistake of the application, not a caller that probes.
                let is_mistake = *caller == Caller::Person && cause == Some(Cause::Unknown);
                let cause = cause.map(Cause::as_str);
                if is_mistake {
                    tracing::warn!(
                        %caller, person, command, outcome = name, reason, cause, depth, elapsed_us, call_id,
                        "a control names a command that is not registered"
                    );
                } else {
                    tracing::info!(
                        %caller, person, command, outcome = name, reason, cause, depth, elapsed_us, call_id,
                        "invocation"
                    );
                }
            }
            CommandOutcome::Failed(failure) if failure.is_cancelled() => {
                tracing::info!(
                    %caller, person, command, outcome = name, failure = %failure, depth, elapsed_us, call_id,
                    "invocation"
                );
            }
            CommandOutcome::Failed(failure) => {
                tracing::warn!(
                    %caller, person, command, outcome = name, failure = %failure, depth, elapsed_us, call_id,
                    "invocation"
                );
            }
        }
    }

    fn notify(&self, outcome: &CommandOutcome, cause: Option<Cause>) {
        let command = self.command.clone();
        let notice = match (&self.caller, outcome) {
            (Caller::Plugin(plugin), _) if cause == Some(Cause::MissingGrant) => Notice::MissingGrant {
                plugin: plugin.clone(),
                capability: Capability::Automation,
                command: Some(command),
            },
            (Caller::Person, CommandOutcome::Refused(refusal)) => {
                Notice::Refused { command, refusal: refusal.clone() }
            }
            (Caller::Person, CommandOutcome::Failed(failure)) => {
                let message = failure.message.clone();
                match failure.is_cancelled() {
                    true => Notice::Cancelled { command, message },
                    false => Notice::Failed { command, message },
                }
            }
            _ => return,
        };
        self.ports.notify(&notice);
    }
}

impl Drop for DecisionRecord {
    fn drop(&mut self) {
        if self.is_open {
            self.tell(Failure::cancelled().into(), None);
        }
    }
}
