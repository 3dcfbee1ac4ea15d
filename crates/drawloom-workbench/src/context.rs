//! A plugin's view of a workbench: listing, invoking, and what its capabilities allow.
//!
//! Registering commands is in `register`.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{
    BoxFuture, CallOrigin, CommandAccess, CommandArguments, CommandId, CommandOffer, CommandOutcome,
    HookDecision, InvocableCommand, ListChanges, PluginId, ProgressSlot, Refusal,
};

use crate::authorize::Authority;
use crate::contain::logging;
use crate::dispatch::{Request, unavailable};
use crate::permissions::capability::Capability;
use crate::plugin::{APPLICATION, ActivateError, Activation, Plugin};
use crate::ports::Notice;
use crate::principal::Principal;
use crate::running::control::Control;
use crate::session::Session;
use crate::watch::{Changes, Watched};
use crate::workbench::{Registered, Workbench};

/// A plugin's own view of a workbench. Clones are the same view.
///
/// It belongs to one activation: once the plugin is deactivated, the context lists nothing, runs nothing and registers
/// nothing, even if a plugin with the same id is activated again.
///
/// `S` is the state that the handlers of its commands get; see [`PluginContext::with_state`]. It is `()` at first.
pub struct PluginContext<S = ()> {
    workbench: Workbench,
    plugin: PluginId,
    activation: Activation,
    state: Arc<S>,
}

/// A plugin used something for which it does not hold the capability. The person was told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("plugin \"{plugin}\" does not hold \"{capability}\"")]
#[non_exhaustive]
pub struct MissingCapability {
    /// The plugin.
    pub plugin: PluginId,
    /// The capability that is missing.
    pub capability: Capability,
}

impl Workbench {
    /// The context of the application itself. It may register commands and controls without a grant, so an application
    /// that has no plugins needs nothing else:
    ///
    /// ```
    /// use drawloom_command::{Command, CommandOutcome};
    /// use drawloom_workbench::{Call, Workbench};
    ///
    /// let workbench = Workbench::builder().build();
    /// workbench
    ///     .application()
    ///     .register(Command::new("app.quit", "Quit"), |_: Call| async { Ok(()) })?
    ///     .keep();
    /// let outcome = futures::executor::block_on(workbench.trigger("app.quit"));
    /// assert_eq!(outcome, CommandOutcome::Answered { value: None });
    /// # Ok::<(), drawloom_workbench::RegisterError>(())
    /// ```
    ///
    /// It is the context of a plugin with the id `application`, which declares and holds `contributions` and nothing else.
    /// Nobody can revoke it, and no other plugin can take this id. The first call activates the plugin; later calls, also
    /// through other workbenches on the same registry, give contexts of the same activation.
    pub fn application(&self) -> PluginContext {
        let (plugin, activation) = self.registry().activate_application();
        PluginContext::new(self.clone(), plugin, activation, Arc::default())
    }

    /// Activates a plugin, for every workbench on the same registry.
    ///
    /// # Errors
    /// If the id is empty or reserved, or a plugin with this id is active.
    pub fn activate(&self, plugin: Plugin) -> Result<PluginContext, ActivateError> {
        match plugin.id.as_str() {
            "" => return Err(ActivateError::EmptyId),
            APPLICATION => return Err(ActivateError::ReservedId),
            _ => {}
        }
        for capability in self.inner.grants.of(&plugin.id).difference(plugin.declares).iter() {
            logging(|| {
                tracing::warn!(
                    plugin = plugin.id.as_str(),
                    capability = capability.as_str(),
                    "a grant has no effect: the plugin does not declare the capability"
                );
            });
        }
        match self.registry().activate(&plugin.id, plugin.declares) {
            Some(activation) => Ok(PluginContext::new(self.clone(), plugin.id, activation, Arc::default())),
            None => Err(ActivateError::AlreadyActive { plugin: plugin.id }),
        }
    }

    /// The context of an active plugin in this workbench, for a plugin that was activated through another workbench on the
    /// same registry. `None` if no such plugin is active.
    pub fn context(&self, plugin: impl Into<PluginId>) -> Option<PluginContext> {
        let plugin = plugin.into();
        let activation = self.registry().activation(&plugin)?;
        Some(PluginContext::new(self.clone(), plugin, activation, Arc::default()))
    }
}

impl<S> PluginContext<S> {
    pub(crate) fn new(workbench: Workbench, plugin: PluginId, activation: Activation, state: Arc<S>) -> Self {
        Self { workbench, plugin, activation, state }
    }

