//! Asking the person about a call of the agent's own, and reporting what the person decided for the records.

use std::sync::Arc;

use drawloom_command::{
    CallOrigin, CommandAccess, Decision, DecisionBasis, DecisionReport, DecisionSource, HookResponse,
    PendingCall, QuestionEnd,
};
use drawloom_consent::{Confirm, Confirmation};

use crate::guarded::guarded_dialog;

/// A call that the agent wants approved, and where the decision is recorded.
pub(crate) struct ApprovalRequest {
    pub(crate) call: PendingCall,
    pub(crate) origin: CallOrigin,
    pub(crate) access: Arc<dyn CommandAccess>,
}

impl ApprovalRequest {
    /// Asks once. `None` if the dialog panicked, which counts as a no. `decide` says what an answer decides.
    pub(crate) async fn ask(
        &self,
        confirm: &dyn Confirm,
        decide: impl FnOnce(&Confirmation) -> Decision,
    ) -> Option<Confirmation> {
        // Dropped after the dialog: the question is withdrawn first, and recorded then.
        let report = DecisionReport::open(&*self.access, &self.call, &self.origin);
        let Some(response) = guarded_dialog(|| confirm.confirm(self.call.clone())).await else {
            let reason = "the confirmation panicked";
            let basis =
                DecisionBasis::new(DecisionSource::Asked).answer(QuestionEnd::Panicked).reason(reason);
            report.close(&HookResponse::new(Decision::Decline { reason: reason.to_owned() }, basis));
            return None;
        };
        let decision = decide(&response.confirmation);
        let mut basis = response.basis(DecisionSource::Asked);
        if let Decision::Decline { reason } = &decision {
            basis.reason = Some(reason.as_str().into());
        }
        report.close(&HookResponse::new(decision, basis));
        Some(response.confirmation)
    }
}
