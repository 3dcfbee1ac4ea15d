//! What is told of each decision: to the developer's log, to the audit, and to the person.

use std::time::Duration;

use drawloom_command::{CommandArguments, CommandId, CommandOutcome};

use crate::caller::Caller;
use crate::capability::Capability;
use crate::chain;
use crate::contain::contained;
use crate::ports::{AuditRecord, Cause, Notice};
use crate::seam::{Ask, Refused, Who};
use crate::workbench::Workbench;

impl Ask {
    pub(crate) fn caller(&self) -> Caller {
        match &self.who {
            Who::Person => Caller::Person,
            Who::Plugin(plugin, _) => Caller::Plugin(plugin.clone()),
        }
    }
}

/// One decision while it is open. It is told exactly once, when it is closed; dropping it open tells that the
/// invocation was cancelled.
pub(crate) struct Log {
    workbench: Workbench,
    caller: Caller,
    command: CommandId,
    // Kept only where there is an audit to give them to.
    arguments: Option<CommandArguments>,
    depth: u32,
    started: Option<Duration>,
    is_open: bool,
}

impl Log {
    pub(crate) fn open(workbench: &Workbench, ask: &Ask, arguments: &CommandArguments, depth: u32) -> Self {
        Self {
            caller: ask.caller(),
            command: ask.command.clone(),
            arguments: workbench.inner.ports.audit.as_ref().map(|_| arguments.clone()),
            depth,
            started: workbench.time(),
            is_open: true,
            workbench: workbench.clone(),
        }
    }

    pub(crate) fn refuse(mut self, refused: Refused) -> CommandOutcome {
        self.tell(refused.refusal.into(), Some(refused.cause))
    }

    pub(crate) fn close(mut self, outcome: CommandOutcome) -> CommandOutcome {
        self.tell(outcome, None)
    }

    fn tell(&mut self, outcome: CommandOutcome, cause: Option<Cause>) -> CommandOutcome {
        self.is_open = false;
        // What the audit or the notifier invokes, this invocation invokes: a loop through them ends as any other.
        let _entered = chain::enter(self.depth);
        let duration =
            self.started.and_then(|started| self.workbench.time().map(|now| now.saturating_sub(started)));
        self.trace(&outcome, cause, duration);
        // Only what a port itself invoked gets past the refusal of the chain. Were that told too, it would go on.
        if self.depth > self.workbench.inner.ports.nesting_limit.saturating_add(1) {
            return outcome;
        }
        self.notify(&outcome, cause);
        match (&self.workbench.inner.ports.audit, self.arguments.take()) {
            (Some(audit), Some(arguments)) => {
                let record = AuditRecord {
                    caller: self.caller.clone(),
                    command: self.command.clone(),
                    arguments,
                    outcome,
                    cause,
                    depth: self.depth,
                    duration,
                };
                let _ = contained("audit sink", || audit.record(&record));
                record.outcome
            }
            _ => outcome,
        }
    }

    /// One event a decision, with the same fields each time: `caller`, `command`, `outcome`, `reason`, `cause`,
    /// `depth`, `elapsed_us`, and `message` of a failure.
    fn trace(&self, outcome: &CommandOutcome, cause: Option<Cause>, duration: Option<Duration>) {
        let caller = &self.caller;
        let command = self.command.as_str();
        let depth = self.depth;
        let elapsed_us = duration.map(|duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
        match outcome {
            CommandOutcome::Answered { .. } => {
                tracing::debug!(%caller, command, outcome = "answered", depth, elapsed_us, "invocation");
            }
            CommandOutcome::Refused(refusal) => {
                let reason = refusal.reason.as_str();
                let cause = cause.map(Cause::as_str);
                // A control that names nothing is a mistake of the application's, not a caller probing.
                if *caller == Caller::Person && cause == Some(Cause::Unknown.as_str()) {
                    tracing::warn!(
                        %caller, command, outcome = "refused", reason, cause, depth, elapsed_us,
                        "a control names a command that is not registered"
                    );
                } else {
                    tracing::info!(
                        %caller, command, outcome = "refused", reason, cause, depth, elapsed_us,
                        "invocation"
                    );
                }
            }
            CommandOutcome::Failed { message } => {
                tracing::warn!(
                    %caller, command, outcome = "failed", failure = %message, depth, elapsed_us,
                    "invocation"
                );
            }
        }
    }

    fn notify(&self, outcome: &CommandOutcome, cause: Option<Cause>) {
        match (&self.caller, outcome) {
            (Caller::Plugin(plugin), _) if cause == Some(Cause::MissingGrant) => {
                self.workbench.notify(&Notice::MissingGrant {
                    plugin: plugin.clone(),
                    capability: Capability::Automation,
                    command: Some(self.command.clone()),
                });
            }
            (Caller::Person, CommandOutcome::Refused(refusal)) => {
                self.workbench
                    .notify(&Notice::Refused { command: self.command.clone(), refusal: refusal.clone() });
            }
            (Caller::Person, CommandOutcome::Failed { message }) => {
                self.workbench
                    .notify(&Notice::Failed { command: self.command.clone(), message: message.clone() });
            }
            _ => {}
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if self.is_open {
            self.tell(
                CommandOutcome::Failed { message: "the command was cancelled while it ran".to_owned() },
                None,
            );
        }
    }
}
