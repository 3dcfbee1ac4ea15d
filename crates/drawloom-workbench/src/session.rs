//! Who is signed in, and which kind of window the person looks at, as far as the workbench needs to know.

mod data;
mod person;

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;

use drawloom_command::{AccessRequirement, Role};

pub use data::SessionDataAbsent;
pub use person::Person;

use data::SessionData;

/// The session of the person: whether somebody is signed in and with which roles, who it is, and the product's own data.
///
/// It is one value, so that all of it changes together. The product supplies it, and replaces it with
/// [`Workbench::set_session`](crate::Workbench::set_session) when the person signs in or out or anything in it changes.
///
/// ```
/// use drawloom_workbench::{Person, Session};
///
/// struct Account {
///     plan: &'static str,
/// }
///
/// let ada = Person::new("ada").name("Ada Lovelace");
/// let session = Session::of(ada, ["editor"]).with_data(Account { plan: "team" });
/// assert_eq!(session.person().unwrap().id, "ada");
/// assert_eq!(session.data::<Account>().unwrap().plan, "team");
/// ```
///
/// A handler reads the person and the data from its call: see [`Call::person`](crate::Call::person) and
/// [`Call::session_data`](crate::Call::session_data). Code outside a call reads them from
/// [`Workbench::session`](crate::Workbench::session), and a plugin from
/// [`PluginContext::session`](crate::PluginContext::session), if it holds the capability.
///
/// Two sessions are equal if everything else is equal and they share one data value; see [`with_data`](Self::with_data).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Session {
    signed_in: Option<SignedIn>,
    data: SessionData,
}

/// What an authenticated session has and an anonymous one does not.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SignedIn {
    roles: BTreeSet<Role>,
    person: Option<Person>,
}

static NO_ROLES: BTreeSet<Role> = BTreeSet::new();

impl Session {
    /// The session in which nobody is signed in. This is the default.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// The session of a signed-in person with these roles, for a product that does not say who it is.
    ///
    /// ```
    /// use drawloom_workbench::Session;
    ///
    /// let editor = Session::authenticated(["editor"]);
    /// assert_ne!(editor, Session::anonymous());
    /// ```
    pub fn authenticated<R: Into<Role>>(roles: impl IntoIterator<Item = R>) -> Self {
        Self::signed_in(None, roles)
    }

    /// The session of this person, who is signed in with these roles.
    pub fn of<R: Into<Role>>(person: Person, roles: impl IntoIterator<Item = R>) -> Self {
        Self::signed_in(Some(person), roles)
    }

    fn signed_in<R: Into<Role>>(person: Option<Person>, roles: impl IntoIterator<Item = R>) -> Self {
        let roles = roles.into_iter().map(Into::into).collect();
        Self { signed_in: Some(SignedIn { roles, person }), data: SessionData::default() }
    }

    /// Sets the product's own data, which handlers read by its type. It replaces the data that was set before.
    ///
    /// The data is for the handlers of the product and for the product itself. The workbench never reads it and never writes it
    /// to a log or a record. To share one value between sessions, pass an `Arc` of it; its type is then `Arc<T>`.
    #[must_use]
    pub fn with_data<T: Any + Send + Sync>(mut self, data: T) -> Self {
        self.data = SessionData::new(data);
        self
    }

    /// Whether somebody is signed in.
    pub fn is_authenticated(&self) -> bool {
        self.signed_in.is_some()
    }

    /// The roles of the person. An anonymous session has none.
    pub fn roles(&self) -> &BTreeSet<Role> {
        self.signed_in.as_ref().map_or(&NO_ROLES, |signed_in| &signed_in.roles)
    }

    /// The person. `None` if nobody is signed in, or if the product does not say who it is.
    pub fn person(&self) -> Option<&Person> {
        self.signed_in.as_ref()?.person.as_ref()
    }

    /// The product's own data.
    ///
    /// # Errors
    /// If the session has no data, or data of another type.
    pub fn data<T: Any>(&self) -> Result<&T, SessionDataAbsent> {
        self.data.get()
    }

    /// Whether the session meets what a command requires.
    pub fn meets(&self, access: &AccessRequirement) -> bool {
        match (access, &self.signed_in) {
            (AccessRequirement::Anyone, _)
            | (AccessRequirement::Anonymous, None)
            | (AccessRequirement::Authenticated, Some(_)) => true,
            (AccessRequirement::AnyRole(wanted), Some(SignedIn { roles, .. })) => !wanted.is_disjoint(roles),
            (AccessRequirement::AllRoles(wanted), Some(SignedIn { roles, .. })) => wanted.is_subset(roles),
            _ => false,
        }
    }
}

/// Says of the data only its type.
impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut session = f.debug_struct("Session");
        match &self.signed_in {
            None => session.field("authenticated", &false),
            Some(SignedIn { roles, person }) => session.field("person", person).field("roles", roles),
        };
        session.field("data", &self.data).finish()
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