    /// The same context with a state for the handlers of the commands that are registered through it.
    ///
    /// A handler reads the state with [`Call::state`](crate::Call::state) and need not capture anything:
    ///
    /// ```
    /// use drawloom_command::Command;
    /// use drawloom_workbench::{Call, PluginContext, RegisterError};
    ///
    /// struct Editor { /* … */ }
    ///
    /// impl Editor {
    ///     async fn open(&self, path: &str) -> std::io::Result<()> {
    ///         Ok(())
    ///     }
    ///     async fn close(&self) {}
    /// }
    ///
    /// fn register(notes: &PluginContext, editor: Editor) -> Result<(), RegisterError> {
    ///     let notes = notes.with_state(editor);
    ///     notes
    ///         .register(Command::new("notes.open", "Open"), |call: Call<Editor>| async move {
    ///             Ok(call.state().open(call.text("path")?).await?)
    ///         })?
    ///         .keep();
    ///     notes
    ///         .register(Command::new("notes.close", "Close"), |call: Call<Editor>| async move {
    ///             Ok(call.state().close().await)
    ///         })?
    ///         .keep();
    ///     Ok(())
    /// }
    /// # let _ = register;
    /// ```
    ///
    /// The state replaces the one that the context had. To share a state with other code, pass an `Arc` of it.
    pub fn with_state<T>(&self, state: T) -> PluginContext<T> {
        PluginContext::new(self.workbench.clone(), self.plugin.clone(), self.activation, Arc::new(state))
    }

    /// The state for handlers.
    pub fn state(&self) -> &S {
        &self.state
    }

    pub(crate) fn shared_state(&self) -> Arc<S> {
        self.state.clone()
    }

    /// The plugin.
    pub fn plugin(&self) -> &PluginId {
        &self.plugin
    }
}

impl<S: Send + Sync + 'static> PluginContext<S> {
    pub(crate) fn activation(&self) -> Activation {
        self.activation
    }

    pub(crate) fn workbench(&self) -> &Workbench {
        &self.workbench
    }

    /// Whether the plugin holds the capability now: it declares it, was granted it, and the person did not revoke it.
    pub fn holds(&self, capability: Capability) -> bool {
        let snapshot = self.workbench.snapshot();
        self.is_active() && self.workbench.held(&snapshot, &self.plugin, self.activation).contains(capability)
    }

    pub(crate) fn is_active(&self) -> bool {
        self.workbench.registry().is_active(&self.plugin, self.activation)
    }

    /// Everything that the plugin may invoke at this moment; see [`CommandAccess::invocable_commands`].
    ///
    /// Inside a handler at the nesting limit the list is empty, because everything would be refused as too deep.
    ///
    /// A list is valid for one moment. Do not keep it: ask again, or watch [`PluginContext::changes`].
    pub fn invocable_commands(&self) -> Vec<InvocableCommand> {
        match self.workbench.is_at_limit() {
            true => Vec::new(),
            false => invocable_commands(&self.workbench, &self.principal()),
        }
    }

    /// Runs a command by its id.
    pub fn invoke(
        &self,
        id: impl Into<CommandId>,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        self.workbench.dispatch(Request::new(self.principal(), id.into()), arguments)
    }

    /// Runs a command for a command that runs.
    pub(crate) fn invoke_from(
        &self,
        parent: Arc<Control>,
        command: CommandId,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send + 'static {
        let parent = Some(parent);
        self.workbench.dispatch(Request { parent, ..Request::new(self.principal(), command) }, arguments)
    }

    /// A stream that yields each time the list of [`PluginContext::invocable_commands`] has changed.
    pub fn changes(&self) -> Changes {
        let watched = WatchedList {
            workbench: self.workbench.clone(),
            plugin: self.plugin.clone(),
            activation: self.activation,
        };
        let sources = [&self.workbench.registry().signals, &self.workbench.inner.signals];
        Changes::new(&sources, watched)
    }

    /// The session, for a plugin that holds [`Capability::Session`].
    ///
    /// # Errors
    /// [`MissingCapability`] if it does not hold it. The person is told.
    pub fn session(&self) -> Result<Arc<Session>, MissingCapability> {
        self.require(Capability::Session)?;
        Ok(self.workbench.session())
    }

    /// Shows the person a message, for a plugin that holds [`Capability::Ui`]. The message is a translation key or a
    /// literal.
    ///
    /// A message that a notifier or a translator itself sends, while it runs for another one, is not shown: it is logged.
    ///
    /// # Errors
    /// [`MissingCapability`] if it does not hold it. The person is told that instead.
    pub fn tell(&self, text: impl Into<Arc<str>>) -> Result<(), MissingCapability> {
        self.require(Capability::Ui)?;
        let ports = &self.workbench.inner.ports;
        ports.notify_for_plugin(|| {
            let text = ports.translate(&text.into());
            Notice::Message { plugin: self.plugin.clone(), text }
        });
        Ok(())
    }

    fn require(&self, capability: Capability) -> Result<(), MissingCapability> {
        if self.holds(capability) {
            return Ok(());
        }
        let plugin = &self.plugin;
        if self.is_active() {
            let notice = || Notice::MissingGrant { plugin: plugin.clone(), capability, command: None };
            self.workbench.inner.ports.notify_for_plugin(notice);
        }
        Err(MissingCapability { plugin: plugin.clone(), capability })
    }

    fn principal(&self) -> Principal {
        Principal::Plugin(self.plugin.clone(), self.activation)
    }

    /// The offer of a command, if it is offered now.
    ///
    /// The rights are read whether there is a command or not; choices and conditions only of a command that is in reach.
    fn offer_of(&self, command: Option<Arc<Registered>>) -> Option<CommandOffer> {
        let authority = self.workbench.authority(&self.principal());
        let command = command?;
        let declaration = &command.declaration;
        let is_offered = authority.offers(declaration, &command.owner)
            && declaration.can_be_called()
            && unavailable(&command).is_none();
        is_offered.then(|| declaration.offer(command.registration))
    }

    fn request_for(&self, offer: &CommandOffer, origin: CallOrigin) -> Request {
        let offered = Some(offer.registration);
        Request { origin, offered, ..Request::new(self.principal(), offer.id.clone()) }
    }
}

