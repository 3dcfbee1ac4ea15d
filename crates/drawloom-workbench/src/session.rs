//! Who is at the keyboard and what they look at, as far as the seam needs to know.

use std::collections::BTreeSet;

use drawloom_command::{AccessRequirement, Role};

/// The session of the person. The product supplies it and replaces it when it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Session {
    /// Nobody is signed in.
    #[default]
    Anonymous,
    /// A person is signed in, with these roles.
    Authenticated {
        /// What the product says the person is.
        roles: BTreeSet<Role>,
    },
}

impl Session {
    /// A signed-in person with these roles.
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

/// What kind of window the person looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Window {
    /// The whole application.
    #[default]
    Main,
    /// A single piece of work: only commands that declare themselves for it are offered or run.
    Popout,
}
