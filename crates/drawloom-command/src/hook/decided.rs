//! What a hook decided about one call, as an adapter reports it for the records.

use std::fmt;

use super::{HookResponse, PendingCall};
use crate::access::CommandAccess;
use crate::origin::CallOrigin;
use crate::panic::contained;

/// What a hook decided about one call; see [`CommandAccess::record_decision`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HookDecision<'a> {
    /// The call, with the arguments that the caller sent.
    pub call: &'a PendingCall,
    /// The origin of the call.
    pub origin: &'a CallOrigin,
    /// The decision and its basis. `None` if the call was cancelled before the hook decided.
    pub response: Option<&'a HookResponse>,
}

impl<'a> HookDecision<'a> {
    /// The hook decided this.
    pub fn new(call: &'a PendingCall, origin: &'a CallOrigin, response: &'a HookResponse) -> Self {
        Self { call, origin, response: Some(response) }
    }

    /// The call was cancelled before the hook decided.
    pub fn cancelled(call: &'a PendingCall, origin: &'a CallOrigin) -> Self {
        Self { call, origin, response: None }
    }
}

/// Reports one decision exactly once: what the hook decided, or, if this is dropped before, that the call was cancelled.
///
/// An adapter opens it before it asks the hook:
///
/// ```
/// use drawloom_command::{
///     BeforeCall, CallOrigin, CommandAccess, DecisionReport, HookResponse, PendingCall,
/// };
///
/// async fn ask(
///     access: &dyn CommandAccess,
///     hook: &dyn BeforeCall,
///     call: &PendingCall,
///     origin: &CallOrigin,
/// ) -> HookResponse {
///     let report = DecisionReport::open(access, call, origin);
///     let response = hook.before(call).await;
///     report.close(&response);
///     response
/// }
/// # let _ = ask;
/// ```
#[must_use = "dropping it reports that the call was cancelled"]
pub struct DecisionReport<'a> {
    access: &'a dyn CommandAccess,
    call: &'a PendingCall,
    origin: &'a CallOrigin,
    is_open: bool,
}

impl<'a> DecisionReport<'a> {
    /// The hook is about to be asked about this call.
    pub fn open(access: &'a dyn CommandAccess, call: &'a PendingCall, origin: &'a CallOrigin) -> Self {
        Self { access, call, origin, is_open: true }
    }

    /// The hook decided this.
    pub fn close(mut self, response: &HookResponse) {
        self.is_open = false;
        self.access.record_decision(HookDecision::new(self.call, self.origin, response));
    }
}

impl Drop for DecisionReport<'_> {
    fn drop(&mut self) {
        if !self.is_open {
            return;
        }
        let cancelled = HookDecision::cancelled(self.call, self.origin);
        // An access logs the panics of its own ports. A drop has nobody to whom it could report any other.
        let _ = contained(|| self.access.record_decision(cancelled));
    }
}

impl fmt::Debug for DecisionReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecisionReport").field("call", &self.call.call_id).finish_non_exhaustive()
    }
}