/// The list of a plugin, as its watchers read it. How deep in a chain of commands it is read does not matter.
struct WatchedList {
    workbench: Workbench,
    plugin: PluginId,
    activation: Activation,
}

impl WatchedList {
    fn principal(&self) -> Principal {
        Principal::Plugin(self.plugin.clone(), self.activation)
    }
}

impl Watched for WatchedList {
    fn authority(&self) -> Authority {
        self.workbench.authority(&self.principal())
    }

    fn is_of(&self, plugin: &PluginId) -> bool {
        self.plugin == *plugin
    }

    fn list(&self) -> Vec<InvocableCommand> {
        invocable_commands(&self.workbench, &self.principal())
    }

    fn entry(&self, id: &CommandId) -> Option<InvocableCommand> {
        let command = self.workbench.registry().command(id)?;
        let is_offered = self.authority().offers(&command.declaration, &command.owner);
        is_offered.then(|| self.workbench.describe(&command)).flatten()
    }
}

fn invocable_commands(workbench: &Workbench, principal: &Principal) -> Vec<InvocableCommand> {
    let authority = workbench.authority(principal);
    workbench.list(|command| authority.offers(&command.declaration, &command.owner))
}

impl<S: Send + Sync + 'static> CommandAccess for PluginContext<S> {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        self.invocable_commands()
    }

    fn list_changes(&self) -> Option<ListChanges> {
        Some(Box::pin(self.changes()))
    }

    fn describe(&self, id: &CommandId) -> Option<InvocableCommand> {
        let command = self.workbench.registry().command(id)?;
        let is_offered =
            self.workbench.authority(&self.principal()).offers(&command.declaration, &command.owner);
        is_offered.then(|| self.workbench.describe(&command)).flatten()
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        self.offer_of(self.workbench.registry().command(id))
    }

    fn offer_by_tool_name(&self, name: &str) -> Option<CommandOffer> {
        self.offer_of(self.workbench.registry().command_of_tool(name))
    }

    fn review(
        &self,
        offer: &CommandOffer,
        arguments: &CommandArguments,
        origin: &CallOrigin,
    ) -> Result<(), Refusal> {
        self.workbench.review(&self.request_for(offer, origin.clone()), arguments)
    }

    fn refuse(&self, id: &CommandId, origin: &CallOrigin) -> Refusal {
        let request = Request { origin: origin.clone(), ..Request::new(self.principal(), id.clone()) };
        self.workbench.refuse_not_offered(&request)
    }

    fn record_decision(&self, decision: HookDecision<'_>) {
        self.workbench.record_decision(self.principal().caller(), decision);
    }

    fn invoke_command(
        &self,
        id: CommandId,
        arguments: CommandArguments,
    ) -> BoxFuture<'static, CommandOutcome> {
        Box::pin(self.workbench.dispatch(Request::new(self.principal(), id), arguments))
    }

    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome> {
        Box::pin(self.workbench.dispatch(self.request_for(offer, origin), arguments))
    }

    fn invoke_offered_with(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
        progress: ProgressSlot,
    ) -> BoxFuture<'static, CommandOutcome> {
        let request = Request { observer: Some(progress), ..self.request_for(offer, origin) };
        Box::pin(self.workbench.dispatch(request, arguments))
    }
}

// Derived, it would require `S: Clone`.
impl<S> Clone for PluginContext<S> {
    fn clone(&self) -> Self {
        Self::new(self.workbench.clone(), self.plugin.clone(), self.activation, self.state.clone())
    }
}

impl<S> fmt::Debug for PluginContext<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginContext").field("plugin", &self.plugin).finish_non_exhaustive()
    }
}
