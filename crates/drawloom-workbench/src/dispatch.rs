//! The single place through which every command runs ("the seam").
//!
//! Every route ends here: a trigger of the person, an invocation by a plugin, a call that an adapter was offered. What the
//! decision needs is collected here; `authorize` decides. The decision is made when the invocation is first polled,
//! directly before the handler is started, so it is never about an earlier state.

use std::future::Future;
use std::sync::Arc;

use drawloom_command::{
    CallOrigin, CommandArguments, CommandDeclaration, CommandId, CommandOutcome, InvocableCommand,
    ProgressSlot, Refusal, RegistrationId,
};

use crate::audit::{Audience, DecisionRecord, Subject};
use crate::authorize::{Authority, Cause};
use crate::contain::log;
use crate::invocation::depth::{self, AtDepth};
use crate::invocation::erased::Invocation;
use crate::invocation::supervised::Supervised;
use crate::principal::Principal;
use crate::running::control::{Control, Started};
use crate::session::Session;
use crate::undo::history::{Owner, UndoOf};
use crate::workbench::{Registered, Workbench};

/// A request to run one command.
pub(crate) struct Request {
    pub(crate) principal: Principal,
    pub(crate) command: CommandId,
    /// Where the call comes from. Decides nothing.
    pub(crate) origin: CallOrigin,
    /// The command that invokes this one, as far as the caller knows. If the thread is marked with a deeper one, that one
    /// counts.
    pub(crate) parent: Option<Arc<Control>>,
    /// Set if only what was offered may run: this registration, and only while it is still offered.
    pub(crate) offered: Option<RegistrationId>,
    /// Set if the command undoes something.
    pub(crate) undo: Option<UndoOf>,
    /// Where the progress of the command goes, besides the list of what runs.
    pub(crate) observer: Option<ProgressSlot>,
}

impl Request {
    /// A request for whatever is registered under the id.
    pub(crate) fn new(principal: Principal, command: CommandId) -> Self {
        Self {
            principal,
            command,
            origin: CallOrigin::default(),
            parent: None,
            offered: None,
            undo: None,
            observer: None,
        }
    }

    /// The depth that the caller knows of.
    fn depth(&self) -> u32 {
        self.parent.as_ref().map_or(0, |parent| parent.started.depth)
    }

    /// The command whose handler is being polled invokes this one, if it is deeper than the one that is known.
    fn invoked_here(&mut self) {
        let here = depth::running();
        if here.as_ref().is_some_and(|here| here.started.depth > self.depth()) {
            self.parent = here;
        }
    }
}

/// A refusal with its cause, which the caller is not told.
struct Refused {
    refusal: Refusal,
    cause: Cause,
}

/// The decision about a request, or about one step of it.
struct Admission<E = Refused> {
    /// The session in which it was taken.
    session: Arc<Session>,
    /// What is registered under the id, whether it may run or not. For the records.
    registered: Option<Arc<Registered>>,
    command: Result<Arc<Registered>, E>,
}

impl From<Cause> for Refused {
    fn from(cause: Cause) -> Self {
        Self { refusal: Refusal::unavailable(), cause }
    }
}

impl Workbench {
    /// Whether the nesting limit is reached: whatever is invoked here is refused as too deep, so every list that is taken
    /// here is empty.
    pub(crate) fn is_at_limit(&self) -> bool {
        depth::next(0) > self.inner.nesting_limit
    }

    /// The list of those commands that pass. Commands that no call could match are left out. No choice is read and no
    /// text translated for a command that does not pass.
    pub(crate) fn list(&self, passes: impl Fn(&Registered) -> bool) -> Vec<InvocableCommand> {
        let commands = self.registry().commands();
        // Growing step by step would copy a large list several times, each time into memory that was never touched.
        let mut list = Vec::with_capacity(commands.len());
        let passing = commands.iter().filter(|command| passes(command));
        list.extend(passing.filter_map(|command| self.describe(command)));
        list
    }

    /// The entry of a command in a list. `None` if no call could match, or if a condition under which the command is
    /// available does not hold.
    pub(crate) fn describe(&self, command: &Registered) -> Option<InvocableCommand> {
        let described = self.describe_unconditionally(command)?;
        unavailable(command).is_none().then_some(described)
    }

