//! Who may run which command, and why not.
//!
//! The decision is a pure function of a [`Snapshot`], the rights of the one who asks, and what the command declares. It
//! takes no lock, reads no registry and calls no code of the product. `dispatch` collects what it needs.

use drawloom_command::{CommandDeclaration, PluginId};
use serde::Serialize;

use crate::session::Window;
use crate::state::Snapshot;

/// Why a command was refused. Only the developer's log and the audit are told; the caller is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Cause {
    /// No command is registered under the id.
    Unknown,
    /// The command is not callable, so only its own plugin may run it.
    NotCallable,
    /// The command may not run in this window.
    Window,
    /// The session does not meet what the command requires.
    Session,
    /// The plugin does not hold the capability to run commands of other plugins.
    MissingGrant,
    /// The plugin that asks was deactivated.
    Inactive,
    /// The command was replaced after it was offered.
    Replaced,
    /// The caller asked for something that was not offered to it.
    NotOffered,
    /// The chain of commands is too deep.
    TooDeep,
    /// The arguments do not match the declaration.
    Arguments,
    /// A condition under which the command is available does not hold.
    NotAvailable,
}

impl Cause {
    /// The cause's name in logs and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::NotCallable => "not-callable",
            Self::Window => "window",
            Self::Session => "session",
            Self::MissingGrant => "missing-grant",
            Self::Inactive => "inactive",
            Self::Replaced => "replaced",
            Self::NotOffered => "not-offered",
            Self::TooDeep => "too-deep",
            Self::Arguments => "arguments",
            Self::NotAvailable => "not-available",
        }
    }
}

/// The rights of the one who asks, apart from session and window.
#[derive(Clone)]
pub(crate) enum Rights {
    /// The person: no grant is needed.
    Person,
    /// An active plugin, and whether it holds `automation`.
    Plugin { id: PluginId, automation: bool },
    /// A plugin that is not active any more: it may run nothing.
    Inactive,
}

/// Everything that decides what one principal may run at one moment.
pub(crate) struct Authority {
    pub(crate) snapshot: Snapshot,
    pub(crate) rights: Rights,
}

impl Authority {
    /// Whether the principal may run a command of this owner.
    ///
    /// The grant is checked last, so that a missing grant is the cause only if restoring it would help. Every condition is
    /// read before any of them decides, so that a refusal takes the same steps whatever its cause.
    pub(crate) fn permits(&self, command: &CommandDeclaration, owner: &PluginId) -> Result<(), Cause> {
        let is_foreign = match &self.rights {
            Rights::Inactive => return Err(Cause::Inactive),
            Rights::Person => false,
            Rights::Plugin { id, .. } => id != owner,
        };
        let is_closed = is_foreign && !command.is_callable();
        let is_other_window = self.snapshot.window == Window::Popout && !command.is_popout();
        let is_other_session = !self.snapshot.session.meets(command.access());
        let lacks_grant = is_foreign && matches!(self.rights, Rights::Plugin { automation: false, .. });
        match () {
            () if is_closed => Err(Cause::NotCallable),
            () if is_other_window => Err(Cause::Window),
            () if is_other_session => Err(Cause::Session),
            () if lacks_grant => Err(Cause::MissingGrant),
            () => Ok(()),
        }
    }

    /// Whether the command is in the list of what the principal may invoke: it may run, and it is callable.
    pub(crate) fn offers(&self, command: &CommandDeclaration, owner: &PluginId) -> bool {
        command.is_callable() && self.permits(command, owner).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use drawloom_command::Command;

    use super::*;
    use crate::session::Session;

    fn snapshot(session: Session, window: Window) -> Snapshot {
        Snapshot { session: Arc::new(session), window, revocations: Arc::default() }
    }

    fn plugin(id: &str, automation: bool) -> Rights {
        Rights::Plugin { id: id.into(), automation }
    }

    /// Each row is one condition that fails alone, by hand from contract W1 to W7.
    #[test]
    fn each_cause_is_named_for_the_condition_that_fails_alone() {
        let editor = || Session::authenticated(["editor"]);
        let open = || Command::new("notes.open", "Open").callable().popout().any_role(["editor"]);
        let closed = || Command::new("notes.open", "Open").popout();
        let no_popout = || Command::new("notes.open", "Open").callable();
        let rows = [
            (plugin("copilot", true), editor(), Window::Popout, open(), Ok(())),
            (plugin("copilot", true), Session::anonymous(), Window::Popout, open(), Err(Cause::Session)),
            (plugin("copilot", false), editor(), Window::Popout, open(), Err(Cause::MissingGrant)),
            (plugin("copilot", true), editor(), Window::Popout, closed(), Err(Cause::NotCallable)),
            (plugin("copilot", true), editor(), Window::Popout, no_popout(), Err(Cause::Window)),
            (plugin("copilot", true), editor(), Window::Main, no_popout(), Ok(())),
            (plugin("notes", false), editor(), Window::Main, closed(), Ok(())),
            (Rights::Person, editor(), Window::Main, closed(), Ok(())),
            (Rights::Person, Session::anonymous(), Window::Main, open(), Err(Cause::Session)),
            (Rights::Inactive, editor(), Window::Main, open(), Err(Cause::Inactive)),
        ];
        for (row, (rights, session, window, command, expected)) in rows.into_iter().enumerate() {
            let authority = Authority { snapshot: snapshot(session, window), rights };
            let command = command.declare().unwrap();
            assert_eq!(authority.permits(&command, &"notes".into()), expected, "row {row}");
        }
    }

    #[test]
    fn a_missing_grant_is_the_cause_only_if_nothing_else_is_missing() {
        let command = Command::new("notes.open", "Open").callable().any_role(["admin"]).declare().unwrap();
        let authority = Authority {
            snapshot: snapshot(Session::anonymous(), Window::Popout),
            rights: plugin("copilot", false),
        };
        assert_eq!(authority.permits(&command, &"notes".into()), Err(Cause::Window));
    }

    #[test]
    fn own_commands_that_are_not_callable_run_but_are_not_offered() {
        let command = Command::new("notes.secret", "Secret").declare().unwrap();
        let authority = Authority {
            snapshot: snapshot(Session::anonymous(), Window::Main),
            rights: plugin("notes", true),
        };
        assert_eq!(authority.permits(&command, &"notes".into()), Ok(()));
        assert!(!authority.offers(&command, &"notes".into()));
    }
}
