//! Limits on what the client reads and stores for one run of an agent.

/// The limits on what an agent may send in one run. A run that exceeds a limit is stopped: the connection is closed,
/// its calls are answered, and the turn ends as [`TurnEnd::ConnectionFailed`](crate::TurnEnd::ConnectionFailed) with
/// the code `limit-exceeded`.
///
/// An event that is nested too deeply, or needs much more memory than its text, is skipped like an event that cannot be
/// read.
///
/// The limits for one call are [`AssemblerLimits`](drawloom_ag_ui::AssemblerLimits).
/// `HttpTransportBuilder::frame_bytes` limits one frame, and `HttpTransportBuilder::run_timeout` limits the time of a
/// run.
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
    /// The maximum number of events, including those that cannot be read. The default is 1,000,000.
    pub events: usize,
    /// The maximum size of all events in bytes of UTF-8, including events that are shown and not stored. The default is
    /// 256 MiB.
    pub bytes: usize,
    /// The maximum size in bytes of the events that add to the conversation, and of one snapshot. The default is 32
    /// MiB.
    pub kept_bytes: usize,
    /// The maximum number of messages that are added to the conversation, including answers to calls. The default is
    /// 50,000.
    pub messages: usize,
    /// The maximum number of calls, including the agent's own calls. The default is 10,000.
    pub calls: usize,
    /// The maximum number of messages and calls that are processed for snapshots of the conversation: those that were
    /// there before, and those in the snapshot. The default is 1,000,000.
    pub snapshot_messages: usize,
    /// The maximum number of questions that the user is asked. The default is 100.
    pub interrupts: usize,
}

/// A run exceeded a limit.
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

    /// With at most this many messages and calls processed for snapshots.
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
