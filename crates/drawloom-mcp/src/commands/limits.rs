//! What bounds a client, whatever it sends.

use std::time::Duration;

/// What bounds one client of a [`CommandServer`](crate::CommandServer), or all clients of one person together if they have
/// the same server.
///
/// ```
/// use std::time::Duration;
///
/// use drawloom_mcp::ServerLimits;
///
/// let limits = ServerLimits::default().calls(4).question_time(Duration::from_secs(60));
/// assert_eq!(limits.calls, 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// How many calls may be under way at the same time. A further call does not run, and the client is told to wait. By
    /// default 16, and at most 48.
    pub calls: usize,
    /// How many bytes the arguments of a call may have. A call with more does not run. By default 1 MiB.
    pub argument_bytes: usize,
    /// How many calls may wait for a client to return with an answer of the person (revision 2026-07-28). The person is not
    /// asked about a further call, which does not run. By default 64.
    pub pending: usize,
    /// How long the person has to answer a question. By default 5 minutes.
    pub question_time: Duration,
    /// How long a call may take, questions included. A call that takes longer is cancelled. By default an hour.
    pub call_time: Duration,
    /// How many tools a page of the list has, at least one. By default 200.
    pub page: usize,
    /// How many streams of changes a client may hold open (revision 2026-07-28). By default 4, and at most 8.
    pub subscriptions: usize,
}

/// The bounds of what may wait for the client. Together they are less than the requests of a connection over lines, so that
/// a message of the client is always read.
const CALLS: usize = 48;
const SUBSCRIPTIONS: usize = 8;
/// The longest time that is waited for anything: a year. A moment beyond it may not exist on every clock.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            calls: 16,
            argument_bytes: 1 << 20,
            pending: 64,
            question_time: Duration::from_secs(300),
            call_time: Duration::from_secs(3600),
            page: 200,
            subscriptions: 4,
        }
    }
}

impl ServerLimits {
    /// The same limits within their own bounds. The fields may have been set directly.
    pub(crate) fn bounded(mut self) -> Self {
        self.calls = self.calls.min(CALLS);
        self.subscriptions = self.subscriptions.min(SUBSCRIPTIONS);
        self.page = self.page.max(1);
        self.question_time = self.question_time.min(LONGEST);
        self.call_time = self.call_time.min(LONGEST);
        self
    }

    /// Sets how many calls may be under way at the same time.
    #[must_use]
    pub fn calls(mut self, calls: usize) -> Self {
        self.calls = calls;
        self
    }

    /// Sets how many bytes the arguments of a call may have.
    #[must_use]
    pub fn argument_bytes(mut self, bytes: usize) -> Self {
        self.argument_bytes = bytes;
        self
    }

    /// Sets how many calls may wait for a client to return with an answer.
    #[must_use]
    pub fn pending(mut self, pending: usize) -> Self {
        self.pending = pending;
        self
    }

    /// Sets how long the person has to answer a question.
    #[must_use]
    pub fn question_time(mut self, time: Duration) -> Self {
        self.question_time = time;
        self
    }

    /// Sets how long a call may take.
    #[must_use]
    pub fn call_time(mut self, time: Duration) -> Self {
        self.call_time = time;
        self
    }

    /// Sets how many tools a page of the list has.
    #[must_use]
    pub fn page(mut self, page: usize) -> Self {
        self.page = page;
        self
    }

    /// Sets how many streams of changes a client may hold open.
    #[must_use]
    pub fn subscriptions(mut self, subscriptions: usize) -> Self {
        self.subscriptions = subscriptions;
        self
    }
}