    /// The entry of a command in a list, whether it is available or not. `None` if no call could match.
    pub(crate) fn describe_unconditionally(&self, command: &Registered) -> Option<InvocableCommand> {
        command.declaration.describe(command.registration, |text| self.inner.ports.translate(text))
    }

    /// The decision, in this order: is the command registered and in reach, is it available, is the chain short enough, do the
    /// arguments match.
    fn admit(&self, request: &Request, arguments: &CommandArguments, depth: u32) -> Admission {
        let Admission { session, registered, command } = self.reach(request);
        let accepted = command.map_err(Refused::from).and_then(|command| {
            self.check(&request.principal, &command, arguments, depth)?;
            Ok(command)
        });
        match accepted {
            Ok(command) if command.declaration.reads_choices() || command.declaration.has_conditions() => {
                // The code of the command may have taken its time, or may have changed what the decision was about.
                let now = self.reach(request);
                let is_same = |now: &Arc<Registered>| now.registration == command.registration;
                let command = match now.command {
                    Ok(now) if !is_same(&now) => Err(Cause::Replaced),
                    reached => reached,
                };
                // What was asked for is what was registered when the arguments were checked.
                Admission { session: now.session, registered, command: command.map_err(Refused::from) }
            }
            command => Admission { session, registered, command },
        }
    }

    /// Is the command available, is the chain short enough, and do the arguments match.
    fn check(
        &self,
        principal: &Principal,
        command: &Registered,
        arguments: &CommandArguments,
        depth: u32,
    ) -> Result<(), Refused> {
        // Conditions and sources of choices are code of the command: what they invoke is invoked by the command.
        let _entered = depth::enter(depth);
        // Read before anything that is refused in other words, so that only the person learns that there is such a command;
        // and refused before anything else is looked up, so that it takes the same look-ups as any other refusal.
        if let Some(reason) = unavailable(command) {
            return Err(self.refuse_unavailable(principal, reason));
        }
        let limit = self.inner.nesting_limit;
        if depth > limit {
            return Err(Refused { refusal: Refusal::too_deep(limit), cause: Cause::TooDeep });
        }
        command
            .declaration
            .check(arguments)
            .map_err(|problems| Refused { refusal: problems.into(), cause: Cause::Arguments })
    }

    /// The refusal of a command that is not available now. The person is told the reason; every other caller gets the
    /// refusal of a command that does not exist.
    fn refuse_unavailable(&self, principal: &Principal, reason: &Arc<str>) -> Refused {
        let refusal = match principal {
            Principal::Person => Refusal::unavailable_because(&self.inner.ports.translate(reason)),
            Principal::Plugin(..) => Refusal::unavailable(),
        };
        Refused { refusal, cause: Cause::NotAvailable }
    }

    /// The command, if the principal may run it at this moment, and the session that decided about it.
    ///
    /// The look-ups are the same for every request, whatever the answer will be, so that a caller learns nothing from
    /// how long a refusal takes. No code of the product runs here.
    fn reach(&self, request: &Request) -> Admission<Cause> {
        let before = self.registry().command(&request.command);
        let authority = self.authority(&request.principal);
        let after = self.registry().command(&request.command);
        let registered = before.clone();
        let command = decide(&authority, request, before, after);
        Admission { session: authority.snapshot.session, registered, command }
    }

    /// Says what [`Workbench::dispatch`] would decide now. A refusal is recorded like any other.
    pub(crate) fn review(&self, request: &Request, arguments: &CommandArguments) -> Result<(), Refusal> {
        let depth = depth::next(request.depth());
        let Admission { session, registered, command } = self.admit(request, arguments, depth);
        let Err(refused) = command else { return Ok(()) };
        let refusal = refused.refusal.clone();
        let mut record = self.record(request, depth);
        record.decided(session, declared(registered.as_ref()), arguments);
        refuse(record, refused);
        Err(refusal)
    }

    /// Refuses a request for something that was not offered, and records the refusal.
    pub(crate) fn refuse_not_offered(&self, request: &Request) -> Refusal {
        let mut record = self.record(request, depth::next(request.depth()));
        // The same look-ups as for any other refusal. Their answer does not matter: even what is in reach was not offered.
        let reached = self.reach(request);
        record.decided(reached.session, None, &CommandArguments::new());
        let refused = Refused::from(Cause::NotOffered);
        let refusal = refused.refusal.clone();
        refuse(record, refused);
        refusal
    }

