//! The configuration of a server of commands.

use std::fmt;
use std::sync::Arc;

use drawloom_command::{BeforeCall, CommandAccess, NullArguments};
use drawloom_consent::{Confirm, ConsentPolicyBuilder};
use drawloom_tools::EditReport;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};

use super::limits::ServerLimits;
use super::pending::PendingCalls;
use super::server::{CommandServer, Configuration};
use crate::server::BuildError;

/// Sets how a policy decides, once for each connection.
pub(crate) type ConfigurePolicy = dyn Fn(ConsentPolicyBuilder) -> ConsentPolicyBuilder + Send + Sync;

/// Builder for a [`CommandServer`].
///
/// The defaults are safe: each command that asks for consent is asked about, through the client that calls it.
#[must_use = "a builder does nothing until it builds"]
pub struct CommandServerBuilder {
    access: Arc<dyn CommandAccess>,
    name: String,
    version: String,
    instructions: Option<String>,
    person: Option<Arc<str>>,
    hook: Option<Arc<dyn BeforeCall>>,
    confirm: Option<Arc<dyn Confirm>>,
    policy: Arc<ConfigurePolicy>,
    nulls: NullArguments,
    edits: EditReport,
    limits: ServerLimits,
}

impl CommandServerBuilder {
    pub(crate) fn new(access: impl CommandAccess + 'static) -> Self {
        Self {
            access: Arc::new(access),
            name: "drawloom".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
            person: None,
            hook: None,
            confirm: None,
            policy: Arc::new(|policy| policy),
            nulls: NullArguments::default(),
            edits: EditReport::default(),
            limits: ServerLimits::default(),
        }
    }

    /// Sets the name and the version of the application, as clients show them.
    pub fn application(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        (self.name, self.version) = (name.into(), version.into());
        self
    }

    /// Sets what a client is told about the application as a whole.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Sets who uses the client, by a name that the application chooses. The audit records it as the one who answered a
    /// question, and the state of an open question holds only for this person.
    pub fn person(mut self, person: impl Into<Arc<str>>) -> Self {
        self.person = Some(person.into());
        self
    }

    /// Sets the hook that decides about each call before the consent policy does.
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.hook = Some(Arc::new(hook));
        self
    }

    /// Configures the consent policy, such as its wording. It is called for each connection, because each has a policy of
    /// its own.
    ///
    /// ```
    /// use drawloom_consent::ConsentWording;
    /// use drawloom_mcp::CommandServer;
    /// # use drawloom_command::CommandAccess;
    ///
    /// # fn server(copilot: impl CommandAccess + 'static) -> Result<CommandServer, drawloom_mcp::BuildError> {
    /// let wording = ConsentWording::default().never("agents cannot do this");
    /// CommandServer::builder(copilot).policy(move |policy| policy.wording(wording.clone())).build()
    /// # }
    /// ```
    pub fn policy(
        mut self,
        configure: impl Fn(ConsentPolicyBuilder) -> ConsentPolicyBuilder + Send + Sync + 'static,
    ) -> Self {
        self.policy = Arc::new(configure);
        self
    }

    /// Sets how the person is asked, instead of through the client: by a dialog of the application itself.
    pub fn confirm(mut self, confirm: impl Confirm + 'static) -> Self {
        self.confirm = Some(Arc::new(confirm));
        self
    }

    /// Sets how a null among the arguments is read. By default it is refused.
    pub fn null_arguments(mut self, nulls: NullArguments) -> Self {
        self.nulls = nulls;
        self
    }

    /// Sets whether the model is told that its arguments were changed. By default it is told.
    pub fn edit_report(mut self, edits: EditReport) -> Self {
        self.edits = edits;
        self
    }

    /// Sets what bounds a client.
    pub fn limits(mut self, limits: ServerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Builds the server.
    ///
    /// # Errors
    /// [`BuildError::Randomness`] if the system gives no random numbers.
    pub fn build(self) -> Result<CommandServer, BuildError> {
        let mut capabilities = ServerCapabilities::builder().enable_tools().build();
        if let (Some(tools), Some(_)) = (&mut capabilities.tools, self.access.list_changes()) {
            tools.list_changed = Some(true);
        }
        let mut info =
            ServerConfig::new(capabilities).with_server_info(Implementation::new(self.name, self.version));
        info.instructions = self.instructions;
        let mut key = [0; 32];
        let random = |error: String| BuildError::Randomness(error);
        getrandom::fill(&mut key).map_err(|error| random(error.to_string()))?;
        let limits = self.limits.bounded();
        let ServerLimits { pending, question_time, .. } = limits;
        let pending = PendingCalls::new(key, self.person.clone(), self.nulls, pending, question_time)
            .map_err(|error| random(error.to_string()))?;
        Ok(CommandServer::new(Configuration {
            info,
            access: self.access,
            person: self.person,
            hook: self.hook,
            confirm: self.confirm,
            policy: self.policy,
            nulls: self.nulls,
            edits: self.edits,
            limits,
            pending,
        }))
    }
}

impl fmt::Debug for CommandServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandServerBuilder")
            .field("name", &self.name)
            .field("person", &self.person)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
