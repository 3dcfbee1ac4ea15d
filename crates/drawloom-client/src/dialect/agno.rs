//! Agno: a tool that requires a confirmation pauses the run. Its call is sent like any other, and waits for a tool message
//! that says whether the person accepts it.

use std::sync::Arc;

use drawloom_command::{BeforeCall, BoxFuture, Decision, DecisionSource, HookResponse, PendingCall};
use drawloom_consent::{Confirm, Confirmation};

/// Answers the calls to an Agno agent's own tools that require a confirmation (`requires_confirmation`): the person is
/// asked, and the agent is sent `{"accepted":true}` or `{"accepted":false}`.
///
/// List the tools by name, because the stream does not distinguish a tool that waits from a tool that Agno runs itself.
///
/// ```
/// use drawloom_client::{AgnoConfirmation, Client, Transport};
/// # use drawloom_command::{CommandAccess, PendingCall};
/// # async fn ask_the_person(_: PendingCall) -> bool { false }
/// # fn client(agent: impl Transport + 'static, copilot: impl CommandAccess + 'static) -> Client {
///
/// Client::builder(agent, copilot)
///     .confirm(ask_the_person)
///     .answer_unoffered(AgnoConfirmation::new(["delete_file"], ask_the_person))
///     .build()
/// # }
/// ```
#[derive(Clone)]
pub struct AgnoConfirmation {
    tools: Arc<[String]>,
    confirm: Arc<dyn Confirm>,
}

impl AgnoConfirmation {
    /// Asks about calls to the tools with these names.
    pub fn new(tools: impl IntoIterator<Item = impl Into<String>>, confirm: impl Confirm + 'static) -> Self {
        Self { tools: tools.into_iter().map(Into::into).collect(), confirm: Arc::new(confirm) }
    }

    async fn decide(&self, call: &PendingCall) -> HookResponse {
        if !self.tools.iter().any(|tool| call.command_id == **tool) {
            return Decision::Run.into();
        }
        let response = self.confirm.confirm(call.clone()).await;
        let accepted = response.confirmation == Confirmation::Yes;
        let content = format!(r#"{{"accepted":{accepted}}}"#);
        HookResponse::new(Decision::Answer { content }, response.basis(DecisionSource::Asked))
    }
}

impl BeforeCall for AgnoConfirmation {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        Box::pin(self.decide(call))
    }
}

impl std::fmt::Debug for AgnoConfirmation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgnoConfirmation").field("tools", &self.tools).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawloom_command::CommandArguments;
    use futures::FutureExt;

    fn decided(tool: &str, answer: Confirmation) -> Decision {
        let hook = AgnoConfirmation::new(["delete_file"], move |_: PendingCall| {
            let answer = answer.clone();
            async move { answer }
        });
        let call = PendingCall::not_offered("c", tool.into(), CommandArguments::new());
        hook.before(&call).now_or_never().unwrap().decision
    }

    #[test]
    fn a_tool_that_waits_gets_the_persons_answer_and_others_are_left_alone() {
        let answer = |content: &str| Decision::Answer { content: content.to_owned() };
        assert_eq!(decided("delete_file", Confirmation::Yes), answer(r#"{"accepted":true}"#));
        assert_eq!(decided("delete_file", Confirmation::No), answer(r#"{"accepted":false}"#));
        assert_eq!(decided("delete_file", Confirmation::TimedOut), answer(r#"{"accepted":false}"#));
        assert_eq!(decided("read_file", Confirmation::Yes), Decision::Run);
    }
}