    /// Decides, and runs the command if it may run. The future may be polled on any executor and dropped at any time.
    pub(crate) fn dispatch(
        &self,
        mut request: Request,
        mut arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + use<> {
        let workbench = self.clone();
        // The invocation belongs to the handler in which it is made, and to the one in which it is polled.
        request.invoked_here();
        // A port is not a command, but counts too.
        let depth_here = depth::current();
        async move {
            request.invoked_here();
            let depth = depth::next(request.depth().max(depth_here));
            let mut record = workbench.record(&request, depth);
            let Admission { session, registered, command } = workbench.admit(&request, &arguments, depth);
            if let Ok(command) = &command {
                // The arguments match, so the handler and the record get the same defaults.
                command.declaration.complete(&mut arguments);
            }
            record.decided(session.clone(), declared(registered.as_ref()), &arguments);
            drop(registered);
            let command = match command {
                Ok(command) => command,
                Err(refused) => return refuse(record, refused),
            };
            let (owner, activation) = (command.owner.clone(), command.activation);
            let started = Started {
                command: request.command,
                title: command.declaration.shared_title(),
                plugin: owner.clone(),
                caller: request.principal.caller(),
                session,
                call_id: request.origin.call_id,
                turn_id: request.origin.turn_id,
                since: record.started(),
                depth,
                parent: request.parent,
                observer: request.observer,
            };
            let control = Control::new(started, workbench.inner.running.clone());
            let supervisor = workbench.clone();
            let invocation = Invocation { workbench, owner, activation, arguments, control: control.clone() };
            let handler = AtDepth::start(control.clone(), || command.handler.start(invocation));
            let running = Supervised::new(handler, control, supervisor);
            // The command may be removed while it runs. The handler is then dropped, and the run continues.
            drop(command);
            let outcome = running.await;
            record.close(outcome, None)
        }
    }

    fn record(&self, request: &Request, depth: u32) -> DecisionRecord {
        // Only what a port itself invoked gets deeper than the refusal that ends the chain.
        let audience = match depth > self.inner.nesting_limit.saturating_add(1) {
            true => Audience::Log,
            false => Audience::Everyone,
        };
        let caller = request.principal.caller();
        let (command, origin) = (&request.command, &request.origin);
        DecisionRecord::open(
            &self.inner.ports,
            self.inner.audit.as_ref(),
            Subject { caller, command, origin, depth },
            audience,
        )
    }
}

/// Whether the principal may run what was registered before and after its authority was read.
fn decide(
    authority: &Authority,
    request: &Request,
    before: Option<Arc<Registered>>,
    after: Option<Arc<Registered>>,
) -> Result<Arc<Registered>, Cause> {
    let (Some(command), Some(after)) = (before, after) else { return Err(Cause::Unknown) };
    permitted(authority, &command)?;
    // If it was registered before and after the snapshot was taken, it was registered at that moment.
    if after.registration != command.registration {
        return Err(Cause::Unknown);
    }
    if let Some(registration) = request.offered {
        if registration != command.registration {
            return Err(Cause::Replaced);
        }
        if !authority.offers(&command.declaration, &command.owner) {
            return Err(Cause::NotCallable);
        }
    }
    if let Some(undo) = &request.undo {
        // The id may have been given to another plugin, and another person may have signed in.
        if undo.plugin != command.owner {
            return Err(Cause::Replaced);
        }
        if !undo.owner.is(&Owner::of(&authority.snapshot.session)) {
            return Err(Cause::Session);
        }
    }
    Ok(command)
}

fn declared(registered: Option<&Arc<Registered>>) -> Option<&CommandDeclaration> {
    Some(&registered?.declaration)
}

/// Whether the principal may run a registered command.
pub(crate) fn permitted(authority: &Authority, command: &Registered) -> Result<(), Cause> {
    authority.permits(&command.declaration, &command.owner)
}

/// The reason why a command is not available now. Reads code of the command, so it comes last.
pub(crate) fn unavailable(command: &Registered) -> Option<&Arc<str>> {
    command.declaration.unavailable(|panicked| log("condition", panicked))
}

fn refuse(record: DecisionRecord, refused: Refused) -> CommandOutcome {
    record.close(refused.refusal.into(), Some(refused.cause))
}

#[cfg(test)]
mod tests;
