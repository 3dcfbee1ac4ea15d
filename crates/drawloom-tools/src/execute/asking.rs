//! Asking the hook about one call, and reporting what it decided to the access, which keeps the records.

use drawloom_command::{
    BeforeCall, CallOrigin, Contained, Decision, DecisionBasis, DecisionReport, DecisionSource, HookResponse,
    Panicked, PendingCall,
};

use super::{ExecutionStage, Inner, StageHandle};

impl Inner {
    /// What the hook decides about a call. It is reported before this returns, also if the future is dropped before the hook
    /// decided.
    pub(super) async fn decide(
        &self,
        hook: &dyn BeforeCall,
        call: &PendingCall,
        origin: &CallOrigin,
        stage: &StageHandle,
    ) -> HookResponse {
        stage.set(ExecutionStage::Deciding);
        // Dropped after the hook's future: the question is withdrawn first, and recorded then.
        let decided = DecisionReport::open(&*self.access, call, origin);
        let report = |panicked: &Panicked| {
            let (id, command) = (&*call.call_id, &call.command_id);
            tracing::error!(call = id, %command, panic = panicked.text(), "the hook before a call panicked");
        };
        let response = Contained::start(report, || hook.before(call)).await.unwrap_or_else(after_panic);
        decided.close(&response);
        response
    }
}

fn after_panic() -> HookResponse {
    let reason = "the approval hook panicked";
    let basis = DecisionBasis::new(DecisionSource::Panicked).reason(reason);
    HookResponse::new(Decision::Decline { reason: reason.to_owned() }, basis)
}
