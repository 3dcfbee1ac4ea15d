//! What the agent reaches: what the plugin that the file names as the agent reaches, or nothing.

use std::future::Future;
use std::sync::Arc;

use drawloom::command::{
    CommandAccess, CommandArguments, CommandId, CommandOffer, CommandOutcome, InvocableCommand, Refusal,
};
use drawloom::workbench::PluginContext;

use crate::stage::Stage;

/// The agent of a workbench file. Where the file names none it reaches nothing.
///
/// It keeps the workbench of the file alive.
#[derive(Clone, Debug)]
pub struct Agent {
    pub(crate) plugin: Option<PluginContext>,
    // Holds what the file registered.
    pub(crate) _stage: Arc<Stage>,
}

impl Agent {
    /// The plugin that the agent acts as.
    pub fn plugin(&self) -> Option<&PluginContext> {
        self.plugin.as_ref()
    }
}

impl CommandAccess for Agent {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        self.plugin.as_ref().map(PluginContext::invocable_commands).unwrap_or_default()
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        self.plugin.as_ref()?.offer(id)
    }

    fn find(&self, matches: &dyn Fn(&CommandId) -> bool) -> Option<CommandOffer> {
        self.plugin.as_ref()?.find(matches)
    }

    fn review(&self, offer: &CommandOffer, arguments: &CommandArguments) -> Result<(), Refusal> {
        self.plugin.as_ref().ok_or_else(Refusal::unavailable)?.review(offer, arguments)
    }

    fn refuse(&self, id: &CommandId) -> Refusal {
        self.plugin.as_ref().map_or_else(Refusal::unavailable, |plugin| plugin.refuse(id))
    }

    fn invoke_command(
        &self,
        id: CommandId,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send {
        let invoked = self.plugin.as_ref().map(|plugin| plugin.invoke(id, arguments));
        or_unavailable(invoked)
    }

    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
    ) -> impl Future<Output = CommandOutcome> + Send {
        let invoked = self.plugin.as_ref().map(|plugin| plugin.invoke_offered(offer, arguments));
        or_unavailable(invoked)
    }
}

async fn or_unavailable(invoked: Option<impl Future<Output = CommandOutcome> + Send>) -> CommandOutcome {
    match invoked {
        Some(invoked) => invoked.await,
        None => Refusal::unavailable().into(),
    }
}
