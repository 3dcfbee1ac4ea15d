//! The seam: the one place that decides whether a command runs, and runs it.
//!
//! Every route ends here: a person's trigger, a plugin's invocation, an adapter's offer. The decision is taken when
//! the invocation is first polled, right before the handler is, so it is never about an earlier state of things.

use std::future::Future;
use std::sync::Arc;

use drawloom_command::{
    CommandArguments, CommandId, CommandOutcome, InvocableCommand, PluginId, Refusal, RegistrationId,
};

use crate::call::{Call, CallInner};
use crate::capability::Capability;
use crate::chain::{self, AtDepth};
use crate::context::PluginContext;
use crate::ports::Cause;
use crate::present::Moment;
use crate::record::Log;
use crate::registry::{Activation, Registered};
use crate::session::Window;
use crate::workbench::Workbench;

/// Who asks, by the activation that asks.
#[derive(Clone)]
pub(crate) enum Who {
    Person,
    Plugin(PluginId, Activation),
}

/// One question to the seam.
pub(crate) struct Ask {
    pub(crate) who: Who,
    pub(crate) command: CommandId,
    /// The depth the asker says it is at; what the thread says counts where it is more.
    pub(crate) depth: u32,
    /// Set where only what was offered may run: this registration, and only while it is still offered.
    pub(crate) offered: Option<RegistrationId>,
}

/// A refusal with its cause, which the caller is not told.
pub(crate) struct Refused {
    pub(crate) refusal: Refusal,
    pub(crate) cause: Cause,
}

impl From<Cause> for Refused {
    fn from(cause: Cause) -> Self {
        Self { refusal: Refusal::unavailable(), cause }
    }
}

/// Where an asker stands at one moment. What it may reach follows from this and a command's declaration alone.
pub(crate) struct Standing {
    moment: Moment,
    asker: Asker,
}

enum Asker {
    Person,
    Plugin { id: PluginId, automation: bool },
    Gone,
}

impl Standing {
    /// Whether the asker may run the command. The grant is looked at last, so that a missing grant is named as the
    /// cause only where giving it back would help.
    pub(crate) fn permits(&self, command: &Registered) -> Result<(), Cause> {
        let is_foreign = match &self.asker {
            Asker::Gone => return Err(Cause::Inactive),
            Asker::Person => false,
            Asker::Plugin { id, .. } => *id != command.owner,
        };
        if is_foreign && !command.declaration.is_callable() {
            return Err(Cause::NotCallable);
        }
        if self.moment.window == Window::Popout && !command.declaration.is_popout() {
            return Err(Cause::Window);
        }
        if !self.moment.session.meets(command.declaration.access()) {
            return Err(Cause::Session);
        }
        if is_foreign && matches!(self.asker, Asker::Plugin { automation: false, .. }) {
            return Err(Cause::MissingGrant);
        }
        Ok(())
    }

    /// Whether the command is among those the asker is told of: one it may run and that was opened.
    pub(crate) fn offers(&self, command: &Registered) -> bool {
        command.declaration.is_callable() && self.permits(command).is_ok()
    }
}

impl Workbench {
    pub(crate) fn standing(&self, who: &Who) -> Standing {
        let moment = self.now();
        // Asked after the moment was taken: an activation that ends never comes back, so one that is still there was
        // there at that moment.
        let asker = match who {
            Who::Person => Asker::Person,
            Who::Plugin(id, activation) if self.inner.registry.0.is_active(id, *activation) => {
                Asker::Plugin {
                    id: id.clone(),
                    automation: self.holds(&moment, id, *activation, Capability::Automation),
                }
            }
            Who::Plugin(..) => Asker::Gone,
        };
        Standing { moment, asker }
    }

    /// Every command for which `tells` holds, described; those that no call could match are left out.
    pub(crate) fn list(&self, tells: impl Fn(&Registered) -> bool) -> Vec<InvocableCommand> {
        let commands = self.inner.registry.0.commands();
        commands
            .iter()
            .filter(|command| tells(command))
            .filter_map(|command| {
                command.declaration.describe(command.registration, |text| self.translate(text))
            })
            .collect()
    }

    /// The decision, in its order: is the command there and within reach, is the chain short enough, do the
    /// arguments match.
    fn admit(&self, ask: &Ask, arguments: &CommandArguments, depth: u32) -> Result<Arc<Registered>, Refused> {
        let command = self.reach(ask)?;
        let limit = self.inner.ports.nesting_limit;
        if depth > limit {
            return Err(Refused { refusal: Refusal::too_deep(limit), cause: Cause::TooDeep });
        }
        // A source of choices is the command's own code: what it invokes, this command invokes.
        let _entered = chain::enter(depth);
        command.declaration.check(arguments).map_err(|problems| Refused {
            refusal: Refusal::invalid_arguments(&problems),
            cause: Cause::Arguments,
        })?;
        // A source may have taken its time, or changed what the decision was about.
        if command.declaration.reads_choices() && self.reach(ask)?.registration != command.registration {
            return Err(Cause::Replaced.into());
        }
        Ok(command)
    }

    /// The command, where the asker may run it at this moment.
    fn reach(&self, ask: &Ask) -> Result<Arc<Registered>, Refused> {
        let registry = &self.inner.registry.0;
        let command = registry.command(&ask.command).ok_or(Cause::Unknown)?;
        let standing = self.standing(&ask.who);
        standing.permits(&command)?;
        // Registered before the moment and after it, it was so in it.
        if registry.command(&ask.command).is_none_or(|now| now.registration != command.registration) {
            return Err(Cause::Unknown.into());
        }
        if let Some(registration) = ask.offered {
            if registration != command.registration {
                return Err(Cause::Replaced.into());
            }
            if !standing.offers(&command) {
                return Err(Cause::NotCallable.into());
            }
        }
        Ok(command)
    }

    /// Says what [`Workbench::dispatch`] would decide now, and records a refusal like any other.
    pub(crate) fn review(&self, ask: &Ask, arguments: &CommandArguments) -> Result<(), Refusal> {
        let depth = ask.depth.max(chain::current()).saturating_add(1);
        match self.admit(ask, arguments, depth) {
            Ok(_) => Ok(()),
            Err(refused) => {
                let refusal = refused.refusal.clone();
                Log::open(self, ask, arguments, depth).refuse(refused);
                Err(refusal)
            }
        }
    }

    /// Decides, and runs what may run. The future may be polled on any executor and dropped at any time.
    pub(crate) fn dispatch(
        &self,
        ask: Ask,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        let workbench = self.clone();
        // The invocation belongs to the handler it is made in, and to the one it is polled in.
        let made_at = ask.depth.max(chain::current());
        async move {
            let depth = made_at.max(chain::current()).saturating_add(1);
            let log = Log::open(&workbench, &ask, &arguments, depth);
            let command = match workbench.admit(&ask, &arguments, depth) {
                Ok(command) => command,
                Err(refused) => return log.refuse(refused),
            };
            let context = PluginContext::new(workbench.clone(), command.owner.clone(), command.activation);
            let caller = ask.caller();
            let inner = Arc::new(CallInner { command: ask.command, caller, context, depth });
            let call = Call { inner, arguments };
            let running = AtDepth::start(depth, || (command.handler)(call));
            // The command may be removed while it runs; then the handler goes with it and the run goes on.
            drop(command);
            log.close(match running.await {
                Some(Ok(value)) => CommandOutcome::Answered { value },
                Some(Err(message)) => CommandOutcome::Failed { message },
                None => CommandOutcome::Failed { message: "the command panicked".to_owned() },
            })
        }
    }
}
