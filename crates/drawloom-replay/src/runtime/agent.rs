//! What the agent of a file can reach.

use std::sync::Arc;

use drawloom::command::{
    BoxFuture, CallOrigin, CommandAccess, CommandArguments, CommandId, CommandOffer, CommandOutcome,
    HookDecision, InvocableCommand, ListChanges, ProgressSlot, Refusal,
};
use drawloom::workbench::PluginContext;

use super::behaviour::CommandRuntime;

/// What the agent of a workbench file can reach: the same as the plugin that the file names as the agent. If the file
/// names none, the agent can reach nothing.
///
/// It keeps the workbench of the file alive.
#[derive(Clone, Debug)]
pub struct AgentAccess {
    pub(super) plugin: Option<PluginContext>,
    // Keeps what the file registered.
    pub(super) _runtime: Arc<CommandRuntime>,
}

impl AgentAccess {
    /// The plugin that acts as the agent.
    pub fn plugin(&self) -> Option<&PluginContext> {
        self.plugin.as_ref()
    }
}

impl CommandAccess for AgentAccess {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        self.plugin.as_ref().map(PluginContext::invocable_commands).unwrap_or_default()
    }

    fn list_changes(&self) -> Option<ListChanges> {
        self.plugin.as_ref()?.list_changes()
    }

    fn describe(&self, id: &CommandId) -> Option<InvocableCommand> {
        self.plugin.as_ref()?.describe(id)
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        self.plugin.as_ref()?.offer(id)
    }

    fn offer_by_tool_name(&self, name: &str) -> Option<CommandOffer> {
        self.plugin.as_ref()?.offer_by_tool_name(name)
    }

    fn review(
        &self,
        offer: &CommandOffer,
        arguments: &CommandArguments,
        origin: &CallOrigin,
    ) -> Result<(), Refusal> {
        self.plugin.as_ref().ok_or_else(Refusal::unavailable)?.review(offer, arguments, origin)
    }

    fn refuse(&self, id: &CommandId, origin: &CallOrigin) -> Refusal {
        self.plugin.as_ref().map_or_else(Refusal::unavailable, |plugin| plugin.refuse(id, origin))
    }

    fn record_decision(&self, decision: HookDecision<'_>) {
        if let Some(plugin) = &self.plugin {
            plugin.record_decision(decision);
        }
    }

    fn invoke_command(
        &self,
        id: CommandId,
        arguments: CommandArguments,
    ) -> BoxFuture<'static, CommandOutcome> {
        match &self.plugin {
            Some(plugin) => plugin.invoke_command(id, arguments),
            None => unavailable(),
        }
    }

    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome> {
        match &self.plugin {
            Some(plugin) => plugin.invoke_offered(offer, arguments, origin),
            None => unavailable(),
        }
    }

    fn invoke_offered_with(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
        progress: ProgressSlot,
    ) -> BoxFuture<'static, CommandOutcome> {
        match &self.plugin {
            Some(plugin) => plugin.invoke_offered_with(offer, arguments, origin, progress),
            None => unavailable(),
        }
    }
}

fn unavailable() -> BoxFuture<'static, CommandOutcome> {
    Box::pin(std::future::ready(Refusal::unavailable().into()))
}
