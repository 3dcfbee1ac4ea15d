//! Undoing: what a handler registers, what the person sees of it, and how it is run.
//!
//! An undo is a command like any other: it runs as the person's own trigger, through the seam. What is kept, and that
//! each entry is done at most once, is in `undo::history`.

pub(crate) mod history;

use std::future::Future;
use std::sync::Arc;

use drawloom_command::{CommandArguments, CommandId, CommandOutcome};
use serde::Serialize;

use crate::activity_changes::ActivityChanges;
use crate::authorize::Authority;
use crate::dispatch::{Request, permitted, unavailable};
use crate::principal::{Caller, Principal};
use crate::running::control::Control;
use crate::undo::history::{Claim, Owner, Stage, UndoCall, UndoId, UndoOf, Undoable};
use crate::workbench::Workbench;

/// How many bytes the arguments of one undo may have.
pub(crate) const ARGUMENT_BYTES: usize = 64 << 10;

/// Why an undo was not registered. The call goes on, and an undo that was registered before is still there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UndoError {
    /// The plugin that registered the command that runs has registered no such command.
    #[error("\"{command}\" cannot undo this call: it is not a command of the plugin that handles the call")]
    NotOwn {
        /// The command.
        command: CommandId,
    },
    /// The arguments are too large to be kept.
    #[error(
        "the arguments of \"{command}\" have {bytes} bytes; an undo may have {limit}: keep a reference instead"
    )]
    TooLarge {
        /// The command.
        command: CommandId,
        /// The size of their names and texts.
        bytes: usize,
        /// The size that is allowed.
        limit: usize,
    },
    /// The command that runs has ended.
    #[error("\"{command}\" cannot undo this call: the call has ended")]
    Ended {
        /// The command.
        command: CommandId,
    },
}

/// Why an entry of the undo history was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UndoUnavailable {
    /// There is no such entry for the person who is signed in: it was undone, or is not kept any more.
    #[error("there is nothing to undo: it was undone already, or is not kept any more")]
    NotKept,
    /// The entry is being undone at this moment.
    #[error("it is being undone already")]
    InProgress,
}

/// Something that can be undone, as [`Workbench::undo_history`] lists it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UndoEntry {
    /// Identifies the entry, for [`Workbench::undo`].
    pub id: UndoId,
    /// The command that was done.
    pub command: CommandId,
    /// The title of that command in the active language.
    pub title: Arc<str>,
    /// Who triggered or invoked it.
    pub caller: Caller,
    /// The id that the caller gave the call: for a call of an agent, the agent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<Arc<str>>,
    /// The turn of the agent to which the call belongs, for [`Workbench::undo_turn`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<Arc<str>>,
    /// The command that undoes it.
    pub undo_command: CommandId,
    /// The arguments with which it does, without secret ones.
    pub arguments: CommandArguments,
    /// Whether it would run at this moment.
    pub availability: UndoAvailability,
}

/// Whether an entry of the undo history would run at this moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UndoAvailability {
    /// It would run.
    Available,
    /// It is being undone.
    InProgress,
    /// The command that undoes it is not registered any more, or another plugin registered one under its id.
    Gone,
    /// The session or the window does not allow the command that undoes it.
    OutOfReach,
    /// The command that undoes it says that it is not available now.
    NotAvailable {
        /// The reason, translated.
        reason: Arc<str>,
    },
    /// The command that undoes it does not accept the arguments any more.
    ArgumentsRejected,
}

/// What became of the calls of a turn; see [`Workbench::undo_turn`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UndoTurn {
    /// What was undone, in the order in which it was.
    pub done: Vec<UndoEntry>,
    /// What could not be undone. Nothing was tried after it.
    pub failed: Option<UndoFailure>,
    /// What was not tried. It can still be undone.
    pub left: Vec<UndoEntry>,
}

/// An entry that could not be undone.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UndoFailure {
    /// The entry. It is kept if its command was refused, and not if it ran and failed.
    pub entry: UndoEntry,
    /// The outcome, which is a refusal or a failure; or why nothing was run.
    pub outcome: Result<CommandOutcome, UndoUnavailable>,
}

impl Workbench {
    /// What the person who is signed in can undo, the newest first: what they triggered, and what plugins and agents invoked
    /// for them through this workbench, where the handler registered an undo with
    /// [`Call::undo_with`](crate::Call::undo_with).
    ///
    /// Each person has a history of their own, of at most 100 entries (see
    /// [`WorkbenchBuilder::undo_limit`](crate::WorkbenchBuilder::undo_limit)). While nobody is signed in, there is one for
    /// all of that time. For a session that is authenticated and does not say who it is, the history ends with the session.
    ///
    /// Inside a handler at the nesting limit the list is empty.
    pub fn undo_history(&self) -> Vec<UndoEntry> {
        if self.is_at_limit() {
            return Vec::new();
        }
        let authority = self.authority(&Principal::Person);
        let owner = Owner::of(&authority.snapshot.session);
        let entries = self.inner.undo.entries(&owner);
        entries.iter().map(|(entry, stage)| self.show_undo(&authority, entry, *stage)).collect()
    }

    /// A stream that yields when a history of [`Workbench::undo_history`] has changed: an entry was added, undone or
    /// claimed. What makes an entry unavailable (a session, a window, a command that is gone) is not reported here.
    pub fn undo_changes(&self) -> ActivityChanges {
        self.inner.undo.watch()
    }

