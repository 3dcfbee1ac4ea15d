//! Reports about events that were lost or ignored. Each is given once to the owner of the adapter.

use std::collections::VecDeque;

use crate::protocol::ToolCallId;

/// The limit on reports that wait to be taken. Further reports are only counted.
const WAITING_REPORTS: usize = 1024;

/// Something that an agent sent, or should have sent, and that had no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Report {
    /// An event could not be read completely. A call that it may have concerned does not run.
    #[error("an event could not be read completely ({problem}); a call that it may concern does not run")]
    DamagedEvent {
        /// The call that the event names, if that could be read.
        call_id: Option<ToolCallId>,
        /// What is wrong with the event.
        problem: String,
    },
    /// A frame or a line could not be read. The calls that were open do not run.
    #[error("a part of the stream could not be read ({problem}); the calls that were open do not run")]
    FrameLost {
        /// What is wrong with it.
        problem: String,
    },
    /// The agent reported a result for a call that is answered here. The result changes nothing.
    #[error(
        "the agent reported a result for call \"{call_id}\", which is answered here; its result is ignored"
    )]
    LateResult {
        /// The call.
        call_id: ToolCallId,
    },
    /// The agent ended a run that is not the current one. The current run continues.
    #[error("the agent ended run \"{run_id}\", which is not the current one; the end is ignored")]
    ForeignRunEnd {
        /// The thread that the end names; empty if it names none.
        thread_id: String,
        /// The run that the end names; empty if it names none.
        run_id: String,
    },
    /// The agent continued or ended a call that it never began.
    #[error("the agent continued or ended call \"{call_id}\" without beginning it; the event is ignored")]
    UnknownCall {
        /// The call.
        call_id: ToolCallId,
    },
    /// The run made more calls than can be remembered. What it sends about further calls is ignored.
    #[error("the run has made more calls than can be remembered; further calls are ignored")]
    TooManyCalls,
    /// More was to be reported than anybody took.
    #[error("{count} more reports were dropped")]
    Dropped {
        /// How many reports are missing.
        count: u64,
    },
}

impl Report {
    /// A stable name for this kind of report.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DamagedEvent { .. } => "damaged-event",
            Self::FrameLost { .. } => "frame-lost",
            Self::LateResult { .. } => "late-result",
            Self::ForeignRunEnd { .. } => "foreign-run-end",
            Self::UnknownCall { .. } => "unknown-call",
            Self::TooManyCalls => "too-many-calls-to-remember",
            Self::Dropped { .. } => "reports-dropped",
        }
    }
}

/// The reports that nobody took yet.
#[derive(Debug, Default)]
pub(super) struct Reports {
    waiting: VecDeque<Report>,
    dropped: u64,
}

impl Reports {
    pub(super) fn add(&mut self, report: Report) {
        tracing::warn!(code = report.code(), "{report}");
        if self.waiting.len() < WAITING_REPORTS {
            self.waiting.push_back(report);
        } else {
            self.dropped += 1;
        }
    }

    pub(super) fn next(&mut self) -> Option<Report> {
        self.waiting.pop_front().or_else(|| {
            let count = std::mem::take(&mut self.dropped);
            (count > 0).then_some(Report::Dropped { count })
        })
    }
}

/// As much of a text of the agent's as a report keeps.
pub(super) fn excerpt(text: &str) -> &str {
    text.get(..text.floor_char_boundary(256)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_that_nobody_takes_are_counted_and_told_last() {
        let mut reports = Reports::default();
        for _ in 0..WAITING_REPORTS + 3 {
            reports.add(Report::TooManyCalls);
        }
        let taken: Vec<_> = std::iter::from_fn(|| reports.next()).collect();
        assert_eq!(taken.len(), WAITING_REPORTS + 1);
        assert_eq!(taken.last(), Some(&Report::Dropped { count: 3 }));
    }
}
