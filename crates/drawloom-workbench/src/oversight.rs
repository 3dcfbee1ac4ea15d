//! Records of what hooks decided about calls, so that a product can prove who approved what ran.

use drawloom_command::HookDecision;

use crate::audit::event::{AuditEvent, DecisionSubject};
use crate::audit::recorded;
use crate::audit::stream::Entry;
use crate::invocation::depth;
use crate::principal::Caller;
use crate::workbench::Workbench;

impl Workbench {
    /// Records what a hook decided about a call that came through this caller. Without an audit sink, nothing happens.
    pub(crate) fn record_decision(&self, caller: Caller, decided: HookDecision<'_>) {
        let Some(audit) = &self.inner.audit else { return };
        let depth = depth::next(0);
        // Only what a port itself does gets deeper than this, and telling the port about it would never end.
        if depth > self.inner.nesting_limit.saturating_add(1) {
            return;
        }
        // What the sink does is done inside the record, so a loop through it ends.
        let _entered = depth::enter(depth);
        let HookDecision { call, origin, response, .. } = decided;
        let mut origin = origin.clone();
        if let Some(response) = response {
            origin = origin.basis(response.basis.clone());
        }
        let declared = self.registry().command(&call.command_id);
        let declared = declared.as_ref().map(|command| &command.declaration);
        let decision =
            response.map(|response| recorded::decision(declared, &call.arguments, &response.decision));
        audit.write(
            &self.inner.ports,
            Entry {
                caller,
                person: self.session().person().cloned(),
                origin,
                command: call.command_id.clone(),
                arguments: recorded::arguments(declared, &call.arguments),
                event: AuditEvent::Decision { subject: DecisionSubject::of(call), decision },
            },
        );
    }
}
