//! The hooks before a call: that of the application, then the consent policy.

use std::sync::Arc;

use drawloom_command::{BeforeCall, BoxFuture, Decision, HookResponse, PendingCall};
use drawloom_consent::ConsentPolicy;

pub(crate) struct HookChain {
    pub(crate) hook: Option<Arc<dyn BeforeCall>>,
    pub(crate) policy: ConsentPolicy,
}

impl BeforeCall for HookChain {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        Box::pin(async move {
            let Some(hook) = &self.hook else { return self.policy.before(call).await };
            let first = hook.before(call).await;
            match first.decision {
                Decision::Run => self.policy.before(call).await,
                Decision::RunWith(arguments) => {
                    let mut changed = call.clone();
                    changed.arguments.clone_from(&arguments);
                    let second = self.policy.before(&changed).await;
                    match second.decision {
                        Decision::Run => HookResponse::new(Decision::RunWith(arguments), second.basis),
                        _ => second,
                    }
                }
                _ => first,
            }
        })
    }
}
