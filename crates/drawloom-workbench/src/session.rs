//! Who is signed in, and which kind of window the person looks at, as far as the workbench needs to know.

use std::collections::BTreeSet;

use drawloom_command::{AccessRequirement, Role};

/// The session of the person. The product supplies it and replaces it when it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Session {
    /// Nobody is signed in.
    #[default]
    Anonymous,
    /// A person is signed in.
    #[non_exhaustive]
    Authenticated {
        /// The person's roles, which the product defines.
        roles: BTreeSet<Role>,
    },
}

impl Session {
    /// The session of a signed-in person with these roles.
    ///
    /// ```
    /// use drawloom_workbench::Session;
    ///
    /// let editor = Session::authenticated(["editor"]);
    /// assert_ne!(editor, Session::Anonymous);
    /// ```
    pub fn authenticated<R: Into<Role>>(roles: impl IntoIterator<Item = R>) -> Self {
        Self::Authenticated { roles: roles.into_iter().map(Into::into).collect() }
    }

    /// Whether the session meets what a command requires.
    pub fn meets(&self, access: &AccessRequirement) -> bool {
        match (access, self) {
            (AccessRequirement::Anyone, _)
            | (AccessRequirement::Anonymous, Self::Anonymous)
            | (AccessRequirement::Authenticated, Self::Authenticated { .. }) => true,
            (AccessRequirement::AnyRole(wanted), Self::Authenticated { roles }) => !wanted.is_disjoint(roles),
            (AccessRequirement::AllRoles(wanted), Self::Authenticated { roles }) => wanted.is_subset(roles),
            _ => false,
        }
    }
}

/// The kind of window that the person looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Window {
    /// The whole application.
    #[default]
    Main,
    /// A single piece of work: only commands that declare `popout` are offered or run.
    Popout,
}
