//! What runs in a workbench, as the person sees it: the list, its changes, and cancelling.

use std::sync::Arc;
use std::time::Duration;

use drawloom_command::{CommandId, Progress};
use serde::Serialize;

use crate::activity_changes::ActivityChanges;
use crate::principal::Caller;
use crate::running::control::{Control, RunningId};
use crate::session::Person;
use crate::workbench::Workbench;

/// A command that runs at this moment, as [`Workbench::running`] lists it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunningCommand {
    /// Identifies it, for [`Workbench::cancel`].
    pub id: RunningId,
    /// The command.
    pub command: CommandId,
    /// Its title in the active language.
    pub title: Arc<str>,
    /// Who triggered or invoked it.
    pub caller: Caller,
    /// The person whom the call serves. `None` if nobody is signed in, or if the session does not say who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// The id that the caller gave the call: for a call of an agent, the agent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<Arc<str>>,
    /// The command that invoked it, if that was invoked through this workbench too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invoked_by: Option<RunningId>,
    /// What it reported last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// When it was started, by the clock of the workbench. `None` if there is no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Duration>,
    /// Whether it was cancelled and is about to end.
    pub is_cancelled: bool,
}

impl Workbench {
    /// What runs in this workbench at this moment, in the order in which it was started.
    ///
    /// A command is in the list from the moment when it first waits, reports progress or looks at the signal that it was
    /// cancelled, until it has ended. A command that does none of these is never in it: most commands end before anybody
    /// could see them.
    ///
    /// The list is that of the person. It contains what plugins and agents invoked through this workbench, and nothing of
    /// another workbench on the same registry.
    pub fn running(&self) -> Vec<RunningCommand> {
        let running = self.inner.running.all();
        // Titles are translated without the lock.
        running.iter().map(|control| self.show(control)).collect()
    }

    /// A stream that yields when the list of [`Workbench::running`] has changed: a command appeared, reported progress, was
    /// cancelled or has ended.
    pub fn running_changes(&self) -> ActivityChanges {
        self.inner.running.watch()
    }

    /// Cancels a command that runs, for the person, and everything that it invoked. Returns whether it was running.
    ///
    /// A handler that never looked at the signal ([`Call::cancelled`](crate::Call::cancelled),
    /// [`Call::is_cancelled`](crate::Call::is_cancelled)) is dropped, with everything that it awaits, as soon as the task
    /// that awaits the command is polled; that task is woken. A handler that looked at the signal ends by itself, and may
    /// tidy up before. If it takes too long, cancel the command once more: then it is dropped too.
    ///
    /// The outcome of a command that was dropped, or that returns an error after it was cancelled, is a
    /// [`Failure`](drawloom_command::Failure) that says that it was cancelled. If a handler still returns a value, it has
    /// finished its work, and the command is answered.
    ///
    /// Only the person cancels. Revoking a capability, signing out and changing the window stop nothing that runs.
    pub fn cancel(&self, id: RunningId) -> bool {
        let Some(control) = self.inner.running.get(id) else { return false };
        control.cancel();
        true
    }

    fn show(&self, control: &Control) -> RunningCommand {
        let started = &control.started;
        let is_here = |parent: &&Arc<Control>| parent.is_beside(control);
        RunningCommand {
            id: control.id,
            command: started.command.clone(),
            title: self.inner.ports.translate(&started.title),
            caller: started.caller.clone(),
            person: started.session.person().cloned(),
            call_id: started.call_id.clone(),
            invoked_by: started.parent.as_ref().filter(is_here).map(|parent| parent.id),
            progress: control.progress(),
            since: started.since,
            is_cancelled: control.is_cancelled(),
        }
    }
}
