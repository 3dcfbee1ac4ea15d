//! The hooks before each call: those of the application and the consent policy, one after another.

use std::sync::Arc;

use drawloom_command::{BeforeCall, BoxFuture, Decision, HookResponse, PendingCall};
use drawloom_consent::ConsentPolicy;

use crate::update::{Update, UpdateQueue};

/// The hooks before a call, in order: those of the product, then the policy. If all of them approve the call, an update
/// shows that it runs.
#[derive(Clone)]
pub(crate) struct HookChain {
    /// The hook for calls to tools that are not offered.
    pub(crate) unoffered: Option<Arc<dyn BeforeCall>>,
    pub(crate) hooks: Vec<Arc<dyn BeforeCall>>,
    pub(crate) policy: Option<Arc<ConsentPolicy>>,
    pub(crate) queue: Arc<UpdateQueue>,
}

impl BeforeCall for HookChain {
    fn before<'a>(&'a self, call: &'a PendingCall) -> BoxFuture<'a, HookResponse> {
        Box::pin(async move {
            let mut call = call.clone();
            let mut response = HookResponse::from(Decision::Run);
            let is_offered = call.registration.is_some();
            let unoffered = self.unoffered.as_deref().filter(|_| !is_offered);
            let hooks = unoffered.into_iter().chain(self.hooks.iter().map(|hook| &**hook));
            let policy = self.policy.as_deref().map(|policy| policy as &dyn BeforeCall);
            for hook in hooks.chain(policy) {
                let next = hook.before(&call).await;
                match next.decision {
                    Decision::Run => response.basis = next.basis,
                    Decision::RunWith(arguments) => {
                        call.arguments.clone_from(&arguments);
                        response = HookResponse::new(Decision::RunWith(arguments), next.basis);
                    }
                    _ => return next,
                }
            }
            // A call to a tool that is not offered does not run, whatever the hook decides.
            if is_offered {
                self.queue.push(Update::Running { call });
            }
            response
        })
    }
}