    /// Undoes one entry of [`Workbench::undo_history`], as the person's own trigger: the session and the window decide, and
    /// the person is told about a refusal or a failure. Each entry runs at most once, however many tasks ask for it. If the
    /// command was refused, it did not run, and the entry is kept.
    ///
    /// A command that has been registered again by the same plugin undoes what its predecessor did.
    ///
    /// Nothing happens until the future is polled.
    ///
    /// # Errors
    /// [`UndoUnavailable`] if the person who is signed in has no such entry, or it is being undone.
    pub fn undo(
        &self,
        entry: UndoId,
    ) -> impl Future<Output = Result<CommandOutcome, UndoUnavailable>> + Send + use<> {
        let workbench = self.clone();
        async move {
            let owner = Owner::of(&workbench.session());
            workbench.undo_for(owner, entry).await
        }
    }

    /// Undoes everything that can be undone of one turn of an agent, the newest first. The first entry that is refused or
    /// fails ends it; those before it in the turn are left.
    ///
    /// The turn is named by [`CallOrigin::turn_id`](drawloom_command::CallOrigin::turn_id). What a command of the turn invoked
    /// belongs to the turn too.
    pub fn undo_turn(&self, turn_id: impl Into<Arc<str>>) -> impl Future<Output = UndoTurn> + Send + 'static {
        let (workbench, turn_id) = (self.clone(), turn_id.into());
        async move {
            let authority = workbench.authority(&Principal::Person);
            let owner = Owner::of(&authority.snapshot.session);
            let entries = workbench.inner.undo.entries(&owner).into_iter();
            let mut of_turn = entries.filter(|(entry, _)| entry.turn_id.as_ref() == Some(&turn_id));
            let mut result = UndoTurn::default();
            let show =
                |(entry, stage): (Arc<Undoable>, Stage)| workbench.show_undo(&authority, &entry, stage);
            for entry in of_turn.by_ref() {
                let entry = show(entry);
                let outcome = workbench.undo_for(owner.clone(), entry.id).await;
                match outcome {
                    Ok(CommandOutcome::Answered { .. }) => result.done.push(entry),
                    // Somebody else has undone it meanwhile.
                    Err(UndoUnavailable::NotKept) => {}
                    outcome => {
                        result.failed = Some(UndoFailure { entry, outcome });
                        break;
                    }
                }
            }
            result.left = of_turn.map(show).collect();
            result
        }
    }

    async fn undo_for(&self, owner: Owner, id: UndoId) -> Result<CommandOutcome, UndoUnavailable> {
        let entry = match self.inner.undo.claim(&owner, id) {
            Claim::Claimed(entry) => entry,
            Claim::Busy => return Err(UndoUnavailable::InProgress),
            Claim::Gone => return Err(UndoUnavailable::NotKept),
        };
        let mut claimed = Claimed { workbench: self, owner: &owner, id, may_have_run: true };
        let (command, arguments) = (entry.undo.command.clone(), entry.undo.arguments.clone());
        let undo = Some(UndoOf { plugin: entry.plugin.clone(), owner: owner.clone() });
        let request = Request { undo, ..Request::new(Principal::Person, command) };
        let outcome = self.dispatch(request, arguments).await;
        claimed.may_have_run = !matches!(outcome, CommandOutcome::Refused(_));
        Ok(outcome)
    }

    /// Adds what a handler registered to the history of the person whom its call served.
    pub(crate) fn keep_undo(&self, control: &Control, undo: UndoCall) {
        let started = &control.started;
        let entry = Undoable {
            id: Undoable::unique_id(),
            command: started.command.clone(),
            title: started.title.clone(),
            plugin: started.plugin.clone(),
            caller: started.caller.clone(),
            call_id: started.call_id.clone(),
            turn_id: started.turn_id.clone(),
            undo,
        };
        self.inner.undo.add(&Owner::of(&started.session), entry);
    }

    fn show_undo(&self, authority: &Authority, entry: &Undoable, stage: Stage) -> UndoEntry {
        UndoEntry {
            id: entry.id,
            command: entry.command.clone(),
            title: self.inner.ports.translate(&entry.title),
            caller: entry.caller.clone(),
            call_id: entry.call_id.clone(),
            turn_id: entry.turn_id.clone(),
            undo_command: entry.undo.command.clone(),
            arguments: entry.undo.shown.clone(),
            availability: match stage {
                Stage::Claimed => UndoAvailability::InProgress,
                Stage::Ready => self.undo_availability(authority, entry),
            },
        }
    }

    /// Conditions and choices are code of the command, and are read only if everything else allows it.
    fn undo_availability(&self, authority: &Authority, entry: &Undoable) -> UndoAvailability {
        let command = self.registry().command(&entry.undo.command);
        let Some(command) = command.filter(|command| command.owner == entry.plugin) else {
            return UndoAvailability::Gone;
        };
        if permitted(authority, &command).is_err() {
            return UndoAvailability::OutOfReach;
        }
        if let Some(reason) = unavailable(&command) {
            return UndoAvailability::NotAvailable { reason: self.inner.ports.translate(reason) };
        }
        match command.declaration.check(&entry.undo.arguments) {
            Ok(()) => UndoAvailability::Available,
            Err(_) => UndoAvailability::ArgumentsRejected,
        }
    }
}

/// An entry that is being undone. If its command may have run, it is not kept after that, also if the future is dropped.
struct Claimed<'a> {
    workbench: &'a Workbench,
    owner: &'a Owner,
    id: UndoId,
    may_have_run: bool,
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        let history = &self.workbench.inner.undo;
        match self.may_have_run {
            true => history.remove(self.owner, self.id),
            false => history.release(self.owner, self.id),
        }
    }
}
