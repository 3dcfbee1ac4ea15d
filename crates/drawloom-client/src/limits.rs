//! How much one run of an agent may make the client read and keep.

/// The limits of what an agent may send in one run. A run that exceeds one ends: the connection is closed, its calls are
/// answered, and the turn ends as [`TurnEnd::ConnectionFailed`](crate::TurnEnd::ConnectionFailed) with the code
/// `limit-exceeded`.
///
/// An event with too many members and list items counts as one that cannot be read.
///
/// What one call may carry is [`AssemblerLimits`](drawloom_ag_ui::AssemblerLimits), what a single frame may is
/// `HttpTransportBuilder::frame_bytes`, and how long a run may take is
/// `HttpTransportBuilder::run_timeout`.
///
/// ```
/// use drawloom_client::RunLimits;
///
/// let limits = RunLimits::default().with_calls(100).with_kept_bytes(1024 * 1024);
/// assert_eq!((limits.calls, limits.kept_bytes), (100, 1_048_576));
/// assert_eq!(limits.events, 1_000_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunLimits {
    /// The most events, including those that cannot be read. 1,000,000 by default.
    pub events: usize,
    /// The most bytes of all events, as UTF-8, including those that are shown and not kept. 256 MiB by default.
    pub bytes: usize,
    /// The most bytes of the events that add to the conversation, and of one snapshot of it. 32 MiB by default.
    pub kept_bytes: usize,
    /// The most messages that the conversation may grow by, including the answers to calls. 50,000 by default.
    pub messages: usize,
    /// The most calls, including the agent's own. 10,000 by default.
    pub calls: usize,
    /// The most messages that snapshots of the conversation may make the client read again: those before the snapshot and
    /// those in it. Each call in them counts too. 1,000,000 by default.
    pub snapshot_messages: usize,
    /// The most questions. The person is asked each of them. 100 by default.
    pub interrupts: usize,
}

/// A run exceeded one of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the agent sent more than {most} {what} in one run")]
pub(crate) struct LimitExceeded {
    most: usize,
    what: &'static str,
}

/// What a run has sent so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) events: usize,
    pub(crate) bytes: usize,
    pub(crate) kept_bytes: usize,
    pub(crate) messages: usize,
    pub(crate) calls: usize,
    pub(crate) snapshot_messages: usize,
    pub(crate) interrupts: usize,
}

impl RunLimits {
    /// With at most this many events.
    #[must_use]
    pub const fn with_events(mut self, events: usize) -> Self {
        self.events = events;
        self
    }

    /// With at most this many bytes of events.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// With at most this many bytes of events that add to the conversation.
    #[must_use]
    pub const fn with_kept_bytes(mut self, bytes: usize) -> Self {
        self.kept_bytes = bytes;
        self
    }

    /// With at most this many messages.
    #[must_use]
    pub const fn with_messages(mut self, messages: usize) -> Self {
        self.messages = messages;
        self
    }

    /// With at most this many calls.
    #[must_use]
    pub const fn with_calls(mut self, calls: usize) -> Self {
        self.calls = calls;
        self
    }

    /// With at most this many messages read again for snapshots.
    #[must_use]
    pub const fn with_snapshot_messages(mut self, messages: usize) -> Self {
        self.snapshot_messages = messages;
        self
    }

    /// With at most this many questions.
    #[must_use]
    pub const fn with_interrupts(mut self, interrupts: usize) -> Self {
        self.interrupts = interrupts;
        self
    }

    pub(crate) fn check(&self, usage: &Usage) -> Result<(), LimitExceeded> {
        let is_within = usage.events <= self.events
            && usage.bytes <= self.bytes
            && usage.kept_bytes <= self.kept_bytes
            && usage.messages <= self.messages
            && usage.calls <= self.calls
            && usage.snapshot_messages <= self.snapshot_messages
            && usage.interrupts <= self.interrupts;
        if is_within { Ok(()) } else { self.exceeded(usage) }
    }

    #[cold]
    fn exceeded(&self, usage: &Usage) -> Result<(), LimitExceeded> {
        let all = [
            (usage.events, self.events, "events"),
            (usage.bytes, self.bytes, "bytes of events"),
            (usage.kept_bytes, self.kept_bytes, "bytes to be kept"),
            (usage.messages, self.messages, "messages"),
            (usage.calls, self.calls, "calls"),
            (usage.snapshot_messages, self.snapshot_messages, "messages in snapshots"),
            (usage.interrupts, self.interrupts, "questions"),
        ];
        match all.into_iter().find(|(usage, most, _)| usage > most) {
            Some((_, most, what)) => Err(LimitExceeded { most, what }),
            None => Ok(()),
        }
    }
}

impl Default for RunLimits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            events: 1_000_000,
            bytes: 256 * MIB,
            kept_bytes: 32 * MIB,
            messages: 50_000,
            calls: 10_000,
            snapshot_messages: 1_000_000,
            interrupts: 100,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_set_by_its_own_setter_and_told_by_its_name() {
        let limits = RunLimits::default()
            .with_events(1)
            .with_bytes(2)
            .with_kept_bytes(3)
            .with_messages(4)
            .with_calls(5)
            .with_snapshot_messages(6)
            .with_interrupts(7);
        let at = Usage {
            events: 1,
            bytes: 2,
            kept_bytes: 3,
            messages: 4,
            calls: 5,
            snapshot_messages: 6,
            interrupts: 7,
        };
        assert_eq!(limits.check(&at), Ok(()));
        let over = [
            (Usage { events: 2, ..at }, "1 events"),
            (Usage { bytes: 3, ..at }, "2 bytes of events"),
            (Usage { kept_bytes: 4, ..at }, "3 bytes to be kept"),
            (Usage { messages: 5, ..at }, "4 messages"),
            (Usage { calls: 6, ..at }, "5 calls"),
            (Usage { snapshot_messages: 7, ..at }, "6 messages in snapshots"),
            (Usage { interrupts: 8, ..at }, "7 questions"),
        ];
        for (usage, told) in over {
            let told = format!("the agent sent more than {told} in one run");
            assert_eq!(limits.check(&usage).unwrap_err().to_string(), told);
        }
    }
}
